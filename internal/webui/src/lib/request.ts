// Requests of agents in words.
import type { Ask } from '../api/types.ts'
import { t } from '../strings.ts'
import { apart, upperFirst } from './text.ts'

const open: readonly string[] = ['asked', 'seen', 'working']

// isOpen says that a request waits for the person.
export const isOpen = (r: Ask): boolean => open.includes(r.state)

// isWorkedOn says that the person is in control of the tab that a request is about.
export const isWorkedOn = (r: Ask): boolean => r.state === 'working'

const deadline = (r: Ask): string => r.expiresAt ?? '9'

// byDeadline puts what expires first in front. What the person works on does not expire.
export const byDeadline = (a: Ask, b: Ask): number =>
  deadline(a).localeCompare(deadline(b)) || a.askedAt.localeCompare(b.askedAt)

const second = 1000
const minute = 60

// timeLeft is how long a request stays open, such as 8:48; empty for one that does not expire.
export function timeLeft(r: Ask, now = Date.now()): string {
  if (!r.expiresAt) return ''
  const s = Math.max(0, Math.round((Date.parse(r.expiresAt) - now) / second))
  return `${Math.floor(s / minute)}:${String(s % minute).padStart(2, '0')}`
}

// shareLeft is how much of a request's time is left, from 0 to 1.
export function shareLeft(r: Ask, now = Date.now()): number {
  if (!r.expiresAt) return 1
  const whole = Date.parse(r.expiresAt) - Date.parse(r.askedAt)
  return whole > 0 ? Math.min(1, Math.max(0, (Date.parse(r.expiresAt) - now) / whole)) : 0
}

// titleOf is what is asked for, without the address of the page: that stands below.
export const titleOf = (r: Ask): string => upperFirst(apart(r.what, r.page))

// siteOf is the site of a page, as people know it.
export function siteOf(page: string): string {
  try {
    return new URL(page).host || page
  } catch {
    return page
  }
}

// endOf says what has become of a request.
export function endOf(r: Ask): string {
  const { answer } = r
  switch (r.state) {
    case 'expired':
      return t.requests.expired
    case 'withdrawn':
      return t.requests.withdrawn
    case 'cut':
      return t.requests.cut
    default:
  }
  if (!answer) return ''
  const by = answer.by === 'person' ? '' : answer.by
  if (r.kind === 'approve') return answer.allow ? t.requests.allowed(answer.scope ?? 'once', by) : t.requests.denied(by)
  return answer.decline ? t.requests.declined(by) : t.requests.answered(by)
}

// canAllowNext says that an expired approval can still be given: the same step then passes once.
export const canAllowNext = (r: Ask): boolean => r.kind === 'approve' && r.state === 'expired'
