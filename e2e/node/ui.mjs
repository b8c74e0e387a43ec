// Uses the window as a person does, in a browser of its own, and prints what went wrong.
// node ui.mjs SCENARIO '{"base":…,"link":…,"token":…}'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { adopting } from './adopt.mjs'
import { connectTo, looked, violations } from './person.mjs'
import { watching } from './watch.mjs'

const [scenario, given] = process.argv.slice(2)
const { base, link, token, file, project, site, entry } = JSON.parse(given)

const wrong = [] // what a person would not like to see
const said = {} // what the test wants to know
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' })
await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base })

// watch notes everything that no page of ours may do.
function watch(page, expected = []) {
  page.on('console', m => {
    if (m.type() === 'error' && !expected.some(e => m.text().includes(e) || m.location().url.includes(e)))
      wrong.push(`console: ${m.text()} (${m.location().url})`)
  })
  page.on('pageerror', e => wrong.push(`error: ${e.stack}`))
  page.on('request', r => { if (!r.url().startsWith(base + '/')) wrong.push(`a request to ${r.url()}`) })
  return page
}

async function open(address, expected) {
  const page = watch(await context.newPage(), expected)
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', e => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI)),
  )
  await page.goto(address)
  return page
}

async function window(expected) {
  const page = await open(link, expected)
  await page.getByRole('grid').or(page.locator('.empty')).waitFor()
  return page
}

const check = (ok, text) => { if (!ok) wrong.push(text) }
async function within(ms, test) {
  for (const end = Date.now() + ms; ;) {
    const got = await test()
    if (got || Date.now() > end) return got
    await new Promise(r => setTimeout(r, 25))
  }
}
async function until(what, test) {
  const got = await within(30000, test)
  if (!got) throw new Error('waited in vain for ' + what)
  return got
}
// shows is a check of what the page draws, which may come some frames after the key or the click.
const shows = async (test, text) => check(await within(10000, test), text)
const { api, agent } = connectTo(base, token)
const row = (page, name) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })
const stateOf = (page, name, state) =>
  row(page, name)
    .locator('.c-state', { hasText: new RegExp(`^${state}$`) })
    .waitFor()

// axe looks for what people with a screen reader or weak eyes stumble over.
const axe = async (page, where, whole) => { wrong.push(...await looked(page, where, whole)) }

// loginSite has a form with a password, and notes what is sent.
async function loginSite() {
  const sent = []
  const site = createServer((q, r) => {
    if (q.url === '/sent') { q.setEncoding('utf8'); q.on('data', d => sent.push(d)) }
    r.setHeader('Content-Type', 'text/html')
    r.end(
      q.url === '/login'
        ? '<title>Login</title><form action=/sent method=post>' +
          '<input type=password name=password aria-label=Password><button>Sign in</button></form>'
        : '<title>Other</title><p>hello',
    )
  })
  await new Promise(done => site.listen(0, '127.0.0.1', done))
  return {
    sent,
    home: `http://127.0.0.1:${site.address().port}`,
    port: site.address().port,
    close() {
      site.close()
      site.closeAllConnections()
    },
  }
}

// captchaSite has a made-up captcha, with one thing of everything that a person does. It knows what the page holds.
async function captchaSite() {
  const sent = []
  const page = `<!doctype html><meta charset=utf-8><title>Captcha</title><body style="margin:0;height:3000px">
<style>body>*{position:absolute;left:20px;width:300px;height:30px;box-sizing:border-box;margin:0}</style>
<div style="top:20px;background:#ddd">
<div id=knob style="position:absolute;width:30px;height:30px;background:#06c"></div></div>
<input id=code style="top:70px" aria-label=Code><button id=send style="top:120px">Send</button>
<input id=text style="top:170px" aria-label=Text>
<select id=list style="top:220px" aria-label=List><option>one<option>two<option>three</select>
<button id=ask style="top:270px" onclick="told.textContent = prompt('Who?')">Ask</button>
<input id=file type=file style="top:320px" aria-label=File>
<p id=told style="top:370px"></p>
<script>
let from = null, at = 0
knob.onpointerdown = e => { if (e.isTrusted) { from = e.clientX - at; knob.setPointerCapture(e.pointerId) } }
knob.onpointermove = e => {
  if (from === null) return
  at = Math.max(0, Math.min(270, e.clientX - from))
  knob.style.left = at + 'px'
}
knob.onpointerup = () => { from = null }
file.onchange = async () => { told.textContent = file.files[0].name + ' ' + await file.files[0].text() }
send.onclick = () => { if (at > 260) location = '/inside?' + code.value }
setInterval(() => fetch('/state', { method: 'POST', body: JSON.stringify({ slid: at > 260, code: code.value,
  text: text.value, list: list.value, told: told.textContent, scrolled: scrollY }) }), 50)
</script>`
  const out = { sent, state: {}, close() { site.close(); site.closeAllConnections() } }
  const site = createServer((q, r) => {
    if (q.url === '/state') {
      let text = ''
      q.setEncoding('utf8')
      q.on('data', d => {
        text += d
      })
      q.on('end', () => {
        out.state = JSON.parse(text)
      })
    }
    if (q.url.startsWith('/inside')) sent.push(q.url)
    r.setHeader('Content-Type', 'text/html')
    r.end(q.url === '/captcha' ? page : '<title>Inside</title><h1>Welcome</h1>')
  })
  await new Promise(done => site.listen(0, '127.0.0.1', done))
  out.home = `http://127.0.0.1:${site.address().port}`
  return out
}

// sure answers the question that a button asks before it takes something away.
const sure = async (page, name) => page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click()

const editing = async (page, name, tab = 'Agents') => {
  await page.evaluate(at => { location.hash = at }, '#/profile/1/' + tab.toLowerCase())
  const d = page.getByRole('dialog', { name })
  await d.getByRole('tab', { name: tab, selected: true }).waitFor()
  if (tab === 'Agents') await d.getByRole('button', { name: /^Guarded/ }).waitFor()
  return d
}
const turn = (d, tab) => d.getByRole('tab', { name: tab }).click()

