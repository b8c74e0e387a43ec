'use strict'
// The viewer of a journal's replay file. It checks the file first, and then shows its steps as a film. It uses nothing
// but what is in the file.

const $ = id => document.getElementById(id)
const app = $('app')
// Read before anything is changed: the digest is over the file as it was written.
const written = [
  document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content,
  $('style')?.textContent,
  app?.innerHTML,
  $('data')?.textContent,
]

const hex = buffer => Array.from(new Uint8Array(buffer), b => b.toString(16).padStart(2, '0')).join('')
const sha256 = async bytes => hex(await crypto.subtle.digest('SHA-256', bytes))
const utf8 = text => new TextEncoder().encode(text)
const fromBase64 = text => Uint8Array.from(atob(text), c => c.charCodeAt(0))
const count = (n, one, many = one + 's') => `${n} ${n === 1 ? one : many}`

const rowEnd = /,"hash":"([0-9a-f]{64})","seal":"[0-9a-f]{32}"}$/
const pictureName = /^\d{8,}-([0-9a-f]{64})\.jpg$/

// checkRow returns the hash that a row has, and whether its text has that hash.
async function checkRow(text) {
  const end = rowEnd.exec(text)
  if (!end) return { intact: false }
  return { hash: end[1], intact: await sha256(utf8(text.slice(0, end.index))) === end[1] }
}

// checkChain checks every row and that each follows the one before it. It returns the entries that can be read.
async function checkChain(rows, problem) {
  const checks = []
  for (let i = 0; i < rows.length; i += 500) {
    const part = rows.slice(i, i + 500)
    checks.push(...await Promise.all(part.map(r => typeof r === 'string' ? checkRow(r) : r)))
  }
  const entries = []
  let next = 0, prev = null
  rows.forEach((row, i) => {
    if (typeof row !== 'string') {
      if (next && row.from !== next) problem(`Entries are missing before entry ${row.from}.`)
      next = row.to + 1
      prev = row.hash
      return
    }
    let entry = null
    try { entry = JSON.parse(row) } catch { /* it is reported below */ }
    const { hash, intact } = checks[i]
    if (!entry || !intact) problem(`Entry ${entry?.seq ?? next} was changed.`)
    else if (next && entry.seq !== next) problem(`Entry ${entry.seq} is where entry ${next} should be.`)
    else if (prev !== null && entry.prev !== prev) problem(`Entry ${entry.seq} does not follow the one before it.`)
    if (entry) entries.push(entry)
    next = (entry?.seq ?? next) + 1
    prev = hash ?? null
  })
  return entries
}

// checkPictures checks every screenshot that an entry names, and returns how many there are.
async function checkPictures(entries, leftOut, problem) {
  let n = 0
  const seen = new Set()
  for (const e of entries) {
    for (const name of [e.before, e.picture]) {
      if (!name || seen.has(name) || leftOut.includes(name)) continue
      seen.add(name)
      const wanted = pictureName.exec(name)?.[1], element = $(name)
      if (!wanted || !element) {
        problem(`A screenshot of entry ${e.seq} is missing.`)
        continue
      }
      let sum = ''
      try { sum = await sha256(fromBase64(element.textContent)) } catch { /* it is no screenshot */ }
      if (sum !== wanted) problem(`A screenshot of entry ${e.seq} was changed.`)
      else n++
    }
  }
  return n
}

// verify checks the whole file. It returns what to show, and what is wrong.
async function verify() {
  const problems = []
  const problem = text => { if (problems.length < 20) problems.push(text) }
  if (!globalThis.crypto?.subtle) throw new Error('this browser has no WebCrypto for files.')
  const whole = written.every(part => part !== undefined)
  if (!whole || await sha256(utf8(written.join('\n'))) !== $('viewer').dataset.digest) {
    problem('The file differs from the one that Cove wrote.')
  }
  let data = null
  try { data = JSON.parse(written[3]) } catch { problem('Its entries cannot be read.') }
  if (!data) return { data, entries: [], problems }
  const entries = await checkChain(data.rows, problem)
  const pictures = await checkPictures(entries, data.leftOut, problem)
  return { data, entries, pictures, problems }
}

function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value)
    else if (value !== undefined && value !== false) e.setAttribute(name, value === true ? '' : value)
  }
  e.append(...children.filter(c => c !== null && c !== undefined))
  return e
}

