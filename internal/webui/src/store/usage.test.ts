import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answering, holding, until } from './fake.ts'
import * as state from './state.ts'
import { readUsage } from './usage.ts'

const usage = (profile: number) => ({ profile, memory: 1, cpu: 2, processes: 3 })

test('what profiles use is read anew, and stays while the app is away', async () => {
  answering(() => ({ data: [usage(1), usage(2)] }))
  await readUsage()
  assert.deepEqual([...state.usage.value.keys()], [1, 2])
  answering(() => ({ data: [usage(2)] }))
  await readUsage()
  assert.deepEqual([...state.usage.value.keys()], [2])
  state.online.value = false
  answering(() => ({ data: [] }))
  await readUsage()
  state.online.value = true
  assert.equal(state.usage.value.size, 1)
})

test('a slow reading is not asked for twice', async () => {
  const held = holding()
  const first = readUsage()
  await readUsage()
  await until('the call', () => held.length > 0)
  assert.equal(held.length, 1)
  held[0]?.answer({ data: [] })
  await first
})
