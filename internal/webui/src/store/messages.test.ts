import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { Failure } from '../api/client.ts'
import { reset } from './fake.ts'
import { dismissAway, failed, toast, trying } from './messages.ts'
import * as state from './state.ts'

const texts = () => state.toasts.value.map(o => o.text)

beforeEach(reset)

test('four messages stand at most, the same text once', () => {
  for (const text of ['a', 'b', 'c', 'd', 'e', 'c']) toast(text)
  assert.deepEqual(texts(), ['b', 'd', 'e', 'c'])
})

test('a message goes by itself, one that is bad stays longer', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  toast('good')
  toast('bad', { bad: true })
  mock.timers.tick(5000)
  assert.deepEqual(texts(), ['bad'])
  mock.timers.tick(7000)
  assert.deepEqual(texts(), [])
  mock.timers.reset()
})

test('what went wrong is told with what to do, what was stopped is not', async () => {
  failed(new Failure(409, { code: 'E_X', text: 'No.', hint: 'Do this.' }))
  failed(new DOMException('stopped', 'AbortError'))
  assert.deepEqual(
    state.toasts.value.map(o => [o.text, o.hint, o.bad]),
    [['No.', 'Do this.', true]],
  )
  assert.equal(await trying(() => Promise.reject(new Failure(0))), false)
  assert.deepEqual(texts(), ['No.', 'Cove isn’t running.'])
})

test('what there is to do next stays longer', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  toast('good', { hint: 'Restart it.' })
  mock.timers.tick(5000)
  assert.deepEqual(texts(), ['good'])
  mock.timers.tick(7000)
  assert.deepEqual(texts(), [])
  mock.timers.reset()
})

test('an app that is away is told once, and not any more when it is back', () => {
  failed(new Failure(0))
  state.online.value = false
  failed(new Failure(0))
  toast('other')
  assert.deepEqual(texts(), ['Cove isn’t running.', 'other'])
  dismissAway()
  assert.deepEqual(texts(), ['other'])
  state.online.value = true
})

test('a window that was signed out says how to sign in', () => {
  state.page.value = 'app'
  failed(new Failure(403, { code: 'E_FORBIDDEN_ORIGIN', text: 'No.' }))
  assert.equal(state.page.value, 'signin')
  assert.deepEqual(texts(), [])
})
