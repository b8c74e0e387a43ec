// What agents touch in a page, as the live view shows it.
import type { Ask, LiveAction, LiveBox, LiveTouch } from '../api/types.ts'

// Touched is a touch with a name of its own: the same one is shown once.
export type Touched = { key: string; touch: LiveTouch }

// lastTouch is what was touched last in a tab.
export function lastTouch(actions: readonly LiveAction[], tab?: string): Touched | undefined {
  const last = actions.findLast(a => a.touch && a.touch.tab === tab)
  return last?.touch && { key: `${last.n}.${last.touch.n}`, touch: last.touch }
}

// placeOf is an address without what a request does not tell of it.
function placeOf(address: string): string {
  try {
    const { origin, pathname } = new URL(address)
    return origin + pathname
  } catch {
    return address
  }
}

const later = (a: string, b: string) => Date.parse(a) > Date.parse(b)

// Shown is a tab as a view has it: its page, and the steps that were taken last.
export type Shown = { tab?: string; url?: string; actions: readonly LiveAction[] }

// waitingBoxes are the elements of a tab that agents have asked the person about, if they are where they were then: the
// page is the same, and no agent has done anything in it since.
export function waitingBoxes(asks: readonly Ask[], { tab, url = '', actions }: Shown): LiveBox[] {
  const since = (a: Ask) =>
    actions.some(one => one.tab === tab && one.kind !== 'read' && one.outcome === 'ok' && later(one.at, a.askedAt))
  const here = (a: Ask) => !!a.tab && a.tab === tab && placeOf(a.page) === placeOf(url)
  return asks.flatMap(a => (a.box && here(a) && !since(a) ? [a.box] : []))
}

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
