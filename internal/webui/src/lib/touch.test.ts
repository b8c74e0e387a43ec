import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ask, LiveAction, LiveTouch } from '../api/types.ts'
import { lastTouch, ringOf, waitingBoxes } from './touch.ts'

const touch = (more: Partial<LiveTouch> = {}): LiveTouch => ({
  n: 1,
  tab: 'a',
  box: { x: 0.5, y: 0.5, w: 0.25, h: 0.1 },
  ...more,
})
const action = (n: number, more: Partial<LiveAction>): LiveAction => ({
  n,
  agent: 'c',
  tool: 'click',
  text: 'Clicked',
  summary: 'Clicked',
  kind: 'act',
  at: '2026-05-20T12:00:00Z',
  ms: 0,
  ...more,
})

test('the last touch in a tab has a name of its own', () => {
  const all = [action(1, { touch: touch() }), action(2, { touch: touch({ tab: 'b' }) }), action(3, {})]
  assert.equal(lastTouch(all, 'a')?.key, '1.1')
  assert.equal(lastTouch(all, 'b')?.key, '2.1')
  assert.equal(lastTouch(all, 'c'), undefined)
  assert.equal(lastTouch(all), undefined)
  assert.equal(lastTouch([...all, action(4, { touch: touch({ n: 3 }) })], 'a')?.key, '4.3')
})

test('a ring stands around the element and inside the picture', () => {
  assert.deepEqual(ringOf(touch().box, 1000, 800), { x: 496, y: 396, width: 258, height: 88 })
  assert.deepEqual(ringOf({ x: 0, y: 0, w: 1, h: 1 }, 1000, 800), {
    x: 2,
    y: 2,
    width: 996,
    height: 796,
  })
  assert.equal(ringOf({ x: 1, y: 1, w: 0, h: 0 }, 1000, 800).width, 2)
})

const ask = (more: Partial<Ask>): Ask => ({
  id: '1-1',
  profile: 1,
  kind: 'approve',
  state: 'asked',
  agent: { kind: 'mcp', name: 'c' },
  what: 'click',
  page: '',
  askedAt: '2026-05-20T12:00:00Z',
  ...more,
})

test('elements that agents wait for stand in the tab that they asked about', () => {
  const { box } = touch()
  const a = { tab: 'a', page: 'https://shop.example/pay?x=•', box }
  const shown = { tab: 'a', url: 'https://shop.example/pay?x=1#top', actions: [] }
  assert.deepEqual(waitingBoxes([ask(a), ask({ ...a, box: undefined }), ask({ ...a, tab: 'b' })], shown), [box])
  assert.deepEqual(waitingBoxes([ask({ ...a, tab: undefined })], { ...shown, tab: undefined }), [])
  assert.deepEqual(waitingBoxes([ask(a)], { ...shown, url: 'https://shop.example/thanks' }), [])
  assert.deepEqual(waitingBoxes([ask(a)], { ...shown, url: '' }), [])
})

test('an element that agents wait for may have moved when something was done since', () => {
  const a = ask({ tab: 'a', page: 'about:blank', box: touch().box })
  const shown = (more: Partial<LiveAction>) => ({
    tab: 'a',
    url: 'about:blank',
    actions: [action(1, { tab: 'a', outcome: 'ok', at: '2026-05-20T12:00:01Z', ...more })],
  })
  assert.equal(waitingBoxes([a], shown({})).length, 0)
  for (const more of [
    { at: '2026-05-20T11:59:59Z' },
    { kind: 'read' as const },
    { tab: 'b' },
    { outcome: 'refused' as const },
    { outcome: undefined, going: true },
  ])
    assert.equal(waitingBoxes([a], shown(more)).length, 1, JSON.stringify(more))
})
