// The way to the app: every call carries the key that this origin keeps. The cookie goes along by itself.
import { t } from '../strings.ts'
import type { ErrorObject } from './types.ts'

const keyName = 'cove-window'
const root = '/v1.0'

const headers = () => ({ 'Cove-Window': localStorage.getItem(keyName) ?? '' })

// Failure is an answer that says no, with what to do about it. Code and field tell failures apart, never the words.
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string
  readonly field: string // the input that is wrong, as the API names it

  constructor(status: number, object?: Partial<Pick<ErrorObject, 'text' | 'hint' | 'field'>> & { code?: string }) {
    super(object?.text ?? t.app.away)
    this.status = status
    this.code = object?.code ?? 'E_NO_APP'
    this.hint = object ? (object.hint ?? '') : t.app.startIt
    this.field = object?.field ?? ''
  }

  // signedOut says that this window has no right to ask.
  get signedOut(): boolean {
    return this.status === 401 || this.status === 403
  }
}

// failureOf is whatever was thrown, as a failure.
export const failureOf = (e: unknown): Failure =>
  e instanceof Failure ? e : new Failure(0, { code: 'E_INTERNAL', text: e instanceof Error ? e.message : String(e) })

// told is what went wrong, with what to do about it.
export const told = (e: unknown): string => {
  const { message, hint } = failureOf(e)
  return [message, hint].filter(Boolean).join(' ')
}

// Attempt makes a call again, with a PIN.
export type Attempt = (pin: string) => Promise<Response>

// asker lets the person type the PIN when the app wants it, and tries it.
let asker: ((attempt: Attempt) => Promise<Response>) | undefined
export const onPIN = (ask: (attempt: Attempt) => Promise<Response>): void => {
  asker = ask
}

// Method is what a call does.
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

// A quiet request is made by the window on its own, and asks for no PIN.
type Request = { body?: unknown; signal?: AbortSignal; more?: Record<string, string>; quiet?: boolean }

// packed is a body as it is sent: a file goes as it is.
function packed(body: unknown): RequestInit {
  if (body === undefined) return {}
  if (body instanceof Blob || body instanceof FormData) return { body }
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

async function fetched(method: Method, path: string, { body, signal, more }: Request): Promise<Response> {
  const { headers: kind, ...init } = packed(body)
  try {
    return await fetch(path, { ...init, method, signal, headers: { ...headers(), ...(kind as object), ...more } })
  } catch (e) {
    if (signal?.aborted) throw e
    throw new Failure(0)
  }
}

async function refusal(res: Response): Promise<Failure> {
  const unknown = { text: t.app.answered(res.status), code: 'E_INTERNAL', hint: '' }
  try {
    const answer = (await res.json()) as { errorObject?: ErrorObject }
    return new Failure(res.status, answer.errorObject ?? unknown)
  } catch {
    return new Failure(res.status, unknown) // not one of ours
  }
}

async function send(method: Method, path: string, request: Request = {}): Promise<Response> {
  const res = await fetched(method, path, request)
  if (res.ok) return res

  const failure = await refusal(res)
  if (failure.code !== 'E_PIN_REQUIRED' || !asker || request.quiet) throw failure
  return asker(async pin => {
    const more = { ...request.more, 'Cove-Pin': pin }
    // It need not be typed again for a while.
    if (!/(pin|session)$/.test(path)) await send('POST', `${root}/pin/unlock`, { more })
    return send(method, path, { ...request, more })
  })
}

// call sends a request and reads the answer.
export async function call<T>(method: Method, path: string, body?: unknown, quiet?: boolean): Promise<T> {
  const res = await send(method, root + path, { body, quiet })
  return (await res.json()) as T
}

// blob reads an answer that is a file.
export const blob = async (path: string): Promise<Blob> => (await send('GET', root + path)).blob()

// Lines is a request whose answer is a stream of lines.
export type Lines = { method?: Method; body?: unknown; signal: AbortSignal }

// lines reads a stream of lines until it ends.
export async function lines(path: string, request: Lines, each: (line: string) => void): Promise<void> {
  const { method = 'GET', body, signal } = request
  const res = await send(method, root + path, { signal, body })
  if (!res.body) return
  const reader = res.body.pipeThrough(new TextDecoderStream()).getReader()
  let begun: string[] = []
  // next reads on. A stream that breaks off is an app that is away.
  const next = async () => {
    try {
      return await reader.read()
    } catch (e) {
      if (signal.aborted) throw e
      throw new Failure(0)
    }
  }
  for (;;) {
    const { done, value } = await next()
    if (done) return
    const pieces = value.split('\n')
    const rest = pieces.pop() ?? ''
    for (const piece of pieces) {
      const line = [...begun, piece].join('')
      begun = []
      if (line) each(line)
    }
    if (rest) begun.push(rest)
  }
}

// signIn gives the code of a link back for a cookie and a key.
export async function signIn(code: string): Promise<void> {
  const { key } = await call<{ key: string }>('POST', '/ui/session', { code })
  localStorage.setItem(keyName, key)
}

// signOut ends the session of this window.
export async function signOut(): Promise<void> {
  await call('DELETE', '/ui/session')
  localStorage.removeItem(keyName)
}

export const hasKey = (): boolean => !!localStorage.getItem(keyName)
export const signedIn = (): Promise<unknown> => call('GET', '/ui/session')
