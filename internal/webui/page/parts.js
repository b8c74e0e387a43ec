// Small pieces that several views use.
import { html, useEffect, useLayoutEffect, useRef, useState, useId } from './html.js'
import { state, set, dismiss, stateName, stateKind, toast } from './store.js'
import { Asks } from './asks.js'
import * as icons from './icons.js'

// Modal is a dialog of the browser's own: it keeps the focus inside and gives it back. Escape is ours: the browser closes a dialog
// that refuses a few times, whatever its page says.
export function Modal({ kind, title, onClose, children, label }) {
  const ref = useRef(), id = useId(), depth = useRef(0)
  useLayoutEffect(() => {
    const d = ref.current
    if (!d.open) d.showModal()
    set({ modals: depth.current = state.modals + 1 })
    return () => { d.close(); set({ modals: state.modals - 1 }) }
  }, [])
  useEffect(() => { ref.current.querySelector('[data-first]')?.focus() }, [])
  return html`<dialog ref=${ref} class=${kind} aria-labelledby=${label ? null : id} aria-label=${label} onCancel=${e => { e.preventDefault(); onClose() }} onKeyDown=${e => {
      if (e.key !== 'Escape' || e.isComposing) return
      e.preventDefault()
      e.stopPropagation()
      onClose()
    }} onMouseDown=${e => e.target === ref.current && onClose()}>
    ${title && html`<div class="top"><h2 id=${id}>${title}</h2><${Close} onClick=${onClose} /></div>`}
    ${typeof children === 'function' ? children(id) : children}
    ${depth.current === state.modals && html`<${Toasts} />`}
  </dialog>`
}

export const Btn = ({ kind = '', children, ...more }) => html`<button type="button" class=${'btn ' + kind} ...${more}>${children}</button>`

// Pick is one of several choices, with a word about it.
export const Pick = ({ on, about, children, ...more }) => html`<button type="button" class="client" aria-pressed=${on} ...${more}><span>${children}</span><small>${about}</small></button>`

export const Card = ({ title, children }) => html`<section class="card" aria-label=${title}><h2>${title}</h2>${children}</section>`

export const Close = ({ onClick }) => html`<${Btn} kind="quiet square" aria-label="Close" title="Close (Esc)" onClick=${onClick}><${icons.Cross} /><//>`

// CopyButton copies a text and says so.
export function CopyButton({ text, label, children, class: c = 'btn quiet square' }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      setTimeout(() => setDone(false), 1500)
    } catch { toast('The browser does not let this page copy.', { hint: 'Select the text and copy it by hand.', bad: true }) }
  }
  return html`<button type="button" class=${c} aria-label=${done ? 'Copied' : label} title=${label} onClick=${copy}>${children}${done ? html`<${icons.Check} />` : html`<${icons.Copy} />`}</button>
    <span class="hidden" role="status">${done ? 'Copied' : ''}</span>`
}

export const State = ({ p, children }) => html`<span class=${'state ' + stateKind(p)}><b></b>${stateName(p)}${children}</span>`

export const Advice = ({ short }) => html`<div class="note" role="note">An agent can see and use everything this profile is logged in to: mail, ads, payments, wallets. ${short
  ? 'You can watch it and stop it at any time.' : 'Prefer a profile without logins that it does not need.'}</div>`

export function Toasts() {
  return html`<div class="toasts" aria-live="polite"><${Asks} />${state.toasts.map(t => html`<div key=${t.id} class=${'toast' + (t.bad ? ' bad' : '')} role=${t.bad ? 'alert' : 'status'}>
    <div><strong>${t.text}</strong>${t.hint && html`<div class="dim">${t.hint}</div>`}</div>
    ${t.action && html`<${Btn} onClick=${() => { dismiss(t.id); t.action.run() }}>${t.action.name}<//>`}
    <${Close} onClick=${() => dismiss(t.id)} /></div>`)}</div>`
}

// Field is a labelled input with what is wrong with it beside it.
export function Field({ label, hint, error, children }) {
  const id = useId()
  const about = [error && id + 'e', hint && id + 'h'].filter(Boolean).join(' ') || null
  return html`<div class="field"><label for=${id}>${label}</label>${children({ id, autocomplete: 'off', 'aria-describedby': about, 'aria-invalid': error ? 'true' : null })}
    ${error && html`<p class="error" role="alert" id=${id + 'e'}>${error}</p>`}${hint && html`<p class="hint" id=${id + 'h'}>${hint}</p>`}</div>`
}

// Options are what a select offers, as pairs of a value and its name.
export const Options = ({ of, now }) => of.map(([value, name]) => html`<option value=${value} selected=${value === now}>${name}</option>`)

// Ask is a small question with a form. What cannot be undone asks carefully: Enter takes nothing away then.
export function Ask({ title, text, go, danger, careful, onGo, onClose, children }) {
  const [busy, setBusy] = useState(false)
  const submit = async e => {
    e.preventDefault()
    setBusy(true)
    const ok = await onGo(new FormData(e.target))
    setBusy(false)
    if (ok !== false) onClose()
  }
  return html`<${Modal} kind="ask" title=${title} onClose=${onClose}><form onSubmit=${submit}>
    <div class="body">${text && html`<p>${text}</p>`}${children}</div>
    <div class="foot"><${Btn} kind="quiet" data-first=${careful} onClick=${onClose}>Cancel<//>
    <button class=${'btn ' + (danger ? 'danger' : 'primary')} disabled=${busy} data-first=${!children && !careful}>${go}</button></div></form><//>`
}

export const Empty = ({ title, children }) => html`<div class="empty"><i class="mark" aria-hidden="true"></i><h2>${title}</h2>${children}</div>`

// apart is what an agent wants to do, without the address of the page: it stands below.
export const apart = (what, page) => what.replace(' on ' + page, '')

// Picture draws what comes as bytes: the page's policy lets no data: in.
export const bytes = text => new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))])
export function Picture({ load, label }) {
  const ref = useRef()
  useEffect(() => {
    load().then(createImageBitmap).then(i => {
      const c = ref.current
      if (c) { c.width = i.width; c.height = i.height; c.getContext('2d').drawImage(i, 0, 0) }
      i.close()
    }).catch(() => {})
  }, [])
  return html`<canvas ref=${ref} role="img" aria-label=${label} width="0" height="0"></canvas>`
}
