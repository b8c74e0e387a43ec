import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chime, play } from './sound.ts'

// fakeContext notes which tones were played, and ends each at once.
function fakeContext() {
  const heard: { hz: number; from: number; to: number }[] = []
  let closed = false
  const context = {
    currentTime: 10,
    destination: {},
    createGain: () => ({
      gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
      connect: () => undefined,
    }),
    createOscillator: () => {
      const tone = {
        frequency: { value: 0 },
        connect: (to: unknown) => to,
        onended: () => undefined,
        from: 0,
        start: (at: number) => {
          tone.from = at
        },
        stop: (at: number) => {
          heard.push({ hz: tone.frequency.value, from: tone.from, to: at })
          tone.onended()
        },
      }
      return tone
    },
    close: () => {
      closed = true
      return Promise.resolve()
    },
  }
  return { heard, isClosed: () => closed, make: () => context as unknown as AudioContext }
}

test('the chime is two rising tones, and leaves nothing open', async () => {
  const { heard, isClosed, make } = fakeContext()
  await play(chime, make)
  assert.deepEqual(
    heard.map(n => n.hz),
    [660, 880],
  )
  assert.ok(heard.every(n => n.from >= 10 && n.to > n.from && n.to < 11))
  assert.ok(isClosed())
})
