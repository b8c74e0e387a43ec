// The sound of new requests, off until the person wants it.
import type { Ask } from '../api/types.ts'
import { isOpen } from '../lib/request.ts'
import * as state from './state.ts'

const name = 'cove-sound'

// readSound takes over what this browser remembers.
export function readSound(): void {
  state.sound.value = localStorage.getItem(name) === 'on'
}

// setSound turns the sound on or off, and remembers it.
export function setSound(on: boolean): void {
  localStorage.setItem(name, on ? 'on' : 'off')
  state.sound.value = on
  if (on) ring()
}

let player = async (): Promise<void> => (await import('../lib/sound.ts')).play()

// onSound replaces what plays the sound.
export const onSound = (play: () => Promise<void>): void => {
  player = play
}

// ring plays the sound. A browser that plays none is no failure.
export function ring(): void {
  player().catch(() => undefined)
}

// news is how long a request is new: a window that is seen again hears of all that are open.
const news = 10_000

// announce rings for a request that was not there before.
export function announce(r: Ask, known: boolean): void {
  if (state.sound.value && !known && isOpen(r) && Date.now() - Date.parse(r.askedAt) < news) ring()
}
