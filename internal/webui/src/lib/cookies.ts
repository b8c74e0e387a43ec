// What an import of cookies would change, in words.
import type { CookieChanges } from '../api/types.ts'
import { t } from '../strings.ts'

// some lists the first n of all, and how many more there are.
export const some = (all: string[], n: number): string =>
  all.slice(0, n).join(', ') + (all.length > n ? t.data.andMore(all.length - n) : '')

// summary is an import in one or two sentences.
export function summary({ domains, skipped, localStorage: stored = 0, ignored = [] }: CookieChanges): string {
  const sum = (key: 'added' | 'replaced' | 'unchanged') => domains.reduce((n, d) => n + d[key], 0)
  return [
    domains.length ? t.data.changes(sum('added'), sum('replaced'), sum('unchanged')) : t.data.noCookies,
    skipped ? t.data.skipped(skipped) : '',
    stored ? t.data.stored(stored) : '',
    ignored.length ? t.data.ignored(some(ignored, 10)) : '',
  ]
    .filter(Boolean)
    .join(' ')
}
