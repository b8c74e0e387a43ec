// What a profile holds: its cookies, as files that go in and out, and its extensions.
import { html, useState, useEffect, useRef } from './html.js'
import { trying, toast } from './store.js'
import * as api from './api.js'
import { Btn, Field, Options, Ask } from './parts.js'
import { count } from './time.js'

const MB = 1 << 20, rows = 100
const formats = [['dolphin', 'JSON (Dolphin)'], ['puppeteer', 'JSON (Puppeteer)'], ['storageState', 'Playwright storageState, with local storage'], ['netscape', 'Netscape cookies.txt']]
const list = (all, n) => all.slice(0, n).join(', ') + (all.length > n ? ` and ${all.length - n} more` : '')

// show scrolls to what was unfolded, which may be below the edge of the window.
const show = ({ target }) => target.open && target.scrollIntoView({ block: 'start' })

// useWork does one thing at a time and says what it is, or what went wrong. A button meanwhile keeps the focus, which one that
// is disabled would lose.
function useWork() {
  const [doing, setDoing] = useState(''), [wrong, setWrong] = useState('')
  const run = async (what, work) => {
    if (doing) return
    setDoing(what)
    setWrong('')
    try { await work() } catch (e) { setWrong(api.told(e)) }
    setDoing('')
  }
  return { doing, wrong, run }
}

// bytes reads a file once: what was previewed is what is sent, whatever becomes of the file.
async function bytes(file, most) {
  if (file.size > most * MB) throw new api.Failure(413, { text: `The file is larger than ${most} MB.`, hint: 'Choose a smaller one.' })
  try { return new Blob([await file.arrayBuffer()]) } catch { throw new api.Failure(0, { text: 'The file cannot be read.', hint: 'Check that it is still there, and choose it again.' }) }
}

// File is a field for a file; the same one can be chosen again.
const File = ({ label, hint, wrong, input, accept, busy, onFile }) => html`<${Field} label=${label} hint=${hint} error=${wrong}>${a => html`<input ...${a} ref=${input} type="file" accept=${accept}
  onClick=${e => { if (busy) e.preventDefault(); else e.target.value = '' }} onChange=${e => e.target.files[0] && onFile(e.target.files[0])} />`}<//>`

function summary({ domains, skipped, localStorage: stored, ignored = [] }) {
  const sum = key => domains.reduce((n, d) => n + d[key], 0)
  return [domains.length ? `${count(sum('added'), 'new cookie')}, ${sum('replaced')} changed, ${sum('unchanged')} unchanged.` : 'No cookies to import.',
    skipped && `${count(skipped, 'expired cookie')} will be skipped.`, stored && `${count(stored, 'local storage entry', 'local storage entries')} will be imported.`,
    ignored.length && `Ignored: ${list(ignored, 10)}.`].filter(Boolean).join(' ')
}

export function Cookies({ id }) {
  const { doing, wrong, run } = useWork(), [found, setFound] = useState(null), [format, setFormat] = useState('dolphin'), input = useRef(), at = `/browser_profiles/${id}/cookies`
  const clear = () => { setFound(null); input.current.value = ''; input.current.focus() }
  const preview = file => run('Comparing with the cookies of this profile…', async () => {
    setFound(null)
    const body = await bytes(file, 16)
    setFound({ name: file.name, body, ...await api.post(at + '?dryRun=1', body) })
  })
  const bring = () => run('Importing…', async () => {
    const { imported } = await api.post(at, found.body)
    toast(`${count(imported, 'cookie')} imported`)
    clear()
  })
  const take = () => run('Reading the cookies of this profile…', async () => {
    const a = document.createElement('a')
    a.href = URL.createObjectURL(await api.blob(`${at}?format=${format}`))
    a.download = `cookies-${id}.${format === 'netscape' ? 'txt' : 'json'}`
    a.click()
    setTimeout(() => URL.revokeObjectURL(a.href), 60000)
    toast('Cookies exported', { hint: 'Anyone with the file can use these logins. Keep it safe.' })
  })
  return html`<details onToggle=${show}><summary>Cookies</summary>
    <${File} label="Import a cookie file" hint="JSON, Playwright storageState or Netscape. You see what would change first." wrong=${wrong} input=${input} accept=".json,.txt,.cookies" busy=${doing} onFile=${preview} />
    <p class="hint" role="status">${doing || found && `${found.name}: ${summary(found)}`}</p>
    ${found && html`${found.domains.length > 0 && html`<table><thead><tr><th scope="col">Domain</th><th scope="col">New</th><th scope="col">Changed</th><th scope="col">Unchanged</th></tr></thead>
      <tbody>${found.domains.slice(0, rows).map(d => html`<tr key=${d.domain}><td class="path">${d.domain}</td><td>${d.added}</td><td>${d.replaced}</td><td>${d.unchanged}</td></tr>`)}</tbody></table>`}
      ${found.domains.length > rows && html`<p class="hint">${count(found.domains.length - rows, 'more domain')}</p>`}
      <div class="field line"><${Btn} kind="primary" aria-disabled=${!!doing} disabled=${!found.domains.length && !found.localStorage} onClick=${bring}>Import<//><${Btn} kind="quiet" aria-disabled=${!!doing} onClick=${() => doing || clear()}>Cancel<//></div>`}
    <${Field} label="Export as">${a => html`<div class="line"><select ...${a} value=${format} onChange=${e => setFormat(e.target.value)}><${Options} of=${formats} now=${format} /></select><${Btn} aria-disabled=${!!doing} onClick=${take}>Export<//></div>`}<//></details>`
}

