// The page of the API and the first page. Everything that comes from the description, from answers or from the person is put
// into the page as text, never as markup.

const base = '/v1.0'

// ---- building blocks

// el makes an element; attributes are strings, true and false, or functions for events ("onclick").
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value)
    else if (value !== false && value != null) node.setAttribute(name, value === true ? '' : value)
  }
  node.append(...children.flat(Infinity).filter(child => child != null && child !== false))
  return node
}

// rich turns **bold** and `code` into elements.
function rich(text = '') {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map(part =>
    part.startsWith('**') ? el('strong', {}, part.slice(2, -2)) : part.startsWith('`') && part.length > 1 ? el('code', {}, part.slice(1, -1)) : part)
}

const paragraphs = text => (text || '').split('\n\n').filter(Boolean).map(p => el('p', {}, rich(p)))

const badge = method => el('span', { class: `method ${method}` }, method.toUpperCase())

const table = (heads, rows, kind = '') => el('div', { class: 'scroll' }, el('table', { class: kind },
  heads.length ? el('thead', {}, el('tr', {}, heads.map(h => el('th', { scope: 'col' }, h)))) : null, el('tbody', {}, rows)))

// highlighted colours JSON; a long one stays plain, for the sake of speed.
function highlighted(text) {
  if (text.length > 200_000) return [text]
  return text.split(/("(?:\\.|[^"\\])*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b)/).map((part, i) => {
    if (i % 2 === 0) return part
    return el('span', { class: part[0] !== '"' ? 'other' : part.endsWith(':') ? 'key' : 'text' }, part)
  })
}

const pretty = value => typeof value === 'string' ? value : JSON.stringify(value, null, 2)

const block = value => el('pre', { tabindex: '0' }, typeof value === 'string' ? value.trimEnd() : highlighted(pretty(value)))

// copyButton copies what text() says; where the clipboard is closed to us it selects the text instead.
function copyButton(what, text, shown) {
  const button = el('button', { class: 'btn small', type: 'button', 'aria-label': `Copy ${what}`, onclick: async () => {
    try {
      await navigator.clipboard.writeText(text())
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(shown())
      button.textContent = 'Selected'
    }
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  } }, 'Copy')
  return button
}

// ---- the status, on both pages

async function readStatus() {
  const answer = await fetch(`${base}/status`, { cache: 'no-store' })
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return answer.json()
}

// watchStatus shows the state now and every few seconds while the page is in sight; null means that nobody answers.
function watchStatus(show, seconds) {
  const look = async () => show(await readStatus().catch(() => null))
  look()
  setInterval(() => { if (!document.hidden) look() }, seconds * 1000)
  document.addEventListener('visibilitychange', () => { if (!document.hidden) look() })
}

const planName = s => s.logged_in ? `${s.plan[0].toUpperCase()}${s.plan.slice(1)} plan` : 'Nobody is logged in'
const openCount = s => s.open.length === 1 ? '1 profile open' : `${s.open.length} profiles open`
const dotKind = p => p.state === 'open' && p.mode === 'automation' ? 'automation' : p.state
const dot = kind => el('i', { class: `dot ${kind}`, 'aria-hidden': 'true' })

function footer(s) {
  const grow = el('span', { class: 'grow' })
  document.getElementById('status').replaceChildren(...s
    ? [el('span', {}, dot('open'), 'Local API ', el('code', {}, location.host)), el('span', {}, openCount(s)), grow,
      el('span', { class: 'wide' }, planName(s)), el('span', {}, `Cove ${s.version}`)]
    : [el('span', {}, dot('down'), 'Cove does not answer. Start it with: ', el('code', {}, 'cove up'))])
}

// ---- the description

let api
const calls = new Map() // operationId → { id, method, path, op }

function resolve(v) {
  if (!v?.$ref) return v
  const found = v.$ref.slice(2).split('/').reduce((o, key) => o?.[key], api) || {}
  const { $ref, ...own } = v
  return { ...found, ...own }
}

function readCalls() {
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, op] of Object.entries(methods)) calls.set(op.operationId, { id: op.operationId, method, path, op })
  }
}

const callsOf = tag => [...calls.values()].filter(c => c.op.tags[0] === tag)
const sentence = c => c.op.summary.replace(/\.$/, '')
const link = c => `#/${c.id}`

function typeName(schema) {
  const s = resolve(schema)
  if (s.oneOf) return s.oneOf.map(typeName).join(' or ')
  if (s.const === '') return 'empty string'
  if (s.type === 'array') return `array of ${typeName(s.items)}`
  return [].concat(s.type || 'object').join(' or ')
}

