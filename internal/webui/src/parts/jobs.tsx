// The jobs that run, with how far they are. They come back when the window is opened again.
import { useState } from 'preact/hooks'
import type { Job } from '../api/types.ts'
import { ended, share } from '../lib/jobs.ts'
import { cancelJob, forgetJob } from '../store/jobs.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { Btn, Close } from './button.tsx'
import { Modal } from './modal.tsx'

const nameOf = (id: number) => state.profiles.value.get(id)?.name ?? t.jobs.profile(id)

const Failures = ({ job, onClose }: { job: Job; onClose: () => void }) => (
  <Modal kind="ask" title={t.jobs.failedTitle(job.failed)} onClose={onClose}>
    <div class="body">
      <ul class="failures">
        {job.failures.map(f => (
          <li key={f.profile}>
            <strong>{nameOf(f.profile)}</strong> {f.text} <span class="dim">{f.hint}</span>
          </li>
        ))}
      </ul>
      {job.failed > job.failures.length && <p class="dim">{t.jobs.more(job.failed - job.failures.length)}</p>}
    </div>
  </Modal>
)

function One({ job }: { job: Job }) {
  const [failures, setFailures] = useState(false)
  const name = t.jobs.doing[job.kind](job.total)
  return (
    <div class="job" role="group" aria-label={name}>
      <div class="line">
        <strong>{name}</strong>
        <span class="dim" role={ended(job) ? 'alert' : undefined}>
          {t.jobs.progress(job.done, job.failed)}
        </span>
        <i class="grow" />
        {job.failed > 0 && (
          <Btn
            kind="quiet"
            onClick={() => {
              setFailures(true)
            }}
          >
            {t.jobs.showFailed}
          </Btn>
        )}
        {ended(job) ? (
          <Close
            onClick={() => {
              forgetJob(job.id)
            }}
          />
        ) : (
          <Btn acts disabled={job.state === 'cancelling'} onClick={() => cancelJob(job.id)}>
            {t.parts.cancel}
          </Btn>
        )}
      </div>
      <progress aria-label={name} value={share(job)} />
      {failures && (
        <Failures
          job={job}
          onClose={() => {
            setFailures(false)
          }}
        />
      )}
    </div>
  )
}

export const Jobs = () =>
  state.jobs.value.length > 0 && (
    <div class="jobs" role="region" aria-label={t.jobs.label}>
      {state.jobs.value.map(job => (
        <One job={job} key={job.id} />
      ))}
    </div>
  )
