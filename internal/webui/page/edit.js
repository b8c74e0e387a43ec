// The window of one profile: everything that it is, with its id in the top-right corner.
import { html, useState, useEffect, useRef } from './html.js'
import { state, go, listPlace, create, patch, clone, remove, restore, start, stop, toast, trying, failed, mayAutomate, words, noAgents } from './store.js'
import * as api from './api.js'
import { Btn, Modal, Field, State, CopyButton, Advice, Ask, Close } from './parts.js'
import { Policy, Secrets, typed, sentPolicy, lines as linesOf } from './policy.js'
import { Cookies, Extensions } from './data.js'
import { full } from './time.js'

const blank = { name: '', tags: [], folder: '', notes: '', startPages: [], locale: '', timezone: '', args: [], browser: '' }

// form is a profile as people type it.
function form(p) {
  const x = p.proxy
  const host = x && (x.host.includes(':') ? `[${x.host}]` : x.host)
  return {
    name: p.name, folder: p.folder || '', tags: p.tags.join(', '), notes: p.notes || '', pages: (p.startPages || []).join('\n'), locale: p.locale || '', timezone: p.timezone || '',
    proxy: x ? `${x.type}://${host}:${x.port}` : '', login: x?.login || '', password: x?.password || '', width: p.window?.width || '', height: p.window?.height || '', args: (p.args || []).join('\n'), browser: p.browser || '',
    policy: p.id ? null : typed({ preset: 'open' }), // of one that exists it is read
  }
}

// readProxy takes an address as people paste it, with its credentials or without.
function readProxy(text) {
  const m = /^(?:(https?|socks5?|socks5h):\/\/)?(?:([^:@/\s]*)(?::([^@/\s]*))?@)?(\[[^\]]+\]|[^:@/\s[\]]+):(\d{1,5})\/?$/i.exec(text.trim())
  if (!m) return null
  const plain = t => { try { return decodeURIComponent(t || '') } catch { return t } }
  return { type: (m[1] || 'http').toLowerCase().replace(/^socks.*/, 'socks5'), login: plain(m[2]), password: plain(m[3]), host: m[4].replace(/^\[|\]$/g, ''), port: Number(m[5]) }
}

// check says what cannot be sent as it stands; everything else the app finds, in its own words.
function check(f) {
  const wrong = {}
  if (!f.name.trim()) wrong.name = 'A profile needs a name.'
  if (f.proxy.trim() && !readProxy(f.proxy)) wrong.proxy = 'Write it as socks5://host:1080 or http://host:8080.'
  if (!f.width !== !f.height) wrong.window = 'Give both sides, or none.'
  return wrong
}

// inputs are the names that the form has for fields of the API.
const inputs = {
  name: 'name', folder: 'folder', tags: 'tags', notes: 'notes', startPages: 'pages', locale: 'locale', timezone: 'timezone', args: 'args', browser: 'browser',
  proxy: 'proxy', 'proxy.login': 'login', 'proxy.password': 'password', window: 'window', 'window.height': 'height', 'sites.allow': 'allow', 'sites.block': 'block', answerers: 'answerers',
}

// inputOf finds the input of the form that a refusal of the app is about, and the whole form where it has none.
const inputOf = ({ field = '' }) => {
  const name = field.replace(/^policy\./, '')
  return inputs[name] || inputs[name.split('.')[0]] || 'all'
}

function sent(f) {
  const p = f.proxy.trim() ? readProxy(f.proxy) : null
  return {
    name: f.name.trim(), folder: f.folder.trim(), tags: words(f.tags), notes: f.notes, startPages: linesOf(f.pages), locale: f.locale.trim(), timezone: f.timezone.trim(),
    proxy: p ? { ...p, login: f.login || p.login, password: f.password || p.password } : null,
    window: f.width ? { width: Number(f.width), height: Number(f.height) } : null, args: linesOf(f.args), browser: f.browser,
  }
}

export function Edit({ id }) {
  const last = useRef(), now = id ? state.profiles.get(id) : blank
  const p = last.current = now || last.current // somebody may delete it while it is being edited
  if (!p) return state.loaded ? html`<${Modal} kind="drawer" title=${`There is no profile ${id}`} onClose=${listPlace}><div class="body"><p>It was deleted, or the number is wrong.</p></div><//>` : null
  return html`<${Form} id=${id} p=${p} gone=${!now && state.loaded} />`
}