async function shot(page, name) {
  if (process.env.SHOTS) for (const width of [390, 800, 1280]) for (const theme of ['light', 'dark']) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: theme })
    await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}-${theme}.png` })
  }
}

const scenarios = {
  // A person without a link sees how to get one; with one, the first profile and what to do with it.
  async first() {
    const out = await open(base + '/')
    await out.getByText('cove ui').first().waitFor()
    check((await out.getByRole('grid').count()) === 0, 'profiles without a sign-in')
    await axe(out, 'sign-in')
    const bad = await open(base + '/#code=' + '0'.repeat(64), ['/v1.0/ui/session'])
    await bad.getByRole('alert').getByText('already used').waitFor()
    const page = await window()
    check(!page.url().includes('code'), 'the code is still in the address: ' + page.url())
    await page.getByText('First profile').first().waitFor()
    await page.getByRole('region', { name: 'First steps' }).waitFor()
    await axe(page, 'first run')
    // What looks for mistakes finds one.
    await page.evaluate(() => {
      const i = document.createElement('img')
      i.src = '/ui/icon.svg'
      i.id = 'planted'
      document.querySelector('main').append(i)
    })
    check(
      (await violations(page)).violations.some(v => v.id === 'image-alt'),
      'axe does not see a picture without a name',
    )
    await page.reload()
    await page.getByRole('grid').waitFor()
    const again = await open(link, ['/v1.0/ui/session']) // it was used
    await again.getByRole('grid').waitFor() // but this browser is signed in
    const other = await (await browser.newContext()).newPage()
    await other.goto(link)
    await other.getByRole('alert').getByText('already used').waitFor()
    const [cookie] = await context.cookies()
    check(cookie.httpOnly && cookie.sameSite === 'Strict', 'the cookie is ' + JSON.stringify(cookie))
    check((await page.evaluate(() => document.cookie)) === '', 'the page can read its cookie')
    await page.evaluate(() => {
      location.hash = '#/settings'
    })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('cove ui').first().waitFor()
    await shows(async () => (await context.cookies()).length === 0, 'the cookie is still there')
  },

  async create() {
    const page = await window(['400'])
    await page.getByRole('grid').focus()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'New profile' })
    await form.waitFor()
    await page.keyboard.press('Enter') // in the empty name
    await form.getByText('A profile needs a name.').waitFor()
    await shows(
      async () => (await form.getByLabel('Name').getAttribute('aria-invalid')) === 'true',
      'the name is not marked as wrong',
    )
    await form.getByLabel('Name').fill('Acme store – EU')
    await form.getByLabel('Folder').fill('Shop accounts')
    await form.getByLabel('Tags').fill('shop, eu')
    await turn(form, 'Network')
    await form.getByLabel('Time zone').fill('Europe/Atlantis')
    await form.getByLabel('Proxy', { exact: true }).selectOption('custom')
    await form.getByLabel('Proxy URL').fill('socks5://ann:secret@de-3.example:1080')
    await shows(
      async () =>
        (await form.getByLabel('Proxy URL').inputValue()) === 'socks5://de-3.example:1080' &&
        (await form.getByLabel('Proxy login').inputValue()) === 'ann',
      'the proxy’s login was not taken out of its address',
    )
    // What is wrong is shown, whichever tab it is in.
    await turn(form, 'Agents')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText('Use a name such as Europe/Berlin').waitFor()
    await form.getByRole('tab', { name: 'Network (needs attention)', selected: true }).waitFor()
    await until('the focus in the refused field', () =>
      form.getByLabel('Time zone').evaluate(e => e === document.activeElement),
    )
    await form.getByLabel('Time zone').fill('Europe/Berlin')
    await turn(form, 'General')
    await form.getByText('Window, browser and arguments').click()
    await form.getByLabel('Arguments').fill('--remote-debugging-port=1')
    await form.getByRole('button', { name: 'Create' }).click()
    await form.locator('.error').first().waitFor() // the app's own refusal, beside the field
    await shows(
      async () => (await form.getByLabel('Arguments').getAttribute('aria-invalid')) === 'true',
      'the refused argument is not marked',
    )
    await form.getByLabel('Arguments').fill('')
    await form.getByLabel('Tools that pages offer to agents').selectOption('off')
    await form.getByRole('button', { name: 'Create' }).click()
    const edit = page.getByRole('dialog', { name: 'Acme store – EU' })
    await edit.waitFor()
    const id = await edit.locator('#profile-id').textContent()
    const { data } = await api('GET', '/browser_profiles/' + id)
    check(
      data.name === 'Acme store – EU' &&
        data.folder === 'Shop accounts' &&
        data.tags.join() === 'shop,eu' &&
        data.timezone === 'Europe/Berlin' &&
        data.pageTools === 'off' &&
        data.proxy.password === 'secret',
      JSON.stringify(data),
    )
    // The id stands in the window's top-right corner, and can be copied.
    const d = await edit.boundingBox(),
      b = await edit.locator('.pid').boundingBox()
    check(
      d.x + d.width - (b.x + b.width) < 40 && b.y - d.y < 40,
      `the id is at ${JSON.stringify(b)} of ${JSON.stringify(d)}`,
    )
    for (const other of await edit.locator('.top > *').all()) {
      const o = await other.boundingBox()
      check(o.x + o.width <= b.x + b.width, 'something is further right than the id')
    }
    await edit.getByRole('button', { name: 'Copy profile ID' }).click()
    await shows(async () => (await page.evaluate(() => navigator.clipboard.readText())) === id, 'the id was not copied')
    await axe(page, 'edit')
    // Arrows turn the tabs, and the address names the one that is shown.
    await edit.getByRole('tab', { name: 'General', selected: true }).focus()
    for (const tab of ['Network', 'Agents', 'Secrets', 'Data', 'General']) {
      await page.keyboard.press('ArrowRight')
      await edit.getByRole('tab', { name: tab, selected: true }).and(page.locator(':focus')).waitFor()
      check(
        (await edit.getByRole('tabpanel').count()) === 1 &&
          (await edit.getByRole('tabpanel', { name: tab }).count()) === 1,
        `${tab} is not what is shown`,
      )
      check(page.url().endsWith(`#/profile/${id}/${tab.toLowerCase()}`), `${tab} is not in the address: ${page.url()}`)
      await axe(page, 'the tab ' + tab)
      await shot(page, 'tab-' + tab.toLowerCase())
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await edit.getByLabel('Name', { exact: true }).fill('Acme store')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor()
    await page.keyboard.press('Escape')
    await edit.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Acme store').waitFor()
    await shows(
      async () => (await api('GET', '/browser_profiles/' + id)).data.name === 'Acme store',
      'the name was not saved',
    )
    // A change of somebody else appears by itself.
    await api('PATCH', '/browser_profiles/' + id, { name: 'Changed elsewhere' })
    await row(page, 'Changed elsewhere').waitFor()
    const made = await api('POST', '/browser_profiles', { name: 'Made elsewhere' })
    await row(page, 'Made elsewhere').waitFor()
    await api('DELETE', '/browser_profiles/' + made.browserProfileId)
    await row(page, 'Made elsewhere').waitFor({ state: 'detached' })
    // One that is gone before the window has read it is not missed, and one that goes while it is read stays away.
    const brief = await api('POST', '/browser_profiles', { name: 'Made briefly' })
    await api('DELETE', '/browser_profiles/' + brief.browserProfileId)
    let answered, away
    const asked = new Promise(done => {
        answered = done
      }),
      left = new Promise(done => {
        away = done
      })
    await page.route(/\/v1\.0\/browser_profiles(\/\d+|\?.*ids=.*)$/, async r => {
      const response = await r.fetch()
      answered()
      await left
      await r.fulfill({ response })
    })
    const late = await api('POST', '/browser_profiles', { name: 'Made too late' })
    await asked
    await api('DELETE', '/browser_profiles/' + late.browserProfileId)
    await page.getByRole('link', { name: 'Trash' }).getByText('3').waitFor()
    away()
    await api('PATCH', '/browser_profiles/' + id, { notes: 'read after it' })
    await page.unroute(/\/v1\.0\/browser_profiles(\/\d+|\?.*ids=.*)$/)
    await row(page, 'Made too late').waitFor({ state: 'detached' })
    // Clone, trash, undo, restore, delete for good.
    await row(page, 'Changed elsewhere').getByRole('button', { name: 'Changed elsewhere', exact: true }).click()
    await page.getByRole('button', { name: 'Clone…' }).click()
    await page.getByRole('dialog', { name: 'Clone Changed elsewhere' }).getByRole('button', { name: 'Clone' }).click()
    const copy = page.getByRole('dialog', { name: 'Changed elsewhere copy' })
    await copy.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Move to Trash' }).click()
    await row(page, 'Changed elsewhere copy').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Changed elsewhere copy').getByRole('checkbox').check()
    await row(page, 'Changed elsewhere').getByRole('checkbox').check()
    const tools = page.getByRole('toolbar')
    await tools.getByRole('button', { name: 'Tag…' }).click()
    await page.getByLabel('Add tags').fill('two, new')
    await page.getByLabel('Remove tags').fill('eu')
    await page.getByRole('dialog').getByRole('button', { name: 'Tag', exact: true }).click()
    await until(
      'the tags',
      async () => (await api('GET', '/browser_profiles/' + id)).data.tags.join() === 'shop,two,new',
    )
    await tools.getByRole('button', { name: 'Move…' }).click()
    await page.getByRole('dialog').getByLabel('Folder').fill('A/B #1')
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('link', { name: 'A/B #1' }).click()
    await page.getByRole('heading', { name: 'A/B #1' }).waitFor()
    await until('the folder', async () => (await page.getByRole('row').count()) === 3)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Move to Trash' }).click()
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('button', { name: 'Restore: Changed elsewhere', exact: true }).click()
    await row(page, 'Changed elsewhere').waitFor({ state: 'detached' })
    await axe(page, 'trash')
    const kept = (await page.getByRole('row').count()) - 1
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Delete permanently…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('The trash is empty').waitFor()
    await shows(
      async () => kept >= 2 && (await api('GET', '/browser_profiles?trashed=1')).total === 0,
      'the trash is not empty',
    )
  },

  async modes() {
    const page = await window()
    const name = 'First profile'
    const at = row(page, name)
    await at.getByRole('button', { name: 'Open: ' + name, exact: true }).click()
    await stateOf(page, name, 'Open')
    await shows(
      async () => (await api('GET', '/browser_profiles/running'))['1'].mode === 'ordinary',
      'it is not open in ordinary mode',
    )
    await page.getByRole('contentinfo').getByText('1 profile open').waitFor()
    await at.getByRole('button', { name: 'Stop: ' + name }).click()
    await stateOf(page, name, 'Closed')
    await at.getByRole('button', { name: 'Open for agents: ' + name }).click()
    await stateOf(page, name, 'Open for agents')
    const running = (await api('GET', '/browser_profiles/running'))['1']
    check(running.mode === 'automation', 'it is not open for agents')
    await at.getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').getByText(String(running.automation.port)).waitFor()
    await page.keyboard.press('Escape')
    // What others do appears at once: no clock of ours runs as fast as this.
    const seen = page.evaluate(
      () =>
        new Promise(done => {
          const look = new MutationObserver(() => {
            if (document.querySelector('#row-1 .c-state')?.textContent === 'Closed') {
              look.disconnect()
              done(Date.now())
            }
          })
          look.observe(document.body, { subtree: true, childList: true, characterData: true })
        }),
    )
    await api('POST', '/browser_profiles/1/stop')
    said.late = (await seen) - Date.now()
    await api('POST', '/browser_profiles/1/start', { automation: true })
    await stateOf(page, name, 'Open for agents')
    process.kill((await api('GET', '/browser_profiles/running'))['1'].pid, 'SIGKILL')
    await stateOf(page, name, 'Crashed')
    // Several at once.
    const ids = (await api('POST', '/browser_profiles/mass', { template: { name: 'Many' }, count: 2 })).ids
    await row(page, 'Many 2').waitFor()
    await row(page, 'Many 1').getByRole('checkbox').check()
    await row(page, 'Many 2').getByRole('checkbox').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Open for agents' }).click()
    for (const n of ['Many 1', 'Many 2']) await stateOf(page, n, 'Open for agents')
    await page.getByRole('link', { name: /^Activity/ }).click()
    await page.getByRole('listitem').filter({ hasText: 'Many 1' }).first().waitFor()
    await axe(page, 'activity')
    await page.getByRole('link', { name: /^Profiles/ }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Stop' }).click()
    for (const n of ['Many 1', 'Many 2']) await stateOf(page, n, 'Closed')
    said.ids = ids
  },

  async keyboard() {
    for (let i = 1; i <= 60; i++)
      await api('POST', '/browser_profiles', { name: `Row ${i}`, tags: [i % 2 ? 'odd' : 'even'] })
    const page = await window()
    await row(page, 'Row 5').waitFor()
    await page.keyboard.press('/')
    await shows(
      async () => (await page.evaluate(() => document.activeElement.id)) === 'search',
      '/ does not lead to the search',
    )
    await page.keyboard.type('row 4 even')
    // 4, 14, 24, 34, 40, 42, 44, 46, 48, 54
    await until('the search', async () => (await page.locator('.found').textContent()) === '10 found')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await shows(
      async () =>
        await page.evaluate(
          () =>
            document.querySelector('#table').getAttribute('aria-activedescendant') ===
            document.querySelectorAll('.rows .row')[1].id,
        ),
      'the arrows do not move',
    )
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Escape')
    await shows(async () => (await page.getByRole('toolbar').count()) === 0, 'Escape does not end the selection')
    await page.keyboard.press('Control+a')
    await page.getByText('10 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /^Row/ }).waitFor()
    // Tab stays inside, Escape gives the focus back.
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab')
      await shows(
        async () =>
          await page.evaluate(
            () => document.activeElement === document.body || !!document.activeElement.closest('dialog'),
          ),
        'the focus left the dialog',
      )
    }
    await page.keyboard.press('Escape')
    await shows(
      async () => (await page.evaluate(() => document.activeElement.id)) === 'table',
      'the focus is not back in the table',
    )
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await page.keyboard.press('End')
    await row(page, 'Row 60').waitFor()
    await page.keyboard.press('Home')
    await row(page, 'First profile').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await axe(page, 'keys')
    await page.keyboard.press('Escape')
    for (const [key, title] of [
      ['2', 'Activity'],
      ['3', 'Connect an agent'],
      ['4', 'Settings'],
      ['1', 'Profiles'],
    ]) {
      await page.keyboard.press(key)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    }
    // Everything that can be clicked can be reached, in the order in which it is read.
    await page.getByRole('grid').waitFor()
    await page.reload()
    await page.getByRole('grid').waitFor()
    const order = []
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate(() => {
        const e = document.activeElement
        return e === document.body ? '' : e.getAttribute('aria-label') || e.textContent.trim().slice(0, 30) || e.id
      })
      if (!at || order.includes(at)) break
      order.push(at)
    }
    said.order = order
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('odd')
    await until('the filter', async () => (await page.locator('.found').textContent()) === '30 found')
    await page.getByRole('combobox', { name: 'Order' }).selectOption('name')
    await page.getByRole('button', { name: 'Descending' }).press('Enter')
    await shows(
      async () => (await page.locator('.rows .row .name').first().textContent()) === 'Row 59',
      'the table is not sorted',
    )
    await shows(
      async () => (await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')) === 'descending',
      'the header does not say how it is sorted',
    )
    await page.getByRole('searchbox').fill('no such thing')
    await page.getByText('No matching profiles').waitFor()
    await axe(page, 'nothing found')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await row(page, 'Row 59').waitFor()
    // The newest first is descending.
    await page.getByRole('columnheader', { name: 'Last opened' }).getByRole('button').click()
    await shows(
      async () =>
        (await page.getByRole('columnheader', { name: 'Last opened' }).getAttribute('aria-sort')) === 'descending',
      'the header calls the newest first ascending',
    )
    // However many folders there are, they are one stop of the Tab key.
    for (let i = 1; i <= 12; i++) await api('PATCH', `/browser_profiles/${i + 1}`, { folder: `Folder ${i}` })
    const folder = n =>
      page.getByRole('link', { name: `Folder ${n}`, exact: false }).filter({ hasText: new RegExp(`^Folder ${n}1$`) })
    await folder(12).waitFor()
    await page.getByRole('link', { name: 'Settings' }).focus()
    await page.keyboard.press('Tab')
    await shows(
      async () => (await page.evaluate(() => document.activeElement.textContent)).startsWith('Folder 1'),
      'Tab does not lead to the folders',
    )
    await page.keyboard.press('End')
    await shows(
      async () => (await page.evaluate(() => document.activeElement.textContent)).startsWith('Folder 12'),
      'End does not lead to the last folder',
    )
    await page.keyboard.press('Tab')
    await shows(
      async () => (await page.evaluate(() => document.activeElement.textContent)).startsWith('Trash'),
      'the folders are more than one stop',
    )
    // Letters can be turned off, and stay off.
    await page.getByRole('grid').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    for (const again of [false, true]) {
      if (again) {
        await page.reload()
        await page.getByRole('grid').waitFor()
      }
      await page.getByRole('grid').focus()
      for (const key of ['n', '2', 'o', '?']) await page.keyboard.press(key)
      check(
        (await page.getByRole('dialog').count()) === 0 && (await page.getByRole('grid').count()) === 1,
        'a letter did something though letters are off',
      )
    }
    check((await api('GET', '/status')).open.length === 0, 'a letter opened a profile')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('checkbox').check()
    await page.keyboard.press('Escape')
    // The way past the rail leads to the view's heading, in each view.
    for (const place of ['', 'settings', 'connect']) {
      await page.evaluate(p => {
        location.hash = '#/' + p
      }, place)
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await shows(
        async () => (await page.evaluate(() => document.activeElement.tagName)) === 'H1',
        `${place}: the skip link leads nowhere`,
      )
    }
  },

  // Many profiles are changed by one call, with progress and Cancel; the window that asked may close.
  async bulk() {
    const page = await window()
    const total = 5001,
      shown = total.toLocaleString('en')
    const tagged = async tag => (await api('GET', `/browser_profiles?limit=1&tags=${tag}`)).total
    const all = async () => {
      await until(
        'all profiles',
        async () => (await page.getByRole('grid').getAttribute('aria-rowcount')) === String(total + 1),
      )
      await page.getByRole('grid').focus()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+a')
      await page.getByText(`${shown} selected`).waitFor()
    }
    const tag = async name => {
      await page.getByRole('toolbar').getByRole('button', { name: 'Tag…' }).click()
      await page.getByLabel('Add tags').fill(name)
      await page.getByRole('dialog').getByRole('button', { name: 'Tag', exact: true }).click()
    }
    const job = page.locator('.job')
    let calls = 0
    page.on('request', r => {
      if (r.method() === 'PATCH') calls++
    })
    await all()
    const began = Date.now()
    await tag('first')
    await job.getByRole('progressbar').waitFor()
    await axe(page, 'a job')
    await page.getByText(`Tagged ${shown} profiles`).waitFor({ timeout: 120000 })
    said.times = [Date.now() - began]
    check(calls === 1, `${calls} calls tagged them`)
    check((await tagged('first')) === total, 'not all were tagged')
    // Cancel leaves what is done.
    await tag('second')
    await job.getByRole('button', { name: 'Cancel' }).click()
    const told = await page.getByText(/^Cancelled: [\d,]+ of/).textContent({ timeout: 60000 })
    const done = Number(told.match(/: ([\d,]+)/)[1].replaceAll(',', ''))
    check(done < total && (await tagged('second')) === done, `${await tagged('second')} are tagged, told: ${told}`)
    await shows(async () => (await job.count()) === 0, 'a cancelled job is still shown')
    // The window closes half-way, and everything happens all the same.
    await tag('third')
    await job.waitFor()
    await page.close()
    check(
      await within(120000, async () => (await tagged('third')) === total),
      'not all were tagged after the window had closed',
    )
  },

  // Opening many asks first, and the job is there again after a reload. Everything by keys.
  async cockpit() {
    for (let i = 1; i <= 20; i++)
      await api('POST', '/browser_profiles', { name: `Row ${i}`, folder: 'Crowd', tags: ['a', 'b', 'c', 'd'] })
    const page = await window(['400'])
    await row(page, 'Row 20').waitFor()
    const focused = text =>
      shows(
        async () => (await page.evaluate(() => document.activeElement.textContent)).startsWith(text),
        `the focus is not at ${text}`,
      )
    // The palette.
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Commands' })
    await palette.getByRole('combobox').fill('row 7')
    await shows(
      async () => (await palette.getByRole('option', { selected: true }).textContent()).startsWith('Row 7'),
      'the name that was typed is not the first',
    )
    await axe(page, 'palette')
    await shot(page, 'palette')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('>keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('crowd')
    await palette.getByRole('option', { name: 'Crowd' }).last().click()
    await page.getByRole('heading', { name: 'Crowd' }).waitFor()
    // The menu of a row, by keys; F2 and the menu edit in the table.
    await page.getByRole('grid').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+F10')
    const menu = page.getByRole('menu', { name: 'Row 1' })
    await menu.waitFor()
    await focused('Open')
    await axe(page, 'menu')
    await shot(page, 'menu')
    await page.keyboard.press('r')
    await focused('Rename')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name of Row 1' }).fill('Renamed')
    await page.keyboard.press('Enter')
    await row(page, 'Renamed').waitFor()
    await shows(
      async () => (await page.evaluate(() => document.activeElement.id)) === 'table',
      'the focus is not back in the table',
    )
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'Name of Renamed' }).fill('Not this')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Edit notes' }).click()
    await page.getByRole('textbox', { name: 'Notes of Renamed' }).fill('seen in a column')
    await page.keyboard.press('Enter')
    await until('the notes', async () => (await api('GET', '/browser_profiles/2')).data.notes === 'seen in a column')
    check((await api('GET', '/browser_profiles/2')).data.name === 'Renamed', 'Escape saved a name')
    await row(page, 'Renamed').locator('.c-tags').getByRole('button', { name: '2 more tags: c, d' }).click()
    await page.getByRole('menuitem', { name: 'c', exact: true }).click()
    await shows(() => page.url().includes('?tag=c'), 'the view is not in the address')
    await page.reload()
    await page.getByText('20 found').waitFor()
    // The view gets a name, which the rail and the palette have; another name, and none.
    await page.getByRole('button', { name: 'Save view…' }).click()
    await page.getByRole('dialog', { name: 'Save this view' }).getByLabel('View name').fill('With c')
    await page.keyboard.press('Enter')
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'With c' })
      .and(page.locator('[aria-current=page]'))
      .waitFor()
    await shot(page, 'views')
    await page.setViewportSize({ width: 1280, height: 800 })
    await axe(page, 'a saved view')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: /^Activity/ }).click()
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search profiles and commands' }).fill('with c')
    await page.getByRole('option', { name: /^With c/ }).click()
    await page.getByText('20 found').waitFor()
    await page.getByRole('button', { name: 'View With c' }).click()
    await page.getByRole('menuitem', { name: 'Rename view…' }).click()
    await page.getByLabel('View name').fill('All with c')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'View All with c' }).click()
    await until(
      'the other name',
      async () => (await api('GET', '/views')).data.map(v => v.name).join() === 'All with c',
    )
    await page.getByRole('menuitem', { name: 'Delete view' }).click()
    await page.getByRole('link', { name: 'All with c' }).waitFor({ state: 'detached' })
    check((await api('GET', '/views')).data.length === 0, 'the view is still there')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'View All with c' }).click()
    await page.getByRole('menuitem', { name: 'Delete view' }).click()
    await page.getByRole('link', { name: 'All with c' }).waitFor({ state: 'detached' })
    // A new profile is in the folder that is shown.
    await page.getByRole('button', { name: 'New profile' }).click()
    await shows(
      async () => (await page.getByRole('dialog').getByLabel('Folder', { exact: true }).inputValue()) === 'Crowd',
      'a new profile is in no folder',
    )
    await page.keyboard.press('Escape')
    // The folder's colour, and what its new profiles get.
    await page.getByRole('button', { name: 'Folder Crowd' }).click()
    await page.getByRole('menuitem', { name: 'Color and defaults…' }).click()
    const settings = page.getByRole('dialog', { name: 'Color and defaults for Crowd' })
    await settings.getByLabel('Color').selectOption('green')
    await settings.getByLabel('Tags').fill('crowd, eu')
    await settings.getByLabel('Time zone').fill('Europe/Atlantis')
    await settings.getByLabel('Agent permissions').selectOption('guarded')
    await settings.getByLabel('Proxy', { exact: true }).fill('socks5://ann:secret@de-3.example:1080')
    await settings.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Use a name such as Europe/Berlin').waitFor()
    await settings.getByLabel('Time zone').fill('Europe/Berlin')
    await axe(page, 'folder settings')
    await shot(page, 'folder')
    await page.setViewportSize({ width: 1280, height: 800 })
    await settings.getByRole('button', { name: 'Save' }).click()
    await settings.waitFor({ state: 'detached' })
    await page.locator('nav a.hue.green').filter({ hasText: 'Crowd' }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'New profile' }).click()
    const fresh = page.getByRole('dialog', { name: 'New profile' })
    await fresh.getByText('This profile starts with the defaults of “Crowd”.').waitFor()
    await fresh.getByLabel('Name').fill('By default')
    check((await fresh.getByLabel('Tags').inputValue()) === 'crowd, eu', 'the tags are not those of the folder')
    await fresh.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog', { name: 'By default' }).waitFor()
    const {
      data: [own],
    } = await api('GET', '/browser_profiles?query=By%20default')
    check(
      own.tags.join() === 'crowd,eu' &&
        own.timezone === 'Europe/Berlin' &&
        own.agents === 'guarded' &&
        own.proxy.password === 'secret',
      'a new profile is ' + JSON.stringify(own),
    )
    await page.keyboard.press('Escape')
    await api('DELETE', '/browser_profiles/' + own.id)
    await row(page, 'By default').waitFor({ state: 'detached' })
    // Proxy, status and notes of many at once; what is not chosen stays.
    await api('POST', '/proxy/import', { text: 'socks5://127.0.0.1:1080' })
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit…' }).click()
    const bulk = page.getByRole('dialog', { name: 'Edit 20 profiles' })
    await bulk.getByLabel('Status', { exact: true }).selectOption('new')
    await bulk.getByRole('button', { name: 'Save' }).click()
    await bulk.getByText('A status needs a name.').waitFor()
    await bulk.getByLabel('Status name').fill('Ready')
    await bulk.getByLabel('Proxy', { exact: true }).selectOption({ label: 'socks5://127.0.0.1:1080' })
    await axe(page, 'many profiles edited')
    await shot(page, 'bulk')
    await page.setViewportSize({ width: 1280, height: 800 })
    await bulk.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Edited 20 profiles').waitFor()
    let changed = (await api('GET', '/browser_profiles?folder=Crowd&limit=100')).data
    check(
      changed.length === 20 &&
        changed.every(p => p.proxy?.port === 1080 && p.status?.name === 'Ready') &&
        changed.some(p => p.notes === 'seen in a column'),
      'many are ' + JSON.stringify(changed[0]),
    )
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit…' }).click()
    await bulk.getByLabel('Proxy', { exact: true }).selectOption('direct')
    await bulk.getByLabel('Notes').selectOption('replace')
    await bulk.getByLabel('New notes').fill('the same for all')
    await bulk.getByRole('button', { name: 'Save' }).click()
    await until('the notes of all', async () =>
      (await api('GET', '/browser_profiles?folder=Crowd&limit=100')).data.every(
        p => p.notes === 'the same for all' && !p.proxy && p.status?.name === 'Ready',
      ),
    )
    await page.getByRole('toolbar').getByRole('button', { name: 'Close' }).click()
    // Twenty are opened only after a question; the job is there after a reload, and ends with Cancel.
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+a')
    await page.getByText('20 selected').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Open', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Open 20 profiles?' })
    await question.waitFor()
    await axe(page, 'a question before opening many')
    check((await api('GET', '/status')).open.length === 0, 'profiles opened before the answer')
    await question.getByRole('button', { name: 'Open', exact: true }).click()
    const job = page.getByRole('group', { name: 'Opening 20 profiles' })
    await job.waitFor()
    await page.reload()
    await job.waitFor()
    await shot(page, 'job')
    await job.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText(/^Cancelled: \d+ of 20 done/).waitFor({ timeout: 120000 })
    const open = (await api('GET', '/status')).open.length
    check(open > 0 && open < 20, `${open} are open after Cancel`)
    const usage = (await api('GET', '/browser_profiles/usage')).data
    check(usage.length > 0 && usage.every(u => u.memory > 1e7 && u.processes > 1), `usage: ${JSON.stringify(usage)}`)
    await api('PATCH', '/browser_profiles', {
      ids: Array.from({ length: 20 }, (_, i) => i + 2),
      change: { action: 'stop' },
    })
    await until('all to be closed', async () => (await api('GET', '/status')).open.length === 0)
    // A folder has another name, and the trash is emptied.
    await page.getByRole('button', { name: 'Folder Crowd' }).click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await page.getByLabel('Folder name').fill('Few')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Few' }).waitFor()
    await until('the rows of the folder', async () => (await page.getByRole('row').count()) > 5)
    await page.getByRole('grid').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    await row(page, 'Renamed').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('columnheader', { name: 'Deleted' }).waitFor()
    await page
      .getByRole('button', { name: 'Clear search and filters' })
      .or(page.getByText('In the trash'))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Empty trash…' }).click()
    await sure(page, 'Delete permanently')
    await until('the trash to be empty', async () => (await api('GET', '/browser_profiles?trashed=1')).total === 0)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // A table becomes profiles.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search profiles and commands' }).waitFor()
    await page.keyboard.type('csv')
    await page.keyboard.press('Enter')
    await page.getByLabel('Or paste rows').fill('name;tags;proxy\nFrom a table;x,y;socks5://h.example:1080\n;no name;')
    await page.getByText('Row 3: the name is missing.').waitFor()
    await axe(page, 'import')
    await page.getByRole('button', { name: 'Import 1 profile' }).click()
    await page.getByText('Imported 1 profile').waitFor()
  },

  // 10,000 profiles: found at once, and no more rows in the page than can be seen.
  async many() {
    const page = await window()
    await page.getByRole('grid').waitFor()
    await until('all profiles', async () => (await page.getByRole('grid').getAttribute('aria-rowcount')) === '10002')
    await shows(async () => (await page.locator('.rows .row').count()) < 60, 'too many rows are in the page')
    await page.getByRole('searchbox').fill('profile 9876')
    await row(page, 'Profile 9876').waitFor()
    await page.getByRole('searchbox').fill('')
    await page.evaluate(() => {
      const g = document.querySelector('#table')
      g.scrollTop = g.scrollHeight
    })
    await row(page, 'Profile 10000').waitFor()
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Home')
    await row(page, 'First profile').waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('10,001 selected').waitFor()
    await page.keyboard.press('Escape')
    await axe(page, 'many')
  },

  async status() {
    const page = await window()
    await page.getByRole('button', { name: /Local API/ }).click()
    const d = page.getByRole('dialog', { name: 'Status' })
    said.address = await d.locator('#api-address').textContent()
    said.port = await d.locator('#api-port').textContent()
    await d.getByText(/checks (passed|needs?)/).waitFor()
    await d
      .getByText(/Chromium \d+/)
      .first()
      .waitFor()
    said.text = await d.textContent()
    await d.getByText('Log', { exact: true }).click()
    await d.getByText('the app is running').waitFor()
    await axe(page, 'status')
    await page.keyboard.press('Escape')
    await d.waitFor({ state: 'detached' })
  },

  // Many proxies are pasted, checked and deleted; one in use stays.
  async proxies() {
    const page = await window(['422', '409'])
    await page.getByRole('link', { name: 'Proxies' }).click()
    await page.getByRole('heading', { name: 'No proxies' }).waitFor()
    const lines = page.getByLabel('Proxies', { exact: true })
    await lines.fill('p.example:8080:me:secret\na.example:1:b.example:2')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Line 2: The proxy can be read in two ways.').waitFor()
    check((await api('GET', '/proxy')).total === 0, 'half of the list was stored')
    await axe(page, 'proxies with an error')
    await lines.fill('127.0.0.1:1:me:secret\nsocks5://127.0.0.1:2')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('http://me@127.0.0.1:1').waitFor()
    check(!(await page.innerText('main')).includes('secret'), 'the list shows a password')
    await page.getByRole('button', { name: 'Check all' }).click()
    await page.getByText('Nothing listens at 127.0.0.1:1.').waitFor()
    await page.getByText('Nothing listens at 127.0.0.1:2.').waitFor()
    await axe(page, 'proxies')
    await shot(page, 'proxies')
    await api('PATCH', '/browser_profiles/1', { proxy: 1 })
    await page.getByRole('button', { name: 'Delete proxy 1' }).click()
    await axe(page, 'a question about a proxy')
    await page.keyboard.press('Enter') // Enter takes nothing away
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    check((await api('GET', '/proxy')).total === 2, 'Enter deleted a proxy')
    await page.getByRole('button', { name: 'Delete proxy 1' }).click()
    await sure(page, 'Delete')
    await page.getByText('Proxy 1 is in use').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete proxy 2' }).click()
    await sure(page, 'Delete')
    await page.locator('td > code', { hasText: 'socks5://127.0.0.1:2' }).waitFor({ state: 'detached' })
    check((await api('GET', '/proxy')).total === 1, 'another proxy is gone')
  },

  // Logins of the person's own browser: they choose it, allow the connection there, and choose sites.
  async logins() {
    const page = await window()
    const silent = async where => check(!/secret-/.test(await page.content()), where + ': a value is shown')
    const begin = async () => {
      const drawer = await editing(page, 'First profile', 'Data')
      await drawer.getByRole('button', { name: 'Import logins…' }).click()
      return page.getByRole('dialog', { name: 'Import logins into First profile' })
    }
    const dialog = await begin()
    await shows(
      () => dialog.getByLabel('Browser').evaluate(e => e === document.activeElement),
      'the focus is not at the browsers',
    )
    await axe(page, 'logins, before')
    await shot(page, 'logins-before')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const sites = dialog.getByRole('group', { name: 'Sites' })
    await sites.waitFor({ timeout: 120000 }) // the person allows it
    check((await dialog.getByRole('checkbox', { checked: true }).count()) === 0, 'something is chosen already')
    check(await dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled(), 'nothing can be imported')
    await axe(page, 'logins, sites')
    await silent('sites')
    // The window may be loaded anew meanwhile: the browser asks once.
    await page.reload()
    await begin()
    await sites.waitFor()
    await dialog.getByLabel('Find a site').fill('S2')
    await shows(async () => (await sites.getByRole('checkbox').count()) === 1, 'the search finds another number')
    await sites.getByLabel('s2.localhost').check()
    await dialog.getByLabel('Find a site').fill('')
    await dialog.getByLabel('Also import local storage').check()
    await shot(page, 'logins-sites')
    // Everything takes a word.
    await dialog.getByLabel(/^All \d+ sites$/).check()
    await dialog.getByLabel('Type “all” to import every login').waitFor()
    await shows(
      () => dialog.getByRole('button', { name: /^Import \d+ sites$/ }).isDisabled(),
      'everything can be imported without the word',
    )
    await dialog.getByLabel(/^All \d+ sites$/).uncheck()
    await dialog.getByRole('button', { name: 'Import 1 site' }).click()
    await dialog.getByText(/\d+ cookies and \d+ local storage entr(y|ies) imported\./).waitFor()
    await axe(page, 'logins, done')
    await shot(page, 'logins-done')
    await silent('done')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'hidden' })
  },

  // Cookies come in after a look at what would change, and go out as a file. Their values are never shown.
  async cookies() {
    await api('PUT', '/browser_profiles/1/policy', { preset: 'guarded' }) // programs may not export; the person may
    const page = await window(['422', '409', '404'])
    const there = async () =>
      (await api('POST', '/export-cookies', { browserProfiles: [{ id: 1 }] })).cookies
        .map(c => `${c.domain} ${c.name}=${c.value}`)
        .sort()
        .join('; ')
    const silent = async where =>
      check(
        !/topsecret/.test(await page.content()) &&
          !(await page.evaluate(() =>
            [...document.querySelectorAll('input, textarea')].some(i => /topsecret/.test(i.value)),
          )),
        where + ': a value is shown',
      )
    const choose = async (name, text) =>
      page.getByLabel('Import a cookie file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    const later = Math.floor(Date.now() / 1000) + 86400
    const line = (domain, name, value, until = later) => [domain, 'TRUE', '/', 'TRUE', until, name, value].join('\t')
    const drawer = await editing(page, 'First profile', 'Data')
    await page.getByLabel('Import a cookie file').waitFor()
    await axe(page, 'cookies')
    // A broken file changes nothing and says where it is broken.
    await choose(
      'broken.txt',
      [
        line('.shop.example', 'sid', 'topsecret1'),
        line('.mail.example', 'mail', 'topsecret2'),
        '.shop.example\tTRUE\t/\tTRUE\tnever\tbad\ttopsecret3',
      ].join('\n'),
    )
    await drawer
      .getByRole('alert')
      .getByText(/^Line 3 .*Nothing was imported\.$/)
      .waitFor()
    check(
      (await page.getByLabel('Import a cookie file').getAttribute('aria-invalid')) === 'true',
      'the field does not say that it is wrong',
    )
    await choose(
      'broken.json',
      JSON.stringify([
        { domain: '.shop.example', name: 'sid', value: 'topsecret1' },
        { name: 'nowhere', value: 'topsecret2' },
      ]),
    )
    await drawer
      .getByRole('alert')
      .getByText(/^Cookie 2 .*Nothing was imported\.$/)
      .waitFor()
    check(
      (await drawer.getByRole('button', { name: 'Import', exact: true }).count()) === 0,
      'a broken file can be imported',
    )
    await silent('a broken file')
    await axe(page, 'cookies with an error')
    await choose('large.txt', 'x'.repeat((16 << 20) + 1))
    await drawer.getByRole('alert').getByText('The file is larger than 16 MB. Choose a smaller file.').waitFor()
    await choose('old.txt', line('.shop.example', 'sid', 'topsecret1', 1000))
    await drawer.getByText('old.txt: No cookies to import. 1 expired cookie will be skipped.').waitFor()
    check(await drawer.getByRole('button', { name: 'Import', exact: true }).isDisabled(), 'nothing can be imported')
    check((await there()) === '', 'there are cookies: ' + (await there()))
    // A good one is shown first.
    await choose(
      'good.txt',
      [
        line('.shop.example', 'sid', 'topsecret1'),
        line('.shop.example', 'cart', 'topsecret2'),
        line('.mail.example', 'mail', 'topsecret3'),
      ].join('\n'),
    )
    await drawer.getByText('good.txt: 3 new cookies, 0 changed, 0 unchanged.').waitFor()
    const domain = name =>
      drawer
        .getByRole('row')
        .filter({ hasText: name })
        .innerText()
        .then(t => t.replace(/\s+/g, ' ').trim())
    check(
      (await domain('shop.example')) === 'shop.example 2 0 0' ||
        (await domain('shop.example')) === '.shop.example 2 0 0',
      'the preview says ' + (await domain('shop.example')),
    )
    check((await drawer.getByRole('alert').count()) === 0, 'the old error is still there')
    check((await there()) === '', 'a preview imports')
    await silent('a preview')
    await axe(page, 'cookies that would change')
    await shot(page, 'cookies')
    await drawer.getByRole('button', { name: 'Import', exact: true }).press('Enter')
    await page.getByText('3 cookies imported').waitFor()
    await shows(() => page.evaluate(() => document.activeElement.type === 'file'), 'the focus is lost after an import')
    check((await drawer.getByRole('table').count()) === 0, 'the preview is still there')
    check(
      (await there()) === '.mail.example mail=topsecret3; .shop.example cart=topsecret2; .shop.example sid=topsecret1',
      'the cookies are ' + (await there()),
    )
    // What is there is told apart, and can be left as it is.
    await choose(
      'again.txt',
      [
        line('.shop.example', 'sid', 'topsecret1'),
        line('.shop.example', 'cart', 'topsecret9'),
        line('.new.example', 'new', 'topsecret4'),
      ].join('\n'),
    )
    await drawer.getByText('again.txt: 1 new cookie, 1 changed, 1 unchanged.').waitFor()
    await drawer.getByRole('button', { name: 'Cancel', exact: true }).last().press('Enter')
    await drawer.getByRole('table').waitFor({ state: 'detached' })
    check(!(await there()).includes('topsecret9'), 'what was cancelled was imported')
    // Out again, in the format that is chosen.
    for (const [format, name, sample] of [
      ['netscape', 'cookies-1.txt', `.shop.example\tTRUE\t/\tTRUE\t`],
      ['storageState', 'cookies-1.json', '"origins"'],
      ['dolphin', 'cookies-1.json', '"expirationDate"'],
    ]) {
      await drawer.getByLabel('Export as').selectOption(format)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        drawer.getByRole('button', { name: 'Export', exact: true }).click(),
      ])
      const text = readFileSync(await file.path(), 'utf8')
      check(
        file.suggestedFilename() === name && text.includes(sample) && text.includes('topsecret1'),
        `${format}: ${file.suggestedFilename()} is ${text.slice(0, 200)}`,
      )
      await shows(
        async () =>
          (await drawer.getByRole('button', { name: 'Export', exact: true }).getAttribute('aria-disabled')) === 'false',
        'nothing more can be exported',
      )
      await shows(
        () => page.evaluate(() => document.activeElement.innerText === 'Export'),
        'the focus is lost after an export',
      )
    }
    await silent('an export')
    // An open window of the person's own has its cookies to itself.
    await api('POST', '/browser_profiles/1/start', { automation: false, headless: true })
    await drawer.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    await choose('good.txt', line('.shop.example', 'sid', 'topsecret1'))
    const refusal = drawer.getByRole('alert').filter({ hasText: /close|stop/i })
    await refusal.waitFor()
    check(
      /^[A-Z].*\. [A-Z]/.test(await refusal.innerText()),
      'no sentence with a next step: ' + (await refusal.innerText()),
    )
    await api('POST', '/browser_profiles/1/stop')
    await drawer.getByRole('button', { name: 'Open', exact: true }).waitFor()
    await choose('good.txt', line('.shop.example', 'sid', 'topsecret1'))
    await drawer.getByText('good.txt: 0 new cookies, 0 changed, 1 unchanged.').waitFor()
    await api('DELETE', '/browser_profiles/1') // elsewhere, in the meantime
    await drawer.getByRole('button', { name: 'Import', exact: true }).click()
    await drawer.getByRole('alert').filter({ hasText: 'profile 1' }).waitFor()
  },

  // Extensions of a profile: what they are, what agents could reach through them, and what is done with them.
  async extensions() {
    await api('POST', '/browser_profiles', { name: 'Second' })
    const page = await window(['400', '422', '404', '413'])
    const mine = async id =>
      (await api('GET', `/browser_profiles/${id}/extensions`)).data
        .map(e => `${e.name} ${e.version} ${e.enabled}`)
        .join()
    const drawer = await editing(page, 'First profile', 'Data')
    await drawer.getByText('No extensions from Cove yet.').waitFor()
    await axe(page, 'no extensions')
    const field = drawer.getByLabel('Add an extension')
    await field.setInputFiles({ name: 'broken.zip', mimeType: 'application/zip', buffer: Buffer.from('not a zip') })
    const refusal = drawer.getByRole('alert')
    await refusal.waitFor()
    check(
      /^[A-Z].*\. [A-Z].*\.$/.test(await refusal.innerText()),
      'no sentence with a next step: ' + (await refusal.innerText()),
    )
    check((await mine(1)) === '', 'a broken file was added')
    await axe(page, 'extensions with an error')
    await field.focus()
    await field.setInputFiles(file)
    await page.getByText('Reader <b>x</b> 1.2 added').waitFor()
    await shows(
      () => page.evaluate(() => document.activeElement.type === 'file' && !document.activeElement.value),
      'the focus or the file stays behind',
    )
    const one = drawer
      .getByRole('list', { name: 'Extensions' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button') })
    check((await drawer.getByRole('alert').count()) === 0, 'the old error is still there')
    const text = (await one.innerText()).replace(/\s+/g, ' ')
    for (const want of [
      'Reader <b>x</b> 1.2',
      'Permissions: debugger, storage, https://*.example.com/*',
      'Agents could reach through it',
      'Reads and changes *.example.com.',
      'get around the profile',
    ])
      check(text.includes(want), `“${want}” is not in ${text}`)
    check((await mine(1)) === 'Reader <b>x</b> 1.2 true', 'the extensions are ' + (await mine(1)))
    await axe(page, 'extensions')
    await shot(page, 'extensions')
    await one.getByRole('button', { name: 'Disable Reader' }).press('Enter')
    await one.getByText('disabled').waitFor()
    check((await mine(1)) === 'Reader <b>x</b> 1.2 false', 'the extensions are ' + (await mine(1)))
    await shows(
      () => page.evaluate(() => document.activeElement.innerText === 'Enable'),
      'the focus is lost after Disable',
    )
    await one.getByRole('button', { name: 'Enable Reader' }).click()
    await one.getByText('disabled').waitFor({ state: 'detached' })
    check((await mine(1)) === 'Reader <b>x</b> 1.2 true', 'the extensions are ' + (await mine(1)))
    // It goes only after a question.
    await one.getByRole('button', { name: 'Remove Reader' }).click()
    const ask = page.getByRole('dialog', { name: 'Remove Reader <b>x</b>?' })
    await axe(page, 'removing an extension')
    await ask.getByRole('button', { name: 'Cancel' }).click()
    check((await mine(1)) === 'Reader <b>x</b> 1.2 true', 'Cancel removes')
    await one.getByRole('button', { name: 'Remove Reader' }).click()
    await ask.getByRole('button', { name: 'Remove', exact: true }).click()
    await drawer.getByText('No extensions from Cove yet.').waitFor()
    await shows(
      () => page.evaluate(() => document.activeElement.textContent === 'Extensions'),
      'the focus is lost after Remove',
    )
    check((await mine(1)) === '', 'it was not removed')
    // Cove still has it, for this profile or another.
    await drawer.getByRole('button', { name: 'Add', exact: true }).click()
    await one.waitFor()
    check(
      (await mine(1)) === 'Reader <b>x</b> 1.2 true' && (await mine(2)) === '',
      `the extensions are ${await mine(1)} and ${await mine(2)}`,
    )
    check((await drawer.getByLabel('Add one that Cove has already').count()) === 0, 'it can be added twice')
    await api('POST', '/browser_profiles/1/start', { automation: true })
    await drawer.getByText('Changes take effect the next time this profile opens.').waitFor()
  },

  // The API for AdsPower scripts is one setting.
  async adspower() {
    const page = await window(['409', '400'])
    await page.getByRole('link', { name: 'Settings' }).click()
    const port = page.getByLabel('AdsPower API port')
    const save = async value => {
      await port.fill(value)
      await port.press('Enter')
    }
    const taken = createServer(() => {})
    await new Promise(done => taken.listen(0, '127.0.0.1', done))
    const n = taken.address().port
    await save(String(n))
    await page
      .getByRole('alert')
      .filter({ hasText: `${n} is` })
      .filter({ hasText: 'choose another port' })
      .waitFor()
    await axe(page, 'settings with an error')
    await new Promise(done => taken.close(done))
    await save(String(n))
    await page.getByText('Saved', { exact: true }).waitFor()
    const status = () =>
      fetch(`http://127.0.0.1:${n}/status`).then(
        r => r.json(),
        () => null,
      )
    check((await status())?.msg === 'success', 'nothing answers at the port')
    await page.getByLabel('AdsPower API key').selectOption('off')
    await page
      .locator('.field', { has: page.getByLabel('AdsPower API key') })
      .getByRole('button', { name: 'Save' })
      .click()
    await shows(
      async () => (await api('GET', '/settings')).data.find(s => s.key === 'adspower.key').value === 'off',
      'the key is still required',
    )
    await save('off')
    await shows(async () => (await port.inputValue()) === '' && (await status()) === null, 'the port is still open')
    await page.reload()
    await page.getByLabel('AdsPower API key').waitFor()
    check((await page.getByLabel('AdsPower API key').inputValue()) === 'off', 'the key is shown as required')
  },

  async login() {
    const page = await window(['401', '/auth/login'])
    await api('POST', '/accounts', { email: 'ann@example.com', password: 'correct horse battery', plan: 'free' })
    await page.getByRole('link', { name: /Solo plan/ }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await axe(page, 'login')
    await page.getByLabel('Email').fill('ann@example.com')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('alert').getByText('is incorrect').waitFor()
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('without automation').waitFor()
    await page.getByRole('link', { name: /^Profiles/ }).click()
    await page.getByText('On the Free plan, you can open profiles').waitFor()
    await shows(
      async () => await page.getByRole('button', { name: 'Open for agents: First profile' }).isDisabled(),
      'a Free plan can click Open for agents',
    )
    await axe(page, 'free plan')
    await page.getByRole('link', { name: 'Connect an agent' }).click()
    await page.getByText('you can register a client, but it can’t connect').waitFor()
    await page.getByRole('link', { name: 'Change plan' }).click()
    await page.getByRole('button', { name: /^Solo/ }).click()
    await page.getByText('automation included').waitFor()
    const secret = (await api('POST', '/tokens', { name: 'for the window' })).data.token
    await api('POST', '/auth/logout')
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await page.getByRole('button', { name: 'API token' }).click()
    await page.getByLabel('API token').fill(secret)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('ann@example.com').first().waitFor()
    // The window is the owner's: back with one click.
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Log in as owner' }).click()
    await page.getByText('owner@localhost').first().waitFor()
    await page.getByRole('link', { name: /^Profiles/ }).click()
    await row(page, 'First profile').waitFor()
  },

  // What strangers do: names that look like code, deleting what is being edited, two windows, a cookie that is gone.
  async strange() {
    const evil = '<img src=x onerror="document.title=1"><b>bold</b>'
    const { browserProfileId: id } = await api('POST', '/browser_profiles', {
      name: evil,
      folder: '<i>folder</i>',
      tags: ['<u>tag</u>', 'x'.repeat(40), ...Array.from({ length: 8 }, (_, i) => 'tag' + i)],
      notes: evil,
    })
    const page = await window(['403', '500', '404', '/ui/session'])
    await row(page, evil).waitFor()
    check(
      (await page.locator('main img, main b:not(.state b), nav i:not(.brand i)').count()) === 0,
      'a name became part of the page',
    )
    for (const tag of await row(page, evil).locator('.tag').all()) {
      // what is seen of a tag stands inside its cell, and its row
      const cell = await row(page, evil).locator('.c-tags').boundingBox(),
        t = await tag.boundingBox()
      check(t.x >= cell.x && t.x + t.width <= cell.x + cell.width + 1, 'a tag reaches out of its cell')
    }
    await shows(async () => (await row(page, evil).boundingBox()).height === 44, 'long tags make the row higher')
    await row(page, evil).getByRole('button', { name: evil, exact: true }).click()
    const edit = page.getByRole('dialog', { name: evil })
    await axe(page, 'a strange name')
    // Somebody deletes it meanwhile: what was typed is still there, and can be saved after all.
    await edit.getByLabel('Name').fill('Typed before')
    await api('DELETE', '/browser_profiles/' + id)
    await edit.getByRole('alert').getByText('was deleted in the meantime').waitFor()
    check(await edit.getByRole('button', { name: 'Save' }).isDisabled(), 'what is gone can be saved')
    await axe(page, 'deleted meanwhile')
    await edit.getByRole('button', { name: 'Restore profile' }).click()
    await edit.getByText('was deleted in the meantime').waitFor({ state: 'detached' })
    await shows(async () => (await edit.getByLabel('Name').inputValue()) === 'Typed before', 'what was typed is gone')
    // What goes wrong is told where the person is: above the window of the profile, within reach.
    await page.route('**/start', r =>
      r.fulfill({
        status: 500,
        json: {
          success: false,
          errorObject: { text: 'The browser did not start.', hint: 'Look into the log.', code: 'E_BROWSER_LAUNCH' },
        },
      }),
    )
    await edit.getByRole('button', { name: 'Open', exact: true }).click()
    const told = page.getByRole('alert').filter({ hasText: 'The browser did not start.' })
    await told.getByText('Look into the log.').waitFor()
    await told.getByRole('button', { name: 'Close' }).click()
    await told.waitFor({ state: 'detached' })
    await page.unroute('**/start')
    await edit.getByRole('button', { name: 'Save' }).click()
    await row(page, 'Typed before').waitFor()
    // Two windows show the same, and the newer sign-in does not end the older one.
    const { url } = await api('POST', '/ui/code')
    const second = await open(url)
    await row(second, 'Typed before').waitFor()
    await api('PATCH', '/browser_profiles/' + id, { name: 'Seen twice' })
    for (const one of [page, second]) await row(one, 'Seen twice').waitFor()
    await page.reload()
    await row(page, 'Seen twice').waitFor()
    await second.close()
    // The cookie has grown old: the next click says how to get in.
    await context.clearCookies()
    await row(page, 'Seen twice').getByRole('button', { name: 'Open: Seen twice', exact: true }).click()
    await page.getByText('cove ui').first().waitFor()
    check((await page.getByRole('grid').count()) === 0, 'profiles without a cookie')
    await page.goto((await api('POST', '/ui/code')).url)
    await row(page, 'Seen twice').waitFor()
    // Without any profile there is a word about what one is.
    await api('DELETE', '/browser_profiles', { ids: [1, id] })
    await page.getByText('No profiles yet').waitFor()
    await axe(page, 'no profiles')
    await page.getByRole('main').getByRole('button', { name: 'New profile' }).last().click()
    await page.getByRole('dialog', { name: 'New profile' }).waitFor()
  },

  async connect() {
    const page = await window(['/clients/cursor/add']) // a folder that is not there is refused
    await page.getByRole('link', { name: 'Connect an agent' }).click()
    await page.getByRole('heading', { name: '3 · Connect' }).waitFor()
    await page.getByText('everything this profile is logged in to').waitFor()
    await page.getByRole('button', { name: 'Claude Code' }).click()
    await page.locator('.command pre', { hasText: 'claude mcp add' }).waitFor()
    said.command = await page.locator('.command pre').textContent()
    await axe(page, 'connect')
    // Cursor is on this computer: what would change is shown, one click writes it, and the entry's own command is
    // tried.
    await page.getByRole('button', { name: /^Cursor.*installed/ }).click()
    await page.locator('.command pre', { hasText: 'mcpServers' }).waitFor()
    said.json = await page.locator('.command pre').textContent()
    await page.getByRole('button', { name: 'Preview changes' }).click()
    said.diff = await page.locator('.diff').textContent()
    await axe(page, 'connect, the change')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    said.result = await page.getByText(/Connected · \d+ tools/).textContent()
    await page.getByRole('button', { name: /^Cursor.*connected/ }).waitFor()
    said.written = readFileSync(file, 'utf8')
    await axe(page, 'connected')
    await page.getByRole('button', { name: 'Remove' }).click()
    await sure(page, 'Remove')
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    said.removed = readFileSync(file, 'utf8')
    // The skill for agents in a shell: a click installs it, and what somebody wrote into it is replaced only on a yes.
    const skill = file.replace(/\.cursor.*/, '.agents/skills/cove/SKILL.md')
    await page.getByText('Not installed: ' + skill).waitFor()
    await page.getByRole('button', { name: 'Install skill' }).click()
    await page.getByText('Installed in ' + skill).waitFor()
    said.skill = readFileSync(skill, 'utf8')
    await axe(page, 'connect, the skill')
    writeFileSync(skill, said.skill + 'mine')
    await page.getByRole('button', { name: 'Claude Code' }).click()
    await page.getByRole('link', { name: 'Profiles' }).first().click()
    await page.getByRole('link', { name: 'Connect an agent' }).click()
    await page.getByRole('button', { name: /^Cursor.*installed/ }).click()
    await page.getByText('Edited by someone: ' + skill).waitFor()
    await page.getByRole('button', { name: 'Replace' }).click()
    await sure(page, 'Replace')
    await page.getByText('Installed in ' + skill).waitFor()
    check(readFileSync(skill, 'utf8') === said.skill, 'the skill was not replaced')
    await page.getByRole('button', { name: 'Remove skill' }).click()
    await sure(page, 'Remove')
    await page.getByText('Not installed: ' + skill).waitFor()
    check(!existsSync(skill), 'the skill is still there')
    // The wrapper: its file is written by the same click, and the upstream server answers.
    await page.getByRole('button', { name: 'Chrome DevTools MCP' }).click()
    await page.locator('.command pre', { hasText: 'profile-devtools-mcp.mjs' }).waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    said.wrapped = await page.getByText(/Connected · \d+ tools/).textContent({ timeout: 60000 })
    said.wrapper = readFileSync(file, 'utf8')
    await page.getByRole('button', { name: 'Built-in (Cove)' }).click()
    await page.getByText('Registered with a different command').waitFor()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText(/Connected · \d+ tools/).waitFor()
    check(!readFileSync(file, 'utf8').includes('.mjs'), 'the entry was not replaced')
    await page.getByRole('button', { name: 'Remove' }).click()
    await sure(page, 'Remove')
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    // One project instead of all of them.
    await page.getByRole('button', { name: 'This project (shared)' }).click()
    await page.getByLabel('Project folder').fill(project + '/nowhere')
    await page.getByRole('button', { name: 'Use this folder' }).click()
    await page.getByText('There is no folder').waitFor()
    await page.getByLabel('Project folder').fill(project)
    await page.getByRole('button', { name: 'Use this folder' }).click()
    await page.getByText(project + '/.cursor/mcp.json').waitFor()
    await axe(page, 'connect, one project')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText(/Connected · \d+ tools/).waitFor()
    said.project = readFileSync(project + '/.cursor/mcp.json', 'utf8')
    check(readFileSync(file, 'utf8') === said.removed, 'a project’s entry went into the person’s file')
    await page.getByRole('button', { name: 'Remove' }).click()
    await sure(page, 'Remove')
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Other…' }).click()
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText(/Connected · \d+ tools/).waitFor()
  },

  // The picture of a tab follows the page, and another tab can be looked at.
  async live() {
    const { automation } = await api('POST', '/browser_profiles/1/start', { automation: true })
    const puppet = await puppeteer.connect({ browserURL: `http://127.0.0.1:${automation.port}`, defaultViewport: null })
    const [tab] = await puppet.pages()
    await tab.goto('data:text/html,<title>First tab</title><body style="background:rgb(255,0,0)">')
    const page = await window()
    await row(page, 'First profile').getByRole('button', { name: 'Watch: First profile' }).click()
    await page.getByRole('tab', { name: 'First tab' }).waitFor()
    const colour = () =>
      page.evaluate(() => {
        const c = document.querySelector('#screen')
        return c?.width > 300
          ? [...c.getContext('2d').getImageData(20, 20, 1, 1).data]
              .slice(0, 3)
              .map(v => (v > 128 ? 1 : 0))
              .join('')
          : ''
      })
    const shows = (what, want) => until(what, async () => (await colour()) === want)
    await shows('red', '100')
    const times = []
    for (const [css, want] of [
      ['rgb(0,255,0)', '010'],
      ['rgb(0,0,255)', '001'],
      ['rgb(255,255,0)', '110'],
    ]) {
      const began = Date.now()
      await tab.evaluate(c => {
        document.body.style.background = c
      }, css)
      await shows(css, want)
      times.push(Date.now() - began)
    }
    said.times = times
    // The picture is as large as its frame allows, and the frame stays as it is.
    const frame = () =>
      page.evaluate(() => {
        const f = document.querySelector('.picture'),
          c = document.querySelector('#screen'),
          scale = Math.min(f.clientWidth / c.width, f.clientHeight / c.height)
        return [
          f.clientWidth,
          f.clientHeight,
          getComputedStyle(c).objectFit,
          c.clientWidth === f.clientWidth && c.clientHeight === f.clientHeight,
          scale,
        ]
      })
    const [width, height, fit, fills] = await frame()
    check(fit === 'contain' && fills, `the picture does not fill its frame: ${await frame()}`)
    await tab.setViewport({ width: 500, height: 900 })
    await until('another size', async () =>
      page.evaluate(() => {
        const c = document.querySelector('#screen')
        return c.height > c.width
      }),
    )
    const [nowWidth, nowHeight] = await frame()
    check(
      nowWidth === width && nowHeight === height,
      `the frame went from ${width}×${height} to ${nowWidth}×${nowHeight}`,
    )
    await tab.setViewport(null)
    const second = await puppet.newPage()
    await second.goto('data:text/html,<title>Second tab</title><body style="background:rgb(0,255,255)">')
    await page.getByRole('tab', { name: 'Second tab' }).click()
    await shows('the second tab', '011')
    await page.getByRole('tab', { name: 'First tab' }).click()
    await shows('the first tab', '110')
    await page.locator('.who').getByText('via the port').waitFor()
    // An agent's actions.
    const tester = await agent('tester')
    await tester('list_pages')
    await page.locator('.log').getByText('Listed the tabs').waitFor()
    await page.locator('.who').getByText('tester').waitFor()
    // Its tab has its name.
    await tester('new_page', { url: 'data:text/html,<title>Third tab</title>' })
    await page.getByRole('tab', { name: 'Third tab' }).locator('.owner', { hasText: 'tester' }).waitFor()
    check(
      (await page.getByRole('tab', { name: 'First tab' }).locator('.owner').count()) === 0,
      'a tab of nobody has an owner',
    )
    await shot(page, 'live-owner')
    await axe(page, 'live')
    await second.close()
    await page.getByRole('tab', { name: 'Second tab' }).waitFor({ state: 'detached' })
    await puppet.disconnect()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('This profile is closed').waitFor()
  },

  // A person solves in the live view what an agent cannot: by mouse and keys, with texts, lists, dialogs and files.
  async control() {
    const site = await captchaSite(),
      { sent, home } = site
    await api('POST', '/browser_profiles/1/start', { automation: true })
    const tool = await agent('tester')
    const works = async (...call) => {
      const got = await tool(...call)
      check(!got.bad, `${call[0]}: ${got.text}`)
      return got.text
    }
    await works('navigate_page', { url: home + '/captcha' })
    await works('emulate', { viewport: (said.viewport = process.env.VIEWPORT || '1000x700x2') })
    const asked = tool('ask_person', { message: 'Please solve the captcha.', wait: 300 })
    const page = await window(['409'])
    const card = page.getByRole('region', { name: 'tester asks' })
    if (process.env.NARROW) {
      // as on a phone: by the page of the request
      await page.setViewportSize({ width: 390, height: 800 })
      const request = await until('the request', async () => (await api('GET', '/asks')).data[0])
      await page.goto(`${base}/ask/${request.id}`)
      await page.getByRole('button', { name: 'Take control' }).click()
    } else await card.getByRole('button', { name: 'Take control' }).click()
    await page.locator('#screen[data-pictures]').waitFor()
    await page.getByText('You’re in control', { exact: true }).waitFor()
    await page.locator('.screen.yours .keys').waitFor({ state: 'attached' })
    await shows(
      async () => (await page.getByText('Take control', { exact: true }).count()) === 0,
      'who is in control can take control',
    )
    await card.getByRole('button', { name: 'Done — hand back' }).waitFor()
    await axe(page, 'in control')
    await shot(page, 'control')
    const [wide, high] = said.viewport.split('x').map(Number)
    const at = async (x, y) =>
      page.evaluate(
        ([fx, fy]) => {
          const c = document.querySelector('#screen'),
            r = c.getBoundingClientRect(),
            k = Math.min(r.width / c.width, r.height / c.height)
          return [r.left + (r.width - c.width * k) / 2 + fx * c.width * k, r.top + fy * c.height * k]
        },
        [x / wide, y / high],
      )
    const move = async (x, y) => page.mouse.move(...(await at(x, y)))
    const press = async (x, y) => {
      await move(x, y)
      await page.mouse.down()
      await page.mouse.up()
    }
    const state = () => site.state
    const holds = (what, test) => until(what, async () => test(state()))
    await move(35, 35)
    await page.mouse.down()
    for (let x = 60; x <= 330; x += 10) await move(x, 36)
    await page.mouse.up()
    await holds('the slider', s => s.slid)
    await press(60, 85)
    await page.keyboard.type('Code-7431')
    await holds('the code', s => s.code === 'Code-7431')
    // Five scripts: letters by keys, others as an input method, the clipboard or a phone's keyboard brings them.
    await press(60, 185)
    await page.keyboard.type('Latin ')
    await page.keyboard.insertText('Привет ')
    await page.locator('.keys').evaluate((e, text) => {
      const c = new DataTransfer()
      c.setData('text/plain', text)
      e.dispatchEvent(new ClipboardEvent('paste', { clipboardData: c, cancelable: true }))
    }, 'مرحبا ')
    await page.locator('.keys').evaluate(e => {
      for (const data of ['n', '你h', '你好']) e.dispatchEvent(new CompositionEvent('compositionupdate', { data }))
      e.dispatchEvent(new CompositionEvent('compositionend', { data: '你好' }))
    })
    await page.keyboard.insertText(' 👩‍👩‍👧')
    await holds('five scripts', s => s.text === 'Latin Привет مرحبا 你好 👩‍👩‍👧')
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Backspace')
    await holds('nothing', s => s.text === '')
    // A list, a dialog, a file of this computer, and the wheel.
    await press(60, 235)
    await page.getByRole('option', { name: 'three' }).click()
    await holds('the option', s => s.list === 'three')
    await press(60, 285)
    await page.getByRole('alertdialog').getByRole('textbox').fill('me')
    await axe(page, 'a dialog')
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
    await holds('the answer', s => s.told === 'me')
    await press(60, 335)
    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'mine.txt', mimeType: 'text/plain', buffer: Buffer.from('my words') })
    await holds('the file', s => s.told === 'mine.txt my words')
    await move(500, 300)
    await page.mouse.wheel(0, 300)
    await holds('the wheel', s => s.scrolled > 100)
    await page.mouse.wheel(0, -3000)
    await holds('the wheel', s => s.scrolled === 0)
    // Escape twice gives the keyboard back to Cove; the note goes to the agent.
    await until('the way out of the page', async () => {
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      return (await page.evaluate(() => document.activeElement.textContent)) === 'Hand back to agents'
    })
    await press(60, 135)
    await until('the next page', async () => sent.join().includes('Code-7431'))
    await page.getByLabel('Note for the agents').fill('mind the slider')
    await page.getByRole('button', { name: 'Hand back to agents' }).click()
    await page.getByRole('button', { name: 'Take control', exact: true }).waitFor()
    let heard
    void asked.then(got => {
      heard = got
    })
    await until('the agent to hear of it', () => heard)
    const done = heard
    check(
      !done.bad && done.text.includes('The user has done it.') && done.text.includes('mind the slider'),
      'the agent hears ' + done.text,
    )
    check((await works('take_snapshot')).includes('Welcome'), 'the agent does not see the next page')
    site.close()
  },

  // What agents may do: the rules are set in the window, and in force; what an agent asks is answered there.
  async rules() {
    const site = await loginSite(),
      { sent, home } = site
    const page = await window(['400', '403', '404'])
    const name = 'First profile'
    const edit = () => editing(page, name)
    let d = await edit()
    await d.getByText('stay hidden only if').waitFor() // open lets agents run scripts
    await d.getByRole('button', { name: /^Guarded/ }).click()
    await shows(
      async () => (await d.getByText('stay hidden only if').count()) === 0,
      'guarded promises less than it does',
    )
    await d.getByLabel('Allowed sites').fill(home + '/with/a/path')
    await d.getByText('Advanced permissions').click()
    await shows(
      async () =>
        (await d.getByLabel('Submit forms').inputValue()) === 'ask' &&
        (await d.getByLabel('Run scripts').inputValue()) === 'no',
      'the rights are not those of the preset',
    )
    await d.getByLabel('Upload').or(d.getByLabel('Upload files')).selectOption('no')
    await d.getByLabel('One agent at a time').check()
    await d.getByRole('button', { name: 'Save' }).click()
    await d.locator('.error').first().waitFor()
    await shows(
      async () => (await d.getByLabel('Allowed sites').getAttribute('aria-invalid')) === 'true',
      'the refused site is not marked',
    )
    await d.getByLabel('Allowed sites').fill(home + '\n')
    await axe(page, 'rules')
    await d.getByLabel('Allowed sites').scrollIntoViewIfNeeded()
    await shot(page, 'rules')
    await d.getByRole('button', { name: 'Save' }).click()
    await d.waitFor({ state: 'detached' })
    const policy = (await api('GET', '/browser_profiles/1/policy')).data
    check(
      policy.preset === 'guarded' &&
        policy.sites.allow.join() === home &&
        JSON.stringify(policy.rights) === '{"upload":"no"}' &&
        policy.oneDriver,
      'saved: ' + JSON.stringify(policy),
    )
    await row(page, name).locator('small', { hasText: 'guarded' }).waitFor({ state: 'attached' })
    await shot(page, 'list')
    // A secret: its name and site are shown, its value never.
    d = await edit()
    await turn(d, 'Secrets')
    for (const one of ['shop', 'other']) {
      await d.getByLabel('Secret name').fill(one)
      await d.getByLabel('Site (https').fill(home)
      await d.getByLabel('Value', { exact: true }).fill('correct-horse')
      if (one === 'shop') await d.getByRole('button', { name: 'Save secret' }).click()
      else await page.keyboard.press('Enter')
      await d.getByText(`{{secret:${one}}}`).waitFor()
    }
    await d.getByLabel('Secret name').fill('shop-code') // one-time codes
    await d.getByLabel('Site (https').fill(home)
    await d.getByLabel('Kind').selectOption('One-time codes')
    await d.getByLabel('Setup key').fill('otpauth://totp/a?secret=JBSWY3DPEHPK3PXP')
    await d.getByRole('button', { name: 'Save secret' }).click()
    await d.getByText('{{totp:shop-code}}').waitFor()
    check(!(await d.innerHTML()).includes('JBSW'), 'the setup key is shown')
    check(
      !(await d.innerHTML()).includes('correct-horse') &&
        (await d.getByLabel('Value', { exact: true }).inputValue()) === '',
      'the value is shown',
    )
    await axe(page, 'secrets')
    await shot(page, 'secrets')
    await d.getByRole('button', { name: 'Remove other' }).click()
    await sure(page, 'Remove')
    await d.getByText('{{secret:other}}').waitFor({ state: 'detached' })
    await shows(
      async () =>
        (await api('GET', '/browser_profiles/1/secrets')).data.map(s => s.name + ' ' + s.kind).join() ===
        'shop password,shop-code totp',
      'the secret was not removed',
    )
    await page.keyboard.press('Escape')
    // An agent asks; the request is there at once, in every view, and takes no focus.
    await api('POST', '/browser_profiles/1/start', { automation: true })
    const tool = await agent('tester')
    const works = async (...call) => {
      const got = await tool(...call)
      check(!got.bad, `${call[0]}: ${got.text}`)
      return got.text
    }
    const uid = async what => new RegExp(`uid=(\\S+) ${what}`).exec(await works('take_snapshot'))?.[1]
    await works('navigate_page', { url: home + '/login' })
    check(
      (await tool('navigate_page', { url: 'http://localhost:' + site.port })).bad,
      'the list of sites is not in force',
    )
    await works('fill', { uid: await uid('textbox "Password"'), value: '{{secret:shop}}' })
    const press = async () => tool('click', { uid: await uid('button "Sign in"') })
    await page.getByRole('searchbox').focus()
    let answer = press()
    const ask = page.getByRole('region', { name: 'tester asks' })
    await ask.getByText('Sign in').first().waitFor()
    await page.getByRole('link', { name: /1 request/ }).waitFor()
    await shows(
      async () =>
        /^\(1\) /.test(await page.title()) &&
        (await page.locator('link[rel=icon]').getAttribute('href')).includes('waiting'),
      'title and icon do not tell of the request',
    )
    check((await page.evaluate(() => document.activeElement.id)) === 'search', 'the request took the focus')
    await axe(page, 'a request')
    await shot(page, 'request')
    await page.getByRole('grid').focus()
    await page.keyboard.press('a')
    await shows(
      async () =>
        (await page.evaluate(() => document.activeElement.getAttribute('aria-label'))) ===
        'tester asks in First profile',
      'the key a does not lead to the request',
    )
    await page.keyboard.press('Enter') // answers nothing
    check((await api('GET', '/asks')).data.length === 1, 'Enter answered a request')
    // The inbox: the whole request with its picture, and all answers.
    await ask.getByRole('link', { name: 'Details' }).click()
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
    await ask.getByText(home + '/login', { exact: true }).waitFor()
    await until('the picture', () => ask.locator('canvas').evaluate(c => c.width > 10))
    await axe(page, 'requests')
    await shot(page, 'requests')
    await ask.getByRole('button', { name: 'Deny' }).click()
    await page.getByRole('status').getByText('You denied it').waitFor()
    await axe(page, 'requests, answered')
    await page.evaluate(() => {
      location.hash = '#/'
    })
    await ask.waitFor({ state: 'detached' })
    check((await answer).bad && !sent.length, 'a refused step was done')
    d = await edit() // above the window of a profile, too
    answer = press()
    await d.getByRole('region', { name: 'tester asks' }).waitFor()
    const {
      data: [waits],
    } = await api('GET', '/approvals')
    await api('POST', '/approvals/' + waits.id, { allow: false }) // answered elsewhere
    await ask.waitFor({ state: 'detached' })
    check((await answer).bad, 'a step that was refused elsewhere was done')
    await page.keyboard.press('Escape')
    // Live: take over, give back.
    await page.evaluate(() => {
      location.hash = '#/live/1'
    })
    await page.getByText('tester is in control').waitFor()
    await page.locator('.who').getByText('tester').waitFor()
    answer = press()
    await ask.getByRole('button', { name: 'Allow once' }).click()
    check(!(await answer).bad && sent.join().includes('correct-horse'), 'an allowed step was not done')
    await page.getByRole('button', { name: 'Pause all agents' }).click()
    await page.getByText('Agents are paused.').waitFor()
    let done = false
    answer = tool('navigate_page', { url: home + '/after' }).then(got => {
      done = true
      return got
    })
    await axe(page, 'taken over')
    await shot(page, 'taken')
    check(!done, 'an agent went on')
    await page.getByRole('button', { name: 'Resume all agents' }).click()
    await page
      .getByText('The agents are told:')
      .or(page.getByRole('button', { name: 'Pause all agents' }))
      .first()
      .waitFor()
    check(!(await answer).bad, 'the agent was not let on')
    // What it did.
    await page.getByRole('button', { name: 'Journal' }).click()
    await page.getByRole('heading', { name: 'Journal of First profile' }).waitFor()
    const steps = page.locator('.reel li')
    await steps.filter({ hasText: 'Filled the field "Password" with a secret' }).first().waitFor()
    await steps.filter({ hasText: 'Denied: ' }).first().waitFor()
    await steps.filter({ hasText: 'Clicked the button "Sign in"' }).last().getByRole('button').click()
    await until('a picture', () => page.locator('.shots canvas').evaluateAll(all => all.some(c => c.width > 50)))
    check(!(await page.innerText('main')).includes('correct-horse'), 'the journal tells the secret')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Verified:').waitFor()
    await axe(page, 'journal')
    await shot(page, 'journal')
    await page.setViewportSize({ width: 900, height: 760 })
    await axe(page, 'journal 900')
    await page.setViewportSize({ width: 1280, height: 800 })
    // The PIN, and panic.
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('New PIN').fill('4711')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByRole('button', { name: 'Change' }).waitFor()
    await axe(page, 'settings with a PIN')
    await shot(page, 'settings')
    await page.getByRole('button', { name: 'Stop all agents…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop all agents', exact: true }).click()
    await page.getByText('All agents are blocked').waitFor()
    const cut = await tool('list_pages').catch(e => ({ bad: true, text: String(e) }))
    check(cut.bad, 'an agent works during a panic')
    await shows(
      async () =>
        !/agents? connected/.test(await page.getByRole('contentinfo').textContent()) &&
        !/agent/.test(await page.getByRole('link', { name: /^Activity/ }).textContent()),
      'agents are counted that a panic has cut off',
    )
    await axe(page, 'panic')
    await shot(page, 'panic')
    await page.getByRole('button', { name: 'Allow agents' }).click()
    const pin = page.getByRole('dialog', { name: 'Your PIN' })
    await pin.getByLabel('PIN').fill('1111')
    await page.keyboard.press('Enter')
    await pin.getByText('Incorrect PIN').waitFor()
    await axe(page, 'PIN')
    await shot(page, 'pin')
    check((await api('GET', '/panic')).on, 'the panic was lifted without the PIN')
    await pin.getByLabel('PIN').fill('4711')
    await page.keyboard.press('Enter')
    await page.getByText('All agents are blocked').waitFor({ state: 'detached' })
    await shows(async () => !(await api('GET', '/panic')).on, 'the panic was not lifted')
    // For a while it need not be typed again.
    d = await edit()
    await d.getByRole('button', { name: /^Open Scripts/ }).click()
    await d.getByRole('button', { name: 'Save' }).click()
    await d.waitFor({ state: 'detached' })
    await shows(
      async () => (await api('GET', '/browser_profiles/1/policy')).data.preset === 'open',
      'the policy was not loosened',
    )
    // Changing the PIN takes the old one all the same; giving up changes nothing.
    await page.evaluate(() => {
      location.hash = '#/settings'
    })
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await sure(page, 'Remove')
    await pin.waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alert').getByText('Nothing was changed').waitFor()
    check((await api('GET', '/pin')).set, 'the PIN is gone')
    // A window that the app opens by itself asks for it.
    const { url } = await api('POST', '/ui/code', { ask: true })
    const fresh = await (await browser.newContext()).newPage()
    await fresh.goto(url)
    await fresh.getByRole('textbox', { name: 'PIN' }).fill('4711')
    await fresh.keyboard.press('Enter')
    await fresh.getByRole('grid').waitFor()
    // The journal of a closed profile.
    await api('POST', '/browser_profiles/1/stop')
    await fresh.evaluate(() => {
      location.hash = '#/journal/1'
    })
    await fresh.locator('.reel').getByText('Clicked the button "Sign in"').first().waitFor()
    site.close()
  },

  // Every rule goes from the window to the app and back; what the app refuses stands beside its field, also in a folded
  // section.
  async policy() {
    const page = await window(['400'])
    const name = 'First profile',
      kept = async () => (await api('GET', '/browser_profiles/1/policy')).data
    let d = await editing(page, name)
    const save = async () => {
      await d.getByRole('button', { name: 'Save' }).click()
      await d.waitFor({ state: 'detached' })
    }
    const rights = [
      'Click, type',
      'Visit sites outside',
      'Submit forms',
      'Upload files',
      'Download',
      'Run scripts',
      'Read cookies',
      'Use the clipboard',
      'Take tabs',
      'Open file:',
      'Call tools that',
    ]
    const answers = ['no', 'ask', 'yes', 'no', 'yes', 'ask', 'yes', 'no', 'no', 'ask', 'no']
    await d.getByRole('button', { name: /^Guarded/ }).click()
    await d.getByText('Advanced permissions').click()
    for (const [i, right] of rights.entries()) await d.getByLabel(right).selectOption(answers[i])
    await d.getByLabel('One agent at a time').check()
    await d.getByLabel('Each agent works in its own tabs').uncheck()
    await d.getByLabel('Save screenshots').uncheck()
    await d.getByLabel('Clients that can request').fill('claude-code, my agent')
    await d.getByLabel('Allowed sites').fill('https://*.example.com\n\n example.org ')
    // What is typed can be tested before it is saved.
    await d.getByLabel('Blocked sites').fill('https://bad.example.com')
    for (const [url, step, answer] of [
      ['example.org', 'Run scripts', 'Asks you The permission script is set to ask'],
      ['www.example.com/x', 'Upload', 'Denied The permission upload is set to no'],
      ['https://bad.example.com', 'Download', "Denied The profile's policy blocks https://bad.example.com"],
      ['https://example.org', 'Open the page', "Allowed The profile's lists of sites allow it."],
      ['http://other.test', 'Open the page', "Asks you The profile's policy allows only"],
      ['x y', 'Open the page', '"x y" is not a URL.'],
    ]) {
      const test = d.getByRole('region', { name: 'Test these permissions' })
      await test.getByLabel('Page').fill(url)
      await test.getByLabel('What the agent does').selectOption({
        label: await test.getByLabel('What the agent does').locator('option', { hasText: step }).first().textContent(),
      })
      await test.getByLabel('Page').press('Enter')
      await test.getByText(answer).waitFor()
    }
    check((await kept()).preset === 'open', 'a test saves the rules')
    await axe(page, 'tested rules')
    await shot(page, 'agents-tab')
    await d.getByLabel('Blocked sites').fill('https://bad.example.com, https://worse.example.com')
    await d.getByRole('button', { name: 'Save' }).click()
    await d.getByText('it contains a space or a comma').waitFor()
    const blocked = d.getByLabel('Blocked sites')
    await shows(
      async () =>
        (await blocked.getAttribute('aria-invalid')) === 'true' &&
        (await d.getByLabel('Allowed sites').getAttribute('aria-invalid')) === null,
      'the wrong field is marked',
    )
    await until('the focus in the refused field', () => blocked.evaluate(e => e === document.activeElement))
    await shows(
      async () =>
        await d
          .getByRole('textbox', { name: 'Blocked sites' })
          .evaluate(e =>
            document
              .getElementById(e.getAttribute('aria-describedby').split(' ')[0])
              ?.textContent.includes('Write a site such as'),
          ),
      'the reason is not tied to its field, or has no next step',
    )
    await blocked.fill('https://bad.example.com')
    await d.getByLabel('Clients that can request').fill('x'.repeat(300))
    await d.getByText('Advanced permissions').click() // folded again
    await d.getByRole('button', { name: 'Save' }).click()
    await d.getByLabel('Clients that can request').and(d.locator('[aria-invalid=true]:focus')).waitFor()
    await axe(page, 'a refused rule')
    await d.getByLabel('Clients that can request').fill('claude-code, my agent')
    await save()
    const got = await kept()
    check(
      got.preset === 'guarded' &&
        got.oneDriver === true &&
        got.sharedTabs === true &&
        got.noPictures === true &&
        got.answerers.join() === 'claude-code,my agent' &&
        got.sites.allow.join() === 'https://*.example.com,example.org' &&
        got.sites.block.join() === 'https://bad.example.com',
      'saved: ' + JSON.stringify(got),
    )
    // What is as the preset has it is not kept by itself: send forms and the like were other than guarded's own.
    check(
      JSON.stringify(got.rights) ===
        JSON.stringify({
          act: 'no',
          clipboard: 'no',
          download: 'yes',
          leave: 'ask',
          local: 'ask',
          page_tool: 'no',
          script: 'ask',
          storage: 'yes',
          submit: 'yes',
          tab: 'no',
          upload: 'no',
        }),
      'rights: ' + JSON.stringify(got.rights),
    )
    d = await editing(page, name)
    await d.getByText('Advanced permissions').click()
    for (const [i, right] of rights.entries())
      await shows(
        async () => (await d.getByLabel(right).inputValue()) === answers[i],
        `${right} is not shown as it was saved`,
      )
    await shows(
      async () =>
        (await d.getByLabel('One agent at a time').isChecked()) &&
        !(await d.getByLabel('Save screenshots').isChecked()) &&
        (await d.getByLabel('Clients that can request').inputValue()) === 'claude-code, my agent' &&
        (await d.getByLabel('Allowed sites').inputValue()) === 'https://*.example.com\nexample.org' &&
        (await d.getByLabel('Blocked sites').inputValue()) === 'https://bad.example.com',
      'the rules are not shown as they were saved',
    )
    // Nothing was changed, so nothing is asked; Escape is never too much.
    await page.keyboard.press('Escape')
    await d.waitFor({ state: 'detached' })
    d = await editing(page, name, 'General')
    await d.getByLabel('Name', { exact: true }).fill('Another name')
    for (let i = 0; i < 7; i++) {
      // a browser closes a dialog that refuses too often
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor({ state: i % 2 ? 'detached' : 'attached' })
      await shows(
        async () => await d.evaluate(e => e.open),
        `the window of the profile is gone after ${i + 1} times Escape`,
      )
    }
    await shows(
      async () => (await page.evaluate(() => document.activeElement.textContent)) === 'Cancel',
      'Enter would lose what was typed',
    )
    await page.getByRole('button', { name: 'Discard' }).click()
    // Another preset forgets the single rights and keeps the sites; off shows nothing more.
    d = await editing(page, name)
    await d.getByRole('button', { name: /^Read-only/ }).click()
    await d.getByText('Advanced permissions').click()
    for (const right of rights)
      await shows(async () => (await d.getByLabel(right).inputValue()) === 'no', `read-only lets agents ${right}`)
    await d.getByRole('button', { name: /^Off/ }).click()
    await shows(async () => (await d.getByLabel('Allowed sites').count()) === 0, 'off has sites')
    await save()
    const off = await kept()
    check(
      off.preset === 'off' && !Object.keys(off.rights || {}).length && off.sites.allow.length === 2,
      'off: ' + JSON.stringify(off),
    )
    await page
      .getByRole('button', { name: 'Open for agents: ' + name })
      .and(page.locator(':disabled'))
      .waitFor()
    // Back to what every profile has at first.
    d = await editing(page, name)
    await d.getByRole('button', { name: /^Open Scripts/ }).click()
    for (const field of ['Allowed sites', 'Blocked sites']) await d.getByLabel(field).fill('')
    await save()
    await shows(
      async () => (await kept()).preset === 'open' && !(await kept()).sites?.allow?.length,
      'open: ' + JSON.stringify(await kept()),
    )
  },

  // What agents ask: a yes until they leave, an answer that never comes, a PIN that is guessed; and all of it in the
  // journal, in words.
  // Five agents in five profiles: the window shows each as it is, and the person answers from the keyboard alone.
  async five() {
    const page = await window()
    await page.getByRole('grid').focus()
    await page.keyboard.press('2')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    const card = name => page.locator('li.card.open').filter({ has: page.getByRole('link', { name, exact: true }) })
    const says = async (name, ...words) => {
      for (const w of words) await card(name).getByText(w).first().waitFor()
    }
    await says('Asks', 'Waiting for you')
    await says('Hands over', 'Waiting for you')
    await says('Fails', /Could not click/)
    await says('Refused', /Denied: localhost:\d+ is not on the allow list/)
    await says('Works', 'Working', /Read the page|Reading the page/)
    for (const name of ['Asks', 'Hands over', 'Fails', 'Refused', 'Works'])
      await until('the picture of ' + name, () =>
        card(name)
          .locator('canvas')
          .evaluate(c => c.width > 50),
      )
    const order = await page.locator('li.card.open .name').allInnerTexts()
    check(order.slice(0, 2).sort().join() === 'Asks,Hands over', 'those that wait do not stand first: ' + order)
    await shows(async () => (await page.title()).startsWith('(2) '), 'the title does not tell of two requests')
    await says('Fails', 'Stuck') // after a while
    await axe(page, 'activity')
    await shot(page, 'activity')
    // A leads to the request that expires first; there A and D answer it.
    for (const left of [1, 0]) {
      await page.keyboard.press('a')
      await shows(
        () => page.evaluate(() => document.activeElement.matches('.asks')),
        'the key a does not lead to a request',
      )
      await page.keyboard.press('a')
      await shows(async () => (await api('GET', '/asks')).data.length === left, `${left} requests should be left`)
      await shows(async () => (await page.locator('.overview .asks').count()) === left, `${left} cards should be left`)
    }
    await shows(async () => !(await page.title()).startsWith('('), 'the title still tells of a request')
    // The journals tell all five.
    const told = {
      2: /Clicked the button "Sign in"/,
      3: /Solve the captcha/,
      4: /Could not click/,
      5: /Denied: (open )?localhost/,
      6: /Read the page/,
    }
    for (const [id, words] of Object.entries(told)) {
      await page.evaluate(at => {
        location.hash = at
      }, `#/journal/${id}`)
      await page.locator('.reel').getByText(words).first().waitFor()
    }
  },

  async asks() {
    const site = await loginSite(),
      { sent, home } = site
    const page = await window(['403', '429'])
    await api('PUT', '/browser_profiles/1/policy', { preset: 'guarded', sites: { allow: [home] } })
    await api('POST', '/browser_profiles/1/start', { automation: true })
    const login = async tool => {
      const uid = async what => new RegExp(`uid=(\\S+) ${what}`).exec((await tool('take_snapshot')).text)?.[1]
      await tool('navigate_page', { url: home + '/login' })
      await tool('fill', { uid: await uid('textbox "Password"'), value: 'typed' })
      return tool('click', { uid: await uid('button "Sign in"') })
    }
    const first = await agent('first')
    let answer = login(first)
    const ask = name => page.getByRole('region', { name: name + ' asks' })
    await ask('first').getByRole('link', { name: 'Details' }).click()
    await ask('first').getByRole('button', { name: 'Allow for this session' }).click()
    await page.evaluate(() => {
      location.hash = '#/'
    })
    check(!(await answer).bad && sent.length === 1, 'what was allowed until the agent leaves was not done')
    check(!(await login(first)).bad && sent.length === 2, 'it was asked again')
    await shows(async () => (await ask('first').count()) === 0, 'a request is left')
    // Another agent has no yes; nobody answers it. The person goes on meanwhile: nothing that they need is covered.
    const second = await agent('second')
    await second('new_page', { url: 'about:blank' }) // the first one has the other tab
    answer = login(second)
    await ask('second').waitFor()
    await page.setViewportSize({ width: 640, height: 400 }) // as at 200 %
    for (const b of await ask('second').getByRole('button').all()) {
      const box = await b.boundingBox()
      check(box.y >= 0 && box.y + box.height <= 400, 'an answer is out of sight at 200 %')
    }
    const d = await editing(page, 'First profile')
    for (const [width, height] of [
      [640, 400],
      [900, 700],
      [1280, 800],
    ]) {
      await page.setViewportSize({ width, height })
      await d.getByRole('button', { name: 'Save' }).click({ trial: true })
    }
    await page.keyboard.press('Escape')
    const late = await answer
    check(late.bad && late.text.includes('No response yet') && sent.length === 2, 'late: ' + late.text)
    // The request outlives the call: after a late yes the same step passes, once.
    await ask('second').getByRole('button', { name: 'Allow once' }).click()
    await shows(async () => (await page.getByRole('link', { name: /request/ }).count()) === 0, 'something still asks')
    const again = await second('click', {
      uid: new RegExp('uid=(\\S+) button "Sign in"').exec((await second('take_snapshot')).text)?.[1],
    })
    check(!again.bad && sent.length === 3, 'a late yes did not count: ' + again.text)
    // Taking over, giving back, panic.
    await page.evaluate(() => {
      location.hash = '#/live/1'
    })
    await page.getByRole('button', { name: 'Pause all agents' }).click()
    await page.getByRole('button', { name: 'Resume all agents' }).click()
    await page.getByRole('button', { name: 'Pause all agents' }).waitFor()
    answer = login(second)
    await page.getByRole('region', { name: 'second asks' }).getByRole('button', { name: 'Deny' }).click()
    check((await answer).bad, 'a refused step was done')
    await page.getByRole('button', { name: 'Stop all agents…' }).click()
    await page.keyboard.press('Enter')
    await page.getByText('All agents are blocked').waitFor()
    await api('PUT', '/pin', { pin: '4711' })
    // A PIN that is guessed: it says how long to wait, and the right one waits as well.
    await page.getByRole('button', { name: 'Allow agents' }).click()
    const pin = page.getByRole('dialog', { name: 'Your PIN' }),
      slow = pin.getByRole('alert').getByText(/Wait \d+ seconds?/)
    for (let i = 0; i < 8 && !(await slow.count()); i++) {
      await pin.getByLabel('PIN').fill('000' + i)
      const tried = page.waitForResponse(a => a.url().endsWith('/pin/unlock') && a.request().method() === 'POST')
      await page.keyboard.press('Enter')
      await tried
      await pin.getByRole('button', { name: 'Continue' }).and(page.locator(':enabled')).waitFor()
    }
    await slow.waitFor()
    await axe(page, 'a PIN that has to wait')
    await pin.getByLabel('PIN').fill('4711')
    await page.keyboard.press('Enter')
    await slow.waitFor()
    check((await api('GET', '/panic')).on, 'a guessed PIN did not have to wait')
    await until('the PIN to be taken', async () => {
      if (await pin.count()) {
        await pin
          .getByLabel('PIN')
          .fill('4711', { timeout: 1000 })
          .catch(() => {})
        await page.keyboard.press('Enter')
      }
      await new Promise(r => setTimeout(r, 500))
      return !(await api('GET', '/panic')).on
    })
    await pin.waitFor({ state: 'detached' })
    // The journal has it in words.
    await page.evaluate(() => {
      location.hash = '#/journal/1'
    })
    const told = page.locator('.reel'),
      all = page.locator('.reel h2 button[aria-expanded=false]')
    await told.getByRole('button').first().waitFor()
    while (await all.count()) await all.first().click()
    for (const words of [
      'Opened for agents',
      'You allowed, for this session: click the button "Sign in"',
      'You allowed: click the button "Sign in"',
      'You denied: click the button "Sign in"',
      'You took control',
      'You handed control back',
      'Message to agents: ',
      'You stopped all agents',
      'You allowed agents again',
    ])
      await told.getByText(words).first().waitFor()
    await api('PUT', '/browser_profiles/1/policy', { preset: 'read-only', oneDriver: true, sites: { allow: [home] } })
    await told.getByText('You changed the agent permissions: read-only').waitFor() // it follows an open profile
    await shows(async () => !(await told.innerText()).includes('{"'), 'the journal shows JSON')
    await axe(page, 'what people did')
    await shows(
      async () => (await page.title()) === 'Journal of First profile – Cove',
      'the title is ' + (await page.title()),
    )
    site.close()
  },

  // Dark and light by the system's setting, and narrow windows; each view looked at by axe.
  async look() {
    for (let i = 1; i <= 8; i++)
      await api('POST', '/browser_profiles', {
        name: `A profile with a rather long name ${i}`,
        folder: `Folder ${i % 3}`,
        tags: ['one', 'two', 'three'],
        proxy: { type: 'socks5', host: 'proxy.example', port: 1080 },
      })
    await api('POST', '/browser_profiles/1/start', { automation: true })
    const page = await window()
    const shades = {}
    for (const theme of ['dark', 'light']) {
      await page.emulateMedia({ colorScheme: theme })
      for (const width of [1280, 900, 640]) {
        // the last is 1280 at 200 %
        await page.setViewportSize({ width, height: width === 640 ? 400 : 760 })
        const whole = (theme === 'dark') === (width === 900) // each theme and each width once: it takes its time
        for (const place of [
          '',
          'profile/2',
          'new',
          'activity',
          'connect',
          'connect/1',
          'live/1',
          'proxies',
          'settings',
          'trash',
          'folder/Folder%201',
        ]) {
          await page.evaluate(p => {
            location.hash = '#/' + p
          }, place)
          await axe(page, `${place || 'profiles'} ${theme} ${width}`, whole)
          await shows(async () => await page.getByRole('contentinfo').isVisible(), `${place}: no bar at the bottom`)
          const cut = await page.evaluate(() =>
            [...document.querySelectorAll('#table, header, footer, dialog .foot, .page, .live')]
              .filter(e => e.scrollWidth > e.clientWidth + 1)
              .map(e => e.id || e.className || e.tagName),
          )
          check(!cut.length, `${place || 'profiles'} ${width}: cut at the right: ${cut}`)
          const title = await page.locator('header h1').evaluate(h => h.scrollWidth > h.clientWidth && h.textContent)
          check(!title, `${place} ${width}: “${title}” is cut`)
        }
        await page.evaluate(() => {
          location.hash = '#/'
        })
        await row(page, 'First profile').getByRole('checkbox').check()
        await axe(page, `selected ${theme} ${width}`, whole)
        await row(page, 'First profile').getByRole('checkbox').uncheck()
      }
      // A phone: what a row can do is in the window.
      await page.setViewportSize({ width: 390, height: 760 })
      for (const name of ['Stop: First profile', 'Open: A profile with a rather long name 1']) {
        const box = await page.getByRole('button', { name, exact: true }).boundingBox()
        check(
          box && box.x >= 0 && box.x + box.width <= 390,
          `${name} is not in a window of 390 pixels: ${JSON.stringify(box)}`,
        )
      }
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width: 390, height: 760 })
      // What is behind a profile's window is dimmed: it cannot be used.
      await page.evaluate(() => {
        location.hash = '#/profile/2'
      })
      await page.getByRole('dialog').waitFor()
      const dim = await page.evaluate(
        () => getComputedStyle(document.querySelector('dialog'), '::backdrop').backgroundColor,
      )
      check(!/, 0\)$/.test(dim) && dim !== 'transparent', `what is behind the drawer is not dimmed: ${dim}`)
      await page.keyboard.press('Escape')
      shades[theme] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    }
    said.shades = shades
  },

  // A page of another port of the same address, in the browser that is signed in. Its server even gets the cookie.
  async foreign() {
    const page = await window(['ERR_', '403', 'blocked', 'CORS', 'Failed to load'])
    let leaked = ''
    const server = createServer((q, r) => {
      leaked ||= q.headers.cookie || ''
      r.setHeader('Content-Type', 'text/html')
      r.end('<title>evil</title>')
    })
    await new Promise(done => server.listen(0, '127.0.0.1', done))
    const evil = await context.newPage()
    await evil.goto(`http://127.0.0.1:${server.address().port}/`)
    const tried = await evil.evaluate(async base => {
      const out = {}
      const attempt = async (name, f) => {
        try {
          out[name] = await f()
        } catch {
          out[name] = 'refused'
        }
      }
      await attempt(
        'read',
        async () => (await fetch(base + '/v1.0/browser_profiles', { credentials: 'include' })).status,
      )
      await attempt(
        'with a key',
        async () =>
          (await fetch(base + '/v1.0/browser_profiles', { credentials: 'include', headers: { 'Cove-Window': 'x' } }))
            .status,
      )
      await attempt('start', async () => {
        await fetch(base + '/v1.0/browser_profiles/1/start', { mode: 'no-cors', credentials: 'include' })
        return 'sent'
      })
      await attempt('post', async () => {
        await fetch(base + '/v1.0/browser_profiles', {
          method: 'POST',
          mode: 'no-cors',
          credentials: 'include',
          body: '{"name":"evil"}',
        })
        return 'sent'
      })
      await attempt('code', async () => {
        await fetch(base + '/v1.0/ui/code', { method: 'POST', mode: 'no-cors', credentials: 'include' })
        return 'sent'
      })
      const form = document.createElement('form')
      form.method = 'POST'
      form.action = base + '/v1.0/browser_profiles'
      form.target = 'f'
      form.innerHTML = '<input name="name" value="evil by form">'
      const frame = document.createElement('iframe')
      frame.name = 'f'
      document.body.append(form, frame)
      form.submit()
      await new Promise(r => setTimeout(r, 500))
      const shown = document.createElement('iframe')
      shown.src = base + '/'
      document.body.append(shown)
      await new Promise(r => setTimeout(r, 500))
      out.framed = shown.contentDocument?.title ?? 'another document'
      return out
    }, base)
    said.tried = tried
    const list = await api('GET', '/browser_profiles')
    check(
      list.total === 1 && list.data[0].state === 'closed',
      'another page has changed something: ' + JSON.stringify(list.data),
    )
    check(
      tried.read === 'refused' && tried['with a key'] === 'refused',
      'another page has read something: ' + JSON.stringify(tried),
    )
    said.leaked = leaked !== ''
    for (const path of ['/v1.0/ui/session', '/v1.0/settings', '/v1.0/tokens']) {
      const res = await fetch(base + path, { headers: { Cookie: leaked } })
      check(res.status === 401, `${path} with the cookie alone answers ${res.status}`)
    }
    await evil.goto('data:text/html,<title>nowhere</title>')
    server.close()
    await page.reload()
    await page.getByRole('grid').waitFor()
  },

  // An agent sends its tab to the window's address.
  async agent() {
    const { automation } = await api('POST', '/browser_profiles/1/start', { automation: true })
    const puppet = await puppeteer.connect({ browserURL: `http://127.0.0.1:${automation.port}`, defaultViewport: null })
    const tab = await puppet.newPage()
    await tab.goto(base + '/').catch(e => {
      said.refused = String(e)
    })
    await new Promise(r => setTimeout(r, 1500))
    said.text = await tab.evaluate(() => document.body.innerText)
    said.calls = await tab.evaluate(async base => {
      const out = {}
      for (const [method, path] of [
        ['GET', '/v1.0/browser_profiles'],
        ['GET', '/v1.0/settings'],
        ['POST', '/v1.0/ui/code'],
        ['POST', '/v1.0/browser_profiles/1/stop'],
        ['GET', '/v1.0/events'],
        ['GET', '/v1.0/browser_profiles/1/live'],
        ['POST', '/v1.0/auth/logout'],
      ])
        out[method + ' ' + path] = await fetch(new URL(path, base), { method }).then(
          r => r.status,
          () => 0,
        )
      return out
    }, base)
    await puppet.disconnect()
  },

  // The window finds the app again.
  async away() {
    const page = await window(['ERR_', '/v1.0/'])
    await api('POST', '/app/stop', {})
    await page.getByText('Cove isn’t running').first().waitFor()
    const banner = page.getByRole('alert').filter({ hasText: 'Cove isn’t running.' })
    await banner.waitFor()
    await axe(page, 'away')
    await page.locator('#open-status').click()
    const d = page.getByRole('dialog', { name: 'Status' })
    await d.getByText('Start it with cove up').waitFor()
    await shows(
      async () => !/found|passed/.test(await d.textContent()),
      'the status says what it cannot know: ' + (await d.textContent()),
    )
    await page.keyboard.press('Escape')
    for (const name of ['Open: First profile', 'Open for agents: First profile', 'New profile'])
      check(await page.getByRole('button', { name, exact: true }).isDisabled(), `${name} can be pressed without an app`)
    await page.getByRole('link', { name: 'Settings' }).click() // what it cannot read now it reads when the app is back
    await page.waitForTimeout(500)
    check((await page.getByRole('alert').count()) === 1, 'the same is told twice')
    writeFileSync(file, '')
    await page.getByRole('button', { name: /Local API/ }).waitFor({ timeout: 60000 }) // the next app knows the window
    await page.getByLabel('Local API port').waitFor()
    await shows(async () => (await page.getByRole('alert').count()) === 0, 'what was wrong is still told')
    await page.getByRole('link', { name: /^Profiles/ }).click()
    await api('PATCH', '/browser_profiles/1', { name: 'After the restart' })
    await row(page, 'After the restart').waitFor()
  },

  // What an agent did, as a film: in words, with pictures, by keyboard alone; what is shown stands in the address.
  async replay() {
    const page = await window()
    await page.evaluate(() => {
      location.hash = '#/journal/1'
    })
    const list = page.getByRole('region', { name: 'Steps' }),
      player = page.getByRole('region', { name: 'Player' })
    const title = () => player.getByRole('heading').innerText()
    const drawn = () =>
      page
        .locator('.shots canvas')
        .evaluateAll(all =>
          all.map(c =>
            c.width > 300
              ? c.getContext('2d').getImageData(3, c.height - 3, 1, 1).data[2] < 128
                ? 'gold'
                : 'white'
              : '',
          ),
        )
    await list.getByText('Clicked the button "Refund order"').waitFor()
    await list.getByText('bank.example is not on the allow list').waitFor()
    await list.getByText('Typed text into the field "Password"').waitFor()
    check(
      !/uid|take_snapshot|navigate_page|"\w+":/.test(await list.innerText()),
      'a step is not in words: ' + (await list.innerText()),
    )
    check(!(await page.innerText('main')).includes('typed-by-hand'), 'the journal tells what was typed')
    await list.getByRole('button', { name: /Looked \d times/ }).waitFor() // runs of reads are folded
    check((await list.getByRole('button', { name: /^Today, .* e2e/ }).count()) === 2, 'there are not two sessions')
    // The keyboard alone: there, from step to step, to what was denied.
    await page.getByRole('searchbox').focus()
    await until('the list by Tab', async () => {
      await page.keyboard.press('Tab')
      return page.evaluate(() => !!document.activeElement.dataset.seq)
    })
    const { data } = await api('GET', '/browser_profiles/1/journal?order=asc&limit=1000')
    const session = data.at(-1).session,
      film = data.filter(e => e.session === session).sort((a, b) => Date.parse(a.time) - Date.parse(b.time))
    await page.keyboard.press('Home')
    for (const e of film) {
      await shows(async () => (await title()) === e.summary, `not at “${e.summary}” but at “${await title()}”`)
      await shows( // steps of one title follow each other: the title alone does not tell that the key was heard
        async () => (await page.evaluate(() => document.activeElement.dataset.seq)) === String(e.seq),
        `the focus is not at “${e.summary}”`,
      )
      await page.keyboard.press('ArrowRight')
    }
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowRight')
    await shows(
      async () => (await title()) === 'Denied: open bank.example',
      'Shift and Right do not lead to what was denied',
    )
    await page.keyboard.press('ArrowUp')
    await shows(async () => !(await title()).startsWith('Denied'), 'Up does nothing')
    // Pictures: before, after, both; one that a step does not have.
    const click = film.find(e => e.name === 'click')
    await list.getByText(click.summary).click()
    await shows(
      async () => (await drawn()).join() === 'gold',
      'the page after the click is not there: ' + (await drawn()),
    )
    await page.keyboard.press('b')
    await shows(
      async () => (await drawn()).join() === 'white',
      'the page before the click is not there: ' + (await drawn()),
    )
    await player.getByRole('button', { name: 'Split' }).click()
    await shows(async () => (await drawn()).join(' ') === 'white gold', 'not both are there: ' + (await drawn()))
    await player.focus()
    await page.keyboard.press('z')
    await shows(
      async () => await page.locator('.shots').evaluate(e => e.scrollWidth > e.clientWidth),
      'nothing is larger',
    )
    await page.keyboard.press('z')
    await player.getByRole('button', { name: 'After' }).click()
    await list.getByRole('button', { name: /Looked \d times/ }).click()
    await player.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press(' ')
    await shows(async () => (await title()) !== film[0].summary, 'nothing plays')
    await player.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press(' ')
    await player.getByRole('button', { name: 'Play' }).waitFor()
    // Letters can be turned off.
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await player.focus()
    await page.keyboard.press('b')
    await page.keyboard.press('ArrowRight')
    check(
      (await player.getByRole('button', { name: 'After' }).getAttribute('aria-pressed')) === 'true',
      'a letter does something',
    )
    await page.evaluate(() => localStorage.removeItem('cove-letters'))
    // The scrubber, by mouse.
    const track = await player.getByRole('slider').boundingBox()
    await page.mouse.click(track.x + 3, track.y + 20)
    await shows(async () => (await title()) === film[0].summary, 'a press at the beginning does not lead there')
    // Filters stand in the address, and survive.
    await page.getByLabel('Outcome').selectOption('refused')
    await shows(async () => (await list.locator('[data-seq]').count()) === 1, 'the outcome is not filtered')
    await page.reload()
    await list.getByText('Denied: open bank.example').waitFor()
    await shows(
      async () =>
        (await page.getByLabel('Outcome').inputValue()) === 'refused' &&
        (await list.locator('[data-seq]').count()) === 1,
      'the filter is gone',
    )
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await player.focus()
    await page.keyboard.press('/')
    await page.keyboard.type('refund BUTTON')
    await shows(
      async () =>
        (await list.locator('[data-seq]').count()) === 1 && (await list.innerText()).includes('Clicked the button'),
      'the search does not find it',
    )
    await page.getByRole('searchbox').fill('nothing at all')
    await page.getByText('No matching steps').waitFor()
    await axe(page, 'no matching steps')
    await page.getByRole('searchbox').fill('')
    await list.getByText(click.summary).click()
    await page.reload()
    await shows(async () => (await title()) === click.summary, 'the step is not in the address')
    // Verified, and exported.
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText(/Verified/).waitFor()
    await page.getByText(/\d+ entries and \d+ screenshots are intact/).waitFor()
    for (const [name, to] of [
      ['Export HTML', file],
      ['Export JSON', file + '.json'],
    ]) {
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      await (await saved).saveAs(to)
    }
    const rows = JSON.parse(readFileSync(file + '.json', 'utf8'))
    check(
      rows.every((r, i) => i === 0 || r.prev === rows[i - 1].hash) && rows.length >= data.length,
      `${rows.length} entries were exported`,
    )
    // In both themes and every size.
    for (const theme of ['dark', 'light']) {
      await page.emulateMedia({ colorScheme: theme })
      for (const [width, height] of [
        [1440, 900],
        [900, 640],
        [390, 760],
      ]) {
        await page.setViewportSize({ width, height })
        await shows(async () => (await drawn()).join() === 'gold', 'no picture')
        await axe(page, `journal ${theme} ${width}`)
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll('header, .replay, .player, .reel, .filters')]
            .filter(e => e.scrollWidth > e.clientWidth + 1)
            .map(e => e.className || e.tagName),
        )
        check(!cut.length, `journal ${width}: cut at the right: ${cut}`)
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/replay-${width}-${theme}.png` })
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    // It follows an agent that works.
    await player.focus()
    await page.keyboard.press('End')
    const tool = await agent('live')
    await tool('navigate_page', { url: site + '/later' })
    await list.getByText('/later').first().waitFor()
    await shows(async () => (await title()).includes('/later'), 'the player does not follow: ' + (await title()))
    await tool('ask_person', { message: 'Which size?', kind: 'choose', options: ['S', 'L'], wait: 0 })
    await list.getByText('live 1 asked you to choose: Which size?').first().waitFor()
  },

  // A journal that somebody has changed says so, and where.
  async tampered() {
    const page = await window()
    await page.evaluate(() => {
      location.hash = '#/journal/1'
    })
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Don’t rely on it').waitFor()
    await page.getByText(`The first broken entry is ${entry}.`).waitFor()
    await page.getByRole('button', { name: 'Show entry ' + entry }).click()
    await page.locator(`.reel [aria-current][data-seq="${entry}"]`).waitFor()
    await axe(page, 'a changed journal')
    await shot(page, 'tampered')
  },
}

Object.assign(
  scenarios,
  adopting({ agent, api, axe, check, row, shot, shows, stateOf, until, window }),
  watching({ agent, api, axe, base, check, file, open, row, shot, shows, stateOf, until, window }),
)

try {
  await scenarios[scenario]()
} catch (e) {
  wrong.push(String(e.stack || e))
  for (const [i, page] of context.pages().entries()) {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${scenario}-${i}.png` }).catch(() => {})
    wrong.push('the page then: ' + (await page.evaluate(() => document.body.innerText).catch(() => '')).slice(-1500))
  }
}
await browser.close()
console.log(JSON.stringify({ wrong, said }))
process.exit(0)
