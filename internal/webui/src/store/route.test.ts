import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, readRoute, routeOf } from './route.ts'
import { select } from './rows.ts'
import type { Route } from './state.ts'
import * as state from './state.ts'

const home: Route = { view: 'profiles', name: '', arg: '', folder: undefined, trash: false }

test('an address leads to a view', () => {
  assert.deepEqual(routeOf('', home), home)
  assert.deepEqual(routeOf('#/live/3', home), { ...home, view: 'live', name: 'live', arg: '3' })
  assert.deepEqual(routeOf('#/live/3/A1', home), { ...home, view: 'live', name: 'live', arg: '3', tab: 'A1' })
  assert.equal(routeOf('#/journal/3/step=1', home).tab, undefined)
  assert.deepEqual(routeOf('#/nonsense', home), { ...home, name: 'nonsense' })
  assert.equal(routeOf('#/folder/a%2Fb', home).folder, 'a/b')
  assert.equal(routeOf('#/folder/100%', home).folder, '100%', 'an address that is not encoded')
  assert.ok(routeOf('#/trash', home).trash)
})

test('what opens above a list leaves the list', () => {
  const list = routeOf('#/folder/Work', home)
  assert.equal(routeOf('#/profile/3', list).folder, 'Work')
  assert.equal(routeOf('#/new', list).folder, 'Work')
  assert.equal(routeOf('#/activity', list).folder, undefined)
})

test('the window of a profile has a tab', () => {
  assert.equal(routeOf('#/profile/3/agents', home).tab, 'agents')
  assert.deepEqual([routeOf('#/new/network', home).tab, routeOf('#/new/network', home).arg], ['network', ''])
  assert.equal(routeOf('#/profile/3?q=x', home).tab, undefined)
})

test('an address reads back as it was written', () => {
  assert.equal(addressOf('folder', 'a/b c'), '#/folder/a%2Fb%20c')
  assert.equal(routeOf(addressOf('folder', 'a/b c'), home).folder, 'a/b c')
  assert.equal(addressOf('profile', 3), '#/profile/3')
})

test('another list has another selection', () => {
  readRoute('#/folder/Work')
  select([1])
  readRoute('#/profile/1')
  assert.equal(state.selected.value.size, 1, 'a window above the list')
  readRoute('#/')
  assert.equal(state.selected.value.size, 0)
})
