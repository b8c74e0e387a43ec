// The sound of a new request, made by the browser itself.

// Note is a tone: its pitch in hertz, when it begins and how long it lasts, in seconds.
export type Note = { hz: number; at: number; lasts: number }

// chime rises, so that it is not taken for a failure.
export const chime: readonly Note[] = [
  { hz: 660, at: 0, lasts: 0.16 },
  { hz: 880, at: 0.14, lasts: 0.3 },
]

const loud = 0.12
const silent = 0.0001
const attack = 0.015

// play plays notes. Each swells and fades, without a click at its ends. A browser that is not ready stays silent.
export async function play(notes = chime, make = () => new AudioContext()): Promise<void> {
  const context = make()
  const begin = context.currentTime
  await Promise.all(
    notes.map(
      ({ hz, at, lasts }) =>
        new Promise<void>(done => {
          const tone = context.createOscillator()
          const volume = context.createGain()
          tone.frequency.value = hz
          volume.gain.setValueAtTime(silent, begin + at)
          volume.gain.exponentialRampToValueAtTime(loud, begin + at + attack)
          volume.gain.exponentialRampToValueAtTime(silent, begin + at + lasts)
          tone.connect(volume).connect(context.destination)
          tone.onended = () => {
            done()
          }
          tone.start(begin + at)
          tone.stop(begin + at + lasts)
        }),
    ),
  )
  await context.close()
}
