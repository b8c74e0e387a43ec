import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../store/fake.ts'
import { call, Failure, failureOf, hasKey, lines, onPIN, signIn, signOut, told } from './client.ts'

type Sent = { path: string; init: RequestInit }

// answers lets the app answer with a text, and notes what was sent.
function answers(text: string, status = 200): Sent[] {
  const sent: Sent[] = []
  globalThis.fetch = ((path: string, init: RequestInit) => {
    sent.push({ path, init })
    return Promise.resolve(new Response(text, { status }))
  }) as typeof fetch
  return sent
}

const never = new AbortController().signal

test('a failure has code, hint and field', async () => {
  answers('{"errorObject":{"code":"E_INVALID","text":"Wrong.","hint":"Do this.","field":"name"}}', 400)
  await assert.rejects(call('POST', '/x', {}), e => {
    assert.ok(e instanceof Failure)
    assert.deepEqual([e.status, e.code, e.message, e.hint, e.field], [400, 'E_INVALID', 'Wrong.', 'Do this.', 'name'])
    assert.equal(told(e), 'Wrong. Do this.')
    return true
  })
})

test('an answer that is not ours is a failure, too', async () => {
  answers('<html>', 502)
  await assert.rejects(call('GET', '/x'), { status: 502, code: 'E_INTERNAL', message: 'The app answered 502.' })
})

test('an app that is away is a failure with the next step', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('network'))
  await assert.rejects(call('GET', '/x'), { status: 0, code: 'E_NO_APP', hint: 'Start it with: cove up' })
})

test('whatever is thrown becomes a failure', () => {
  assert.equal(failureOf(new Error('odd')).message, 'odd')
  assert.equal(failureOf('odd').message, 'odd')
  assert.ok(failureOf(new Failure(403)).signedOut)
  assert.ok(!failureOf(new Failure(409)).signedOut)
})

test('JSON is sent as JSON, a file as it is', async () => {
  const sent = answers('{}')
  await call('POST', '/x', { a: 1 })
  await call('POST', '/x', new Blob(['file']))
  await call('GET', '/x')
  const kinds = sent.map(s => (s.init.headers as Record<string, string>)['Content-Type'])
  assert.deepEqual(kinds, ['application/json', undefined, undefined])
  assert.equal(sent[0]?.init.body, '{"a":1}')
})

test('a stream is read by its lines, however it is cut', async () => {
  const parts = ['{"a"', ':1}\n\n{"b":', '2}\n{"c":3}\nrest']
  const body = new ReadableStream({
    start(c) {
      for (const part of parts) c.enqueue(new TextEncoder().encode(part))
      c.close()
    },
  })
  globalThis.fetch = () => Promise.resolve(new Response(body))
  const got: string[] = []
  await lines('/x', { signal: never }, line => got.push(line))
  assert.deepEqual(got, ['{"a":1}', '{"b":2}', '{"c":3}'])
})

test('a stream that breaks off is an app that is away', async () => {
  const body = new ReadableStream({
    start(c) {
      c.enqueue(new TextEncoder().encode('a\n'))
    },
    pull(c) {
      c.error(new TypeError('network error'))
    },
  })
  globalThis.fetch = () => Promise.resolve(new Response(body))
  await assert.rejects(
    lines('/x', { signal: never }, () => undefined),
    { code: 'E_NO_APP' },
  )
})

test('the key of a sign-in goes along with every call', async () => {
  const sent = answers('{"key":"k1"}')
  await signIn('code')
  assert.ok(hasKey())
  await call('GET', '/x')
  assert.equal((sent[1]?.init.headers as Record<string, string>)['Cove-Window'], 'k1')
  await signOut()
  assert.ok(!hasKey())
})

test('a quiet call asks for no PIN', async () => {
  let asked = 0
  onPIN(() => {
    asked++
    return Promise.resolve(new Response('{}'))
  })
  const sent = answers('{"errorObject":{"code":"E_PIN_REQUIRED","text":"Locked."}}', 403)
  await assert.rejects(call('GET', '/x', undefined, true), { code: 'E_PIN_REQUIRED' })
  assert.deepEqual([asked, sent.length], [0, 1])
  await call('GET', '/x')
  assert.equal(asked, 1)
})