// stepsOf returns the steps of the film, in the order of their times.
function stepsOf(data, entries) {
  const after = new Map()
  for (const e of entries) if (e.name === 'picture' && e.args) after.set(e.args.of + e.args.began, e.picture)
  return entries.filter(e => e.name !== 'picture').map(e => {
    const words = data.words[e.seq] || {}
    return {
      ...e, text: e.text || words.text || e.name, kind: e.kind || words.kind || 'note',
      session: e.session || words.session || '', after: after.get(e.name + e.time), at: new Date(e.time),
      agent: [e.agent.name, e.agent.version].filter(Boolean).join(' '), own: e.agent.kind === 'keeper',
    }
  }).sort((a, b) => a.at - b.at || a.seq - b.seq)
}

const clock = at => at.toTimeString().slice(0, 8)
const kinds = { act: 'Actions', read: 'Reads', person: 'You', note: 'Notes' }

// film shows the steps.
function film(data, all) {
  const state = { shown: all, at: 0, before: false, timer: 0 }
  const filter = { session: '', kinds: new Set(Object.keys(kinds)), refused: false, words: '' }

  const list = element('div', { class: 'steps' })
  const image = element('img', { alt: '' })
  const nothing = element('p', { class: 'dim' }, 'No screenshot of this step.')
  const screen = element('div', { class: 'screen' })
  const about = element('div', { class: 'about', 'aria-live': 'polite' })
  const scrubber = element('input', {
    type: 'range', min: 0, 'aria-label': 'Step', oninput: () => show(+scrubber.value),
  })
  const time = element('span', { class: 'dim' })
  const play = element('button', { type: 'button', onclick: () => toggle() }, 'Play')
  const side = element('button', { type: 'button', 'aria-pressed': 'false', onclick: () => flip() }, 'Before')
  const previous = element('button', { type: 'button', onclick: () => show(state.at - 1) }, 'Previous')
  const next = element('button', { type: 'button', onclick: () => show(state.at + 1) }, 'Next')

  function pick() {
    const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean)
    return all.filter(s => (!filter.session || s.session === filter.session) && filter.kinds.has(s.kind) &&
      (!filter.refused || s.outcome !== 'ok') &&
      words.every(w => [s.text, s.page, s.agent, s.name, s.reason].join('\n').toLowerCase().includes(w)))
  }

  function refresh() {
    const current = state.shown[state.at]
    state.shown = pick()
    list.replaceChildren(...groups(state.shown))
    scrubber.max = Math.max(state.shown.length - 1, 0)
    show(Math.max(state.shown.indexOf(current), 0))
  }

  // groups puts the steps of a session under its agent, in the order of their times.
  function groups(steps) {
    const out = []
    let last = null, items = null
    steps.forEach((s, i) => {
      const key = s.own ? last ?? '' : s.session
      if (key !== last || !items) {
        last = key
        items = element('ol')
        const who = s.own ? 'Profile' : s.agent || 'A program'
        out.push(element('section', {}, element('h2', {}, `${who} · ${s.at.toLocaleString()}`), items))
      }
      const button = element('button', { type: 'button', class: `${s.kind} ${s.outcome}`, onclick: () => show(i) },
        element('time', { datetime: s.time, class: 'dim' }, clock(s.at)), element('span', {}, s.text))
      s.button = button
      items.append(element('li', {}, button))
    })
    if (!out.length) out.push(element('p', { class: 'dim' }, 'No matching steps.'))
    return out
  }

  function show(i) {
    if (i < 0 || (i >= state.shown.length && state.shown.length)) return
    state.shown[state.at]?.button?.removeAttribute('aria-current')
    state.at = i
    const s = state.shown[i]
    scrubber.value = i
    previous.disabled = i <= 0
    next.disabled = i >= state.shown.length - 1
    about.replaceChildren()
    screen.replaceChildren(nothing)
    if (!s) { time.textContent = ''; return }
    s.button.setAttribute('aria-current', 'true')
    s.button.scrollIntoView({ block: 'nearest' })
    scrubber.setAttribute('aria-valuetext', s.text)
    time.textContent = `${i + 1} of ${state.shown.length} · ${s.at.toLocaleString()}`
    about.append(element('h2', { class: s.outcome === 'ok' ? undefined : 'bad' }, s.text),
      element('p', { class: 'dim' }, [s.own ? '' : s.agent, s.own ? '' : `${Math.round(s.ms)} ms`, `entry ${s.seq}`]
        .filter(Boolean).join(' · ')))
    if (s.page) about.append(element('p', { class: 'dim' }, s.page))
    picture(s)
  }

  function picture(s) {
    side.disabled = !s.before || !s.after
    side.setAttribute('aria-pressed', String(state.before && !side.disabled))
    const name = (state.before || !s.after ? s.before : s.after) || ''
    const source = name && $(name)
    if (!source) {
      nothing.textContent = name ? 'The screenshot is not in this file.' : 'No screenshot of this step.'
      return
    }
    image.src = 'data:image/jpeg;base64,' + source.textContent
    image.alt = (name === s.before ? 'The page before: ' : 'The page after: ') + s.text
    screen.replaceChildren(image)
  }

  function flip() {
    state.before = !state.before
    show(state.at)
  }

  function toggle(on = !state.timer) {
    clearTimeout(state.timer)
    state.timer = 0
    play.textContent = on ? 'Pause' : 'Play'
    if (!on) return
    const s = state.shown[state.at], then = state.shown[state.at + 1]
    if (!then) { toggle(false); return }
    const wait = Math.min(Math.max(then.at - s.at, 400), 2000)
    state.timer = setTimeout(() => { show(state.at + 1); toggle(true) }, wait)
  }

  const keys = e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches('select,input[type=search]')) return
    const keyed = { ArrowLeft: () => show(state.at - 1), ArrowRight: () => show(state.at + 1), b: flip, B: flip }[e.key]
    if (!keyed) return
    e.preventDefault()
    keyed()
  }

  const sessions = new Map()
  for (const s of all) if (s.session && !s.own && !sessions.has(s.session)) sessions.set(s.session, s)
  const session = element('select', {
    'aria-label': 'Session', onchange: () => { filter.session = session.value; refresh() },
  }, element('option', { value: '' }, 'All sessions'),
    ...Array.from(sessions, ([id, s]) => element('option', { value: id }, `${s.agent} · ${s.at.toLocaleString()}`)))
  const search = element('input', { type: 'search', placeholder: 'Search steps', 'aria-label': 'Search steps',
    oninput: () => { filter.words = search.value; refresh() } })
  const boxes = Object.entries(kinds).map(([kind, label]) => {
    const box = element('input', { type: 'checkbox', checked: true, onchange: () => {
      if (box.checked) filter.kinds.add(kind)
      else filter.kinds.delete(kind)
      refresh()
    } })
    return element('label', {}, box, ` ${label}`)
  })
  const refused = element('input', {
    type: 'checkbox', onchange: () => { filter.refused = refused.checked; refresh() },
  })

  app.append(
    element('div', { class: 'filters' }, session, search, ...boxes,
      element('label', {}, refused, ' Only denied and failed')),
    element('div', { class: 'film' }, list,
      element('section', { class: 'player', 'aria-label': 'Player', onkeydown: keys }, screen,
        element('div', { class: 'controls' }, previous, play, next, scrubber, side, time), about)))
  refresh()
}

