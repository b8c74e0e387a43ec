// A job in words and figures.
import type { Job } from '../api/types.ts'

// ended says whether a job does nothing more.
export const ended = (job: Pick<Job, 'state'>): boolean => job.state === 'done' || job.state === 'cancelled'

// share is how much of a job is over, from 0 to 1.
export const share = ({ total, done, failed }: Pick<Job, 'total' | 'done' | 'failed'>): number =>
  total ? (done + failed) / total : 1

// overtaken says whether news of a job is older than what is known of it: an answer and the events come by two roads.
export const overtaken = (news: Job, known: Job): boolean =>
  ended(known) ||
  (known.state === 'cancelling' && news.state === 'running') ||
  news.done + news.failed < known.done + known.failed

// merged are the jobs with one more, or with that one as it is now.
export const merged = (all: readonly Job[], one: Job): Job[] =>
  all.some(job => job.id === one.id) ? all.map(job => (job.id === one.id ? one : job)) : [...all, one]
