// Settings of the app, the account, and the tokens for programs.
import { html, useState, useEffect } from './html.js'
import { state, trying, toast, set } from './store.js'
import * as api from './api.js'
import { Card, Btn, Field, CopyButton, Options } from './parts.js'
import { Account } from './account.js'
import { full } from './time.js'

const hints = { require_token: 'Programs of this computer then need a token to open and close profiles, too.' }
const samples = { 'adspower.port': '50325', api_port: '3001', browser: '/usr/bin/chromium', browser_args: '--disable-gpu', journal_days: '90', journal_mb: '200', 'proxy.check': 'https://…' }
const titles = { 'adspower.key': 'AdsPower API key', 'adspower.port': 'AdsPower API port', api_port: 'Port of the local API', browser: 'Browser', browser_args: 'Arguments of every browser', require_token: 'Start and stop need a token', journal_days: 'Days in the journals', journal_mb: 'Megabytes of a journal', 'proxy.check': 'Page for proxy checks' }

const choices = { 'adspower.key': [['required', 'Required'], ['off', 'Off']] }

function Setting({ s }) {
  const usual = choices[s.key]?.[0][0] || ''
  s.value ||= usual
  const [value, setValue] = useState(s.value), [wrong, setWrong] = useState('')
  const save = async v => {
    try {
      s.value = (await api.call('PUT', `/settings/${s.key}`, { value: v })).value || usual // a port that is off has no value
      setValue(s.value)
      setWrong('')
      toast('Saved')
    } catch (e) { setWrong(api.told(e)) }
  }
  const about = hints[s.key] || s.about[0].toUpperCase() + s.about.slice(1) + '.'
  if (s.key === 'require_token') return html`<div class="field"><label class="check"><input type="checkbox" checked=${value === 'true'} onChange=${e => { setValue(String(e.target.checked)); save(String(e.target.checked)) }} /> ${titles[s.key]}</label><p class="hint">${about}</p></div>`
  return html`<${Field} label=${titles[s.key] || s.key} error=${wrong} hint=${about}>${a => html`<div class="line">${choices[s.key] ? html`<select ...${a} value=${value} onChange=${e => setValue(e.target.value)}><${Options} of=${choices[s.key]} now=${value} /></select>`
    : html`<input ...${a} value=${value} placeholder=${samples[s.key]} onInput=${e => setValue(e.target.value)} onKeyDown=${e => e.key === 'Enter' && save(value)} />`}<${Btn} disabled=${value === s.value} onClick=${() => save(value)}>Save<//></div>`}<//>`
}

function Tokens() {
  const [list, setList] = useState([]), [made, setMade] = useState(null)
  const read = () => trying(async () => setList((await api.get('/tokens')).data))
  useEffect(() => { read() }, [])
  const create = e => { e.preventDefault(); const form = e.target; trying(async () => { setMade((await api.post('/tokens', { name: new FormData(form).get('name') })).data); form.reset(); await read() }) }
  return html`<${Card} title="API tokens"><p class="dim">For programs that read or change profiles. A token is shown once.</p>
    ${made && html`<div class="command"><pre><code>${made.token}</code></pre><${CopyButton} text=${made.token} label="Copy the token" /></div>`}
    ${list.length > 0 && html`<table><thead><tr><th scope="col">Name</th><th scope="col">Account</th><th scope="col">Used</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead><tbody>${list.map(t => html`<tr key=${t.id}><td>${t.name}</td><td>${t.email}</td><td>${full(t.usedAt) || 'never'}</td>
      <td class="end"><${Btn} kind="quiet" aria-label=${'Revoke ' + t.name} onClick=${() => trying(async () => { await api.call('DELETE', `/tokens/${t.id}`); await read() })}>Revoke<//></td></tr>`)}</tbody></table>`}
    <form class="line" onSubmit=${create}><input name="name" aria-label="Name of the new token" placeholder="Name of the new token" required maxlength="100" autocomplete="off" /><button class="btn">Create</button></form><//>`
}

function OwnPIN() {
  const [has, setHas] = useState(null)
  const read = () => trying(async () => setHas((await api.get('/pin')).set))
  useEffect(() => { read() }, [])
  const put = e => { e.preventDefault(); const form = e.target; trying(async () => { await api.call('PUT', '/pin', { pin: new FormData(form).get('pin') }); form.reset(); toast('The PIN is set'); await read() }) }
  return html`<${Card} title="Your PIN"><p class="dim">Cove asks for it before agents may do more than before, so that a program that runs as you cannot say yes in your place.</p>
    ${has !== null && html`<form class="line" onSubmit=${put}><input name="pin" type="password" aria-label="New PIN" placeholder="New PIN, 4 characters or more" required autocomplete="new-password" /><button class="btn">${has ? 'Change' : 'Set'}</button>
      ${has && html`<${Btn} kind="quiet" onClick=${() => trying(async () => { await api.call('DELETE', '/pin'); toast('There is no PIN any more'); await read() })}>Remove<//>`}</form>`}<//>`
}

export function Settings() {
  const [list, setList] = useState([])
  useEffect(() => { trying(async () => setList((await api.get('/settings')).data)) }, [])
  return html`<main id="main"><header><h1>Settings</h1><i class="grow" /><${Btn} onClick=${() => set({ dialog: 'keys' })}>Keys<//><a class="btn" href="/docs" target="_blank" rel="noopener">Local API</a></header>
    <div class="page"><${Account} />
    <${Card} title="App">${list.map(s => html`<${Setting} key=${s.key} s=${s} />`)}<//>
    <${OwnPIN} />${state.status?.logged_in && html`<${Tokens} />`}
    <${Card} title="This window"><div class="line"><span class="dim">It can do everything that you can do in Cove.</span><i class="grow" />
      <${Btn} onClick=${() => trying(async () => { await api.signOut(); set({ page: 'signin', refused: null }) })}>Sign this window out<//></div><//></div></main>`
}
