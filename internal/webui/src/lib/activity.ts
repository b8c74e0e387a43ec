// What happens in the profiles that are open for agents, at a glance.
import type { Access, Activity, Ask, LiveAction, LivePicture } from '../api/types.ts'

// Glance is what the stream of all profiles told last of one.
export type Glance = { picture?: LivePicture; url: string; last?: LiveAction; dialog?: string; acted?: boolean }

export const noGlance: Glance = { url: '' }

// glanceOf adds a line of the stream to what was known.
export function glanceOf(before: Glance, line: Activity): Glance {
  switch (line.type) {
    case 'picture':
      return { ...before, picture: line.picture, dialog: undefined }
    case 'dialog':
      return { ...before, dialog: line.dialog }
    case 'tabs': {
      const shown = line.tabs?.find(tab => tab.id === before.picture?.tab) ?? line.tabs?.[0]
      return { ...before, url: shown?.url ?? '' }
    }
    case 'actions':
      return { ...before, last: line.actions?.at(-1), acted: true }
    default:
      return before
  }
}

// Doing is what is going on in a profile, in the order in which a person wants to see it.
export type Doing = 'waiting' | 'you' | 'stuck' | 'working' | 'idle' | 'stopped'

const order: Doing[] = ['waiting', 'you', 'stuck', 'working', 'idle', 'stopped']

const restsAfter = 30_000
const stuckAfter = 30_000

// doingOf says what is going on in a profile. An agent is stuck when a step takes very long, and when it rests after a
// step that failed.
export function doingOf(
  access: Access | undefined,
  waiting: Ask[],
  last: LiveAction | undefined,
  now = Date.now(),
): Doing {
  if (waiting.length) return 'waiting'
  if (access?.suspended) return 'stopped'
  if (access?.takenOver || access?.controlled?.length) return 'you'
  if (!last) return 'idle'
  const since = now - Date.parse(last.at) - last.ms
  if (last.going) return since > stuckAfter ? 'stuck' : 'working'
  if (since < restsAfter) return 'working'
  return last.outcome === 'error' ? 'stuck' : 'idle'
}

// byNeed puts those that need the person in front.
export const byNeed = (a: Doing, b: Doing): number => order.indexOf(a) - order.indexOf(b)
