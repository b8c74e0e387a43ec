import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveEvent, LiveInput } from '../api/types.ts'
import { batch, clickCounter, keyOf, placeIn, queue, type Queued, sender, shownAt, wheelOf } from './control.ts'

test('a picture fits both sides of its frame', () => {
  assert.deepEqual(shownAt({ width: 200, height: 100 }, { width: 100, height: 100 }), {
    left: 50,
    top: 0,
    width: 100,
    height: 100,
  })
  assert.deepEqual(shownAt({ width: 200, height: 100 }, { width: 800, height: 100 }), {
    left: 0,
    top: 0,
    width: 200,
    height: 25,
  })
  assert.equal(shownAt({ width: 200, height: 100 }, { width: 0, height: 0 }).width, 0)
})

test('a point of the window is a fraction of the picture', () => {
  const frame = { left: 10, top: 20, width: 200, height: 100 }
  const picture = { width: 1000, height: 1000 }
  assert.deepEqual(placeIn(frame, picture, { x: 110, y: 45 }), { x: 0.5, y: 0.25, hits: true })
  assert.deepEqual(placeIn(frame, picture, { x: 12, y: 45 }), { x: 0, y: 0.25, hits: false })
  assert.deepEqual(placeIn(frame, picture, { x: 900, y: 900 }), { x: 1, y: 1, hits: false })
  assert.deepEqual(placeIn(frame, { width: 0, height: 0 }, { x: 12, y: 45 }).hits, false)
})

const press = (key: string, code: string, more: Partial<Parameters<typeof keyOf>[0]> = {}) => ({
  key,
  code,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  isComposing: false,
  getModifierState: () => false,
  ...more,
})

test('keys write what the person’s own layout writes', () => {
  assert.deepEqual(keyOf(press('ф', 'KeyA'), true), { t: 'key', key: 'ф', code: 'KeyA', m: 0, down: true, text: 'ф' })
  assert.deepEqual(keyOf(press('A', 'KeyA', { shiftKey: true }), true)?.text, 'A')
  assert.deepEqual(keyOf(press('Enter', 'Enter'), true), { t: 'key', key: 'Enter', code: 'Enter', m: 0, down: true })
  assert.deepEqual(keyOf(press('a', 'KeyA'), false), { t: 'key', key: 'a', code: 'KeyA', m: 0 })
})

test('a shortcut writes nothing, and the third level is no shortcut', () => {
  assert.deepEqual(keyOf(press('c', 'KeyC', { ctrlKey: true }), true), {
    t: 'key',
    key: 'c',
    code: 'KeyC',
    m: 2,
    down: true,
  })
  const at = press('@', 'KeyQ', { ctrlKey: true, altKey: true, getModifierState: name => name === 'AltGraph' })
  assert.deepEqual(keyOf(at, true), { t: 'key', key: '@', code: 'KeyQ', m: 0, down: true, text: '@' })
})

test('input methods and the clipboard see to their own keys', () => {
  assert.equal(keyOf(press('Process', 'KeyN'), true), undefined)
  assert.equal(keyOf(press('Dead', 'Quote'), true), undefined)
  assert.equal(keyOf(press('n', 'KeyN', { isComposing: true }), true), undefined)
  assert.equal(keyOf(press('v', 'KeyV', { ctrlKey: true }), true), undefined)
  assert.equal(keyOf(press('V', 'KeyV', { metaKey: true, shiftKey: true }), true), undefined)
})

test('a wheel that turns in lines or pages', () => {
  assert.deepEqual(wheelOf({ deltaX: 0, deltaY: 3, deltaMode: 1 }), { dx: 0, dy: 120 })
  assert.deepEqual(wheelOf({ deltaX: 1, deltaY: 2, deltaMode: 0 }), { dx: 1, dy: 2 })
  assert.deepEqual(wheelOf({ deltaX: 0, deltaY: 1, deltaMode: 2 }), { dx: 0, dy: 600 })
})

const add = (...events: LiveEvent[]): LiveEvent[] =>
  events.reduce<Queued[]>((all, event) => queue(all, { pic: 1, event }), []).map(one => one.event)

test('moves in a row are one, and nothing overtakes anything', () => {
  assert.deepEqual(add({ t: 'move', x: 0.1 }, { t: 'move', x: 0.2 }, { t: 'down' }, { t: 'move', x: 0.3 }), [
    { t: 'move', x: 0.2 },
    { t: 'down' },
    { t: 'move', x: 0.3 },
  ])
  assert.deepEqual(add({ t: 'wheel', dy: 10 }, { t: 'wheel', dx: 1, dy: 5 }), [{ t: 'wheel', dx: 1, dy: 15 }])
  assert.equal(add({ t: 'wheel', dy: 1, m: 2 }, { t: 'wheel', dy: 1 }).length, 2)
  assert.equal(add({ t: 'key', key: 'a' }, { t: 'key', key: 'a' }).length, 2)
  assert.equal(add({ t: 'touch', k: 'start' }, { t: 'touch', k: 'move' }, { t: 'touch', k: 'move' }).length, 2)
})

test('a batch is for one picture', () => {
  const all = [1, 1, 2].map(pic => ({ pic, event: { t: 'down' as const } }))
  assert.deepEqual([batch(all).pic, batch(all).events.length, batch(all).rest.map(one => one.pic)], [1, 2, [2]])
  assert.deepEqual(batch([]).events, [])
})

test('one batch is under way at a time', async () => {
  const sent: Omit<LiveInput, 'tab'>[] = []
  const done: (() => void)[] = []
  let heard = 0
  const send = sender(
    input => {
      sent.push(input)
      return new Promise(answer => {
        done.push(() => {
          answer({ done: input.events.length })
        })
      })
    },
    r => {
      heard += r.done
    },
    () => assert.fail(),
  )
  for (let i = 0; i < 60; i++) send(1, { t: 'move', x: i / 60 })
  send(1, { t: 'down' })
  assert.equal(sent.length, 1)
  done[0]?.()
  await new Promise(setImmediate)
  assert.deepEqual(sent[1]?.events, [{ t: 'move', x: 59 / 60 }, { t: 'down' }])
  done[1]?.()
  await new Promise(setImmediate)
  assert.equal(heard, 3)
})

test('what waits is dropped when the app does not take it', async () => {
  let failures = 0
  const send = sender(
    () => Promise.reject(new Error('no')),
    assert.fail,
    () => {
      failures++
    },
  )
  send(1, { t: 'down' }, { t: 'up' })
  await new Promise(setImmediate)
  assert.equal(failures, 1)
})

test('presses that come together are double and triple clicks', () => {
  const count = clickCounter()
  assert.equal(count({ x: 5, y: 5, b: 0, at: 1000 }), 1)
  assert.equal(count({ x: 6, y: 5, b: 0, at: 1200 }), 2)
  assert.equal(count({ x: 6, y: 5, b: 0, at: 1400 }), 3)
  assert.equal(count({ x: 6, y: 5, b: 0, at: 1500 }), 1)
  assert.equal(count({ x: 60, y: 5, b: 0, at: 1600 }), 1)
  assert.equal(count({ x: 60, y: 5, b: 2, at: 1700 }), 1)
  assert.equal(count({ x: 60, y: 5, b: 2, at: 2700 }), 1)
})