export function Extensions({ id, open }) {
  const { doing, wrong, run } = useWork(), [all, setAll] = useState(null), [more, setMore] = useState([]), [pick, setPick] = useState(0), [gone, setGone] = useState(null), top = useRef(), field = useRef(), removed = useRef(), next = more.find(e => e.id === pick) || more[0], at = `/browser_profiles/${id}/extensions`
  const read = async () => { const [mine, others] = await Promise.all([api.get(at), api.get('/extensions?limit=1000')]); setAll(mine.data); setMore(others.data.filter(e => !mine.data.some(m => m.id === e.id))) }
  const change = (method, e, more) => trying(async () => { await api.call(method, at, { extensionIds: [e.id], ...more }); await read() })
  // The question gives the focus back to a button that is gone.
  useEffect(() => { if (!gone && removed.current) { removed.current = false; top.current.focus() } }, [gone])
  const add = file => run('Adding…', async () => {
    const form = new FormData()
    form.append('profileIds', id)
    form.append('file', await bytes(file, 64), file.name)
    const { data, replaced, profileIds } = await api.post('/extensions/upload-zipped', form)
    toast(replaced && replaced !== data.version ? `${data.name} ${data.version} replaced ${replaced} in ${count(profileIds.length, 'profile')}` : `${data.name} ${data.version} added`)
    field.current.value = ''
    await read()
  })
  return html`<details onToggle=${e => { show(e); if (e.target.open) trying(read) }}><summary ref=${top}>Extensions</summary>
    ${all && !all.length && html`<p class="hint">No extensions from Cove yet.</p>`}
    ${all?.length > 0 && html`<ul class="extensions" aria-label="Extensions">${all.map(e => html`<li key=${e.id}><div class="line"><span class="path"><strong>${e.name}</strong> <span class="dim">${e.version}${e.enabled ? '' : ' · disabled'}</span></span><i class="grow" />
      <${Btn} kind="quiet" aria-label=${`${e.enabled ? 'Disable' : 'Enable'} ${e.name}`} onClick=${() => change('PATCH', e, { enabled: !e.enabled })}>${e.enabled ? 'Disable' : 'Enable'}<//><${Btn} kind="quiet" aria-label=${'Remove ' + e.name} onClick=${() => setGone(e)}>Remove…<//></div>
      <p class="hint path">Permissions: ${list([...e.permissions, ...e.hostPermissions], 20) || 'none'}</p>
      ${e.reach.length ? html`<p class=${'hint' + (e.risky ? ' warn' : '')}>Agents could reach through it:</p><ul class="hint reach">${e.reach.map(r => html`<li class="path">${r}</li>`)}</ul>` : html`<p class="hint">Agents can’t reach anything through it.</p>`}</li>`)}</ul>`}
    ${all && html`<${File} label="Add an extension" hint=${`A .zip or .crx file. A newer version replaces the old one in every profile that has it.${open ? ' Changes take effect the next time this profile opens.' : ''}`} wrong=${wrong} input=${field} accept=".zip,.crx" busy=${doing} onFile=${add} />`}
    ${more.length > 0 && html`<${Field} label="Add one that Cove has already">${a => html`<div class="line"><select ...${a} value=${next.id} onChange=${e => setPick(Number(e.target.value))}><${Options} of=${more.map(e => [e.id, `${e.name} ${e.version}`])} now=${next.id} /></select><${Btn} onClick=${() => change('POST', next)}>Add<//></div>`}<//>`}
    <p class="hint" role="status">${doing}</p>
    ${gone && html`<${Ask} title=${`Remove ${gone.name}?`} text="What it has stored in this profile is deleted. This can’t be undone." go="Remove" danger careful onClose=${() => setGone(null)} onGo=${async () => removed.current = await change('DELETE', gone)} />`}</details>`
}
