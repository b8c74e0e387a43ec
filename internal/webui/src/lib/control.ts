// What a person does in a picture of the live view, as the app wants to hear it.
import type { LiveEvent, LiveInput, LiveInputResult } from '../api/types.ts'

export type Size = { width: number; height: number }
export type Box = Size & { left: number; top: number }
export type Point = { x: number; y: number }

// shownAt is where a picture is drawn in its frame: it fits both sides and stands at the top, in the middle.
export function shownAt(frame: Size, picture: Size): Box {
  if (!picture.width || !picture.height) return { left: 0, top: 0, width: 0, height: 0 }
  const scale = Math.min(frame.width / picture.width, frame.height / picture.height)
  const width = picture.width * scale
  return { left: (frame.width - width) / 2, top: 0, width, height: picture.height * scale }
}

// placeIn is a point of the window as fractions of the picture. A point beside the picture is on its edge; hits says
// that it was not.
export function placeIn(frame: Box, picture: Size, at: Point): Point & { hits: boolean } {
  const box = shownAt(frame, picture)
  const x = (at.x - frame.left - box.left) / box.width
  const y = (at.y - frame.top - box.top) / box.height
  const edge = (v: number) => Math.min(1, Math.max(0, Number.isFinite(v) ? v : 0))
  return { x: edge(x), y: edge(y), hits: x >= 0 && x <= 1 && y >= 0 && y <= 1 }
}

type Modifiers = { altKey: boolean; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }

// modifiersOf are the modifier keys as the browser's protocol counts them.
export const modifiersOf = (e: Modifiers): number =>
  (e.altKey ? 1 : 0) + (e.ctrlKey ? 2 : 0) + (e.metaKey ? 4 : 0) + (e.shiftKey ? 8 : 0)

export type Key = Modifiers & {
  key: string
  code: string
  isComposing: boolean
  getModifierState: (name: string) => boolean
}

// keyOf is a key as it is sent; undefined for one that an input method or the clipboard sees to.
export function keyOf(e: Key, down: boolean): LiveEvent | undefined {
  if (e.isComposing || ['Dead', 'Process', 'Unidentified'].includes(e.key)) return undefined
  const written = [...e.key].length === 1
  const level3 = e.getModifierState('AltGraph') // Control and Alt only make the letter
  const m = level3
    ? modifiersOf({ ...e, altKey: false, ctrlKey: false, metaKey: e.metaKey, shiftKey: e.shiftKey })
    : modifiersOf(e)
  const shortcut = (m & 6) !== 0
  if (shortcut && e.key.toLowerCase() === 'v') return undefined // comes as a paste
  const event: LiveEvent = { t: 'key', key: e.key, code: e.code, m }
  if (!down) return event
  return { ...event, down: true, ...(written && !shortcut && { text: e.key }) }
}

const lineHeight = 40
const pageHeight = 600

// wheelOf is how far a wheel was turned, in pixels.
export function wheelOf(e: { deltaX: number; deltaY: number; deltaMode: number }): { dx: number; dy: number } {
  const unit = e.deltaMode === 1 ? lineHeight : e.deltaMode === 2 ? pageHeight : 1
  return { dx: e.deltaX * unit, dy: e.deltaY * unit }
}

// Queued is an event and the picture in which it was made.
export type Queued = { pic: number; event: LiveEvent }

// queue adds an event. Of several moves in a row only the last counts, and turns of the wheel add up.
export function queue(all: Queued[], one: Queued): Queued[] {
  const last = all.at(-1)
  const { event } = one
  if (last?.event.t !== event.t) return [...all, one]
  if (event.t === 'move' || (event.t === 'touch' && event.k === 'move' && last.event.k === 'move')) {
    return [...all.slice(0, -1), one]
  }
  if (event.t === 'wheel' && last.event.m === event.m) {
    const sum = { dx: (last.event.dx ?? 0) + (event.dx ?? 0), dy: (last.event.dy ?? 0) + (event.dy ?? 0) }
    return [...all.slice(0, -1), { ...one, event: { ...event, ...sum } }]
  }
  return [...all, one]
}

const mostEvents = 100

// batch is what can be sent at once: the first events that were made in one picture.
export function batch(all: Queued[]): { pic: number; events: LiveEvent[]; rest: Queued[] } {
  const pic = all[0]?.pic ?? 0
  const other = all.findIndex((one, i) => one.pic !== pic || i >= mostEvents)
  const end = other < 0 ? all.length : other
  return { pic, events: all.slice(0, end).map(one => one.event), rest: all.slice(end) }
}

type Send = (input: Omit<LiveInput, 'tab'>) => Promise<LiveInputResult>

// sender sends events, one batch at a time: while one is under way, the next ones are merged.
export function sender(send: Send, heard: (r: LiveInputResult, of: LiveEvent[]) => void, failed: (e: unknown) => void) {
  let waiting: Queued[] = []
  let busy = false
  const flush = async () => {
    if (busy) return
    busy = true
    while (waiting.length) {
      const { pic, events, rest } = batch(waiting)
      waiting = rest
      try {
        heard(await send({ pic, events }), events)
      } catch (e) {
        waiting = []
        failed(e)
      }
    }
    busy = false
  }
  return (pic: number, ...events: LiveEvent[]): void => {
    for (const event of events) waiting = queue(waiting, { pic, event })
    void flush()
  }
}

// matters says whether the person has to know that an event was dropped.
export const matters = (e: LiveEvent): boolean => e.t !== 'move' && e.t !== 'up' && (e.t !== 'key' || !!e.down)

const clickTime = 500
const clickReach = 4

// clickCounter counts presses that come together, as double and triple clicks.
export function clickCounter() {
  let last = { at: 0, x: 0, y: 0, b: 0, n: 0 }
  return (press: Point & { b: number; at: number }): number => {
    const near = Math.abs(press.x - last.x) <= clickReach && Math.abs(press.y - last.y) <= clickReach
    const again = near && press.b === last.b && press.at - last.at <= clickTime && last.n < 3
    last = { ...press, n: again ? last.n + 1 : 1 }
    return last.n
  }
}