function Form({ id, p, gone }) {
  const [f, setF] = useState(() => form(p))
  const original = useRef(JSON.stringify(f))
  const [wrong, setWrong] = useState({})
  const [saving, setSaving] = useState(false)
  const [ask, setAsk] = useState(null), never = () => setAsk(null)
  const [port, setPort] = useState(0)
  const [browsers, setBrowsers] = useState([])
  const dirty = JSON.stringify(f) !== original.current
  useEffect(() => { document.title = `${id ? p.name : 'New profile'} – Cove`; api.get('/browsers').then(a => setBrowsers(a.data), () => {}) }, [])
  useEffect(() => {
    if (id) api.get(`/browser_profiles/${id}/policy`).then(a => {
      const policy = typed(a.data)
      original.current = JSON.stringify({ ...JSON.parse(original.current), policy })
      setF(f => ({ ...f, policy }))
    }, failed)
  }, [])
  useEffect(() => {
    setPort(0)
    if (p.mode === 'automation' && p.state === 'open') api.get(`/browser_profiles/${id}/active`).then(a => setPort(a.automation?.port || 0), () => {})
  }, [p.mode, p.state])
  const change = (name, value) => {
    const next = { ...f, [name]: value }
    if (name === 'proxy') {
      const x = readProxy(value)
      if (x?.login) Object.assign(next, { login: x.login, password: x.password, proxy: `${x.type}://${x.host.includes(':') ? `[${x.host}]` : x.host}:${x.port}` })
    }
    setF(next)
    if (Object.keys(wrong).length) setWrong(check(next))
  }
  const leave = () => dirty ? setAsk('leave') : listPlace()
  // point shows what is wrong and leads there, also into what is folded.
  const point = found => {
    setWrong(found)
    requestAnimationFrame(() => {
      const at = document.querySelector('dialog [aria-invalid=true], dialog .error')
      at?.closest('details')?.setAttribute('open', '')
      at?.scrollIntoView({ block: 'nearest' })
      at?.focus()
    })
  }
  const save = async e => {
    e.preventDefault()
    const found = check(f)
    point(found)
    if (Object.keys(found).length) return
    setSaving(true)
    try {
      const policy = f.policy && sentPolicy(f.policy), was = JSON.parse(original.current)
      if (id && policy && JSON.stringify(f.policy) !== JSON.stringify(was.policy)) await api.call('PUT', `/browser_profiles/${id}/policy`, policy)
      const all = sent(f), before = sent(was) // what is as it was is not sent: another browser takes the PIN
      const made = id ? await patch(id, Object.fromEntries(Object.entries(all).filter(([k, v]) => JSON.stringify(v) !== JSON.stringify(before[k])))) : await create({ ...all, policy })
      original.current = JSON.stringify(f)
      toast(id ? 'Saved' : `${made.name} was made`)
      if (id) listPlace()
      else { state.active = made.id; go('profile', made.id) }
    } catch (e) {
      point({ [inputOf(e)]: api.told(e) })
    }
    setSaving(false)
  }
  const text = (name, more = {}) => a => html`<input ...${a} value=${f[name]} onInput=${e => change(name, e.target.value)} ...${more} />`
  const field = (name, label, more) => html`<${Field} label=${label} error=${wrong[name]}>${text(name, more)}<//>`
  const area = (name, rows, more = {}) => a => html`<textarea ...${a} rows=${rows} value=${f[name]} onInput=${e => change(name, e.target.value)} ...${more}></textarea>`
  const open = id && p.state !== 'closed'
  return html`<${Modal} kind="drawer" onClose=${leave}>${label => html`
    <div class="top"><div class="who"><h2 id=${label}>${id ? p.name : 'New profile'}</h2>${id ? html`<${State} p=${p}>${port ? html` · port <code>${port}</code>` : ''}<//>` : html`<span class="dim">An identity with its own cookies, logins and proxy</span>`}</div>
      ${id ? html`<div class="pid"><small>ID</small><code id="profile-id">${id}</code><${CopyButton} text=${String(id)} label="Copy the profile id" class="copy" /></div>` : null}<${Close} onClick=${leave} /></div>
    <form class="body" id="edit-form" onSubmit=${save} novalidate>
      ${gone && html`<p class="note line" role="alert"><span>This profile was deleted meanwhile. What you changed is still here.</span><i class="grow" /><${Btn} onClick=${() => restore([id])}>Restore it<//></p>`}
      ${wrong.all && html`<p class="error all" role="alert">${wrong.all}</p>`}
      ${field('name', 'Name', { 'data-first': true, required: true, maxlength: 200 })}
      <div class="pair">${field('folder', 'Folder', { list: 'all-folders' })}
        ${field('tags', 'Tags', { placeholder: 'shop, eu' })}</div>
      <${Field} label="Proxy" error=${wrong.proxy} hint=${f.proxy ? '' : 'Empty goes directly. A whole address with its login can be pasted here.'}>${text('proxy', { placeholder: 'socks5://host:1080' })}<//>
      ${f.proxy && html`<div class="pair">${field('login', 'Proxy login')}${field('password', 'Proxy password', { type: 'password', autocomplete: 'new-password' })}</div>`}
      <div class="pair">${field('locale', 'Language', { placeholder: 'de-DE' })}${field('timezone', 'Time zone', { placeholder: 'Europe/Berlin' })}</div>
      <${Field} label="Start pages" error=${wrong.pages} hint="One address a line.">${area('pages', 2, { placeholder: 'https://example.com' })}<//>
      <${Field} label="Notes" error=${wrong.notes}>${area('notes', 2)}<//>
      <details><summary>Window, browser and arguments</summary>
        <div class="pair"><${Field} label="Window width" error=${wrong.window}>${text('width', { inputmode: 'numeric', placeholder: 'as the browser likes' })}<//>${field('height', 'Window height', { inputmode: 'numeric' })}</div>
        <${Field} label="Browser" error=${wrong.browser}>${a => html`<select ...${a} value=${f.browser} onChange=${e => change('browser', e.target.value)}>
          <option value="" selected=${!f.browser}>The one that Cove finds</option>${[...new Set([...browsers.map(b => b.path), f.browser].filter(Boolean))].map(path => {
            const b = browsers.find(b => b.path === path)
            return html`<option value=${path} selected=${path === f.browser}>${b ? `${b.name} ${b.version.split('.')[0]} (${path})` : path}</option>`
          })}</select>`}<//>
        <${Field} label="Arguments of the browser" error=${wrong.args} hint="One a line.">${area('args', 2)}<//></details>
      ${id ? html`<${Cookies} id=${id} /><${Extensions} id=${id} open=${open} />` : null}
      <h3>What agents may do here</h3>
      <${Advice} />
      ${f.policy && html`<${Policy} f=${f.policy} wrong=${wrong} onChange=${p => change('policy', p)} />`}
      ${id ? html`<${Secrets} id=${id} />` : null}
      ${id ? html`<p class="dates dim">Made ${full(p.createdAt)}${p.openedAt ? ` · last opened ${full(p.openedAt)}` : ''} · <a href=${'#/journal/' + id}>What agents did</a></p>` : null}
    </form>
    <div class="foot">${gone ? html`<${Btn} kind="quiet" onClick=${listPlace}>Close<//>` : id ? html`<${Btn} kind="quiet" disabled=${open} title=${open ? 'Stop it first' : null} onClick=${() => setAsk('delete')}>Delete…<//><${Btn} kind="quiet" onClick=${() => setAsk('clone')}>Clone…<//><i class="grow" />
        ${p.state === 'open' ? html`<${Btn} onClick=${() => stop(id)}>Stop<//>` : p.state === 'closed' ? html`<${Btn} onClick=${() => start(id, false)}>Open<//>` : null}
        <${Btn} disabled=${!mayAutomate()} title=${mayAutomate() ? null : noAgents} onClick=${() => go('connect', id)}>Connect an agent…<//>`
      : html`<i class="grow" /><${Btn} kind="quiet" onClick=${leave}>Cancel<//>`}
      <button class="btn primary" form="edit-form" disabled=${saving || gone}>${id ? 'Save' : 'Create'}</button></div>
    ${ask === 'leave' && html`<${Ask} title="Leave without saving?" text="What you changed is lost." go="Leave" danger careful onClose=${never} onGo=${() => { listPlace() }} />`}
    ${ask === 'delete' && html`<${Ask} title=${`Delete ${p.name}?`} text="It goes to the trash with its logins and can be restored from there." go="Move to the trash" danger onClose=${never} onGo=${async () => {
      const ok = await remove([id])
      if (ok) { listPlace(); toast(`${p.name} is in the trash`, { action: { name: 'Undo', run: () => restore([id]) } }) }
      return ok
    }} />`}
    ${ask === 'clone' && html`<${Ask} title=${`Clone ${p.name}`} go="Clone" onClose=${never} onGo=${form => trying(async () => {
      const made = await clone(id, form.get('name').trim(), form.get('data') === 'on')
      toast(`${made.name} was made`)
      go('profile', made.id)
    })}><${Field} label="Name of the copy">${a => html`<input ...${a} name="name" value=${p.name + ' copy'} data-first />`}<//>
      <label class="check"><input type="checkbox" name="data" disabled=${open} /> With cookies and logins${open ? ' (stop the profile first)' : ''}</label><//>`}
  `}<//>`
}
