// The stored proxies: paste many, check, delete.
import { html, useState, useEffect, useRef } from './html.js'
import { trying, toast } from './store.js'
import * as api from './api.js'
import { Card, Btn, Empty, Field } from './parts.js'
import { count } from './time.js'

const tested = { connection: 'Reachable, login not tested', login: 'Reachable, login tested' }
const works = c => [c.latency + ' ms', c.ip, c.country, c.city].filter(Boolean).join(', ')
const Result = ({ c }) => !c ? html`<span class="dim">Not checked</span>` : c.success ? `${tested[c.tested] || 'Works'}: ${works(c)}` : html`<span class="bad">${c.error}</span>`

export function Proxies() {
  const [list, setList] = useState(null), [text, setText] = useState(''), [wrong, setWrong] = useState(''), [progress, setProgress] = useState('')
  const run = useRef(null)
  const read = () => trying(async () => {
    const all = []
    for (let page = 1, last = 1; page <= last; page++) {
      const found = await api.get(`/proxy?limit=1000&page=${page}`)
      all.push(...found.data)
      last = found.last_page
    }
    setList(all)
  })
  useEffect(() => { read(); return () => run.current?.abort() }, [])
  const add = async e => {
    e.preventDefault()
    try {
      const { created, ids } = await api.post(`/proxy/import`, { text })
      setText(''); setWrong('')
      toast(created === ids.length ? `${count(created, 'proxy', 'proxies')} added` : `${created} added, ${ids.length - created} already stored`)
      await read()
    } catch (e) { setWrong(api.told(e)) }
  }
  const check = ids => trying(async () => {
    run.current = new AbortController()
    setProgress('Checking…')
    try {
      await api.lines('/proxy/check', run.current.signal, line => {
        const one = JSON.parse(line)
        setProgress(`${one.done} of ${one.total} checked`)
        setList(l => l.map(p => p.id === one.id ? { ...p, lastCheck: one.check } : p))
      }, 'POST', ids ? { ids } : {})
    } finally { run.current = null; setProgress('') }
  })
  const remove = p => trying(async () => { await api.call('DELETE', `/proxy/${p.id}`); await read() })
  return html`<main id="main"><header><h1>Proxies</h1><span class="dim" role="status">${progress || (list?.length ? count(list.length, 'proxy', 'proxies') : '')}</span><i class="grow" />
      ${progress ? html`<${Btn} onClick=${() => run.current?.abort()}>Stop<//>` : list?.length > 0 && html`<${Btn} onClick=${() => check()}>Check all<//>`}</header>
    <div class="page"><${Card} title="Add proxies"><form onSubmit=${add}>
      <${Field} label="Proxies" error=${wrong} hint="One per line, such as host:port:login:password or socks5://login:password@host:port.">${a => html`<textarea ...${a} rows="4" spellcheck="false" value=${text} onInput=${e => setText(e.target.value)} />`}<//>
      <button class="btn" disabled=${!text.trim()}>Add</button></form><//>
    ${list && !list.length && html`<${Empty} title="No proxies"><p>Paste the list of your provider above.</p><//>`}
    ${list?.length > 0 && html`<${Card} title="Stored proxies"><table><thead><tr><th scope="col">Proxy</th><th scope="col">Profiles</th><th scope="col">Last check</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead><tbody>${list.map(p => html`<tr key=${p.id}><td>${p.name && p.name + ' '}<code>${p.type}://${p.login && p.login + '@'}${p.host.includes(':') ? `[${p.host}]` : p.host}:${p.port}</code></td><td>${p.browser_profiles_count}</td><td><${Result} c=${p.lastCheck} /></td>
      <td class="end"><${Btn} kind="quiet" disabled=${!!progress} aria-label=${`Check proxy ${p.id}`} onClick=${() => check([p.id])}>Check<//><${Btn} kind="quiet" aria-label=${`Delete proxy ${p.id}`} onClick=${() => remove(p)}>Delete<//></td></tr>`)}</tbody></table><//>`}</div></main>`
}
