// The page of one request. Its address carries a key that opens this request and nothing else; a signed-in window needs
// none. The key stays in memory: it is taken out of the address at once.
const id = decodeURIComponent(location.pathname.split('/').pop())
const key = location.hash.slice(1)
history.replaceState(null, '', location.pathname)

const $ = name => document.getElementById(name)
const path = '/v1.0/asks/' + encodeURIComponent(id)

async function send(method, at, body) {
  const headers = { 'Cove-Window': localStorage.getItem('cove-window') || '' }
  if (key) headers['Cove-Ask'] = key
  if ($('pin').value) headers['Cove-Pin'] = $('pin').value
  if (body) headers['Content-Type'] = 'application/json'
  const answer = await fetch(at, { method, headers, body: body && JSON.stringify(body) })
  const result = await answer.json()
  if (!answer.ok) throw Object.assign(new Error(result.error), result.errorObject)
  return result
}

const titles = {
  approve: 'An agent asks for permission', do: 'An agent asks for your help', code: 'An agent asks for a code',
  choose: 'An agent asks you to choose', text: 'An agent asks you a question',
}
const yes = { approve: 'Allow once', do: 'Done', code: 'Type the code', choose: 'Answer', text: 'Answer' }
const ends = {
  answered: 'This request is answered. You can close this page.', expired: 'This request has expired.',
  withdrawn: 'The agent has withdrawn this request.', cut: 'This request has ended.',
}

function finish(state) {
  $('request').hidden = true
  $('status').hidden = false
  $('status').textContent = ends[state] || ends.cut
}

async function draw(picture) {
  const bytes = Uint8Array.from(atob(picture), c => c.charCodeAt(0))
  const image = await createImageBitmap(new Blob([bytes])), canvas = $('picture')
  canvas.width = image.width
  canvas.height = image.height
  canvas.getContext('2d').drawImage(image, 0, 0)
  canvas.hidden = false
}

function show(r) {
  if (!['asked', 'seen', 'working'].includes(r.state)) return finish(r.state)
  $('title').textContent = titles[r.kind]
  $('status').hidden = true
  $('request').hidden = false
  $('what').textContent = `${r.agent.name}: ${r.what}`
  $('page').textContent = r.page
  $('because').textContent = r.because ? `Asked because ${r.because}.` : ''
  $('yes').textContent = yes[r.kind]
  $('no').textContent = r.kind === 'approve' ? 'Deny' : 'I can’t do this'
  $('text-row').hidden = r.kind !== 'text'
  $('code-row').hidden = r.kind !== 'code'
  $('options').hidden = r.kind !== 'choose'
  for (const option of r.options || []) {
    const label = document.createElement('label'), radio = document.createElement('input')
    Object.assign(radio, { type: 'radio', name: 'option', value: option, required: true })
    label.append(radio, ' ', option)
    $('options').append(label)
  }
  if (r.picture) draw(r.picture).catch(() => {})
  const given = () => ({
    approve: () => ({ allow: true, scope: 'once' }), do: () => ({ done: true }),
    code: () => ({ code: $('code').value }), text: () => ({ text: $('text').value }),
    choose: () => ({ choose: document.querySelector('[name=option]:checked')?.value || '' }),
  })[r.kind]()
  $('form').addEventListener('submit', e => {
    e.preventDefault()
    answer(given())
  })
  $('no').addEventListener('click', () => answer({ decline: true }))
  // The key of this page opens the request only. Who is signed in to the window can work in the page.
  $('control').hidden = r.kind !== 'do' || !r.tab || r.state === 'working' || !localStorage.getItem('cove-window')
  $('control').addEventListener('click', () => takeControl(r))
}

async function takeControl(r) {
  $('error').textContent = ''
  try {
    await send('POST', `/v1.0/browser_profiles/${r.profile}/live/control`, { tab: r.tab, on: true })
    location.href = `/#/live/${r.profile}/${encodeURIComponent(r.tab)}`
  } catch (e) {
    $('error').textContent = [e.message, e.hint].filter(Boolean).join(' ')
  }
}

async function answer(body) {
  const buttons = [$('yes'), $('no')]
  buttons.forEach(b => { b.disabled = true })
  $('error').textContent = ''
  try {
    const note = $('note').value.trim()
    await send('POST', path, note ? { ...body, note } : body)
    finish('answered')
  } catch (e) {
    if (/^E_PIN/.test(e.code || '')) $('pin-row').hidden = false
    $('error').textContent = [e.message, e.hint].filter(Boolean).join(' ')
    if (e.code === 'E_PIN_REQUIRED') $('pin').focus()
  }
  $('code').value = ''
  buttons.forEach(b => { b.disabled = false })
}

try {
  show((await send('GET', path)).data)
  send('POST', path + '/seen', {}).catch(() => {})
} catch (e) {
  $('status').textContent = e.code === 'E_NO_REQUEST'
    ? ends.cut
    : 'This link no longer works. Open the request in Cove’s window, or answer it with: cove asks'
}
