import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Profile } from '../api/types.ts'
import { columns } from '../lib/view.ts'
import {
  clearFilters,
  find,
  narrow,
  pick,
  readColumns,
  rows,
  searchText,
  select,
  selectMore,
  shelvesOf,
  showColumn,
  toggle,
} from './rows.ts'
import type { Filter, Row } from './state.ts'
import * as state from './state.ts'

function row(id: number, more: Partial<Row> = {}): Row {
  const p: Profile = { id, name: `P${id}`, tags: [], state: 'closed', running: false, ...more }
  return { ...p, ...more, text: searchText(p) }
}

const all = [
  row(1, { name: 'b', tags: ['eu'], folder: 'Work', openedAt: '2026-01-02' }),
  row(2, { name: 'A', tags: ['eu', 'shop'], state: 'open', mode: 'automation', openedAt: '2026-01-03' }),
  row(3, { name: 'c10', end: 'crashed', proxy: { type: 'http', host: 'h', port: 1 } }),
  row(4, { name: 'c9', state: 'open', mode: 'ordinary', notes: 'Big note' }),
]
const everything = { search: '', filter: state.noFilter, sort: { by: 'id' as const, down: false } }
const ids = (list: Row[]) => list.map(p => p.id)
const filtered = (filter: Partial<Filter>) =>
  ids(pick(all, { ...everything, filter: { ...state.noFilter, ...filter } }))

test('rows are ordered by a column, both ways', () => {
  const by = (by: state.Column, down = false) => ids(pick(all, { ...everything, sort: { by, down } }))
  assert.deepEqual(by('name'), [2, 1, 4, 3])
  assert.deepEqual(by('name', true), [3, 4, 1, 2])
  assert.deepEqual(by('state'), [2, 4, 3, 1])
  assert.deepEqual(by('opened', true), [2, 1, 3, 4], 'the newest first')
  assert.deepEqual(by('opened'), [3, 4, 1, 2])
  assert.deepEqual(by('proxy'), [1, 2, 4, 3])
  assert.deepEqual(by('folder'), [2, 3, 4, 1])
  assert.deepEqual(by('tags'), [3, 4, 1, 2])
  assert.deepEqual(by('id', true), [4, 3, 2, 1])
})

test('times within a second have an order', () => {
  const two = [row(1, { openedAt: '2026-01-02T00:00:00.123Z' }), row(2, { openedAt: '2026-01-02T00:00:00.12Z' })]
  assert.deepEqual(ids(pick(two, { ...everything, sort: { by: 'opened', down: false } })), [2, 1])
})

test('columns are as they were chosen, and others as usual', () => {
  const kept = new Map<string, string>()
  const localStorage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) }
  Object.assign(globalThis, { localStorage })
  showColumn('notes', true)
  showColumn('proxy', false)
  showColumn('tags', false)
  showColumn('tags', true)
  state.hidden.value = new Set()
  readColumns()
  assert.deepEqual([...state.hidden.value].sort(), ['proxy', 'status'])
  kept.clear()
  readColumns()
  assert.deepEqual(state.hidden.value, state.usuallyHidden)
})

test('every column has a width', () => {
  const css = readFileSync(new URL('../style/table.css', import.meta.url), 'utf8')
  assert.deepEqual(
    columns.filter(key => !css.includes(`--w-${key}:`)),
    [],
  )
})

test('a search looks for every word in name, tags, folder, notes and id', () => {
  const found = (search: string) => ids(pick(all, { ...everything, search }))
  assert.deepEqual(found('big NOTE'), [4])
  assert.deepEqual(found('shop'), [2])
  assert.deepEqual(found('work b'), [1])
  assert.deepEqual(found('nothing'), [])
})

test('filters narrow', () => {
  assert.deepEqual(filtered({ state: 'open' }), [2, 4])
  assert.deepEqual(filtered({ state: 'agents' }), [2])
  assert.deepEqual(filtered({ state: 'closed' }), [1, 3])
  assert.deepEqual(filtered({ state: 'crashed' }), [3])
  assert.deepEqual(filtered({ proxy: 'proxy' }), [3])
  assert.deepEqual(filtered({ proxy: 'direct' }), [1, 2, 4])
  assert.deepEqual(filtered({ tags: ['eu', 'shop'] }), [2])
  assert.deepEqual(ids(pick(all, { ...everything, folder: 'WORK' })), [1])
})

test('shelves count folders and tags', () => {
  assert.deepEqual(shelvesOf(all), {
    folders: [['Work', 1]],
    tags: [
      ['eu', 2],
      ['shop', 1],
    ],
  })
})

test('the list follows the search, the filter and the place', () => {
  state.profiles.value = new Map(all.map(p => [p.id, p]))
  find('eu')
  assert.deepEqual(ids(rows.value), [1, 2])
  narrow({ state: 'closed' })
  assert.deepEqual(ids(rows.value), [1])
  clearFilters()
  assert.equal(rows.value.length, 4)
  state.trash.value = [row(9)]
  state.route.value = { view: 'profiles', name: 'trash', arg: '', trash: true }
  assert.deepEqual(ids(rows.value), [9])
  state.route.value = { view: 'profiles', name: '', arg: '', trash: false }
})

test('a selection grows and shrinks', () => {
  select([1, 2])
  toggle(2)
  toggle(3)
  selectMore([4, 1])
  assert.deepEqual([...state.selected.value], [1, 3, 4])
  select([])
})