// propertiesOf flattens allOf; a list or a map of objects stands for the objects in it.
function propertiesOf(schema) {
  const s = resolve(schema) || {}
  if (s.type === 'array') return propertiesOf(s.items)
  const parts = [s, ...(s.allOf || []), ...(s.oneOf || [])].map(resolve)
  return { properties: Object.assign({}, ...parts.map(p => p.properties)), required: parts.flatMap(p => p.required || []) }
}

function limits(s) {
  const words = []
  if (s.enum) words.push(`One of: ${s.enum.map(v => v === '' ? 'empty' : `\`${v}\``).join(', ')}.`)
  if (s.default) words.push(`Default: \`${s.default}\`.`)
  return words.join(' ')
}

const about = (s, text) => el('td', {}, rich(text ?? s.description), limits(s) ? el('small', {}, rich(limits(s))) : null)

const nameCell = (name, needed) => el('td', { class: 'name' }, el('code', {}, name), needed ? el('span', { class: 'required' }, 'needed') : null)

// fieldRows lists the fields of a schema, those of inner objects under their path; asked marks the ones that a request needs.
function fieldRows(schema, { asked = false, prefix = '', depth = 0 } = {}) {
  const s = resolve(schema) || {}
  if (s.additionalProperties) return fieldRows(s.additionalProperties, { prefix: `${prefix}<id>.`, depth })
  const { properties, required } = propertiesOf(s)
  return Object.entries(properties).flatMap(([name, inner]) => {
    const field = resolve(inner)
    const row = el('tr', {}, nameCell(prefix + name, asked && required.includes(name)), el('td', { class: 'kind' }, typeName(field)), about(field))
    const plain = depth === 2 || field.oneOf?.every(one => !one.$ref)
    return plain ? [row] : [row, ...fieldRows(field, { prefix: `${prefix}${name}${field.type === 'array' ? '[]' : ''}.`, depth: depth + 1 })]
  })
}

const fieldTable = rows => table(['Field', 'Type', 'About'], rows)

// failuresOf are the ways a call can fail, each with its status and a body that says so.
function failuresOf(responses) {
  return Object.entries(responses).filter(([status]) => status >= '400').flatMap(([status, response]) =>
    Object.values(resolve(response).content['application/json'].examples).map(({ value }) => [status, value.errorObject]))
}

const errorTable = failures => table(['Status', 'Code', 'For example'], failures.map(([status, e]) => el('tr', {},
  el('td', { class: 'status' }, status), el('td', { class: 'code' }, el('code', {}, e.code)),
  el('td', {}, e.text, e.hint ? el('small', {}, rich(e.hint)) : null))))

// ---- navigation

function navigation() {
  const box = document.getElementById('filter'), count = document.getElementById('filter-count')
  const groups = [{ title: null, items: [el('li', {}, el('a', { href: '#/' }, 'Overview'))] }]
  for (const tag of api.tags) {
    groups.push({ title: tag.name, items: callsOf(tag.name).map(c => {
      const item = el('li', {}, el('a', { href: link(c), title: `${c.method.toUpperCase()} ${c.path}` }, badge(c.method), sentence(c)))
      item.words = `${c.method} ${c.path} ${c.op.summary} ${c.id} ${tag.name}`.toLowerCase()
      return item
    }) })
  }
  const parts = groups.map(g => ({ ...g, node: el('div', {}, g.title ? el('h3', {}, g.title) : null, el('ul', {}, g.items)) }))
  const nothing = el('p', { class: 'dim', hidden: true }, 'No call fits.')
  document.getElementById('calls').replaceChildren(...parts.map(p => p.node), nothing)
  const filter = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
    let found = 0
    for (const p of parts) {
      for (const item of p.items) item.hidden = words.length > 0 && !words.every(w => item.words?.includes(w))
      const shown = p.items.filter(item => !item.hidden).length
      p.node.hidden = shown === 0
      found += shown
    }
    nothing.hidden = found > 0
    count.textContent = words.length ? `${found} calls` : ''
  }
  box.addEventListener('input', filter)
  box.addEventListener('keydown', e => {
    if (e.key === 'Escape') { box.value = ''; filter() }
    if (e.key === 'Enter') document.querySelector('#calls li:not([hidden]) a')?.click()
  })
  document.addEventListener('keydown', e => {
    if (e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input, textarea, select')) return
    e.preventDefault()
    box.select()
  })
  document.getElementById('skip').addEventListener('click', () => document.getElementById('main').focus())
}

const views = new Map() // what was typed and answered stays while the page is open

