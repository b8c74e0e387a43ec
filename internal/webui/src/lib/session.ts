// The state of a profile, and the plan, in words.
import type { Profile, SessionEvent, Status } from '../api/types.ts'
import { t } from '../strings.ts'
import { upperFirst } from './text.ts'

// End says how a profile's last session ended, as far as this window saw it.
export type End = SessionEvent['end']

// InState is what the state of a profile is made of.
export type InState = Pick<Profile, 'state' | 'mode' | 'startFailure' | 'external' | 'step'> & { end?: End }

// stateName is the state as people read it.
export function stateName(p: InState): string {
  switch (p.state) {
    case 'starting':
      if (p.step) return t.state.steps[p.step]
      return p.external ? t.state.connecting : t.state.starting
    case 'stopping':
      return t.state.stopping
    case 'open':
      return p.mode === 'automation' ? t.state.agents : t.state.open
    case 'closed':
      if (p.startFailure) return p.external ? t.state.notConnected : t.state.failed
      return (p.end && t.state.ends[p.end]) ?? (p.external ? t.state.notShared : t.state.closed)
  }
}

// stateText says what a person’s own browser waits for, or why it is not shared any more; undefined for what needs no
// more words.
export function stateText(p: InState): string | undefined {
  if (p.state === 'starting') return p.step && t.logins.steps[p.step]
  if (p.state !== 'closed') return undefined
  return p.startFailure?.text ?? (p.end && t.adopt.ends[p.end])
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
      return p.end === 'crashed' || p.end === 'keeper-ended' || p.startFailure ? 'bad' : ''
  }
}

// planName is the plan of whoever is logged in.
export const planName = (s: Pick<Status, 'plan'> | null): string => (s?.plan ? t.account.plan(upperFirst(s.plan)) : '')
