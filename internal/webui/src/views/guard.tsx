// What guards the person's decisions: the PIN, the panic and the way back from it.
import { useState } from 'preact/hooks'
import { failureOf } from '../api/client.ts'
import { typedText } from '../lib/text.ts'
import { Btn } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import * as icons from '../parts/icons.tsx'
import { Grow } from '../parts/layout.tsx'
import { Ask } from '../parts/modal.tsx'
import { closePIN, setPanic } from '../store/access.ts'
import { show } from '../store/app.ts'
import type { PinRequest } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

// Pin asks for the PIN. What is wrong with it stands beside it.
export function Pin({ request }: { request: PinRequest }) {
  const [wrong, setWrong] = useState('')
  const tryIt = async (form: FormData) => {
    try {
      request.done(await request.attempt(typedText(form, 'pin')))
    } catch (e) {
      const { code, message } = failureOf(e)
      if (code.startsWith('E_PIN')) {
        setWrong(message)
        return false
      }
      request.refuse(e)
    }
    return true
  }
  const close = () => {
    request.refuse()
    closePIN()
  }
  return (
    <Ask title={t.pin.title} text={t.pin.why} go={t.pin.go} onClose={close} onGo={tryIt}>
      <Field label={t.pin.label} error={wrong}>
        {a => <input {...a} name="pin" type="password" required data-first />}
      </Field>
    </Ask>
  )
}

// Banner stands above every view while the app is away, and while all agents are blocked.
export const Banner = () => (
  <div class="banner">
    {!state.online.value && (
      <div class="strip away" role="alert">
        <icons.Warn />
        <span>
          <strong>{t.app.notRunning}</strong> {t.app.startWith} <code>{t.commands.up}</code>. {t.app.reconnects}
        </span>
      </div>
    )}
    {state.panic.value && (
      <div class="strip" role="alert">
        <icons.Warn />
        <span>
          <strong>{t.panic.blocked}</strong>
        </span>
        <Grow />
        <Btn acts onClick={() => setPanic(false)}>
          {t.panic.lift}
        </Btn>
      </div>
    )}
  </div>
)

// Panic asks before every agent is blocked.
export const Panic = () => (
  <Ask
    title={t.panic.title}
    text={t.panic.text}
    go={t.panic.go}
    danger
    onClose={() => {
      show(null)
    }}
    onGo={() => setPanic(true)}
  />
)
