// More of the window, as ui.mjs uses it: what agents touch, who can be stopped, and an app that is away.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

// touchSite has one thing at a known place of a window of 1000 by 700 pixels.
async function touchSite() {
  const page = `<!doctype html><meta charset=utf-8><title>Touch</title><body style="margin:0;background:#fff">
<button style="position:absolute;left:300px;top:200px;width:200px;height:100px">Press</button>
<input aria-label=Name style="position:absolute;left:100px;top:500px;width:400px;height:40px;box-sizing:border-box">`
  const site = createServer((q, r) => { r.setHeader('Content-Type', 'text/html'); r.end(page) })
  await new Promise(done => site.listen(0, '127.0.0.1', done))
  return { home: `http://127.0.0.1:${site.address().port}`, close() { site.close(); site.closeAllConnections() } }
}

export const watching = ({ agent, api, axe, base, check, file, open, row, shot, shows, stateOf, until, window }) => ({
  // What an agent touches has a ring, and the agent's pointer is there; both go by themselves.
  async touch() {
    const site = await touchSite()
    await api('POST', '/browser_profiles/1/start', { automation: true })
    const tool = await agent('tester')
    const works = async (...call) => { const got = await tool(...call); check(!got.bad, `${call[0]}: ${got.text}`); return got.text }
    await works('navigate_page', { url: site.home })
    await works('emulate', { viewport: '1000x700x1' })
    const text = await works('take_snapshot')
    const uid = what => new RegExp(`uid=(\\S+) ${what}`).exec(text)?.[1]
    await works('click', { uid: uid('button "Press"') }) // nobody watches
    const page = await window()
    const ring = page.locator('.touch rect').last(), amber = page.locator('.waits rect').last()
    // around is where a ring stands in its picture, in pixels of the page.
    const around = (what = ring, width = 1000) => what.evaluate((e, width) => {
      const box = e.getBoundingClientRect(), over = e.ownerSVGElement.getBoundingClientRect()
      const fills = e.ownerSVGElement.getAttribute('preserveAspectRatio').endsWith('slice')
      const k = (fills ? Math.max : Math.min)(over.width / width, over.height / 700)
      const left = over.left + (over.width - width * k) / 2
      return [box.left - left, box.top - over.top, box.right - left, box.bottom - over.top].map(v => Math.round(v / k))
    }, width)
    const near = (got, want) => got.every((v, i) => Math.abs(v - want[i]) <= 6)
    await page.evaluate(() => { location.hash = '#/live/1' })
    await page.locator('#screen[data-pictures]').waitFor()
    await page.locator('.log').getByText(/Clicked the button "Press"/).first().waitFor()
    check(await ring.count() === 0, 'what was touched before has a ring')
    let done = works('click', { uid: uid('button "Press"') })
    await ring.waitFor({ state: 'attached' })
    check(near(await around(), [296, 196, 504, 304]), 'the ring of the button is at ' + await around())
    check(await page.locator('.touch path').count() === 1, 'the pointer is not shown')
    await done
    await shot(page, 'touch')
    await shows(() => page.locator('.touch').evaluateAll(all => all.every(e => getComputedStyle(e).opacity === '0')), 'the ring stays')
    await axe(page, 'touched')
    done = works('fill', { uid: uid('textbox "Name"'), value: 'Ada' })
    await until('the ring of the field', async () => near(await around(), [96, 496, 504, 544]))
    check(await page.locator('.touch path').count() === 0, 'who fills a field has no pointer')
    await done
    await page.emulateMedia({ reducedMotion: 'reduce' })
    check(await page.locator('.touch').evaluate(e => getComputedStyle(e).animationTimingFunction) === 'step-end' || await page.locator('.touch').evaluate(e => /steps\(1/.test(getComputedStyle(e).animationTimingFunction)), 'the ring moves for who wants no motion')
    await page.emulateMedia({ reducedMotion: null })
    await page.evaluate(() => { location.hash = '#/activity' })
    await until('the thumbnail', () => page.locator('.thumbnail canvas').evaluate(c => c.width > 50).catch(() => false))
    done = works('click', { uid: uid('button "Press"') })
    await ring.waitFor({ state: 'attached' })
    check(near(await around(), [296, 196, 504, 304]), 'the ring in the thumbnail is at ' + await around())
    await done
    await shot(page, 'touch-activity')
    // What an agent waits for has a ring that stays, also for who looks later.
    check(await amber.count() === 0, 'nobody waits, and there is an amber ring')
    void tool('ask_person', { message: 'Which name?', kind: 'code', uid: uid('textbox "Name"'), wait: 300 })
    await amber.waitFor({ state: 'attached' })
    check(near(await around(amber), [96, 496, 504, 544]), 'the amber ring in the thumbnail is at ' + await around(amber))
    await page.evaluate(() => { location.hash = '#/live/1' })
    await page.locator('#screen[data-pictures]').waitFor()
    await amber.waitFor({ state: 'attached' })
    check(near(await around(amber), [96, 496, 504, 544]), 'the amber ring is at ' + await around(amber))
    await axe(page, 'an agent that waits')
    await shot(page, 'waits')
    for (const r of (await api('GET', '/asks')).data) await api('POST', '/asks/' + r.id, { decline: true })
    await amber.waitFor({ state: 'detached' })
    // A page that is not made for phones is shrunk there, and its rings with it.
    await works('emulate', { viewport: '392x700x1,mobile' })
    const small = /uid=(\S+) button "Press"/.exec(await works('take_snapshot'))[1]
    await until('the narrow picture', () => page.locator('#screen').evaluate(c => c.width < c.height))
    done = works('click', { uid: small })
    await until('the ring of the narrow page', async () => near(await around(ring, 392), [116, 76, 204, 124]))
    await done
    void tool('ask_person', { message: 'Press it?', kind: 'do', uid: small, wait: 300 })
    await amber.waitFor({ state: 'attached' })
    check(near(await around(amber, 392), [116, 76, 204, 124]), 'the amber ring of the narrow page is at ' + await around(amber, 392))
    // Where another page has come, there is nothing to ring.
    await works('navigate_page', { url: site.home + '/other' })
    await amber.waitFor({ state: 'detached' })
    for (const r of (await api('GET', '/asks')).data) await api('POST', '/asks/' + r.id, { decline: true })
    // A window that nobody sees needs no pictures.
    const turned = to => page.evaluate(to => {
      Object.defineProperty(document, 'visibilityState', { value: to, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, to)
    const left = page.waitForEvent('requestfailed', r => r.url().includes('/live'))
    await turned('hidden')
    await left
    const pictures = () => page.locator('#screen').getAttribute('data-pictures').then(Number)
    const before = await pictures()
    await turned('visible')
    await until('the live view to go on', async () => await pictures() > before)
    site.close()
  },

  // The app is killed while windows are open: each says so, shows what it knew in grey, and offers nothing that needs the
  // app. When it is back, everything is as before.
  async killed() {
    await api('POST', '/browser_profiles/1/start', { automation: true })
    await agent('tester')
    const away = ['ERR_', '/v1.0/']
    const main = await window(away)
    const at = async (place, ready) => { const page = await open(`${base}/${place}`, away); await ready(page).waitFor(); return page }
    const views = { // no more: a browser has six connections to a host, and each window needs two
      settings: await at('#/settings', page => page.getByLabel('Local API port')),
      connect: await at('#/connect/1', page => page.locator('.client').first()),
    }
    await stateOf(main, 'First profile', 'Open for agents')
    const go = place => main.evaluate(to => { location.hash = to }, place)
    await go('#/live/1')
    await main.locator('#screen[data-pictures]').waitFor()
    writeFileSync(file + '.kill', '')
    const grey = page => page.locator('main > :not(header)').first().evaluate(e => getComputedStyle(e).filter.includes('grayscale'))
    const greyed = async (name, page) => {
      await page.getByRole('alert').filter({ hasText: 'Cove isn’t running.' }).waitFor()
      await shows(() => grey(page), `${name}: what was known is not grey`)
      check(await page.getByRole('button', { name: 'Stop all agents…' }).isDisabled(), `${name}: all agents can be stopped without an app`)
      await axe(page, `${name} without the app`)
      await shot(page, `away-${name}`)
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ colorScheme: 'dark' })
    }
    const off = async (...names) => { for (const name of names) check(await main.locator('main').getByRole('button', { name, exact: true }).isDisabled(), `${name} can be pressed without an app`) }
    for (const [name, page] of Object.entries(views)) await greyed(name, page)
    for (const name of ['settings', 'connect']) {
      const left = await views[name].locator('main .page').locator('button, input, select, textarea').evaluateAll(all => all.filter(e => !e.matches(':disabled')).map(e => e.outerHTML.slice(0, 100)))
      check(!left.length, `${name}: can be used without an app: ${left}`)
    }
    await greyed('live', main)
    await off('Take control', 'Pause all agents', 'Stop')
    await go('#/')
    await greyed('list', main)
    await off('Stop: First profile', 'New profile')
    await row(main, 'First profile').locator('[aria-haspopup=menu]').last().click()
    for (const name of ['Stop', 'Rename', 'Duplicate']) check(await main.getByRole('menuitem', { name }).first().getAttribute('aria-disabled') === 'true', `${name} of the menu can be chosen without an app`)
    await main.keyboard.press('Escape')
    await go('#/activity')
    await greyed('activity', main)
    await off('Stop: First profile')
    await go('#/live/1')
    writeFileSync(file + '.back', '')
    for (const [name, page] of Object.entries({ ...views, main })) {
      await page.getByRole('button', { name: /Local API/ }).waitFor({ timeout: 60000 })
      await shows(async () => await page.getByRole('alert').count() === 0, `${name}: what was wrong is still told`)
      await shows(async () => !await grey(page), `${name}: it is still grey`)
    }
    await shows(() => views.settings.getByLabel('Local API port').isEnabled(), 'the settings cannot be changed')
    await main.locator('#screen[data-pictures]').waitFor()
    await shows(() => main.getByRole('button', { name: 'Take control' }).isEnabled(), 'control cannot be taken')
  },

  // A profile goes without a proxy, through a stored one, or through one of its own, and each can be tried before.
  async network() {
    const proxy = createServer((q, r) => r.end())
    proxy.on('connect', (q, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    await new Promise(done => proxy.listen(0, '127.0.0.1', done))
    const { port } = proxy.address()
    const stored = await api('POST', '/proxy', { name: 'Berlin', type: 'http', host: '127.0.0.1', port, login: 'ann', password: 'secret' })
    check(stored, 'the proxy was not stored')
    const page = await window()
    const d = page.getByRole('dialog', { name: 'First profile' })
    const edit = async () => { await page.evaluate(() => { location.hash = '#/profile/1' }); await d.getByRole('tab', { name: 'Network' }).click() }
    const now = async () => (await api('GET', '/browser_profiles/1')).data.proxy ?? null
    const save = async () => { await d.getByRole('button', { name: 'Save' }).click(); await d.waitFor({ state: 'detached' }) }
    const chosen = d.getByLabel('Proxy', { exact: true })
    await edit()
    check(await chosen.inputValue() === 'direct' && await d.getByRole('button', { name: 'Check' }).count() === 0, 'a profile without a proxy has one')
    await chosen.selectOption({ label: `Berlin · http://127.0.0.1:${port}` })
    await d.getByRole('button', { name: 'Check' }).click()
    await d.getByRole('status').getByText(/Reachable|Works/).waitFor()
    await axe(page, 'a stored proxy')
    await shot(page, 'network')
    await save()
    check((await now())?.login === 'ann' && (await now()).port === port, 'the stored proxy was not taken: ' + JSON.stringify(await now()))
    await edit()
    await shows(async () => /^\d+$/.test(await chosen.inputValue()), 'the stored proxy is not chosen')
    await chosen.selectOption('custom')
    await d.getByLabel('Proxy URL').fill('socks4://127.0.0.1:1')
    await d.getByLabel('Proxy login').fill('')
    await d.getByLabel('Proxy password').fill('')
    await d.getByRole('button', { name: 'Check' }).click()
    await d.getByRole('status').locator('.bad').waitFor()
    await axe(page, 'a proxy of its own')
    await shot(page, 'network-custom')
    await save()
    check((await now())?.type === 'socks4' && !(await now()).login, 'the proxy of its own was not taken: ' + JSON.stringify(await now()))
    await edit()
    check(await chosen.inputValue() === 'custom', 'a proxy of its own is not shown as one')
    // Whatever is typed, the fields stay: also nothing, and what is as a stored one for a moment.
    const url = d.getByLabel('Proxy URL')
    await url.fill('')
    check(await url.isVisible() && await chosen.inputValue() === 'custom', 'the fields go while the address is empty')
    await d.getByRole('button', { name: 'Save' }).click()
    await d.getByText('Use the form socks5://host:1080').waitFor()
    await url.fill(`http://ann:secret@127.0.0.1:${port}`)
    check(await url.isVisible(), 'the fields go while the address is that of a stored proxy')
    await chosen.selectOption('direct')
    await chosen.selectOption('custom')
    check(await url.inputValue() === `http://127.0.0.1:${port}` && await d.getByLabel('Proxy login').inputValue() === 'ann', 'what was typed is lost')
    await url.fill('socks4://127.0.0.1:1')
    for (const name of ['Proxy login', 'Proxy password']) await d.getByLabel(name).fill('')
    await d.getByRole('tab', { name: 'General' }).click()
    await d.getByLabel('Notes').fill('Still editable.')
    await save()
    await edit()
    await chosen.selectOption('direct')
    await save()
    check(await now() === null, 'the proxy is still there: ' + JSON.stringify(await now()))
    proxy.close()
  },

  // A browser has six connections for all windows of one program. However many there are, those that nobody sees leave
  // them to the one that somebody looks at, and one of them still counts the requests.
  async crowd() {
    await api('POST', '/browser_profiles/1/start', { automation: true })
    const tool = await agent('tester')
    const pages = [await window()]
    const turned = (page, to) => page.evaluate(to => {
      Object.defineProperty(document, 'visibilityState', { value: to, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, to)
    while (pages.length < 9) {
      await turned(pages.at(-1), 'hidden')
      const page = await open(base + '/#/live/1')
      await page.locator('#screen[data-pictures]').waitFor()
      pages.push(page)
    }
    const [first, second] = pages, last = pages.at(-1)
    // One that was opened in the background knows nothing yet.
    const behind = await first.context().newPage()
    await behind.addInitScript(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }))
    await behind.goto(base + '/#/live/1')
    await behind.getByRole('heading', { name: 'First profile' }).waitFor()
    await api('PATCH', '/browser_profiles/1', { name: 'Renamed' })
    await last.getByRole('heading', { name: 'Renamed' }).waitFor()
    void tool('ask_person', { message: 'Please look.', wait: 300 })
    for (const page of [first, last]) await shows(async () => (await page.title()).startsWith('(1) '), 'a window that follows does not count')
    check(!(await second.title()).startsWith('('), 'a window that does not follow counts')
    await turned(last, 'hidden')
    await turned(behind, 'visible')
    await behind.getByRole('heading', { name: 'Renamed' }).waitFor()
    await turned(behind, 'hidden')
    await turned(second, 'visible')
    await second.getByRole('heading', { name: 'Renamed' }).waitFor()
    await shows(async () => (await second.title()).startsWith('(1) '), 'a window that is seen again does not count')
    await second.locator('.who').getByText('tester').waitFor()
    // Another one follows in place of a window that has closed.
    await first.close()
    for (const r of (await api('GET', '/asks')).data) await api('POST', '/asks/' + r.id, { decline: true })
    await shows(async () => !(await second.title()).startsWith('('), 'the title still tells of a request')
  },

  // A start that fails is a state of the row, which leads to what the browser wrote.
  async failed() {
    await api('PUT', '/settings/browser', { value: file })
    const page = await window(['/start', '503', '500', '409', '502'])
    await page.getByRole('button', { name: 'Open: First profile' }).click()
    await row(page, 'First profile').locator('.c-state .state.bad').waitFor()
    await axe(page, 'a failed start')
    await shot(page, 'failed')
    await row(page, 'First profile').getByRole('button', { name: 'Show log' }).click()
    const d = page.getByRole('dialog', { name: 'First profile' })
    await d.getByLabel('Browser log').getByText('no display for you').waitFor()
    await axe(page, 'the log of a failed start')
    await shot(page, 'failed-log')
    await api('PUT', '/settings/browser', { value: '' })
    await d.getByRole('button', { name: 'Try again' }).click()
    await d.waitFor({ state: 'detached' })
    await stateOf(page, 'First profile', 'Open')
    await shows(async () => await page.getByRole('button', { name: /Show log/ }).count() === 0, 'a profile that is open has failed to start')
    await page.getByRole('button', { name: 'Stop: First profile' }).click()
    await stateOf(page, 'First profile', 'Closed')
  },

  // Profiles are dragged to a folder of the rail; a selected one takes the others along.
  async drag() {
    for (const name of ['One', 'Two', 'Three']) await api('POST', '/browser_profiles', { name, folder: name === 'One' ? 'Shelf' : undefined })
    const page = await window()
    const shelf = page.getByRole('navigation').getByRole('link', { name: /^Shelf/ })
    const folders = async () => Object.fromEntries((await api('GET', '/browser_profiles?limit=50')).data.map(p => [p.name, p.folder ?? '']))
    await row(page, 'Two').locator('.c-id').dragTo(shelf)
    await until('the profile to move', async () => (await folders()).Two === 'Shelf')
    for (const name of ['Three', 'First profile']) await row(page, name).getByRole('checkbox').check()
    await row(page, 'Three').locator('.c-id').dragTo(shelf)
    await until('both to move', async () => { const all = await folders(); return all.Three === 'Shelf' && all['First profile'] === 'Shelf' })
    await shows(async () => /4/.test(await shelf.innerText()), 'the rail does not count four')
  },

  // What a profile uses is shown; one agent is paused, goes on, and is disconnected, and the other one is not.
  async agents() {
    await api('POST', '/browser_profiles/1/start', { automation: true })
    const [one, two] = [await agent('first'), await agent('second')]
    for (const tool of [one, two]) check(!(await tool('list_pages')).bad, 'an agent cannot work')
    const page = await window()
    await page.evaluate(() => { location.hash = '#/activity' })
    await page.locator('li.card.open .usage', { hasText: /^\d+(\.\d)? [MG]B · \d+ % CPU$/ }).waitFor()
    await page.locator('.thumbnail canvas').waitFor()
    await axe(page, 'activity with usage')
    await shot(page, 'usage')
    await page.evaluate(() => { location.hash = '#/live/1' })
    await page.locator('header .usage', { hasText: /MB|GB/ }).waitFor()
    await page.getByRole('button', { name: 'Pause first' }).click()
    await page.getByRole('button', { name: 'Resume first' }).waitFor()
    await page.locator('.who').getByText('Paused').waitFor()
    await axe(page, 'one agent paused')
    await shot(page, 'paused')
    check(!(await two('list_pages')).bad, 'the other agent is paused, too')
    const waits = one('list_pages')
    await page.getByRole('button', { name: 'Resume first' }).click()
    await page.getByRole('button', { name: 'Pause first' }).waitFor()
    check(!(await waits).bad, 'an agent that goes on did not get its answer')
    await page.getByRole('button', { name: 'Disconnect first' }).click()
    await page.locator('.who').getByText('first').waitFor({ state: 'detached' })
    check(!(await two('list_pages')).bad, 'the other agent is disconnected, too')
    check((await one('list_pages')).bad, 'a disconnected agent works on')
  },

  // Off until the person turns it on; then they hear it, and each new request.
  async sound() {
    const page = await window()
    await page.evaluate(() => { globalThis.tones = 0; const start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function (...at) { globalThis.tones++; return start.apply(this, at) } })
    const tones = () => page.evaluate(() => globalThis.tones)
    await api('POST', '/browser_profiles/1/start', { automation: true })
    const tool = await agent('tester')
    const ask = async () => { void tool('ask_person', { message: 'Look at ' + Math.random(), wait: 300 }); await page.getByRole('region', { name: 'tester asks' }).first().waitFor() }
    await page.evaluate(() => { location.hash = '#/settings' })
    const box = page.getByLabel('Play a sound for new requests')
    await box.waitFor()
    check(!await box.isChecked(), 'there is a sound that nobody has asked for')
    await ask()
    check(await tones() === 0, 'there was a sound that nobody has asked for')
    for (const r of (await api('GET', '/asks')).data) await api('POST', '/asks/' + r.id, { decline: true })
    await shows(async () => await page.getByRole('region', { name: 'tester asks' }).count() === 0, 'the request stays')
    await box.check()
    await shows(async () => await tones() === 2, 'the person does not hear what they have chosen')
    await shot(page, 'sound')
    await ask()
    await shows(async () => await tones() === 4, 'a request is not heard')
    await page.reload()
    await shows(() => page.getByLabel('Play a sound for new requests').isChecked(), 'the choice is forgotten')
  },

  // Below 1000 pixels the rail has icons with labels, and one entry for all folders.
  async rail() {
    for (const folder of ['Shop', 'Research']) await api('POST', '/browser_profiles', { name: 'In ' + folder, folder })
    await api('POST', '/browser_profiles/1/start', { automation: true })
    const tool = await agent('tester')
    const page = await window()
    const nav = page.getByRole('navigation')
    check(await nav.getByRole('button', { name: 'Folders' }).count() === 0, 'a wide rail hides its folders')
    void tool('ask_person', { message: 'Please look.', wait: 300 })
    await nav.getByRole('link', { name: 'Activity 1 request' }).waitFor()
    for (const width of [990, 800, 390]) {
      await page.setViewportSize({ width, height: 800 })
      for (const name of ['Profiles', 'Activity', 'Connect an agent', 'Proxies', 'Settings', 'Trash']) {
        const label = nav.getByRole('link', { name: new RegExp('^' + name) }).locator('.label'), box = await label.boundingBox(), rail = await nav.boundingBox()
        check(box && box.x >= rail.x && box.x + box.width <= rail.x + rail.width && box.height > 8, `${width}: ${name} has no label`)
        check(await label.evaluate(e => e.scrollWidth <= e.clientWidth), `${width}: the label ${name} is cut off`)
      }
      check(await nav.getByRole('link', { name: /^Shop/ }).count() === 0, `${width}: folders stand in the rail`)
      await axe(page, `a rail of ${width}`)
      for (const theme of ['dark', 'light']) {
        await page.emulateMedia({ colorScheme: theme })
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/rail-${width}-${theme}.png` })
      }
    }
    await nav.getByRole('button', { name: 'Folders' }).click()
    await page.getByRole('menuitem', { name: 'Shop' }).click()
    await page.getByRole('heading', { name: 'Shop' }).waitFor()
    for (const r of (await api('GET', '/asks')).data) await api('POST', '/asks/' + r.id, { decline: true })
  },
})
