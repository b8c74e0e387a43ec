import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decoded, proxyAddress, proxyLabel, proxyName, proxyText, readProxy, sameProxy } from './proxy.ts'

test('a proxy is read as people paste it', () => {
  const plain = { type: 'http', login: '', password: '', host: 'host', port: 8080 }
  assert.deepEqual(readProxy('host:8080'), plain)
  assert.deepEqual(readProxy(' HTTP://host:8080/ '), plain)
  assert.deepEqual(readProxy('https://host:8080'), { ...plain, type: 'https' })
  for (const scheme of ['socks', 'socks5', 'socks5h', 'SOCKS5'])
    assert.deepEqual(readProxy(`${scheme}://host:8080`), { ...plain, type: 'socks5' }, scheme)
  for (const scheme of ['socks4', 'socks4a'])
    assert.deepEqual(readProxy(`${scheme}://host:8080`), { ...plain, type: 'socks4' }, scheme)
  assert.deepEqual(readProxy('socks5://me:a%20b@[::1]:1080'), {
    type: 'socks5',
    login: 'me',
    password: 'a b',
    host: '::1',
    port: 1080,
  })
})

test('what is no proxy is not read', () => {
  for (const text of ['', 'host', 'host:', 'host:123456', 'ftp://host:21', 'a b:80', 'me:@'])
    assert.equal(readProxy(text), null, text)
})

test('what is not encoded stays', () => {
  assert.equal(decoded('100%'), '100%')
  assert.equal(decoded('a%2Fb'), 'a/b')
})

test('an address has brackets around IPv6', () => {
  assert.equal(proxyAddress({ type: 'http', host: '::1', port: 80 }), 'http://[::1]:80')
  assert.equal(proxyAddress({ type: 'http', host: 'a.example', port: 80 }), 'http://a.example:80')
})

test('a column shows a name without its domain', () => {
  const of = (host: string) => ({ proxy: { type: 'http' as const, host, port: 1 } })
  assert.equal(proxyName(of('eu.proxies.example')), 'http · eu')
  assert.equal(proxyName(of('10.0.0.1')), 'http · 10.0.0.1')
  assert.equal(proxyText(of('eu.proxies.example')), 'http · eu.proxies.example')
  assert.equal(proxyName({}), 'direct')
  assert.equal(proxyText({}), 'direct')
})

test('a proxy is the same with the same credentials', () => {
  const one = { type: 'http' as const, host: 'a.example', port: 80 }
  assert.ok(sameProxy(one, { ...one, login: '', password: '' }))
  assert.ok(!sameProxy(one, { ...one, port: 81 }))
  assert.ok(!sameProxy({ ...one, login: 'ann' }, one))
  assert.ok(!sameProxy({ ...one, password: 'x' }, { ...one, password: 'y' }))
})

test('a stored proxy is chosen by its name, where it has one', () => {
  const one = { type: 'http' as const, host: 'a.example', port: 80 }
  assert.equal(proxyLabel({ ...one, name: '' }), 'http://a.example:80')
  assert.equal(proxyLabel({ ...one, name: 'Berlin' }), 'Berlin · http://a.example:80')
})
