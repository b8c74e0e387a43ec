import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputOf } from './profile.ts'
import { saves, tabOf, tabsOf, tabWith, turned, wrongTabs } from './tabs.ts'

test('an address names a tab, and without one it is the first', () => {
  assert.equal(tabOf('agents', tabsOf(true)), 'agents')
  assert.equal(tabOf(undefined, tabsOf(true)), 'general')
  assert.equal(tabOf('nonsense', tabsOf(true)), 'general')
})

test('a profile that is not made yet has no secrets and no data', () => {
  assert.deepEqual(tabsOf(false), ['general', 'network', 'agents'])
  assert.equal(tabOf('secrets', tabsOf(false)), 'general')
})

test('a profile that stands for a person’s own browser has its tabs, and no network and data of its own', () => {
  assert.deepEqual(tabsOf(true, true), ['general', 'shared', 'agents', 'secrets'])
  assert.equal(tabOf('shared', tabsOf(true)), 'general')
})

test('a tab whose changes take effect at once has nothing to save', () => {
  assert.deepEqual(
    tabsOf(true).map(tab => saves(tab, false)),
    [true, true, true, false, false],
  )
  assert.equal(saves('shared', false), false)
  assert.equal(saves('shared', true), true, 'another tab was changed')
})

test('each refusal of the app has the tab of its field', () => {
  const tab = (field: string) => tabWith({ [inputOf(field)]: 'wrong' }, 'data')
  assert.equal(tab('proxy.host'), 'network')
  assert.equal(tab('timezone'), 'network')
  assert.equal(tab('policy.sites.allow'), 'agents')
  assert.equal(tab('answerers'), 'agents')
  assert.equal(tab('args'), 'general')
  assert.equal(tab('window.height'), 'general')
  assert.equal(tab('something else'), 'data', 'what is about no field stays where the person is')
})

test('a tab with something wrong stays, and all of them are marked', () => {
  const wrong = { name: 'missing', proxy: 'wrong' }
  assert.equal(tabWith(wrong, 'network'), 'network')
  assert.equal(tabWith(wrong, 'agents'), 'general')
  assert.deepEqual([...wrongTabs(wrong)], ['general', 'network'])
  assert.equal(wrongTabs({ all: 'refused' }).size, 0)
})

test('arrows turn around, Home and End lead to the ends', () => {
  const tabs = tabsOf(true)
  assert.equal(turned(tabs, 'general', 'ArrowRight'), 'network')
  assert.equal(turned(tabs, 'data', 'ArrowRight'), 'general')
  assert.equal(turned(tabs, 'general', 'ArrowLeft'), 'data')
  assert.equal(turned(tabs, 'agents', 'Home'), 'general')
  assert.equal(turned(tabs, 'agents', 'End'), 'data')
  assert.equal(turned(tabs, 'agents', 'ArrowDown'), undefined)
})
