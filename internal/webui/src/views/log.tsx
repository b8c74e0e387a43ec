// Why a profile failed to open, with what its browser wrote.
import { useEffect, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { told } from '../api/client.ts'
import { full } from '../lib/time.ts'
import { Btn } from '../parts/button.tsx'
import { Modal } from '../parts/modal.tsx'
import { adopt } from '../store/app.ts'
import { start } from '../store/profiles.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

const close = () => {
  state.log.value = 0
}

export function Log() {
  const id = state.log.value
  const p = state.profiles.value.get(id)
  const [text, setText] = useState(t.parts.reading)
  useEffect(() => {
    calls.profileLog(id).then(
      ({ data }) => {
        setText(data.join('\n') || t.log.none)
      },
      (e: unknown) => {
        setText(told(e))
      },
    )
  }, [id])
  if (!p) return null
  const failure = p.startFailure
  return (
    <Modal kind="status" title={t.log.title(p.name)} onClose={close}>
      <div class="body">
        {failure && (
          <p>
            {failure.text} {failure.hint} <span class="dim">{full(failure.at)}</span>
          </p>
        )}
        <pre class="logged" tabindex={0} role="region" aria-label={t.log.lines}>
          {text}
        </pre>
      </div>
      <div class="foot">
        <Btn
          acts
          data-first
          onClick={() => {
            close()
            if (p.external) adopt(id)
            else void start(id, failure?.mode === 'automation')
          }}
        >
          {t.log.again}
        </Btn>
      </div>
    </Modal>
  )
}
