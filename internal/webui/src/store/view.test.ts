import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clearFilters, order } from './rows.ts'
import * as state from './state.ts'
import { addressWith, applyView, follow, keepView } from './view.ts'

test('an address shows the list as it says, and one without a view leaves it', () => {
  applyView('#/folder/Shops?q=acme&state=open&tag=eu&sort=-name')
  assert.equal(state.search.value, 'acme')
  assert.deepEqual(state.filter.value, { state: 'open', proxy: '', tags: ['eu'] })
  assert.deepEqual(state.sort.value, { by: 'name', down: true })
  applyView('#/trash')
  assert.equal(state.search.value, 'acme')
})

test('the view stands behind the place', () => {
  assert.equal(addressWith('#/folder/a%20b?q=x', 'q=y'), '#/folder/a%20b?q=y')
  assert.equal(addressWith('#/folder/a', ''), '#/folder/a')
  assert.equal(addressWith('', 'q=y'), '#/?q=y')
})

test('a link to a view shows it, whatever view was shown before', () => {
  const here = { hash: '', pathname: '/' }
  Object.assign(globalThis, {
    location: here,
    history: { replaceState: (_: unknown, __: string, to: string) => (here.hash = to.startsWith('#') ? to : '') },
  })
  const goTo = (hash: string) => {
    here.hash = hash
    follow(here.hash)
  }
  state.page.value = 'app'
  clearFilters()
  order('id', false)
  keepView()
  goTo('#/activity')
  goTo('#/folder/Shops?q=acme')
  assert.equal(here.hash, '#/folder/Shops?q=acme')
  assert.equal(state.search.value, 'acme')
  state.page.value = 'loading'
})
