import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittingTabs, merged, nameFor, nameOf, phaseOf, sourceOf, whereOf } from './adopt.ts'

const nothing = { asking: false, failed: false, shared: false }

test('a dialog follows the profile, whoever has asked for the browser', () => {
  const cases = [
    [undefined, {}, 'begin'],
    [{ state: 'closed' }, {}, 'begin'],
    [{ state: 'closed' }, { asking: true }, 'waiting'],
    [{ state: 'starting' }, {}, 'waiting'],
    [{ state: 'open' }, { asking: true }, 'tabs'],
    [{ state: 'open' }, { shared: true }, 'tabs'],
    [{ state: 'stopping' }, { shared: true }, 'ended'],
    [{ state: 'closed' }, { shared: true }, 'ended'],
    [{ state: 'closed' }, { failed: true, shared: true }, 'failed'],
  ] as const
  for (const [p, more, want] of cases) assert.equal(phaseOf(p, { ...nothing, ...more }), want)
})

test('a browser that has a profile already keeps its name', () => {
  const external = { dataDir: '/c', dir: 'Default' }
  const all = [{ name: 'First' }, { name: 'at-work', external }]
  assert.equal(nameFor(all, external), 'at-work')
  assert.equal(nameFor(all, { dataDir: '/c', dir: 'Profile 1' }), 'my-browser')
  assert.equal(nameFor([{ name: 'First' }], {}), 'my-browser')
})

test('a profile finds its browser', () => {
  const sources = ['Default', 'Profile 1'].map(dir => ({
    browser: 'Chrome',
    profile: dir,
    open: true,
    from: { dataDir: '/c', dir },
  }))
  assert.equal(sourceOf(sources, { dataDir: '/c', dir: 'Profile 1' })?.profile, 'Profile 1')
  assert.equal(sourceOf(sources, { dataDir: '/b', dir: 'Default' }), undefined)
})

const tab = (id: string, url: string) => ({ id, url, title: `Title ${id}`, shared: false, agents: false })

test('tabs keep their places, and new ones come last', () => {
  const old = [tab('b', 'https://b.example/'), tab('a', 'https://a.example/'), tab('c', 'https://c.example/')]
  const now = [tab('a', 'https://z.example/'), tab('d', 'https://a.example/'), tab('b', 'https://b.example/')]
  assert.deepEqual(
    merged(old, now).map(t => [t.id, t.url]),
    [
      ['b', 'https://b.example/'],
      ['a', 'https://z.example/'],
      ['d', 'https://a.example/'],
    ],
  )
})

test('a tab has a name and an address, and says nothing twice', () => {
  const cases = [
    ['Order 17', 'http://localhost:8080/order?n=17', 'Order 17', 'localhost:8080/order?n=17'],
    ['GitHub', 'https://github.com/', 'GitHub', 'github.com'],
    ['localhost:8080/order', 'http://localhost:8080/order', 'localhost:8080/order', ''],
    ['https://a.example/', 'https://a.example/', 'https://a.example/', ''],
    ['', 'https://a.example/b', 'a.example/b', ''],
    ['', 'file:///home/me/a.html', 'file:///home/me/a.html', ''],
    ['about:blank', 'about:blank', '', ''],
    ['', '', '', ''],
  ] as const
  for (const [title, url, name, where] of cases) {
    const one = { ...tab('a', url), title }
    assert.deepEqual([nameOf(one), whereOf(one)], [name, where])
  }
})

test('tabs are found by title and address', () => {
  const tabs = [tab('a', 'https://GitHub.com/'), tab('b', 'https://b.example/')]
  assert.deepEqual(
    fittingTabs(tabs, ' github').map(t => t.id),
    ['a'],
  )
  assert.equal(fittingTabs(tabs, 'title').length, 2)
  assert.equal(fittingTabs(tabs, '').length, 2)
})
