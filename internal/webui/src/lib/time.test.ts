import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, full, since } from './time.ts'

const now = Date.parse('2026-05-20T12:00:00Z')
const before = (seconds: number) => new Date(now - seconds * 1000).toISOString()

test('ago says how long ago a moment was', () => {
  const cases: [number, string][] = [
    [0, 'now'],
    [59, 'now'],
    [60, '1 min'],
    [3599, '59 min'],
    [3600, '1 h'],
    [86399, '23 h'],
    [86400, 'yesterday'],
    [2 * 86400, '2 d'],
    [14 * 86400, '2 w'],
    [59 * 86400, '8 w'],
  ]
  for (const [seconds, want] of cases) assert.equal(ago(before(seconds), now), want, String(seconds))
  assert.equal(ago(undefined, now), 'never')
  assert.match(ago(before(90 * 86400), now), /2026/)
  assert.equal(ago(before(-30), now), 'now', 'a clock that is ahead')
})

test('since counts the seconds', () => {
  assert.equal(since(before(1), now), 'now')
  assert.equal(since(before(2), now), '2 s')
  assert.equal(since(before(59), now), '59 s')
  assert.equal(since(before(60), now), '1 min')
})

test('full is empty without a moment', () => {
  assert.equal(full(undefined), '')
  assert.match(full(before(0)), /2026/)
})
