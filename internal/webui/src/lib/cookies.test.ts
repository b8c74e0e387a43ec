import assert from 'node:assert/strict'
import { test } from 'node:test'
import { some, summary } from './cookies.ts'

test('some lists the first, and how many more', () => {
  assert.equal(some(['a', 'b'], 2), 'a, b')
  assert.equal(some(['a', 'b', 'c', 'd'], 2), 'a, b and 2 more')
})

test('an import is told in sentences', () => {
  const none = { success: true, dryRun: true, skipped: 0, domains: [] }
  assert.equal(summary(none), 'No cookies to import.')
  const domains = [
    { domain: 'a.example', added: 1, replaced: 2, unchanged: 0 },
    { domain: 'b.example', added: 0, replaced: 1, unchanged: 4 },
  ]
  assert.equal(
    summary({ ...none, domains, skipped: 2, localStorage: 1, ignored: ['x'] }),
    '1 new cookie, 3 changed, 4 unchanged. 2 expired cookies will be skipped. ' +
      '1 local storage entry will be imported. Ignored: x.',
  )
})
