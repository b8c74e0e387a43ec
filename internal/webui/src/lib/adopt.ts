// A browser that the person has open outside Cove: how far sharing it is, and its tabs.
import type { External, Profile, SharedTab } from '../api/types.ts'
import type { Source } from './logins.ts'

// Phase is what the dialog about a browser shows.
export type Phase = 'begin' | 'waiting' | 'tabs' | 'failed' | 'ended'

type Sharing = {
  asking: boolean // this window has asked for the browser, and waits
  failed: boolean
  shared: boolean // it was shared before, in this dialog
}

// phaseOf says how far a browser is. Without a profile nobody has asked for it yet.
export function phaseOf(p: Pick<Profile, 'state'> | undefined, { asking, failed, shared }: Sharing): Phase {
  if (failed) return 'failed'
  if (p?.state === 'open') return 'tabs'
  if (asking || p?.state === 'starting') return 'waiting'
  return shared ? 'ended' : 'begin'
}

const usualName = 'my-browser'

// nameFor is the name of the profile that stands for a browser already, or a usual one.
export const nameFor = (all: Iterable<Pick<Profile, 'name' | 'external'>>, from: Partial<External>): string =>
  [...all].find(({ external }) => external && external.dataDir === from.dataDir && external.dir === from.dir)?.name ??
  usualName

// sourceOf is the browser that a profile stands for, if it is among those of this computer.
export const sourceOf = (sources: readonly Source[], { dataDir, dir }: External): Source | undefined =>
  sources.find(s => s.from.dataDir === dataDir && s.from.dir === dir)

// merged are the tabs as they are now. Those that were there keep their places: a list that moves is clicked wrong.
export function merged(old: readonly SharedTab[], now: readonly SharedTab[]): SharedTab[] {
  const before = new Set(old.map(tab => tab.id))
  const left = new Map(now.map(tab => [tab.id, tab]))
  const stayed = old.flatMap(({ id }) => left.get(id) ?? [])
  return [...stayed, ...[...left.values()].filter(tab => !before.has(tab.id))]
}

// seen says whether agents see a tab.
export const seen = ({ shared, agents }: SharedTab): boolean => shared || agents

// isBlank says whether a tab shows nothing yet.
export const isBlank = (url: string): boolean => url === '' || url === 'about:blank'

// shortURL is an address as people read it. That of a blank page says nothing.
const shortURL = (url: string): string => (isBlank(url) ? '' : url.replace(/^https?:\/\//, '').replace(/\/$/, ''))

// nameOf is what a tab is called. One that has no title yet has its address as one; a blank one has no name.
export const nameOf = ({ title, url }: SharedTab): string => (isBlank(url) ? '' : title || shortURL(url))

// whereOf is the address of a tab, unless its name says so already.
export function whereOf(tab: SharedTab): string {
  const where = shortURL(tab.url)
  return shortURL(nameOf(tab)) === where ? '' : where
}

// fittingTabs are the tabs that have a text in their titles or addresses.
export function fittingTabs(tabs: readonly SharedTab[], text: string): SharedTab[] {
  const sought = text.trim().toLowerCase()
  return tabs.filter(tab => `${tab.title} ${tab.url}`.toLowerCase().includes(sought))
}
