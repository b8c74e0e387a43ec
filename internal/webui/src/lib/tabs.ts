// The tabs of a profile's window: what each of them holds.
import type { Input, Wrong } from './profile.ts'

// Tab is a tab of a profile's window.
export type Tab = 'general' | 'shared' | 'network' | 'agents' | 'secrets' | 'data'

const all: readonly Tab[] = ['general', 'network', 'agents', 'secrets', 'data']
const ofExternal: readonly Tab[] = ['general', 'shared', 'agents', 'secrets']

// tabsOf are the tabs of a profile. One that is not made yet holds nothing, and one that stands for a person’s own
// browser has no network and no data of its own.
export const tabsOf = (made: boolean, external = false): readonly Tab[] =>
  external ? ofExternal : made ? all : all.slice(0, 3)

// immediate are the tabs whose changes take effect at once.
const immediate: readonly Tab[] = ['shared', 'secrets', 'data']

// saves says whether a tab has something to save, or another one does.
export const saves = (tab: Tab, dirty: boolean): boolean => dirty || !immediate.includes(tab)

// tabOf is the tab that an address names, and the first one where it names none.
export const tabOf = (name: string | undefined, tabs: readonly Tab[]): Tab =>
  tabs.find(tab => tab === name) ?? 'general'

const holders: Partial<Record<Input, Tab>> = {
  proxy: 'network',
  login: 'network',
  password: 'network',
  locale: 'network',
  timezone: 'network',
  policy: 'agents',
  allow: 'agents',
  block: 'agents',
  answerers: 'agents',
}

// wrongTabs are the tabs with something wrong in them. What is about the whole form stands above them.
export const wrongTabs = (wrong: Wrong): ReadonlySet<Tab> =>
  new Set((Object.keys(wrong) as Input[]).filter(name => name !== 'all').map(name => holders[name] ?? 'general'))

// tabWith is the tab to show when something is wrong: the present one if it has a part in it.
export function tabWith(wrong: Wrong, now: Tab): Tab {
  const found = wrongTabs(wrong)
  return found.has(now) ? now : (all.find(tab => found.has(tab)) ?? now)
}

// turned is the tab that a key leads to.
export function turned<T>(tabs: readonly T[], now: T, key: string): T | undefined {
  const at = tabs.indexOf(now)
  const n = tabs.length
  const to = { ArrowRight: (at + 1) % n, ArrowLeft: (at + n - 1) % n, Home: 0, End: n - 1 }[key]
  return to === undefined ? undefined : tabs[to]
}
