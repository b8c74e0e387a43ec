import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Ask } from '../api/types.ts'
import './fake.ts'
import { announce, onSound, readSound, setSound } from './sound.ts'
import * as state from './state.ts'

let rings = 0
onSound(() => {
  rings++
  return Promise.resolve()
})
beforeEach(() => {
  rings = 0
})

const request = (more: Partial<Ask> = {}): Ask => ({
  id: '1-1',
  profile: 1,
  kind: 'approve',
  state: 'asked',
  agent: { kind: 'mcp', name: 'c' },
  what: 'send',
  page: '',
  askedAt: new Date().toISOString(),
  ...more,
})

test('there is no sound until the person wants it, and they hear what they choose', () => {
  readSound()
  assert.equal(state.sound.value, false)
  announce(request(), false)
  assert.equal(rings, 0)
  setSound(true)
  assert.equal(rings, 1)
  state.sound.value = false
  readSound()
  assert.equal(state.sound.value, true, 'it is remembered')
})

test('a new request rings once, one that has ended never', () => {
  setSound(true)
  rings = 0
  announce(request(), false)
  announce(request({ state: 'seen' }), true)
  announce(request({ state: 'expired' }), false)
  assert.equal(rings, 1)
  setSound(false)
  announce(request(), false)
  assert.equal(rings, 1)
})

test('a window that is seen again does not ring for what was asked long ago', () => {
  setSound(true)
  rings = 0
  announce(request({ askedAt: '2026-05-20T12:00:00Z' }), false)
  assert.equal(rings, 0)
})