function route(first) {
  const call = calls.get(location.hash.slice(2)), id = call?.id || ''
  if (!views.has(id)) views.set(id, call ? operationView(call) : overview())
  const view = views.get(id)
  const main = document.getElementById('main')
  main.replaceChildren(view)
  main.scrollTop = 0
  view.dispatchEvent(new Event('show'))
  document.title = call ? `${sentence(call)} – Cove local API` : 'Cove – local API'
  for (const a of document.querySelectorAll('#calls a')) {
    const here = a.getAttribute('href') === (call ? link(call) : '#/')
    if (here) a.setAttribute('aria-current', 'page')
    else a.removeAttribute('aria-current')
    if (here && first !== true) a.scrollIntoView({ block: 'nearest' })
  }
  if (first !== true) main.querySelector('h1').focus()
}

// ---- the overview

const steps = [
  ['Open profile 1 for a script. The answer tells the port.', () => `curl '${location.origin}${base}/browser_profiles/1/start?automation=1'`],
  ['Drive it: every tool that speaks to Chrome takes that port.', () => 'curl http://127.0.0.1:PORT/json/version'],
  ['See what is open.', () => `curl ${location.origin}${base}/browser_profiles/running`],
  ['Close it.', () => `curl ${location.origin}${base}/browser_profiles/1/stop`],
  ['Make another profile. This one needs a token.', () => `export COVE_TOKEN=cove_…  # what cove token create NAME shows
curl ${location.origin}${base}/browser_profiles \\
  -H "Authorization: Bearer $COVE_TOKEN" \\
  -d '{"name":"Acme store"}'`],
]

function step([text, command]) {
  const shown = el('pre', { tabindex: '0', class: 'line' }, command())
  return [el('div', { class: 'bar' }, el('span', {}, text), copyButton('the command', command, () => shown)), shown]
}

// everyFailure is one of each code; x-status tells that of an answer which belongs to no call.
function everyFailure() {
  const found = new Map()
  const loose = Object.values(api.components.responses).filter(r => r['x-status']).map(r => ({ [r['x-status']]: r }))
  for (const responses of [...[...calls.values()].map(c => c.op.responses), ...loose]) {
    for (const failure of failuresOf(responses)) if (!found.has(failure[1].code)) found.set(failure[1].code, failure)
  }
  return [...found.values()].sort((a, b) => a[0].localeCompare(b[0]) || a[1].code.localeCompare(b[1].code))
}

function overview() {
  return el('div', { class: 'stack' },
    el('div', {}, el('h1', { tabindex: '-1' }, api.info.title), el('p', { class: 'lead' }, api.info.summary)),
    el('div', { class: 'columns' },
      el('section', { class: 'card' }, paragraphs(api.info.description)),
      el('section', { class: 'card' }, el('h2', {}, 'First steps'), steps.map(step),
        el('p', { class: 'after dim' }, 'For other tools: ', el('a', { href: `${base}/openapi.json`, download: 'cove-openapi.json' }, 'openapi.json'), ` (OpenAPI ${api.openapi})`))),
    api.tags.map(tag => el('section', { class: 'card' }, el('h2', {}, tag.name, ' ', el('span', { class: 'dim' }, `– ${tag.description}`)),
      table([], callsOf(tag.name).map(c => el('tr', {}, el('td', {}, badge(c.method)), el('td', {}, el('a', { href: link(c) }, el('code', {}, c.path))), el('td', { class: 'dim' }, sentence(c)))), 'list calls'))),
    el('section', { class: 'card' }, el('h2', {}, 'Errors'), errorTable(everyFailure())))
}

// ---- one call

// shared is what one form tells the others: it lives as long as the page does and is written down nowhere.
const shared = { token: '', id: '1' }

const needsToken = op => op.security?.length === 1
const takesToken = op => op.security?.length > 0

// answerCard shows a success. A call that is not offered has none.
function answerCard(response) {
  const [kind, good] = Object.entries(response.content)[0]
  const fields = fieldRows(good.schema['x-event'] || good.schema)
  return el('section', { class: 'card' }, el('h2', {}, 'Answer'), el('p', { class: 'dim' }, el('code', {}, '200'), ' ', rich(response.description), kind === 'application/json' ? null : [' ', el('code', {}, kind)]), block(good.example),
    fields.length ? el('details', {}, el('summary', {}, 'Fields'), fieldTable(fields)) : null)
}

