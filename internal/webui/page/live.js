// The live view: what an open profile shows, who works in it, and what they did last.
import { html, useEffect, useRef, useState, useEvery } from './html.js'
import { state, go, stop, start, failed, trying, mayAutomate, noAgents } from './store.js'
import * as api from './api.js'
import { Btn, Empty, State, bytes } from './parts.js'
import { since } from './time.js'

function Screen({ id, tab, onNews, label }) {
  const canvas = useRef()
  useEffect(() => {
    const over = new AbortController()
    let last = 0, n = 0
    const draw = async picture => {
      const mine = ++n
      const image = await createImageBitmap(bytes(picture.data))
      if (mine < last || over.signal.aborted || !canvas.current) { image.close(); return }
      last = mine
      const c = canvas.current
      if (c.width !== image.width || c.height !== image.height) { c.width = image.width; c.height = image.height }
      c.getContext('2d').drawImage(image, 0, 0)
      c.dataset.pictures = Number(c.dataset.pictures || 0) + 1
      image.close()
      onNews({ shown: picture.tab, dialog: '' })
    }
    api.lines(`/browser_profiles/${id}/live${tab ? `?tab=${encodeURIComponent(tab)}` : ''}`, over.signal, text => {
      const l = JSON.parse(text)
      if (l.type === 'picture') draw(l.picture).catch(() => {})
      else if (l.type === 'dialog') onNews({ dialog: l.dialog })
      else if (l.type === 'tabs') onNews({ tabs: l.tabs || [] })
      else if (l.type === 'agents') onNews({ agents: l.agents || [], scripts: l.scripts || 0 })
      else if (l.type === 'actions') onNews({ actions: l.actions || [] })
    }).then(() => onNews({ ended: true }), e => { if (!over.signal.aborted) { onNews({ ended: true }); failed(e) } })
    return () => over.abort()
  }, [id, tab])
  return html`<canvas ref=${canvas} id="screen" role="img" aria-label=${label} width="0" height="0"></canvas>`
}

// Who lists who works in a profile, programs on its port too.
export function Who({ id, children }) {
  const all = state.access.get(id)?.agents || []
  return html`<ul class="who">${all.map(a => html`<li><b class=${'dot ' + (a.kind === 'mcp' ? 'auto' : '')}></b>${a.name || 'A program'}<span class="dim"> ${a.kind === 'mcp' ? a.version : `through the port${a.pid ? `, process ${a.pid}` : ''}`}</span></li>`)}${!all.length && children}</ul>`
}

// turnTo is what the arrows do among tabs.
function turnTo(e) {
  const to = { ArrowRight: e.target.nextSibling, ArrowLeft: e.target.previousSibling }[e.key]
  to?.focus()
  to?.click()
}

export function Live() {
  const id = Number(state.route.arg), p = state.profiles.get(id)
  const [tab, setTab] = useState(''), [news, setNews] = useState({ tabs: [], agents: [], scripts: 0, actions: [], shown: '', dialog: '' })
  const [, tick] = useState(0), [note, setNote] = useState('')
  useEvery(1000, () => tick(n => n + 1))
  if (!p) return html`<main id="main"><${Empty} title=${state.loaded ? `There is no profile ${id}` : 'Reading…'}><p><a href="#/">Show the profiles</a></p><//></main>`
  const open = p.state === 'open' && p.mode === 'automation', access = state.access.get(id)
  const turn = () => trying(async () => {
    const a = await api.post(`/browser_profiles/${id}/${access?.takenOver ? 'giveback' : 'takeover'}`)
    setNote(a.note ? 'The agents are told: ' + a.note : access?.takenOver || a.window ? '' : 'This profile was opened headless, so there is no window to work in. Stop it and open it for agents where there is a display.')
  })
  const head = html`<header><h1>${p.name}</h1><${State} p=${p} />${open && html`<span class="dim">${access?.takenOver ? 'You have taken over: agents wait' : access?.driver ? `${access.driver.name} drives` : news.agents[0] && news.actions.at(-1)?.going ? `${news.actions.at(-1).agent} is working` : ''}</span>`}<i class="grow" />
    ${open && html`<${Btn} kind="primary" onClick=${turn}>${access?.takenOver ? 'Give back' : 'Take over'}<//>`}<${Btn} onClick=${() => go('journal', id)}>Journal<//><${Btn} onClick=${() => go('profile', id)}>Edit<//>${p.state === 'open' && html`<${Btn} onClick=${() => stop(id)}>Stop<//>`}</header>`
  if (!open) return html`<main id="main">${head}<${Empty} title=${p.state === 'open' ? 'A person is using this profile' : p.state === 'closed' ? 'This profile is closed' : 'One moment…'}>
    <p>${p.state === 'open' ? 'It is open in ordinary mode, where nothing is watched and nothing can be automated.' : 'The live view shows a profile that is open for agents.'}</p>
    ${p.state === 'closed' && html`<p><${Btn} kind="primary" disabled=${!mayAutomate()} onClick=${() => start(id, true)}>Open for agents<//></p>`}
    ${p.state === 'closed' && !mayAutomate() && html`<p>${noAgents} <a href="#/settings">Change the plan</a></p>`}<//></main>`
  const shown = news.tabs.find(t => t.id === (tab || news.shown)) || news.tabs[0]
  const words = t => t.title && t.title !== 'about:blank' ? t.title : /^(about:blank|chrome:\/\/newtab\/?|)$/.test(t.url) ? 'New tab' : t.url
  return html`<main id="main">${head}<div class="live"><div class="screen">
      <div class="tabs" role="tablist" aria-label="Tabs of the profile" onKeyDown=${turnTo}>${news.tabs.map(t => html`<button type="button" role="tab" key=${t.id} aria-selected=${t.id === shown?.id} tabindex=${t.id === shown?.id ? 0 : -1} title=${`${words(t)}\n${t.url}`} onClick=${() => setTab(t.id)}>${words(t)}${t.crashed ? ' (crashed)' : ''}</button>`)}</div>
      <div class="address">${shown?.url || ''}</div>
      <div class="picture">${news.dialog && html`<div class="note" role="alert">A dialog of the page is open: ${news.dialog}</div>`}${!news.shown && html`<p class="loading" role="status">${news.ended ? 'The picture has ended.' : 'Waiting for the first picture…'}</p>`}<${Screen} id=${id} tab=${tab} label=${`Picture of ${shown ? words(shown) : 'the tab'}`} onNews=${n => setNews(o => ({ ...o, ...n }))} /></div></div>
    <aside aria-label="Agents">
      ${note && html`<p class="note" role="status">${note}</p>`}
      <h2>Connected</h2><${Who} id=${id}><li class="dim">Nobody. <a href=${'#/connect/' + id}>Connect an agent…</a></li><//>
      <h2>Last actions</h2><ol class="log" tabindex="0" aria-label="Last actions">${[...news.actions].reverse().slice(0, 60).map(a => html`<li key=${a.n}><time datetime=${a.at}>${a.going ? 'now' : since(a.at)}</time><code>${a.tool}</code><br />${a.error ? html`<span class="bad">${a.error}</span>` : a.about || html`<span class="dim">${a.going ? 'under way' : `${a.ms} ms`}</span>`}</li>`)}
        ${!news.actions.length && html`<li class="dim">None yet.</li>`}</ol></aside></div></main>`
}
