// Keys that are single letters: people who dictate or who press keys by accident turn them off (WCAG 2.1.4).
import * as state from './state.ts'

const name = 'cove-letters'

// readLetters takes over what this browser remembers.
export function readLetters(): void {
  state.letters.value = localStorage.getItem(name) !== 'off'
}

// setLetters turns the keys on or off, and remembers it.
export function setLetters(on: boolean): void {
  localStorage.setItem(name, on ? 'on' : 'off')
  state.letters.value = on
}

// isLetter: a key that writes something, pressed without Ctrl, Alt or Meta.
export const isLetter = (e: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>): boolean =>
  e.key.length === 1 && e.key !== ' ' && !e.ctrlKey && !e.altKey && !e.metaKey
