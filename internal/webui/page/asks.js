// What waits for the person: requests of agents, the PIN, and the way back after a panic.
import { html, useState } from './html.js'
import { state, set, asks, trying, panic } from './store.js'
import * as api from './api.js'
import { Btn, Ask, Field, Picture, bytes, apart } from './parts.js'
import * as icons from './icons.js'

function Request({ r }) {
  const [busy, setBusy] = useState(false), picture = state.pictures[r.id]
  const b = (name, kind, answer) => html`<${Btn} kind=${kind} disabled=${busy} onClick=${async () => { setBusy(true); await trying(() => api.post('/approvals/' + r.id, answer)); setBusy(false) }}>${name}<//>`
  return html`<section class="toast asks" aria-label=${r.agent.name + ' asks'}><div><strong>${r.agent.name} asks</strong> <span class="dim">in ${state.profiles.get(r.profile)?.name || r.profile}</span>
    <p>${apart(r.what, r.page)}</p><p class="dim path">${r.page}</p>${picture && html`<${Picture} label="What it is about" load=${async () => bytes(picture)} />`}
    <div class="line">${b('Allow once', 'primary', { allow: true })}${b('Allow until it leaves', '', { allow: true, always: true })}${b('Refuse', '', { allow: false })}</div></div></section>`
}

export function Asks() {
  const all = asks()
  return html`${all.slice(0, 3).map(r => html`<${Request} key=${r.id} r=${r} />`)}${all.length > 3 && html`<div class="toast">and ${all.length - 3} more</div>`}`
}

// Pin asks for it; what is wrong with it stands beside it.
export function Pin() {
  const { attempt, done, refuse } = state.pin, [wrong, setWrong] = useState('')
  return html`<${Ask} title="Your PIN" text="Cove asks for it before agents may do more, and once in a while." go="Go on" onClose=${() => { refuse(); set({ pin: null }) }} onGo=${async form => {
    try { done(await attempt(form.get('pin'))) } catch (e) {
      if (/^E_PIN/.test(e.code)) { setWrong(e.message); return false }
      refuse(e)
    }
  }}><${Field} label="PIN" error=${wrong}>${a => html`<input ...${a} name="pin" type="password" required data-first />`}<//><//>`
}

export const Banner = () => html`<div class="banner">${state.panic && html`<div class="strip" role="alert"><${icons.Warn} /><span><strong>Every agent is cut off</strong> and kept out of every profile.</span><i class="grow" /><${Btn} onClick=${() => panic(false)}>Let agents in again<//></div>`}</div>`

export const Panic = () => html`<${Ask} title="Cut off every agent?" text="They are thrown out of every profile at once and kept out until you let them in again. The profiles stay open." go="Cut them off" danger onClose=${() => set({ dialog: null })} onGo=${() => panic(true)} />`
