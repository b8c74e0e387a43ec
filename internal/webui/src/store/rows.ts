// The list of profiles: which rows it shows, in which order, and which are selected.
import { computed } from '@preact/signals-core'
import type { Profile } from '../api/types.ts'
import { proxyText } from '../lib/proxy.ts'
import { fits, inState, readSearch } from '../lib/search.ts'
import { columns, isColumn } from '../lib/view.ts'
import type { Column, Editable, Filter, Row } from './state.ts'
import * as state from './state.ts'

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

// searchText is what a search looks through.
export const searchText = (p: Profile): string => [p.name, p.folder, p.notes, p.id, ...p.tags].join(' ').toLowerCase()

// rank orders states, what is alive first.
function rank(p: Row): number {
  if (p.state === 'open') return p.mode === 'automation' ? 0 : 1
  if (p.state !== 'closed') return 2
  return p.end === 'crashed' || p.startFailure ? 3 : 4
}

// momentOf is a time as a number: as texts, fractions of a second of different lengths have no order.
const momentOf = (time?: string) => (time ? Date.parse(time) : 0)

const orders: Record<Column, (a: Row, b: Row) => number> = {
  id: (a, b) => a.id - b.id,
  name: (a, b) => collator.compare(a.name, b.name),
  tags: (a, b) => collator.compare(a.tags.join(' '), b.tags.join(' ')),
  folder: (a, b) => collator.compare(a.folder ?? '', b.folder ?? ''),
  status: (a, b) => collator.compare(a.status?.name ?? '', b.status?.name ?? ''),
  notes: (a, b) => collator.compare(a.notes ?? '', b.notes ?? ''),
  proxy: (a, b) => collator.compare(proxyText(a), proxyText(b)),
  state: (a, b) => rank(a) - rank(b),
  opened: (a, b) => momentOf(a.openedAt) - momentOf(b.openedAt),
}

// Query says what a list shows.
export type Query = { folder?: string; search: string; filter: Filter; sort: { by: Column; down: boolean } }

// pick are the profiles that a query finds, in its order.
export function pick(all: Iterable<Row>, { folder, search, filter, sort }: Query): Row[] {
  const sought = readSearch(search)
  const inFolder = folder?.toLowerCase()
  const found = [...all].filter(
    p =>
      (inFolder === undefined || (p.folder ?? '').toLowerCase() === inFolder) &&
      (!filter.state || inState[filter.state]?.(p)) &&
      (!filter.proxy || (filter.proxy === 'direct') === !p.proxy) &&
      filter.tags.every(tag => p.tags.includes(tag)) &&
      fits(p, sought),
  )
  const order = orders[sort.by]
  return found.sort((a, b) => (sort.down ? -order(a, b) : order(a, b)) || a.id - b.id)
}

// rows are the profiles that the list shows.
export const rows = computed(() => {
  const { trash, folder } = state.route.value
  const query = { search: state.search.value, filter: state.filter.value, sort: state.sort.value }
  if (!trash) return pick(state.profiles.value.values(), { ...query, folder })
  return pick(
    (state.trash.value ?? []).map(p => ({ ...p, text: searchText(p) })),
    query,
  )
})

// shelvesOf counts what is in which folder, and every tag.
export function shelvesOf(all: Iterable<Row>): { folders: [string, number][]; tags: [string, number][] } {
  const folders = new Map<string, number>()
  const tags = new Map<string, number>()
  const add = (m: Map<string, number>, name: string) => m.set(name, (m.get(name) ?? 0) + 1)
  for (const p of all) {
    if (p.folder) add(folders, p.folder)
    for (const tag of p.tags) add(tags, tag)
  }
  const sorted = (m: Map<string, number>) => [...m].sort((a, b) => collator.compare(a[0], b[0]))
  return { folders: sorted(folders), tags: sorted(tags) }
}

export const shelves = computed(() => shelvesOf(state.profiles.value.values()))

// ---- what the person does with the list

export const find = (words: string): void => void (state.search.value = words)
export const narrow = (more: Partial<Filter>): void => void (state.filter.value = { ...state.filter.value, ...more })
export const order = (by: Column, down: boolean): void => void (state.sort.value = { by, down })

// firstDown: the end of a column that people look for first is its last one: the newest.
export const firstDown = (by: Column): boolean => by === 'opened'
export const moveTo = (id: number): void => void (state.active.value = id)
export const select = (ids: Iterable<number>): void => void (state.selected.value = new Set(ids))
export const selectMore = (ids: Iterable<number>): void => select([...state.selected.value, ...ids])

// toggle selects a profile, or no longer.
export function toggle(id: number): void {
  const now = new Set(state.selected.value)
  if (!now.delete(id)) now.add(id)
  select(now)
}

// edit edits a cell of the table, or none.
export function edit(id: number, column: Editable): void {
  if (state.hidden.value.has(column)) showColumn(column, true)
  state.editing.value = { id, column }
}
export const editNone = (): void => void (state.editing.value = null)

const columnsKey = 'cove-columns-changed'

// showColumn shows a column of the table or hides it, here and in later windows.
export function showColumn(column: Column, on: boolean): void {
  const hidden = new Set(state.hidden.value)
  if (on) hidden.delete(column)
  else hidden.add(column)
  state.hidden.value = hidden
  const changed = columns.filter(c => hidden.has(c) !== state.usuallyHidden.has(c))
  localStorage.setItem(columnsKey, changed.join())
}

// readColumns shows and hides what was chosen before. All else is as usual, also in a version with more columns.
export function readColumns(): void {
  const hidden = new Set(state.usuallyHidden)
  for (const key of localStorage.getItem(columnsKey)?.split(',') ?? []) {
    if (isColumn(key) && !hidden.delete(key)) hidden.add(key)
  }
  state.hidden.value = hidden
}

// clearFilters shows everything again.
export function clearFilters(): void {
  state.search.value = ''
  state.filter.value = state.noFilter
}
