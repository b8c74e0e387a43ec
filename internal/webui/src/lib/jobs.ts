// A job in words and figures.
import type { Job } from '../api/types.ts'

// ended says whether a job does nothing more.
export const ended = (job: Pick<Job, 'state'>): boolean => job.state === 'done' || job.state === 'cancelled'

// share is how much of a job is over, from 0 to 1.
export const share = ({ total, done, failed }: Pick<Job, 'total' | 'done' | 'failed'>): number =>
  total ? (done + failed) / total : 1

// merged are the jobs with one more, or with that one as it is now.
export const merged = (all: readonly Job[], one: Job): Job[] =>
  all.some(job => job.id === one.id) ? all.map(job => (job.id === one.id ? one : job)) : [...all, one]
