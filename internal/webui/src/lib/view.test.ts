import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOf, readView, type View, writeView } from './view.ts'

const usual: View = {
  search: '',
  filter: { state: '', proxy: '', tags: [] },
  sort: { by: 'id', down: false },
}

test('a view comes back from its address', () => {
  for (const view of [
    usual,
    { ...usual, search: 'tag:"a b" & 100%' },
    { ...usual, filter: { state: 'failed' as const, proxy: 'proxy' as const, tags: ['eu', 'a&b'] } },
    { ...usual, sort: { by: 'opened' as const, down: true } },
    { ...usual, sort: { by: 'id' as const, down: true } },
  ])
    assert.deepEqual(readView(writeView(view)), view)
})

test('the usual view has no query, and nonsense is left out', () => {
  assert.equal(writeView(usual), '')
  assert.deepEqual(readView('state=toString2&proxy=x&sort=size&other=1'), usual)
})

test('a view has the place of its list', () => {
  const sought = { ...usual, search: 'shop' }
  assert.equal(placeOf({ trash: false }, usual), '')
  assert.equal(placeOf({ trash: false }, sought), '/?q=shop')
  assert.equal(placeOf({ trash: true }, sought), '/trash?q=shop')
  assert.equal(placeOf({ folder: 'a/b', trash: false }, sought), '/folder/a%2Fb?q=shop')
})
