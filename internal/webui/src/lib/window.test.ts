import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawn, headHeight, pageRows, rowHeight, scrollFor } from './window.ts'

test('only the rows in sight are drawn, and a few beyond', () => {
  assert.deepEqual(drawn({ top: 0, height: 440 }, 10000), { first: 0, last: 16 })
  assert.deepEqual(drawn({ top: 100 * rowHeight, height: 440 }, 10000), { first: 94, last: 116 })
  assert.deepEqual(drawn({ top: 0, height: 440 }, 3), { first: 0, last: 3 })
})

test('a row is scrolled to from above and from below', () => {
  const view = { top: 10 * rowHeight, height: 440 }
  assert.equal(scrollFor(12, view), null)
  assert.equal(scrollFor(3, view), 3 * rowHeight)
  assert.equal(scrollFor(30, view), 31 * rowHeight - 440 + headHeight)
})

test('a page is at least a row', () => {
  assert.equal(pageRows(440), 8)
  assert.equal(pageRows(10), 1)
})
