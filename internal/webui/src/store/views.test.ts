import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answering, reset } from './fake.ts'
import { find } from './rows.ts'
import { readRoute } from './route.ts'
import * as state from './state.ts'
import { dropView, loadViews, renameView, restoreView, saveView, shownPlace, shownView } from './views.ts'

test('the list as it is shown gets a name, another one, and none', async () => {
  reset()
  let kept: { id: number; name: string; address: string }[] = []
  answering((_, init) => {
    const { name = '', address = '' } = JSON.parse((init.body as string | undefined) ?? '{}') as Record<string, string>
    if (init.method === 'POST') kept = [{ id: 1, name, address }]
    if (init.method === 'PATCH') kept = kept.map(v => ({ ...v, name }))
    if (init.method === 'DELETE') kept = []
    return { data: kept }
  })
  readRoute('#/folder/a%2Fb')
  assert.equal(shownPlace.value, '', 'a list that is shown as usual is no view')
  find('shop')
  assert.equal(shownPlace.value, '/folder/a%2Fb?q=shop')
  assert.ok(await saveView('Shops'))
  assert.equal(shownView.value?.name, 'Shops')
  assert.ok(await renameView(1, 'Stores'))
  assert.equal(shownView.value?.name, 'Stores')
  find('other')
  assert.equal(shownView.value, undefined)
  assert.ok(await dropView(1))
  assert.deepEqual(state.views.value, [])
  const old = { id: 1, name: 'Stores', address: '/folder/a%2Fb?q=shop' }
  assert.ok(await restoreView(old))
  assert.deepEqual(state.views.value, [old])
  find('')
})

test('views that cannot be read stay as they were', async () => {
  state.views.value = [{ id: 1, name: 'x', address: '/?q=x' }]
  answering(() => {
    throw new Error('away')
  })
  await loadViews()
  assert.equal(state.views.value.length, 1)
})
