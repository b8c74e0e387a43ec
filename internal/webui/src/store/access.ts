// Agents: who works where, the panic and the PIN.
import { computed } from '@preact/signals-core'
import * as calls from '../api/calls.ts'
import { type Attempt, Failure, onPIN } from '../api/client.ts'
import type { Access } from '../api/types.ts'
import { t } from '../strings.ts'
import { trying } from './messages.ts'
import * as state from './state.ts'

// mayAutomate says whether the plan opens profiles for agents.
export const mayAutomate = (): boolean => state.status.value?.automation !== false

// connected are the agents that work now, each with its profile. Every view counts these, so that none contradicts
// another.
export const connected = computed(() =>
  [...state.access.value.values()].flatMap(a => a.agents.map(agent => ({ ...agent, profile: a.profile }))),
)

// onAccess takes note of who works in a profile.
export function onAccess(a: Access): void {
  const known = { ...a, agents: (a.agents as Access['agents'] | null) ?? [] }
  state.access.value = new Map(state.access.value).set(a.profile, known)
}

// forgetAccess forgets who works where: the app was away, and tells it again.
export const forgetAccess = (): void => void (state.access.value = new Map())

// leave forgets who works in a profile that closed.
export function leave(profile: number): void {
  const left = new Map(state.access.value)
  if (left.delete(profile)) state.access.value = left
}

export const onPanic = (on: boolean): void => void (state.panic.value = on)

// setPanic blocks every agent, or lets them in again.
export const setPanic = (on: boolean): Promise<boolean> =>
  trying(async () => {
    await calls.setPanic(on)
    onPanic(on)
  })

const noPIN = () => new Failure(403, { code: 'E_PIN', text: t.pin.notTyped })

// askPIN lets the person type the PIN. A call that waits for it already is refused.
function askPIN(attempt: Attempt): Promise<Response> {
  return new Promise((done, refuse) => {
    state.pin.value?.refuse()
    state.pin.value = {
      attempt,
      done,
      refuse: e => {
        refuse(e instanceof Error ? e : noPIN())
      },
    }
  })
}

onPIN(askPIN)

export const closePIN = (): void => void (state.pin.value = null)
