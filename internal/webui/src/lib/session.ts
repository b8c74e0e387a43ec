// The state of a profile, and the plan, in words.
import type { Profile, SessionEvent, Status } from '../api/types.ts'
import { t } from '../strings.ts'
import { upperFirst } from './text.ts'

// End says how a profile's last session ended, as far as this window saw it.
export type End = SessionEvent['end']

type InState = Pick<Profile, 'state' | 'mode' | 'startFailure'> & { end?: End }

// stateName is the state as people read it.
export function stateName(p: InState): string {
  switch (p.state) {
    case 'starting':
      return t.state.starting
    case 'stopping':
      return t.state.stopping
    case 'open':
      return p.mode === 'automation' ? t.state.agents : t.state.open
    case 'closed':
      if (p.startFailure) return t.state.failed
      return p.end === 'crashed' ? t.state.crashed : t.state.closed
  }
}

// stateKind is the state as the style sheet names it.
export function stateKind(p: InState): '' | 'busy' | 'auto' | 'open' | 'bad' {
  switch (p.state) {
    case 'starting':
    case 'stopping':
      return 'busy'
    case 'open':
      return p.mode === 'automation' ? 'auto' : 'open'
    case 'closed':
      return p.end === 'crashed' || p.startFailure ? 'bad' : ''
  }
}

// planName is the plan of whoever is logged in.
export const planName = (s: Pick<Status, 'plan'> | null): string => (s?.plan ? t.account.plan(upperFirst(s.plan)) : '')
