import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grouped, offered } from './palette.ts'

const all = [
  { group: 'P', name: 'New Acme', about: '7' },
  { group: 'P', name: 'Acme store', about: '12' },
  { group: 'A', name: 'New profile' },
  { group: 'G', name: 'Settings' },
]
const names = (typed: string) => offered(all, typed, 'A').map(e => e.name)

test('every word must be there, and what begins with the first comes first', () => {
  assert.deepEqual(names('acme'), ['Acme store', 'New Acme'])
  assert.deepEqual(names('new'), ['New Acme', 'New profile'])
  assert.deepEqual(names('store ACME'), ['Acme store'])
  assert.deepEqual(names('12'), ['Acme store'])
  assert.deepEqual(names('nothing'), [])
  assert.equal(names('').length, 4)
})

test('a > searches the commands only', () => {
  assert.deepEqual(names('>'), ['New profile'])
  assert.deepEqual(names('> new'), ['New profile'])
})

test('a group has a few entries, and groups have their order', () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ group: 'P', name: `x${i}` }))
  assert.equal(offered(many, 'x', 'A').length, 7)
  assert.deepEqual(
    grouped(all, ['G', 'P', 'none']).map(([group, list]) => [group, list.length]),
    [
      ['G', 1],
      ['P', 2],
    ],
  )
})
