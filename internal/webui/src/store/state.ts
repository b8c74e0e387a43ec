// What the window knows. Each field is a signal: a view that reads one is drawn again when it changes. Only the files
// of this folder write them.
import { signal } from '@preact/signals-core'
import type { Access, Ask, Browser, Folder, Job, Profile, Status, Usage, View as SavedView } from '../api/types.ts'
import type { Glance } from '../lib/activity.ts'
import type { Attempt } from '../api/client.ts'
import type { End } from '../lib/session.ts'
import type { Column } from '../lib/view.ts'

// Row is a profile with what only this window knows of it.
export type Row = Profile & {
  end?: End // how its last session ended
  text: string // what a search looks through
}

// View is one of the views that an address leads to.
export type View = 'profiles' | 'activity' | 'requests' | 'connect' | 'live' | 'journal' | 'proxies' | 'settings'

// Route is the place that the address names.
export type Route = {
  view: View
  name: string // the first part of the address
  arg: string // the second
  tab?: string // of a profile's window, or that the live view shows
  folder?: string
  trash: boolean
}

// Toast is a short message.
export type Toast = {
  id: number
  text: string
  hint?: string
  bad?: boolean
  away?: boolean // it says that the app is away
  action?: { name: string; run: () => void }
}

// Filter narrows the list of profiles.
export type Filter = {
  state: '' | 'open' | 'agents' | 'closed' | 'crashed' | 'failed'
  tags: string[]
  proxy: '' | 'direct' | 'proxy'
}

export type { Column } from '../lib/view.ts'

// Editable is a column whose cells can be edited in the table.
export type Editable = 'name' | 'tags' | 'folder' | 'notes'

// Item is one entry of a menu.
export type Item = {
  name: string
  run: () => unknown
  key?: string // that does the same
  danger?: boolean
  apart?: boolean // a line stands before it
  checked?: boolean // for one that is on or off
  why?: string // it cannot be chosen now
}

// Menu is a menu that is open, and where. to has the focus again when it closes.
export type Menu = { label: string; x: number; y: number; items: Item[]; to: HTMLElement | null }

// Question is what the window asks before it does something with many profiles.
export type Question = 'tag' | 'move' | 'edit' | 'delete' | 'purge' | 'open' | 'agents'

// Dialog is a dialog that every view can have.
export type Dialog = 'adopt' | 'status' | 'keys' | 'panic' | 'palette' | 'csv' | 'view'

// PinRequest is a call that waits for the PIN.
export type PinRequest = { attempt: Attempt; done: (res: Response) => void; refuse: (e?: unknown) => void }

export const noFilter: Filter = { state: '', tags: [], proxy: '' }

export const page = signal<'loading' | 'signin' | 'app'>('loading')
export const refused = signal('') // why signing in did not work
export const online = signal(true)
export const follows = signal(true) // whether this window hears what changes: while it is seen, and one also unseen
export const returns = signal(0) // of the app after it was away: views that read something themselves read it again
export const status = signal<Status | null>(null)
export const browser = signal<Browser | null>(null) // that profiles open with

export const profiles = signal<ReadonlyMap<number, Row>>(new Map())
export const loaded = signal(false)
export const total = signal(0) // while only the first profiles are here
export const folders = signal<readonly Folder[]>([]) // as the app has them: also those without profiles
export const views = signal<readonly SavedView[]>([]) // that people have given a name
export const trash = signal<Profile[] | null>(null)
export const trashed = signal(0) // how many are there

export const access = signal<ReadonlyMap<number, Access>>(new Map()) // by profile: who works there
export const requests = signal<ReadonlyMap<string, Ask>>(new Map()) // what agents ask for, also what has ended
export const glances = signal<ReadonlyMap<number, Glance>>(new Map()) // by profile, while all are looked at
export const usage = signal<ReadonlyMap<number, Usage>>(new Map()) // by profile, while a view shows it
export const panic = signal(false)
export const pin = signal<PinRequest | null>(null)

export const toasts = signal<Toast[]>([])
export const route = signal<Route>({ view: 'profiles', name: '', arg: '', trash: false })
export const search = signal('')
export const filter = signal<Filter>(noFilter)
export const sort = signal<{ by: Column; down: boolean }>({ by: 'id', down: false })
export const selected = signal<ReadonlySet<number>>(new Set())
export const active = signal(0) // the profile that the keyboard is at
export const dialog = signal<Dialog | null>(null)
export const adopting = signal(0) // the profile of the browser that the dialog is about; 0 for one that has none yet
export const jobs = signal<readonly Job[]>([]) // that run, or failed for some profiles
export const menu = signal<Menu | null>(null)
export const asking = signal<Question | null>(null) // about the selected profiles
export const editing = signal<{ id: number; column: Editable } | null>(null) // the cell that is being edited
// The columns that are not shown, at first and now.
export const usuallyHidden: ReadonlySet<Column> = new Set<Column>(['status', 'notes'])
export const hidden = signal(usuallyHidden)
export const log = signal(0) // the profile whose log is shown
export const modals = signal(0) // dialogs above each other; messages stand in the uppermost, the rest is out of reach
export const viewTitle = signal('')
export const dialogTitle = signal('')
export const sound = signal(false) // whether new requests are heard
export const letters = signal(true) // whether keys without Ctrl do something