async function start() {
  const { data, entries, pictures, problems } = await verify()
  const verdict = $('verdict') ?? app.appendChild(element('p', { id: 'verdict', role: 'status' }))
  if (problems.length) {
    verdict.className = 'bad'
    verdict.replaceChildren('This file was changed. Do not rely on it.',
      element('ul', {}, ...problems.map(p => element('li', {}, p))))
  } else {
    verdict.className = 'ok'
    const what = `${count(entries.length, 'entry', 'entries')} and ${count(pictures, 'screenshot')}`
    verdict.textContent = `Verified: ${what} are intact.`
  }
  document.documentElement.dataset.verified = String(!problems.length)
  if (!data) return
  const title = `Journal of ${data.name || `profile ${data.profile}`}`
  document.title = title
  app.querySelector('h1')?.replaceChildren(title)
  const left = data.rows.filter(r => typeof r !== 'string')
  const about = [`Exported ${new Date(data.made).toLocaleString()}.`]
  const omit = (rows, what) => {
    const n = rows.reduce((sum, r) => sum + r.to - r.from + 1, 0)
    if (n) about.push(`Left out: ${count(n, 'entry', 'entries')} ${what}.`)
  }
  omit(left.filter(r => !r.private), 'of other sessions')
  omit(left.filter(r => r.private), 'with a secret')
  if (data.leftOut.length) about.push(`Left out: ${count(data.leftOut.length, 'screenshot')}.`)
  about.push('On the computer that recorded it, cove journal verify --file also checks who wrote it.')
  app.append(element('p', { class: 'dim' }, about.join(' ')))
  film(data, stepsOf(data, entries))
}

start().catch(e => {
  const verdict = $('verdict')
  if (verdict) verdict.textContent = `Not verified: ${e.message}`
})
