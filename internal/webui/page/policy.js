// What agents may do in a profile, and what they may type and never see.
import { html, useState } from './html.js'
import { trying, words } from './store.js'
import * as api from './api.js'
import { Btn, Field, Options, Pick } from './parts.js'

const presets = [['open', 'Open', 'Scripts as with Chrome. Tools hide passwords and cookies.'], ['guarded', 'Guarded', 'The rules bind every program. You are asked before logins, payments and files.'],
  ['read-only', 'Read-only', 'Agents look, and change nothing.'], ['off', 'Off', 'No agent gets in.']]
const rights = [['act', 'Click, type and navigate'], ['leave', 'Go to sites that are not on the list'], ['submit', 'Send forms with a password or payment'], ['upload', 'Give pages files of this computer'], ['download', 'Download files'],
  ['script', 'Run scripts in pages'], ['storage', 'Read cookies and stored data'], ['clipboard', 'Paste, copy and cut by the clipboard'], ['local', 'Open file: and chrome: pages']]
const answers = [['yes', 'Yes'], ['ask', 'Ask me'], ['no', 'No']]
const usual = { open: 'ynyyyyyyn', guarded: 'ynaaannan' } // in the order of rights; the others say no to all
const usually = (preset, i) => answers.find(a => a[0][0] === (usual[preset]?.[i] || 'n'))[0]

export const lines = text => text.split('\n').map(l => l.trim()).filter(Boolean)

// typed is a policy as people type it; sentPolicy as the app takes it.
export const typed = p => ({ rights: {}, ...p, allow: (p.sites?.allow || []).join('\n'), block: (p.sites?.block || []).join('\n'), answerers: (p.answerers || []).join(', ') })
export const sentPolicy = ({ allow, block, answerers, ...p }) => ({ ...p, sites: { allow: lines(allow), block: lines(block) }, answerers: words(answerers) })

export function Policy({ f, wrong, onChange }) {
  const put = patch => onChange({ ...f, ...patch })
  const sites = (name, label, hint) => html`<${Field} label=${label} error=${wrong[name]} hint=${hint}>${a => html`<textarea ...${a} rows="2" value=${f[name]} placeholder="https://*.example.com" onInput=${e => put({ [name]: e.target.value })}></textarea>`}<//>`
  const check = (name, label, not) => html`<label class="check"><input type="checkbox" checked=${!!f[name] !== not} onChange=${e => put({ [name]: e.target.checked !== not })} /> ${label}</label>`
  const right = (c, i) => f.rights[c] || usually(f.preset, i)
  return html`<div class="plans two" role="group" aria-label="What agents may do here">${presets.map(([key, name, text]) => html`<${Pick} on=${f.preset === key} about=${text} onClick=${() => f.preset !== key && put({ preset: key, rights: {} })}>${name}<//>`)}</div>
    ${f.preset !== 'off' && html`<div class="pair">${sites('allow', 'Allowed sites', 'One a line. Empty allows all.')}${sites('block', 'Blocked sites')}</div>
    <details><summary>Single rights, one driver, pictures</summary><div class="rights">${rights.map(([c, text], i) => html`<label>${text}<select value=${right(c, i)} onChange=${e => {
      const { [c]: _, ...others } = f.rights
      put({ rights: e.target.value === usually(f.preset, i) ? others : { ...others, [c]: e.target.value } })
    }}><${Options} of=${answers} now=${right(c, i)} /></select></label>`)}</div>
      ${check('oneDriver', 'One agent at a time', false)}${check('noPictures', 'Small pictures in the journal', true)}
      <${Field} label="Clients that may ask you themselves" error=${wrong.answerers} hint="By the names they give themselves, which any program can give.">${a => html`<input ...${a} value=${f.answerers} placeholder="claude-code" onInput=${e => put({ answerers: e.target.value })} />`}<//></details>
    ${right('script', 5) !== 'no' && html`<p class="hint">A script can read cookies and password fields: that they are hidden is promised only without the right to run scripts.</p>`}`}`
}

const empty = { name: '', site: '', value: '' }
export function Secrets({ id }) {
  const [list, setList] = useState(null), [f, setF] = useState(empty), at = `/browser_profiles/${id}/secrets`
  const read = async () => setList((await api.get(at)).data || [])
  const add = () => trying(async () => { await api.post(at, f); setF(empty); await read() })
  const input = (name, label, more) => html`<input aria-label=${label} placeholder=${label} value=${f[name]} autocomplete="off" onInput=${e => setF({ ...f, [name]: e.target.value })} onKeyDown=${e => { if (e.key === 'Enter') { e.preventDefault(); add() } }} ...${more} />`
  return html`<details onToggle=${e => e.target.open && trying(read)}><summary>Secrets that agents type and never see</summary>
    ${list?.length > 0 && html`<table><tbody>${list.map(s => html`<tr key=${s.name}><td><code>{{secret:${s.name}}}</code></td><td class="path">${s.site}</td><td class="end"><${Btn} kind="quiet" aria-label=${'Remove ' + s.name} onClick=${() => trying(async () => { await api.call('DELETE', `${at}/${encodeURIComponent(s.name)}`); await read() })}>Remove<//></td></tr>`)}</tbody></table>`}
    ${list && html`<div class="field pair">${input('name', 'Name of the secret')}${input('site', 'Its site, https://…')}${input('value', 'Its value', { type: 'password', autocomplete: 'new-password' })}<div><${Btn} disabled=${!f.name || !f.site || !f.value} onClick=${add}>Keep it<//></div></div>`}</details>`
}
