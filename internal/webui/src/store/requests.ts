// What agents ask the person for.
import { computed } from '@preact/signals-core'
import * as calls from '../api/calls.ts'
import type { Answer, Ask } from '../api/types.ts'
import { byDeadline, isOpen } from '../lib/request.ts'
import { trying } from './messages.ts'
import { go } from './route.ts'
import { announce } from './sound.ts'
import * as state from './state.ts'

// waiting are the requests that are open, the one that expires next first. Every view counts these.
export const waiting = computed<Ask[]>(() => [...state.requests.value.values()].filter(isOpen).sort(byDeadline))

// past are the requests that have ended, the newest first.
export const past = computed<Ask[]>(() =>
  [...state.requests.value.values()]
    .filter(r => !isOpen(r))
    .sort((a, b) => (b.endedAt ?? b.askedAt).localeCompare(a.endedAt ?? a.askedAt)),
)

// waitingIn are the open requests of a profile.
export const waitingIn = (profile: number): Ask[] => waiting.value.filter(r => r.profile === profile)

const put = (all: Ask[]): void => {
  const known = new Map(state.requests.value)
  for (const r of all) known.set(r.id, { ...r, picture: r.picture ?? known.get(r.id)?.picture })
  state.requests.value = known
}

// changed are the requests that events have told of while the list was being read: they know better.
const changed = new Set<string>()
let reading = 0

// loadRequests reads what is open and what has ended. What it does not name is gone.
export async function loadRequests(): Promise<void> {
  if (!reading++) changed.clear()
  try {
    const { data, history } = await calls.asks()
    const all = [...history, ...data].filter(r => !changed.has(r.id))
    const named = new Set([...all.map(r => r.id), ...changed])
    state.requests.value = new Map([...state.requests.value].filter(([id]) => named.has(id)))
    put(all)
  } finally {
    reading--
  }
}

// onRequest takes note of a request that has changed. Events carry no picture: it is read once.
export function onRequest(r: Ask): void {
  const known = state.requests.value.has(r.id)
  const fresh = isOpen(r) && !known
  if (reading) changed.add(r.id)
  put([r])
  announce(r, known)
  if (fresh) void readPicture(r.id)
}

async function readPicture(id: string): Promise<void> {
  try {
    const { data } = await calls.ask(id)
    if (state.requests.value.get(id)) put([{ ...data, ...state.requests.value.get(id), picture: data.picture }])
  } catch {
    // the request is shown without its picture
  }
}

// answer answers a request. It tells whether that worked; a failure is told to the person.
export const answer = (id: string, how: Answer): Promise<boolean> => trying(() => calls.answer(id, how))

// takeControl takes control of the tab that a request is about, and shows it.
export const takeControl = (r: Ask): Promise<boolean> =>
  trying(async () => {
    const { tab = '' } = r
    await calls.controlTab(r.profile, { tab, on: true })
    go('live', r.profile, tab)
  })

// see tells agents that a request is before the person. That nobody hears it does not matter.
export function see(r: Ask): void {
  if (r.state === 'asked') calls.see(r.id).catch(() => undefined)
}
