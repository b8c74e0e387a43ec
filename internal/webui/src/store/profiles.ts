// The profiles: read once, kept right by what the app tells, and changed by what people do.
import { batch } from '@preact/signals-core'
import * as calls from '../api/calls.ts'
import type {
  AdoptInput,
  CloneInput,
  OpenProfile,
  Profile,
  ProfileData,
  ProfileEvent,
  SessionEvent,
} from '../api/types.ts'
import { ended } from '../lib/jobs.ts'
import { trying } from './messages.ts'
import { searchText, select } from './rows.ts'
import type { Row } from './state.ts'
import * as state from './state.ts'

// change writes profiles and draws once for all of them.
function change(work: (all: Map<number, Row>) => void): void {
  const all = new Map(state.profiles.value)
  work(all)
  state.profiles.value = all
}

// failureOf is why a start failed. A person’s no to a connection is no failure.
const failureOf = (p: Profile | SessionEvent) => (p.end === 'refused' ? undefined : p.startFailure)

// rowOf is a profile as the window has it. The app tells again only how a person’s own browser ended.
const rowOf = (p: Profile): Row => ({
  ...p,
  end: p.end ?? state.profiles.value.get(p.id)?.end,
  startFailure: failureOf(p),
  text: searchText(p),
})

// unselect forgets the selection of profiles that are gone.
function unselect(gone: (id: number) => boolean): void {
  const left = [...state.selected.value].filter(id => !gone(id))
  if (left.length < state.selected.value.size) select(left)
}

// ---- reading

const firstRows = 60
const pageSize = 10000

// reads are the lists that are on their way. Each notes what went meanwhile, so that an answer brings nothing back.
const reads = new Set<Set<number>>()

async function reading<T>(work: (gone: ReadonlySet<number>) => Promise<T>): Promise<T> {
  const gone = new Set<number>()
  reads.add(gone)
  try {
    return await work(gone)
  } finally {
    reads.delete(gone)
  }
}

// afterDrawing lets the rows that are here be drawn, and used, before more is asked for.
const afterDrawing = () =>
  new Promise<void>(done => {
    requestAnimationFrame(() => setTimeout(done))
  })

// loadFirst reads the rows that a window shows at once. It answers whether these are all.
async function loadFirst(): Promise<boolean> {
  return reading(async gone => {
    const list = await calls.profiles(`limit=${firstRows}`)
    const whole = list.total <= list.data.length
    batch(() => {
      change(all => {
        for (const p of list.data) if (!gone.has(p.id)) all.set(p.id, rowOf(p))
      })
      state.loaded.value = true
      state.total.value = whole ? 0 : list.total
    })
    return whole
  })
}

// loadProfiles reads all profiles.
export async function loadProfiles(): Promise<void> {
  if (!state.loaded.value) {
    if (await loadFirst()) return
    await afterDrawing()
  }
  await reading(async gone => {
    const fresh = new Map<number, Row>()
    for (let n = 1, last = 1; n <= last; n++) {
      const list = await calls.profiles(`limit=${pageSize}&page=${n}`)
      for (const p of list.data) fresh.set(p.id, rowOf(p))
      last = list.last_page
    }
    for (const id of gone) fresh.delete(id)
    batch(() => {
      state.profiles.value = fresh
      unselect(id => !fresh.has(id))
      state.loaded.value = true
      state.total.value = 0
    })
  })
}

// forget drops the profiles of somebody who logged out.
export function forget(): void {
  batch(() => {
    state.profiles.value = new Map()
    state.loaded.value = false
    select([])
  })
}

export const loadTrash = (): Promise<boolean> =>
  trying(async () => {
    const { data } = await calls.profiles('limit=10000&trashed=1&sort=-updated')
    batch(() => {
      state.trash.value = data
      state.trashed.value = data.length
    })
  })

export async function countTrash(): Promise<void> {
  try {
    state.trashed.value = (await calls.profiles('limit=1&trashed=1')).total
  } catch {
    // shown as before
  }
}

// ---- what the app tells

const gather = 60
const fewNews = 20

// news are profiles that somebody has changed. They are read together, and one answer after the other.
let news = new Set<number>()
let allNew = false
let newsTimer: ReturnType<typeof setTimeout> | undefined
let newsRead = Promise.resolve()

