// What the window tells the person.
import { failureOf } from '../api/client.ts'
import * as state from './state.ts'

const shown = 4
const goodFor = 5000
const badFor = 12000

let last = 0

// toast shows a short message. The same text is shown once.
export function toast(text: string, more: Omit<state.Toast, 'id' | 'text'> = {}): void {
  const one = { ...more, id: ++last, text }
  state.toasts.value = [...state.toasts.value.filter(o => o.text !== text).slice(1 - shown), one]
  setTimeout(
    () => {
      dismiss(one.id)
    },
    more.bad || more.hint ? badFor : goodFor,
  )
}

export function dismiss(id: number): void {
  state.toasts.value = state.toasts.value.filter(o => o.id !== id)
}

// dismissAway takes back what was told of an app that was away, and is back.
export function dismissAway(): void {
  state.toasts.value = state.toasts.value.filter(o => !o.away)
}

// failed tells what went wrong.
export function failed(e: unknown): void {
  if (e instanceof Error && e.name === 'AbortError') return
  const failure = failureOf(e)
  if (failure.status === 403 && failure.code === 'E_FORBIDDEN_ORIGIN') {
    state.page.value = 'signin'
    return
  }
  const away = failure.code === 'E_NO_APP'
  if (away && !state.online.value) return // the banner says it
  toast(failure.message, { hint: failure.hint, bad: true, away })
}

// trying tells what went wrong, and answers whether it worked.
export async function trying(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (e) {
    failed(e)
    return false
  }
}
