// Words for moments.
import { t } from '../strings.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const week = 7 * day

// ago says how long ago a moment was, in a word or two.
export function ago(when: string | undefined, now = Date.now()): string {
  if (!when) return t.time.never
  const s = Math.max(0, (now - Date.parse(when)) / 1000)
  if (s < minute) return t.time.now
  if (s < hour) return t.time.minutes(Math.floor(s / minute))
  if (s < day) return t.time.hours(Math.floor(s / hour))
  if (s < 2 * day) return t.time.yesterday
  if (s < 2 * week) return t.time.days(Math.floor(s / day))
  if (s < 60 * day) return t.time.weeks(Math.floor(s / week))
  return new Date(when).toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric' })
}

// since is ago, to the second.
export function since(when: string, now = Date.now()): string {
  const s = Math.max(0, Math.round((now - Date.parse(when)) / 1000))
  if (s < 2) return t.time.now
  return s < minute ? t.time.seconds(s) : ago(when, now)
}

// full is a moment with its date and time.
export const full = (when: string | undefined): string => (when ? new Date(when).toLocaleString() : '')
