// Logging in and out, and the plan.
import { useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { type Failure, failureOf } from '../api/client.ts'
import { planName } from '../lib/session.ts'
import { typedText } from '../lib/text.ts'
import { Btn, Pick } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Card, Grow } from '../parts/layout.tsx'
import { readStatus } from '../store/app.ts'
import { trying } from '../store/messages.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

const ways = ['password', 'token'] as const

const Password = () => (
  <>
    <Field label={t.account.email}>
      {a => <input {...a} name="email" type="email" autocomplete="username" required />}
    </Field>
    <Field label={t.account.password}>
      {a => <input {...a} name="password" type="password" autocomplete="current-password" required />}
    </Field>
  </>
)

const Token = () => <Field label={t.account.token}>{a => <input {...a} name="token" type="password" required />}</Field>

const asOwner = () =>
  trying(async () => {
    await calls.loginOwner()
    await readStatus()
  })

// Login is the form for whoever is logged out. With a title it stands alone.
export function Login({ title }: { title?: string }) {
  const [way, setWay] = useState<(typeof ways)[number]>('password')
  const [wrong, setWrong] = useState<Failure | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (e: SubmitEvent) => {
    e.preventDefault()
    const form = new FormData(e.currentTarget as HTMLFormElement)
    setBusy(true)
    setWrong(null)
    try {
      if (way === 'password') await calls.login(typedText(form, 'email'), typedText(form, 'password'))
      else await calls.loginWithToken(typedText(form, 'token'))
      await readStatus()
    } catch (e) {
      setWrong(failureOf(e))
    }
    setBusy(false)
  }
  return (
    <form class="card login" onSubmit={submit}>
      {title ? <h1>{title}</h1> : <h2>{t.account.login}</h2>}
      <div class="ways" role="group" aria-label={t.account.loginWith}>
        {ways.map(w => (
          <Btn
            aria-pressed={w === way}
            key={w}
            onClick={() => {
              setWay(w)
            }}
          >
            {t.account.ways[w]}
          </Btn>
        ))}
      </div>
      {wrong && (
        <p class="error all" role="alert">
          {wrong.message} <span class="dim">{wrong.hint}</span>
        </p>
      )}
      {way === 'password' ? <Password /> : <Token />}
      <div class="line">
        <button class="btn primary" disabled={busy}>
          {t.account.login}
        </button>
        <Grow />
      </div>
      <p class="owner">
        <span class="dim">{t.account.yours}</span>
        <Btn disabled={busy} onClick={asOwner}>
          {t.account.asOwner}
        </Btn>
      </p>
    </form>
  )
}

const plans = ['free', 'solo', 'team'] as const

export function Account() {
  const s = state.status.value
  if (!s?.logged_in) return <Login />
  const setPlan = (plan: string) =>
    trying(async () => {
      await calls.setPlan(plan)
      await readStatus()
    })
  const logout = () =>
    trying(async () => {
      await calls.logout()
      await readStatus()
    })
  return (
    <Card title={t.account.title}>
      <div class="line">
        <strong>{s.account ?? t.account.somebody}</strong>
        <span class="dim">{t.account.includes(planName(s), s.automation)}</span>
        <Grow />
        <Btn id="logout" onClick={logout}>
          {t.account.logout}
        </Btn>
      </div>
      <div class="plans" role="group" aria-label={t.account.planLabel}>
        {plans.map(plan => (
          <Pick
            on={s.plan === plan}
            about={t.account.plans[plan].about}
            key={plan}
            onClick={() => s.plan !== plan && void setPlan(plan)}
          >
            {t.account.plans[plan].name}
          </Pick>
        ))}
      </div>
      <p class="dim">{t.account.note}</p>
    </Card>
  )
}
