// Jobs: changes of many profiles that run in the app, whether this window is open or not.
import * as calls from '../api/calls.ts'
import type { BulkChange, Job } from '../api/types.ts'
import { ended, merged, overtaken } from '../lib/jobs.ts'
import { t } from '../strings.ts'
import { failed, toast } from './messages.ts'
import { readSoon } from './profiles.ts'
import * as state from './state.ts'

const remembered = 50

// latest is what was last heard of each job: news of its end may come before the answer that names it.
const latest = new Map<string, Job>()
const whenDone = new Map<string, (job: Job) => void>()

// change starts a job. then is called when everything worked; without it a message says so.
export async function change(ids: number[], what: BulkChange, then?: (job: Job) => void): Promise<boolean> {
  if (!ids.length) return true
  try {
    const { data } = await calls.bulk(ids, what)
    if (then) whenDone.set(data.id, then)
    show(latest.get(data.id) ?? data)
    return true
  } catch (e) {
    failed(e)
    return false
  }
}

// onJob takes note of how far a job is.
export function onJob(job: Job): void {
  const known = latest.get(job.id)
  if (!known || !overtaken(job, known)) show(job)
}

// show draws a job as it is now. One that failed for some stays until the person closes it.
function show(job: Job): void {
  latest.set(job.id, job)
  const [oldest] = latest.keys()
  if (latest.size > remembered && oldest !== undefined) latest.delete(oldest)
  if (ended(job)) readSoon()
  if (!ended(job) || job.failed) {
    state.jobs.value = merged(state.jobs.value, job)
    return
  }
  const shown = state.jobs.value.some(one => one.id === job.id)
  const then = whenDone.get(job.id)
  if (!shown && !then) return
  forgetJob(job.id)
  if (job.state === 'cancelled') toast(t.jobs.cancelled(job.done, job.total))
  else if (then) then(job)
  else toast(t.jobs.done[job.kind](job.done))
}

// forgetJob shows a job no longer.
export function forgetJob(id: string): void {
  whenDone.delete(id)
  state.jobs.value = state.jobs.value.filter(job => job.id !== id)
}

export async function cancelJob(id: string): Promise<void> {
  try {
    onJob((await calls.cancelJob(id)).data)
  } catch (e) {
    failed(e)
  }
}

// readRunning asks how the jobs that ran when this window last followed have gone on.
export async function readRunning(): Promise<void> {
  for (const { id } of state.jobs.value.filter(job => !ended(job))) {
    try {
      onJob((await calls.job(id)).data)
    } catch {
      forgetJob(id) // the app knows nothing of it any more
    }
  }
}

// forgetRunning drops the jobs of an app that went away: its next start knows nothing of them.
export function forgetRunning(): void {
  state.jobs.value = state.jobs.value.filter(ended)
}