function later(ids: number[]): void {
  for (const id of ids) news.add(id)
  allNew ||= !ids.length
  const working = state.jobs.value.some(job => !ended(job))
  if (!working || news.size <= fewNews) readSoon() // what a job changes is read when it ends
}

// readSoon reads the news in a moment.
export function readSoon(): void {
  clearTimeout(newsTimer)
  newsTimer = setTimeout(() => {
    newsRead = newsRead.then(readNews).catch(() => undefined) // the stream of events tells when the app is away
  }, gather)
}

async function readNews(): Promise<void> {
  const ids = [...news]
  const all = allNew
  news = new Set()
  allNew = false
  if (!ids.length && !all) return
  if (all || ids.length > fewNews) {
    await loadProfiles()
    return
  }
  await reading(async gone => {
    const { data } = await calls.profiles(`limit=${ids.length}&ids=${ids.join(',')}`)
    change(all => {
      for (const id of ids) if (!data.some(p => p.id === id)) all.delete(id)
      for (const p of data) if (!gone.has(p.id)) all.set(p.id, rowOf(p))
    })
  })
}

// onProfile takes note of profiles that were created, edited, deleted or restored. Without ids these are all.
export function onProfile({ ids, change: what }: ProfileEvent): void {
  if (what === 'trashed' || what === 'deleted') {
    batch(() => {
      change(all => {
        for (const id of ids) all.delete(id)
      })
      unselect(id => ids.includes(id))
    })
    for (const id of ids) {
      news.delete(id)
      for (const gone of reads) gone.add(id)
    }
  } else later(ids)
  if (what === 'edited' || what === 'created') return
  if (state.trash.value) void loadTrash()
  else void countTrash()
}

// onSession takes note of a profile that opens or closes.
export function onSession(s: SessionEvent): void {
  const p = state.profiles.value.get(s.id)
  if (!p) return
  const closed = s.state === 'closed'
  const next: Row = {
    ...p,
    state: s.state,
    mode: closed ? undefined : s.mode,
    step: s.step,
    end: closed ? s.end : undefined,
    startFailure: closed ? failureOf(s) : undefined,
  }
  if (s.state === 'open' && p.state !== 'open') next.openedAt = new Date().toISOString()
  change(all => all.set(s.id, next))
}

// reconcile takes the states from the app's own list: an event may have come while the profiles were being read.
export function reconcile(open: OpenProfile[]): void {
  const now = new Map(open.map(o => [o.id, o]))
  const different: Row[] = []
  for (const [id, p] of state.profiles.value) {
    const o = now.get(id)
    if ((o?.state ?? 'closed') === p.state && o?.mode === (p.mode || undefined)) continue
    different.push({ ...p, state: o?.state ?? 'closed', mode: o?.mode })
  }
  if (!different.length) return
  change(all => {
    for (const p of different) all.set(p.id, p)
  })
}

// ---- what people do

export const start = (id: number, automation: boolean): Promise<boolean> => trying(() => calls.start(id, automation))
export const stop = (id: number): Promise<boolean> => trying(() => calls.stop(id))

function keep({ data }: ProfileData): Profile {
  change(all => all.set(data.id, rowOf(data)))
  return data
}

export const patch = (id: number, fields: object): Promise<Profile> => calls.patch(id, fields).then(keep)
export const create = (fields: object): Promise<Profile> => calls.create(fields).then(keep)
export const clone = (id: number, to: CloneInput): Promise<Profile> => calls.clone(id, to).then(keep)

// adopt makes the profile that stands for a person’s own browser, or finds it. It is known before anything happens to
// it.
export async function adopt(from: AdoptInput): Promise<number> {
  const { browserProfileId: id } = await calls.adopt(from)
  await reading(async gone => {
    const { data } = await calls.profiles(`limit=1&ids=${id}`)
    change(all => {
      for (const p of data) if (!gone.has(p.id)) all.set(p.id, rowOf(p))
    })
  })
  return id
}

// remove moves a few profiles to the trash; a job moves many.
export const remove = (ids: number[]): Promise<boolean> =>
  trying(async () => {
    await calls.remove(ids, false)
    select([])
    if (state.trash.value) await loadTrash()
  })

// restore takes a few profiles out of the trash.
export const restore = (ids: number[]): Promise<boolean> =>
  trying(async () => {
    for (const id of ids) await calls.restore(id)
    select([])
  })
