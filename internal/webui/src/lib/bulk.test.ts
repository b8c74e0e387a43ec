import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, unchanged, wrongIn } from './bulk.ts'

test('what is left unchanged is not sent', () => {
  assert.deepEqual(changeOf(unchanged), {})
  assert.deepEqual(changeOf({ ...unchanged, text: 'typed, and not wanted', url: 'http://h:1' }), {})
})

test('a proxy is a saved one, another, or none', () => {
  assert.deepEqual(changeOf({ ...unchanged, proxy: '7' }), { proxy: { id: 7 } })
  assert.deepEqual(changeOf({ ...unchanged, proxy: 'direct' }), { proxy: '' })
  assert.deepEqual(changeOf({ ...unchanged, proxy: 'custom', url: 'socks5://me:x@h:1080' }), {
    proxy: { type: 'socks5', host: 'h', port: 1080, login: 'me', password: 'x' },
  })
})

test('a status is one of those, a new one, or none', () => {
  assert.deepEqual(changeOf({ ...unchanged, status: '3' }), { status: 3 })
  assert.deepEqual(changeOf({ ...unchanged, status: 'none' }), { status: 0 })
  assert.deepEqual(changeOf({ ...unchanged, status: 'new', newStatus: 'ready' }, 9), { status: 9 })
})

test('notes are replaced, also by nothing', () => {
  assert.deepEqual(changeOf({ ...unchanged, notes: 'replace' }), { notes: '' })
})

test('what is missing is named', () => {
  assert.equal(wrongIn(unchanged), undefined)
  assert.equal(wrongIn({ ...unchanged, proxy: 'custom', url: 'nonsense' }), 'url')
  assert.equal(wrongIn({ ...unchanged, status: 'new', newStatus: ' ' }), 'newStatus')
})
