// Places: what an address leads to.
import { decoded } from '../lib/proxy.ts'
import { loadTrash } from './profiles.ts'
import { select } from './rows.ts'
import * as state from './state.ts'

const views: readonly string[] = ['activity', 'requests', 'connect', 'live', 'journal', 'proxies', 'settings']

// place is an address without what stands behind its question mark.
const place = (hash: string) => hash.replace(/^#\/?/, '').split('?', 1)[0] ?? ''

// routeOf reads an address. What opens above the list leaves the list that was there.
export function routeOf(hash: string, before: state.Route): state.Route {
  const [name = '', arg = '', tab] = place(hash).split('/').map(decoded)
  const view = views.includes(name) ? (name as state.View) : 'profiles'
  const behind = { folder: before.folder, trash: before.trash }
  if (name === 'profile') return { view, name, arg, tab, ...behind }
  if (name === 'new') return { view, name, arg: '', tab: arg, ...behind }
  const folder = name === 'folder' ? arg : undefined
  return { view, name, arg, folder, trash: name === 'trash', ...(view === 'live' && tab && { tab }) }
}

// readRoute goes where the address leads.
export function readRoute(hash: string): void {
  const before = state.route.value
  const next = routeOf(hash, before)
  const other = next.folder !== before.folder || next.trash !== before.trash
  if (other) select([])
  state.route.value = next
  state.dialog.value = null
  if (next.trash && !state.trash.value) void loadTrash()
}

// addressOf is the address of a place.
export const addressOf = (...parts: (string | number)[]): string =>
  `#/${parts.map(p => encodeURIComponent(String(p))).join('/')}`

// go leads to a place.
export function go(...parts: (string | number)[]): void {
  location.hash = addressOf(...parts)
}

// openTab turns to a tab of the profile's window. It adds nothing to the history.
export function openTab(tab: string): void {
  const { name, arg } = state.route.value
  state.route.value = { ...state.route.value, tab }
  history.replaceState(null, '', addressOf(...[name, arg, tab].filter(Boolean)))
}

// showTab shows another tab in the live view. The way back leads to where the person came from.
export function showTab(profile: number, tab: string): void {
  location.replace(addressOf('live', profile, tab))
}

// listPlace leads back to the list that is behind a window.
export function listPlace(): void {
  const { trash, folder } = state.route.value
  if (trash) go('trash')
  else if (folder !== undefined) go('folder', folder)
  else go('')
}
