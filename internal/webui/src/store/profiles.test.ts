import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { answering, holding, list, profile, reset, until } from './fake.ts'
import { adopt, create, loadProfiles, onProfile, onSession, patch, reconcile, remove, restore } from './profiles.ts'
import { select } from './rows.ts'
import * as state from './state.ts'

const known = () => [...state.profiles.value.keys()]

beforeEach(reset)

test('the profiles are read once when they are few', async () => {
  const held = holding()
  const read = loadProfiles()
  await until('a call', () => held.length === 1)
  held[0]?.answer(list(profile(1), profile(2)))
  await read
  assert.deepEqual(known(), [1, 2])
  assert.ok(state.loaded.value)
  assert.equal(held.length, 1)
})

test('many profiles are read in pages, after the first rows are shown', async () => {
  const held = holding()
  const read = loadProfiles()
  await until('the first rows', () => held.length === 1)
  held[0]?.answer({ ...list(profile(1)), total: 3 })
  await until('the first page', () => held.length === 2)
  assert.deepEqual(known(), [1])
  assert.equal(state.total.value, 3)
  held[1]?.answer({ ...list(profile(1), profile(2)), last_page: 2 })
  await until('the second page', () => held.length === 3)
  held[2]?.answer({ ...list(profile(3)), last_page: 2 })
  await read
  assert.deepEqual(known(), [1, 2, 3])
  assert.equal(state.total.value, 0)
})

test('a profile that goes while the list is read stays away', async () => {
  const held = holding()
  const read = loadProfiles()
  await until('a call', () => held.length === 1)
  onProfile({ ids: [2], change: 'trashed' })
  held[0]?.answer(list(profile(1), profile(2)))
  await read
  assert.deepEqual(known(), [1])
})

test('a profile that goes while it is read again stays away, and is not asked for', async () => {
  const held = holding()
  onProfile({ ids: [5, 6], change: 'edited' })
  await until('a call', () => held.length === 1)
  assert.match(held[0]?.path ?? '', /ids=5,6$/)
  onProfile({ ids: [5], change: 'deleted' })
  held[0]?.answer(list(profile(5), profile(6)))
  await until('the answer', () => known().length > 0)
  assert.deepEqual(known(), [6])
})

test('changes are read together, and what is no longer there goes', async () => {
  answering(() => list(profile(1), profile(2)))
  await loadProfiles()
  const held = holding()
  onProfile({ ids: [1], change: 'edited' })
  onProfile({ ids: [2], change: 'edited' })
  await until('a call', () => held.length === 1)
  held[0]?.answer(list(profile(2, { name: 'new' })))
  await until('the answer', () => known().length === 1)
  assert.equal(state.profiles.value.get(2)?.name, 'new')
  assert.equal(state.profiles.value.get(2)?.text, 'new   2')
})

test('a change without ids is one of all profiles', async () => {
  answering(() => list(profile(1), profile(2)))
  await loadProfiles()
  const held = holding()
  onProfile({ ids: [], change: 'edited' })
  await until('a call', () => held.length === 1)
  assert.doesNotMatch(held[0]?.path ?? '', /ids=/)
  held[0]?.answer(list(profile(1, { name: 'new' }), profile(3)))
  await until('the answer', () => known().join() === '1,3')
})

test('what goes is no longer selected', async () => {
  answering(() => list(profile(1), profile(2)))
  await loadProfiles()
  select([1, 2])
  onProfile({ ids: [1], change: 'deleted' })
  assert.deepEqual([...state.selected.value], [2])
})

test('a session changes the state, and how it ended is known', async () => {
  answering(() => list(profile(1)))
  await loadProfiles()
  onSession({ id: 1, state: 'open', mode: 'automation' })
  assert.equal(state.profiles.value.get(1)?.mode, 'automation')
  assert.ok(state.profiles.value.get(1)?.openedAt)
  onSession({ id: 1, state: 'closed', mode: 'automation', end: 'crashed' })
  const p = state.profiles.value.get(1)
  assert.deepEqual([p?.state, p?.mode, p?.end], ['closed', undefined, 'crashed'])
  await loadProfiles()
  assert.equal(state.profiles.value.get(1)?.end, 'crashed', 'another reading keeps it')
})

test("the app's own list of open profiles counts", async () => {
  answering(() => list(profile(1), profile(2, { state: 'open', mode: 'ordinary' })))
  await loadProfiles()
  const before = state.profiles.value
  reconcile([{ id: 2, state: 'open', mode: 'ordinary' }])
  assert.equal(state.profiles.value, before, 'nothing is drawn when nothing is different')
  reconcile([{ id: 1, state: 'starting', mode: 'automation' }])
  assert.equal(state.profiles.value.get(1)?.state, 'starting')
  assert.deepEqual([state.profiles.value.get(2)?.state, state.profiles.value.get(2)?.mode], ['closed', undefined])
})

test('what was made or changed is known at once', async () => {
  answering((path, init) => ({ data: profile(path.endsWith('/7') ? 7 : 8, { name: String(init.method) }) }))
  await patch(7, { name: 'x' })
  await create({ name: 'y' })
  assert.deepEqual(
    [...state.profiles.value.values()].map(p => [p.id, p.name]),
    [
      [7, 'PATCH'],
      [8, 'POST'],
    ],
  )
})

test('a refusal is told with what to do', async () => {
  answering(() => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the fake answers with what is thrown
    throw { code: 'E_PROFILE_OPEN', text: 'It is open.', hint: 'Stop it first.' }
  })
  assert.equal(await remove([1]), false)
  assert.deepEqual(
    state.toasts.value.map(o => [o.text, o.hint]),
    [['It is open.', 'Stop it first.']],
  )
  assert.equal(await restore([1]), false)
})

test('a person’s own browser is known before it is asked for, and tells its steps', async () => {
  const external = { dataDir: '/c', dir: 'Default' }
  answering(path => (path.endsWith('/adopt') ? { browserProfileId: 4 } : list(profile(4, { external }))))
  assert.equal(await adopt({ name: 'mine', dataDir: '/c' }), 4)
  assert.deepEqual(state.profiles.value.get(4)?.external, external)
  onSession({ id: 4, state: 'starting', mode: 'automation', step: 'wait-allow' })
  assert.equal(state.profiles.value.get(4)?.step, 'wait-allow')
  onSession({ id: 4, state: 'open', mode: 'automation' })
  assert.equal(state.profiles.value.get(4)?.step, undefined)
  onSession({ id: 4, state: 'closed', mode: 'automation', end: 'let-go' })
  assert.equal(state.profiles.value.get(4)?.end, 'let-go')
})

test('a person’s no to a connection is no failure, also for a window that comes later', async () => {
  const text = { type: 'denied', code: 'E_ADOPT_REFUSED', text: 'Refused.', hint: '' } as const
  const startFailure = { ...text, mode: 'automation', at: '' } as const
  const of = () => [state.profiles.value.get(5)?.end, state.profiles.value.get(5)?.startFailure?.text]
  answering(() => list(profile(5, { end: 'refused', startFailure })))
  await loadProfiles()
  assert.deepEqual(of(), ['refused', undefined])
  onSession({ id: 5, state: 'closed', mode: 'automation', end: 'let-go', startFailure })
  assert.deepEqual(of(), ['let-go', 'Refused.'])
  onSession({ id: 5, state: 'closed', mode: 'automation', end: 'refused', startFailure })
  assert.deepEqual(of(), ['refused', undefined])
})
