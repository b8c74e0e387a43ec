import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Job } from '../api/types.ts'
import { ended, merged, share } from '../lib/jobs.ts'
import { answering, reset } from './fake.ts'
import { cancelJob, change, forgetJob, onJob, readRunning } from './jobs.ts'
import * as state from './state.ts'

const job = (id: string, more: Partial<Job> = {}): Job => ({
  id,
  kind: 'tags',
  state: 'running',
  total: 10,
  done: 0,
  failed: 0,
  failures: [],
  startedAt: '',
  ...more,
})

beforeEach(() => {
  reset()
  state.jobs.value = []
})

test('a job is shown while it runs, and its end is told once', async () => {
  answering(() => ({ data: job('a') }))
  assert.ok(await change([1, 2], { addTags: ['x'] }))
  assert.equal(state.jobs.value.length, 1)
  onJob(job('a', { done: 5 }))
  assert.equal(state.jobs.value[0]?.done, 5)
  onJob(job('a', { done: 10, state: 'done' }))
  onJob(job('a', { done: 10, state: 'done' }))
  assert.equal(state.jobs.value.length, 0)
  assert.equal(state.toasts.value.length, 1)
})

test('the news of an end may come before the answer', async () => {
  let heard = 0
  answering(() => {
    onJob(job('b', { done: 10, state: 'done' }))
    return { data: job('b') }
  })
  await change([1], { action: 'trash' }, () => heard++)
  assert.equal(heard, 1)
  assert.equal(state.jobs.value.length, 0)
})

test('a job that failed for some stays until it is closed', () => {
  onJob(job('c'))
  onJob(job('c', { done: 9, failed: 1, state: 'done' }))
  assert.equal(state.jobs.value.length, 1)
  forgetJob('c')
  assert.equal(state.jobs.value.length, 0)
})

test('a job of another window that is over is not told', () => {
  onJob(job('d', { done: 10, state: 'done' }))
  assert.equal(state.toasts.value.length, 0)
})

test('a job can be cancelled, and what it did is told', async () => {
  onJob(job('e', { done: 3 }))
  answering(() => ({ data: job('e', { done: 4, state: 'cancelling' }) }))
  await cancelJob('e')
  assert.equal(state.jobs.value[0]?.state, 'cancelling')
  onJob(job('e', { done: 4, state: 'cancelled' }))
  assert.equal(state.jobs.value.length, 0)
  assert.equal(state.toasts.value.length, 1)
})

test('the end of a cancelled job may be heard before the answer to Cancel', async () => {
  onJob(job('f', { done: 3 }))
  answering(() => {
    onJob(job('f', { done: 4, state: 'cancelling' }))
    onJob(job('f', { done: 4, state: 'cancelled' }))
    return { data: job('f', { done: 3, state: 'cancelling' }) }
  })
  await cancelJob('f')
  assert.equal(state.jobs.value.length, 0)
  assert.equal(state.toasts.value.length, 1)
})

test('an answer that was overtaken takes no job back', async () => {
  onJob(job('g', { done: 3 }))
  answering(() => {
    onJob(job('g', { done: 6, state: 'cancelling' }))
    return { data: job('g', { done: 5 }) }
  })
  await readRunning()
  assert.equal(state.jobs.value[0]?.done, 6)
  assert.equal(state.jobs.value[0]?.state, 'cancelling')
})

test('a job that failed for some is not shown again once it is closed', () => {
  onJob(job('h', { done: 9, failed: 1, state: 'done' }))
  forgetJob('h')
  onJob(job('h', { done: 9, failed: 1, state: 'done' }))
  assert.equal(state.jobs.value.length, 0)
})

test('nothing is asked for no profile, and a refusal is told', async () => {
  answering(() => {
    throw { text: 'no', code: 'E_INVALID' } as unknown as Error
  })
  assert.ok(await change([], { action: 'stop' }))
  assert.equal(await change([1], { action: 'stop' }), false)
  assert.equal(state.toasts.value.length, 1)
})

test('figures of a job', () => {
  assert.equal(share({ total: 4, done: 1, failed: 1 }), 0.5)
  assert.equal(share({ total: 0, done: 0, failed: 0 }), 1)
  assert.ok(ended({ state: 'cancelled' }) && !ended({ state: 'cancelling' }))
  assert.equal(merged([job('a')], job('b')).length, 2)
})

test('a job that has ended while nobody saw the window is told when it is seen again', async () => {
  onJob(job('seen', { done: 1 }))
  onJob(job('lost', { done: 1 }))
  answering(path => {
    if (path.endsWith('lost')) throw new Error('there is no such job')
    return { data: job('seen', { done: 10, state: 'done' }) }
  })
  await readRunning()
  assert.equal(state.jobs.value.length, 0)
  assert.equal(state.toasts.value.length, 1)
})
