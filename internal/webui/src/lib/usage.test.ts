import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryText, usageText } from './usage.ts'

test('memory and the share of a core in words', () => {
  assert.equal(memoryText(412_000_000), '412 MB')
  assert.equal(memoryText(2_140_000_000), '2.1 GB')
  assert.equal(usageText({ memory: 412_000_000, cpu: 3.4 }), '412 MB · 3 % CPU')
  assert.equal(usageText({ memory: 0, cpu: 0 }), '0 MB · 0 % CPU')
})
