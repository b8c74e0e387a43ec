import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultsOf } from './folder.ts'

const form = (fields: Record<string, string>) => (name: string) => fields[name] ?? ''

test('what is left empty is no default', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(defaultsOf(form({})))), {
    tags: [],
    startPages: [],
    locale: '',
    timezone: '',
  })
})

test('a form is read as people type it', () => {
  const d = defaultsOf(form({ tags: 'a, b', pages: 'x.example\n\ny.example', timezone: ' Asia/Tokyo ', agents: 'off' }))
  assert.deepEqual(
    [d?.tags, d?.startPages, d?.timezone, d?.agents],
    [['a', 'b'], ['x.example', 'y.example'], 'Asia/Tokyo', 'off'],
  )
})

test('a proxy has its credentials in the address or beside it', () => {
  const proxy = (fields: Record<string, string>) => defaultsOf(form(fields))?.proxy
  const want = { type: 'socks5', host: 'p.example', port: 1080, login: 'me', password: 'x' }
  assert.deepEqual(proxy({ proxy: 'socks5://me:x@p.example:1080' }), want)
  assert.deepEqual(proxy({ proxy: 'socks5://p.example:1080', login: 'me', password: 'x' }), want)
  assert.equal(defaultsOf(form({ proxy: 'nonsense' })), null)
})
