import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asNew, blank, changes, check, formOf, inherited, inputOf, sent, typedProxy } from './profile.ts'

const full = {
  id: 3,
  name: 'Acme',
  tags: ['shop', 'eu'],
  folder: 'Work',
  notes: 'a note',
  startPages: ['https://a.example', 'https://b.example'],
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  proxy: { type: 'socks5' as const, host: '::1', port: 1080, login: 'me', password: 'secret' },
  window: { width: 800, height: 600 },
  args: ['--mute-audio'],
  pageTools: 'off' as const,
  browser: '/usr/bin/chromium',
}

test('a profile that is filled in and sent is as it was', () => {
  const { id: _, ...fields } = full
  assert.deepEqual(sent(formOf(full)), fields)
})

test('only what was changed is sent', () => {
  const before = sent(formOf(full))
  assert.deepEqual(changes(before, before), {})
  const now = sent({ ...formOf(full), name: ' Other ', width: '', height: '', tags: 'eu' })
  assert.deepEqual(changes(now, before), { name: 'Other', window: null, tags: ['eu'] })
})

test('a new profile has a policy, one that exists has it read', () => {
  assert.equal(formOf(blank).policy?.preset, 'open')
  assert.equal(formOf(full).policy, null)
})

test('credentials of a pasted proxy go into their own fields', () => {
  const f = formOf(blank)
  const pasted = typedProxy(f, 'proxy', 'socks5://me:pass@[::1]:1080')
  assert.deepEqual([pasted.proxy, pasted.login, pasted.password], ['socks5://[::1]:1080', 'me', 'pass'])
  const typed = typedProxy(f, 'proxy', 'socks5://ho')
  assert.deepEqual([typed.proxy, typed.login], ['socks5://ho', ''])
})

test('what cannot be sent is named', () => {
  const good = { ...formOf(blank), name: 'Acme' }
  assert.deepEqual(check(good), {})
  assert.deepEqual(Object.keys(check({ ...good, name: ' ' })), ['name'])
  assert.deepEqual(Object.keys(check({ ...good, proxy: 'nonsense' })), ['proxy'])
  assert.deepEqual(Object.keys(check({ ...good, width: '800' })), ['window'])
  assert.deepEqual(Object.keys(check({ ...good, height: '600' })), ['window'])
})

test('a field of the API leads to its input', () => {
  const cases = [
    ['name', 'name'],
    ['startPages[1]', 'all'],
    ['startPages', 'pages'],
    ['proxy.port', 'proxy'],
    ['proxy.login', 'login'],
    ['window.height', 'height'],
    ['window.width', 'window'],
    ['policy.sites.allow', 'allow'],
    ['sites.block', 'block'],
    ['policy.answerers', 'answerers'],
    ['', 'all'],
    ['unknown', 'all'],
  ] as const
  for (const [field, input] of cases) assert.equal(inputOf(field), input, field)
})

test('a new profile has the defaults of its folder, and of the next one, but for what was typed', () => {
  const shops = { tags: ['shop'], timezone: 'Europe/Berlin', agents: 'guarded' as const }
  const labs = { startPages: ['https://lab.example'], proxy: { type: 'http' as const, host: 'p', port: 1 } }
  const first = inherited({ ...formOf(blank), folder: 'Shops' }, undefined, shops)
  assert.deepEqual([first.tags, first.timezone, first.policy?.preset], ['shop', 'Europe/Berlin', 'guarded'])
  const typed = { ...first, timezone: 'Asia/Tokyo' }
  const next = inherited(typed, shops, labs)
  assert.deepEqual([next.tags, next.timezone, next.policy?.preset], ['', 'Asia/Tokyo', 'open'])
  assert.deepEqual([next.pages, next.proxy, next.folder], ['https://lab.example', 'http://p:1', 'Shops'])
  assert.equal(inherited(next, labs, undefined).pages, '')
})

test('a new profile says only what is not as its folder has it', () => {
  const shops = {
    tags: ['shop'],
    timezone: 'Europe/Berlin',
    agents: 'off' as const,
    proxy: { type: 'http' as const, host: 'p', port: 1, login: 'me', password: 'x' },
  }
  const blankForm = { ...formOf(blank), name: 'Acme', folder: 'Shops' }
  const own = { name: 'Acme', folder: 'Shops', notes: '', window: null, args: [], pageTools: 'on', browser: '' }
  assert.deepEqual(asNew(blankForm), own, 'the folders were not read yet')
  const f = inherited(blankForm, undefined, shops)
  assert.deepEqual(asNew(f, shops), own)
  const cleared = { ...f, proxy: '', tags: 'eu', policy: formOf(blank).policy }
  const said = asNew(cleared, shops)
  assert.deepEqual([said.proxy, said.tags, said.policy?.preset], [null, ['eu'], 'open'])
  assert.ok(!('timezone' in said))
})

test('the credentials of a proxy go nowhere without it', () => {
  const shop = { proxy: { type: 'http' as const, host: 'us.example', port: 8080, login: 'ann', password: 'secret' } }
  const own = { ...formOf(blank), proxy: 'http://berlin.example:80' }
  const kept = inherited(own, undefined, shop)
  assert.deepEqual([kept.proxy, kept.login, kept.password], ['http://berlin.example:80', '', ''])
  const taken = inherited(formOf(blank), undefined, shop)
  assert.deepEqual([taken.proxy, taken.login, taken.password], ['http://us.example:8080', 'ann', 'secret'])
  const gone = typedProxy(taken, 'proxy', ' ')
  assert.deepEqual([gone.proxy, gone.login, gone.password], ['', '', ''])
  assert.equal(typedProxy(taken, 'login', 'bob').login, 'bob')
})

test('a proxy of its own has an address', () => {
  const f = { ...formOf(blank), name: 'One', custom: true }
  assert.ok(check(f).proxy)
  assert.ok(!check({ ...f, proxy: 'socks4://host:1080' }).proxy)
  assert.ok(!check({ ...f, custom: false }).proxy)
})