function operationView(call) {
  const { op, method, path } = call
  const parameters = (op.parameters || []).map(resolve)
  const json = op.requestBody?.content['application/json']
  const tryIt = tryPanel(call, parameters, json)
  const view = el('article', {},
    el('div', { class: 'address' }, badge(method), el('code', {}, path), el('button', { class: 'btn small jump', type: 'button', onclick: () => tryIt.scrollIntoView() }, 'Try it')),
    el('div', { class: 'title' }, el('h1', { tabindex: '-1' }, sentence(call)),
      el('span', { class: needsToken(op) ? 'chip needed' : 'chip' }, needsToken(op) ? 'Needs a token' : takesToken(op) ? 'Token optional' : 'No token needed')),
    op.description ? el('div', { class: 'prose' }, paragraphs(op.description)) : null,
    el('div', { class: 'columns' },
      el('div', { class: 'stack' },
        parameters.length ? el('section', { class: 'card' }, el('h2', {}, 'Parameters'), table(['Name', 'Type', 'About'], parameters.map(p => el('tr', {},
          nameCell(p.name, p.required), el('td', { class: 'kind' }, `${typeName(p.schema)}, ${p.in}`), about(p.schema, p.description))))) : null,
        json ? el('section', { class: 'card' }, el('h2', {}, 'Body', op.requestBody.required ? null : el('span', { class: 'dim' }, ' – may be left out')),
          el('p', { class: 'dim' }, rich(resolve(json.schema).description), Object.keys(op.requestBody.content).length > 1 ? ' JSON or a form.' : null),
          fieldTable(fieldRows(json.schema, { asked: true })), el('div', { class: 'bar' }, el('h3', {}, 'Example')), block(json.example)) : null,
        op.responses['200'] ? answerCard(op.responses['200']) : null,
        el('section', { class: 'card' }, el('h2', {}, 'Errors'), errorTable(failuresOf(op.responses)))),
      tryIt))
  view.addEventListener('show', () => tryIt.dispatchEvent(new Event('show')))
  return view
}

let lastField = 0

// field is one labelled control of a form.
function field(label, control, { tall, hint } = {}) {
  const id = control.id = `field-${++lastField}`
  if (hint) control.setAttribute('aria-describedby', `${id}-hint`)
  return el('div', { class: tall ? 'field tall' : 'field' }, el('label', { for: id }, label), control, hint ? el('small', { id: `${id}-hint` }, hint) : null)
}

function control(p) {
  const s = p.schema
  const choices = s.type === 'boolean' ? ['true', 'false'] : s.enum
  if (choices) return el('select', {}, el('option', { value: '' }, '–'), choices.map(c => el('option', { value: c }, c)))
  return el('input', { type: s.type === 'integer' ? 'number' : 'text', min: s.minimum, max: s.maximum, required: p.required, autocomplete: 'off', spellcheck: 'false',
    placeholder: s.default ?? (s.type === 'array' ? 'shop,eu' : ''), value: p.required ? p.example : null })
}

function tryPanel(call, parameters, json) {
  const { op, method, path } = call
  const controls = parameters.map(p => [p, control(p)])
  const body = json ? el('textarea', { rows: Math.min(14, pretty(json.example).split('\n').length), spellcheck: 'false' }) : null
  if (body) body.value = pretty(json.example)
  const token = takesToken(op) ? el('input', { type: 'password', autocomplete: 'off', spellcheck: 'false', placeholder: 'cove_…' }) : null
  const wrong = el('p', { class: 'wrong', role: 'alert' })
  const curl = el('pre', { tabindex: '0', class: 'line' }), result = el('div', { class: 'result' })
  const send = el('button', { class: 'btn primary', type: 'submit' }, 'Send')
  const idOf = controls.find(([p]) => p.in === 'path' && p.name === 'id')?.[1]

  // request is what the form says, ready for fetch.
  const request = () => {
    let address = path
    const query = new URLSearchParams()
    for (const [p, c] of controls) {
      if (p.in === 'path') address = address.replace(`{${p.name}}`, encodeURIComponent(c.value.trim()))
      else if (c.value.trim() !== '') query.set(p.name, c.value.trim())
    }
    const headers = {}
    if (token?.value.trim()) headers.Authorization = `Bearer ${token.value.trim()}`
    const text = body?.value.trim() || ''
    if (text) headers['Content-Type'] = 'application/json'
    return { url: query.size ? `${address}?${query}` : address, init: { method: method.toUpperCase(), headers, body: text || undefined, cache: 'no-store' } }
  }
  const update = () => { curl.textContent = curlOf(call, request()) }
  const check = () => {
    let problem = ''
    try { if (body?.value.trim()) JSON.parse(body.value) } catch (e) { problem = `The body is not valid JSON: ${e.message}` }
    body?.setAttribute('aria-invalid', String(problem !== ''))
    wrong.textContent = problem
    return problem === ''
  }

  const armed = confirmation(send, method === 'delete' || op['x-destructive'] === true)
  let running
  const submit = async e => {
    e.preventDefault()
    if (running) return running.abort()
    if (!check() || !armed()) return
    running = new AbortController()
    send.textContent = 'Cancel'
    await exchange(request(), running.signal, result)
    result.scrollIntoView({ block: 'nearest' })
    running = undefined
    send.textContent = 'Send'
  }
  const form = el('form', { onsubmit: submit, oninput: () => {
    if (token) shared.token = token.value
    if (idOf) shared.id = idOf.value
    update()
  } },
  controls.map(([p, c]) => field(el('code', {}, p.name), c)),
  body ? field('Body, as JSON', body, { tall: true }) : null,
  token ? field('Token', token, { hint: 'Stays in this page until you close it.' }) : null,
  wrong, el('div', { class: 'buttons' }, send))
  body?.addEventListener('change', check)

  const panel = el('section', { class: 'card try', 'aria-label': 'Try it' }, el('h2', {}, 'Try it'), form, result,
    el('div', { class: 'bar' }, el('h3', {}, 'curl'), copyButton('the command', () => curl.textContent, () => curl)), curl)
  panel.addEventListener('show', () => {
    if (token) token.value = shared.token
    if (idOf) idOf.value = shared.id
    update()
  })
  return panel
}

