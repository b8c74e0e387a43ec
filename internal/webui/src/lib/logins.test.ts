import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitting, over, sourcesOf } from './logins.ts'

test('the profiles of browsers that are open come first', () => {
  const profiles = [
    { dir: 'Default', name: 'Ann' },
    { dir: 'Profile 1', name: 'Work' },
  ]
  const got = sourcesOf([
    { name: 'Chrome', dataDir: '/c', open: false, profiles: profiles.slice(0, 1) },
    { name: 'Brave', dataDir: '/b', open: true, profiles },
  ])
  assert.deepEqual(
    got.map(s => [s.browser, s.profile, s.from.dir]),
    [
      ['Brave', 'Ann', 'Default'],
      ['Brave', 'Work', 'Profile 1'],
      ['Chrome', 'Ann', 'Default'],
    ],
  )
})

test('sites are found by a part of their names', () => {
  const sites = ['github.com', 'linear.app'].map(site => ({ site, cookies: 1, origins: 0 }))
  assert.deepEqual(
    fitting(sites, ' GitHub ').map(s => s.site),
    ['github.com'],
  )
  assert.equal(fitting(sites, '').length, 2)
})

test('an import is over when it is done or has failed', () => {
  assert.ok(over({ step: 'done' }) && over({ step: 'failed' }) && !over({ step: 'choosing' }))
})
