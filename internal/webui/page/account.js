// Logging in and out, and the plan.
import { html, useState } from './html.js'
import { state, trying, readStatus, planName } from './store.js'
import * as api from './api.js'
import { Card, Btn, Field, Pick } from './parts.js'

export function Login({ title }) {
  const [way, setWay] = useState('password'), [wrong, setWrong] = useState(null), [busy, setBusy] = useState(false)
  const submit = async e => {
    e.preventDefault()
    const f = new FormData(e.target)
    setBusy(true)
    setWrong(null)
    try {
      if (way === 'password') await api.post('/auth/login', { email: f.get('email'), password: f.get('password') })
      else await api.post('/auth/login-with-token', { token: f.get('token') })
      await readStatus()
    } catch (e) { setWrong(e) }
    setBusy(false)
  }
  return html`<form class="card login" onSubmit=${submit}><${title ? 'h1' : 'h2'}>${title || 'Log in'}<//>
    <div class="ways" role="group" aria-label="Log in with">${[['password', 'Email and password'], ['token', 'API token']].map(([w, n]) => html`<${Btn} aria-pressed=${w === way} onClick=${() => setWay(w)}>${n}<//>`)}</div>
    ${wrong && html`<p class="error all" role="alert">${wrong.message} <span class="dim">${wrong.hint}</span></p>`}
    ${way === 'password' ? html`<${Field} label="Email">${a => html`<input ...${a} name="email" type="email" autocomplete="username" required />`}<//><${Field} label="Password">${a => html`<input ...${a} name="password" type="password" autocomplete="current-password" required />`}<//>`
      : html`<${Field} label="API token">${a => html`<input ...${a} name="token" type="password" required />`}<//>`}
    <div class="line"><button class="btn primary" disabled=${busy}>Log in</button><i class="grow" /></div>
    <p class="owner"><span class="dim">This Cove is yours: </span><${Btn} disabled=${busy} onClick=${() => trying(async () => { await api.post('/auth/login-owner'); await readStatus() })}>Log in as its owner<//></p></form>`
}

const plans = [['free', 'Free', 'Profiles for you, by hand. No scripts and no agents.'], ['solo', 'Solo', 'Scripts and agents too.'], ['team', 'Team', 'Scripts and agents too, for several accounts.']]

export function Account() {
  const s = state.status
  if (!s?.logged_in) return html`<${Login} />`
  const setPlan = plan => trying(async () => { await api.post('/accounts/plan', { plan }); await readStatus() })
  return html`<${Card} title="Account">
    <div class="line"><strong>${s.account || 'somebody'}</strong><span class="dim">${planName(s)}, ${s.automation ? 'automation included' : 'without automation'}</span><i class="grow" />
      <${Btn} id="logout" onClick=${() => trying(async () => { await api.post('/auth/logout'); await readStatus() })}>Log out<//></div>
    <div class="plans" role="group" aria-label="Plan">${plans.map(([key, name, text]) => html`<${Pick} on=${s.plan === key} about=${text} onClick=${() => s.plan !== key && setPlan(key)}>${name}<//>`)}</div>
    <p class="dim">Open profiles stay open after a logout. Nobody pays to use their own browser: the plan is yours to choose.</p><//>`
}