// confirmation asks for a second click before what cannot be undone; a few seconds later it has forgotten the first.
function confirmation(button, needed) {
  let timer
  const calm = () => {
    timer = undefined
    button.textContent = 'Send'
    button.className = 'btn primary'
  }
  return () => {
    if (!needed) return true
    if (timer) {
      clearTimeout(timer)
      calm()
      return true
    }
    button.textContent = 'Click again to send'
    button.className = 'btn danger'
    timer = setTimeout(calm, 5000)
    return false
  }
}

const quoted = text => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

function curlOf({ op, method }, { url, init }) {
  const parts = [`curl${op.responses['200']?.content['text/event-stream'] ? ' -N' : ''}${method === 'get' ? '' : ` -X ${init.method}`} ${quoted(location.origin + url)}`]
  // The secret itself stays out of what people paste into terminals and chats.
  if (init.headers.Authorization || needsToken(op)) parts.push('-H "Authorization: Bearer $COVE_TOKEN"')
  if (init.body) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(init.body)}`)
  return parts.join(' \\\n  ')
}

// exchange sends a request and shows what comes back, a stream while it comes.
async function exchange({ url, init }, signal, result) {
  const line = el('p', { role: 'status' }, 'Waiting…')
  result.replaceChildren(line)
  const started = performance.now()
  try {
    const answer = await fetch(url, { ...init, signal, redirect: 'error', credentials: 'same-origin' })
    const facts = [el('span', { class: `status ${answer.ok ? 'good' : 'poor'}` }, `${answer.status} ${answer.statusText}`)]
    const shown = el('pre', { tabindex: '0' })
    const copy = copyButton('the answer', () => shown.textContent, () => shown)
    const head = extra => line.replaceChildren(...facts, ` · ${Math.round(performance.now() - started)} ms`, ...extra)
    head([])
    result.replaceChildren(el('div', { class: 'bar' }, el('h3', {}, 'Answer'), copy), line, shown)
    if (answer.headers.get('Content-Type')?.startsWith('text/event-stream')) return await follow(answer.body, shown)
    const text = await answer.text()
    const wait = answer.headers.get('Retry-After')
    head([` · ${new Blob([text]).size} bytes`, wait ? ` · try again after ${wait} s` : ''])
    try { shown.replaceChildren(...highlighted(JSON.stringify(JSON.parse(text), null, 2))) } catch { shown.textContent = text }
  } catch (e) {
    if (e.name === 'AbortError') line.append(' Cancelled.')
    else line.replaceChildren(el('span', { class: 'status poor' }, 'No answer.'), ' Cove does not run, or it ended the connection. Start it with: ', el('code', {}, 'cove up'))
  }
}

// follow shows the end of a stream as it comes.
async function follow(stream, shown) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    shown.textContent = (shown.textContent + value).slice(-50_000)
    shown.scrollTop = shown.scrollHeight
  }
}

// ---- start

async function docs() {
  watchStatus(footer, 10)
  try {
    const answer = await fetch(`${base}/openapi.json`)
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    api = await answer.json()
  } catch {
    document.getElementById('main').replaceChildren(el('p', { class: 'note' }, 'The description could not be read. Start Cove with ', el('code', {}, 'cove up'), ' and load this page again.'))
    return
  }
  readCalls()
  navigation()
  addEventListener('hashchange', route)
  route(true)
}

docs()
