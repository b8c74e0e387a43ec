// The way to the app: every call carries the key that this origin keeps; the cookie goes along by itself.

const keyName = 'cove-window'
const headers = () => ({ 'Cove-Window': localStorage.getItem(keyName) || '' })

// Failure is an answer that says no, with what to do about it.
export class Failure extends Error {
  constructor(status, object) {
    super(object?.text || 'Cove does not answer.')
    this.status = status
    this.code = object?.code || 'E_NO_APP'
    this.hint = object ? object.hint : 'Start it with: cove up'
    this.field = object?.field || '' // the input that is wrong, as the API names it
  }
}

// told is what went wrong, with what to do about it.
export const told = e => [e.message, e.hint].filter(Boolean).join(' ')

// asker lets the person type the PIN when the app wants it, and tries it.
let asker
export const onPIN = f => { asker = f }

async function send(method, path, { body, signal, more } = {}) {
  let res
  try {
    const raw = body === undefined || body instanceof Blob || body instanceof FormData // a file goes as it is
    res = await fetch(path, { method, signal, headers: { ...headers(), ...(raw ? {} : { 'Content-Type': 'application/json' }), ...more }, body: raw ? body : JSON.stringify(body) })
  } catch (e) {
    if (signal?.aborted) throw e
    throw new Failure(0)
  }
  if (res.ok) return res
  let answer
  try { answer = await res.json() } catch { /* not one of ours */ }
  const failure = new Failure(res.status, answer?.errorObject || { text: `The app answered ${res.status}.`, code: 'E_INTERNAL', hint: '' })
  if (failure.code !== 'E_PIN_REQUIRED') throw failure
  return asker(async pin => {
    const typed = { ...more, 'Cove-Pin': pin }
    if (!/(pin|session)$/.test(path)) await send('POST', '/v1.0/pin/unlock', { more: typed }) // it need not be typed again for a while
    return send(method, path, { body, signal, more: typed })
  })
}

export const call = async (method, path, body) => (await send(method, '/v1.0' + path, { body })).json()
export const blob = async path => (await send('GET', '/v1.0' + path)).blob()
export const get = path => call('GET', path)
export const post = (path, body) => call('POST', path, body)

// lines reads a stream of lines until it ends.
export async function lines(path, signal, each, method = 'GET', body) {
  const res = await send(method, '/v1.0' + path, { signal, body })
  const reader = res.body.pipeThrough(new TextDecoderStream()).getReader()
  let parts = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const pieces = value.split('\n')
    while (pieces.length > 1) {
      parts.push(pieces.shift())
      const line = parts.join('')
      parts = []
      if (line) each(line)
    }
    if (pieces[0]) parts.push(pieces[0])
  }
}

// signIn gives the code of a link back for a cookie and a key.
export async function signIn(code) {
  const { key } = await post('/ui/session', { code })
  localStorage.setItem(keyName, key)
}

export async function signOut() {
  await call('DELETE', '/ui/session')
  localStorage.removeItem(keyName)
}

export const hasKey = () => !!localStorage.getItem(keyName)
export const signedIn = () => get('/ui/session')
