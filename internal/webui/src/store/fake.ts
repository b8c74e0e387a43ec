// An app for tests of the store: what it answers, and when.
import type { Profile } from '../api/types.ts'
import * as state from './state.ts'

type Answer = (path: string, init: RequestInit) => unknown

// Held is a request that has not been answered yet.
export type Held = { path: string; answer: (body: unknown) => void }

const memory = new Map<string, string>()

Object.assign(globalThis, {
  localStorage: {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => memory.set(key, value),
    removeItem: (key: string) => memory.delete(key),
  },
  requestAnimationFrame: (work: () => void) => setTimeout(work),
})

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })

// answering lets the app answer every call at once. A thrown failure is an answer that says no.
export function answering(answer: Answer): void {
  globalThis.fetch = ((path: string, init: RequestInit) => {
    try {
      return Promise.resolve(json(answer(path, init)))
    } catch (e) {
      return Promise.resolve(json({ errorObject: e }, 409))
    }
  }) as typeof fetch
}

// holding lets calls wait until the test answers them.
export function holding(): Held[] {
  const held: Held[] = []
  globalThis.fetch = ((path: string) =>
    new Promise<Response>(done => {
      held.push({
        path,
        answer: body => {
          done(json(body))
        },
      })
    })) as typeof fetch
  return held
}

// profile is a closed profile.
export const profile = (id: number, more: Partial<Profile> = {}): Profile => ({
  id,
  name: `P${id}`,
  tags: [],
  state: 'closed',
  running: false,
  ...more,
})

// list is an answer with profiles.
export const list = (...data: Profile[]) => ({ data, total: data.length, last_page: 1 })

// reset forgets what the window knows.
export function reset(): void {
  state.profiles.value = new Map()
  state.loaded.value = false
  state.total.value = 0
  state.trash.value = null
  state.trashed.value = 0
  state.toasts.value = []
  state.selected.value = new Set()
  state.access.value = new Map()
  state.requests.value = new Map()
  state.glances.value = new Map()
}

// until waits for what the window does by itself.
export async function until(what: string, test: () => boolean): Promise<void> {
  for (let turn = 0; !test(); turn++) {
    if (turn > 10000) throw new Error(`waited in vain for ${what}`)
    await new Promise(done => setTimeout(done, 1))
  }
}
