import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answering, list, reset } from './fake.ts'
import { changeFolder, dropFolder, folderNamed, loadFolders, readFolder } from './folders.ts'
import * as state from './state.ts'

test('a folder is found by its name, in whatever case', async () => {
  reset()
  answering(() => ({ data: [{ id: 1, name: 'Shops', color: 'green', profilesCount: 0 }] }))
  await loadFolders()
  assert.equal(folderNamed(' shops')?.color, 'green')
  assert.equal(folderNamed('Other'), undefined)
  assert.equal(folderNamed(undefined), undefined)
})

test('a change goes to the folder of that name, and is shown', async () => {
  reset()
  const heard: string[] = []
  let color = ''
  answering((path, init) => {
    if (init.method !== 'GET') heard.push(`${init.method} ${path} ${JSON.stringify(init.body)}`)
    if (init.method === 'PATCH') color = 'red'
    if (path.includes('/browser_profiles')) return list()
    return { data: [{ id: 7, name: 'Shops', color, profilesCount: 0 }] }
  })
  assert.ok(await changeFolder('shops', { color: 'red' }))
  assert.equal(folderNamed('Shops')?.color, 'red')
  assert.ok(await dropFolder('Shops'))
  assert.match(heard.join(), /PATCH .*folders\/7 .*red.*,DELETE .*folders\/7/)
})

test('folders that cannot be read stay as they were', async () => {
  answering(() => {
    throw new Error('away')
  })
  await loadFolders()
  assert.ok(folderNamed('Shops'))
})

test('a folder is read as the app has it now', async () => {
  reset()
  answering(() => ({ data: [{ id: 1, name: 'Shops', defaults: { agents: 'off' }, profilesCount: 0 }] }))
  assert.equal((await readFolder('shops'))?.defaults?.agents, 'off')
  assert.equal(folderNamed('Shops')?.id, 1)
  assert.equal(await readFolder('Other'), undefined)
})

test('a change of a folder that is gone is no success, and its deletion is', async () => {
  reset()
  answering(path => (path.includes('/browser_profiles') ? list() : { data: [] }))
  assert.equal(await changeFolder('Shops', { color: 'red' }), false)
  assert.match(state.toasts.value.at(-1)?.text ?? '', /Shops was renamed or deleted/)
  assert.ok(await dropFolder('Shops'))
})
