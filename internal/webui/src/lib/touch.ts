// What agents touch in a page, as the live view shows it.
import type { Ask, LiveAction, LiveBox, LiveTouch } from '../api/types.ts'

// Touched is a touch with a name of its own: the same one is shown once.
export type Touched = { key: string; touch: LiveTouch }

// lastTouch is what was touched last in a tab.
export function lastTouch(actions: readonly LiveAction[], tab?: string): Touched | undefined {
  const last = actions.findLast(a => a.touch && a.touch.tab === tab)
  return last?.touch && { key: `${last.n}.${last.touch.n}`, touch: last.touch }
}

// waitingBoxes are the elements of a tab that agents have asked the person about.
export const waitingBoxes = (asks: readonly Ask[], tab?: string): LiveBox[] =>
  asks.flatMap(a => (a.box && a.tab && a.tab === tab ? [a.box] : []))

const air = 4

export type Ring = { x: number; y: number; width: number; height: number }

// ringOf stands around a touched element with some air, inside a picture of that size.
export function ringOf(box: LiveBox, width: number, height: number): Ring {
  const x = Math.max(air / 2, box.x * width - air)
  const y = Math.max(air / 2, box.y * height - air)
  return {
    x,
    y,
    width: Math.max(0, Math.min(width - air / 2, (box.x + box.w) * width + air) - x),
    height: Math.max(0, Math.min(height - air / 2, (box.y + box.h) * height + air) - y),
  }
}
