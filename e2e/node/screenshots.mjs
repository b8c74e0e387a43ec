// Takes the pictures of the window, and the frames of its film. node screenshots.mjs LINK TOKEN FOLDER HOME FRAMES
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import { newCamera, size } from './film.mjs'
import { connectTo } from './person.mjs'

const [link, token, folder, home, frames] = process.argv.slice(2)
const base = new URL(link).origin
const { api, agent } = connectTo(base, token)

// A shop: orders, one of them with a form that pays money back, and a door that only people pass.
const style = `<style>body{font:16px system-ui;margin:30px 38px;color:#222}main{display:grid;grid-template-columns:1fr 1fr 1fr;gap:16px}
  div,fieldset{border:1px solid #dde;border-radius:8px;padding:16px}p{color:#667;margin:6px 0 0}button{margin-top:24px;padding:10px 20px;border-radius:8px;border:0;background:#0b6b7a;color:#fff;font:inherit}
  label{display:block;margin:10px 0}input{font:inherit;padding:7px;border:1px solid #bbc;border-radius:6px;margin-left:8px}h2{margin:0 0 16px}.ok{color:#0b6b34}
  #track{position:relative;width:420px;height:44px;padding:0;background:#eef}#knob{position:absolute;box-sizing:border-box;width:56px;height:44px;padding:8px 0;background:#0b6b7a;color:#fff;text-align:center;border:0}</style>`
const card = n => `<div><b>#88${40 + n}</b><p>${1 + n % 3} items · € ${n * 37},00</p></div>`
const pages = {
  '/orders': `<title>Orders – Acme admin</title>${style}<h2>Orders</h2><main>${[1, 2, 3, 4, 5, 6].map(card).join('')}</main><button>Refund order</button>`,
  '/invoice': `<title>Supplier invoice 8841</title>${style}<h2>Invoice 8841</h2><main>${[1, 2, 3].map(card).join('')}</main>`,
  '/refund': `<title>Refund – Acme admin</title>${style}<h2>Order #8843</h2><form action=/refunded method=post><fieldset><label>Amount <input name=amount></label><label>Reason <input name=reason></label>
    <label>Card <input name=card autocomplete=cc-number value="4242 4242 4242 4242"></label><button>Refund order</button></fieldset></form>`,
  '/refunded': `<title>Refunded – Acme admin</title>${style}<h2 class=ok>✓ Refunded € 111,00</h2><p>Order #8843 · today`,
  '/verify': `<title>Are you a person? – Acme admin</title>${style}<h2>Slide to show that you are a person</h2><div id=track><div id=knob>→</div></div><script>
    let from = null, at = 0
    knob.onpointerdown = e => { from = e.clientX - at; knob.setPointerCapture(e.pointerId) }
    knob.onpointermove = e => { if (from !== null) { at = Math.max(0, Math.min(364, e.clientX - from)); knob.style.left = at + 'px' } }
    knob.onpointerup = () => { from = null; if (at > 350) location = '/export' }</script>`,
  '/export': `<title>Export – Acme admin</title>${style}<h2 class=ok>✓ Welcome back</h2><p>Export of 214 orders is ready.`,
}
const shop = createServer((q, r) => {
  r.setHeader('Content-Type', 'text/html; charset=utf-8')
  r.end(pages[q.url] ?? pages['/orders'])
})
await new Promise(done => shop.listen(0, '127.0.0.1', done))
const orders = `http://127.0.0.1:${shop.address().port}/orders`
const at = path => orders.replace('/orders', path)

const proxy = (type, host, port) => ({ type, host, port })
const made = {}
for (const [name, folderName, tags, way] of [
  ['Acme store – EU', 'Shop accounts', ['shop', 'eu'], null], ['Acme store – US', 'Shop accounts', ['shop', 'us'], proxy('http', 'us-1.example', 8080)],
  ['Invoices mailbox', '', ['finance'], null], ['Checkout QA / staging', 'QA', ['qa'], null], ['Market research', 'Research', ['research'], null],
  ['Social – brand', 'Social', ['social', 'brand'], proxy('socks5', 'fr-1.example', 1080)], ['Social – support', 'Social', ['social'], proxy('socks5', 'fr-1.example', 1080)],
  ['Supplier portal', '', ['finance', 'eu'], null], ['Travel desk', '', ['ops'], null], ['Ads – campaign A', 'Shop accounts', ['ads'], proxy('http', 'us-2.example', 8080)],
  ['Ads – campaign B', 'Shop accounts', ['ads'], proxy('http', 'us-2.example', 8080)], ['Docs crawler', 'Research', ['research'], null], ['Wallet sandbox', 'QA', ['qa'], null],
]) made[name] = (await api('POST', '/browser_profiles', { name, folder: folderName, tags, proxy: way, startPages: name.includes('EU') ? [orders, orders.replace('orders', 'invoice')] : [], locale: name.includes('EU') ? 'de-DE' : '', timezone: name.includes('EU') ? 'Europe/Berlin' : '' })).browserProfileId
await api('DELETE', '/browser_profiles/1')
const store = made['Acme store – EU'], research = made['Market research']
await api('PUT', `/browser_profiles/${store}/policy`, { preset: 'guarded', sites: { allow: [new URL(orders).origin, 'https://*.acme.example'] } })
for (const id of [store, research]) await api('POST', `/browser_profiles/${id}/start`, { automation: true, headless: true })
for (const name of ['Invoices mailbox', 'Social – support']) await api('POST', `/browser_profiles/${made[name]}/start`, { headless: true })

const tool = await agent('claude-code', store)
const other = await agent('codex', research)
for (const call of [tool, other]) await call('list_pages')

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const context = await browser.newContext({ viewport: { width: 1300, height: 780 } })
const page = await context.newPage()
await page.goto(link)
await page.getByRole('grid').waitFor()
process.kill((await api('GET', '/browser_profiles/running'))[made['Social – support']].pid, 'SIGKILL')
await page.getByText('Crashed').waitFor()

async function shot(name, theme, place, more) {
  await page.emulateMedia({ colorScheme: theme })
  await page.evaluate(p => { location.hash = '#/' + p }, place)
  await page.waitForTimeout(800)
  await more?.()
  await page.waitForTimeout(300)
  // Where it was taken is nobody's business.
  await page.evaluate(home => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let t; (t = texts.nextNode());) if (t.data.includes(home)) t.data = t.data.replaceAll(home, '/home')
  }, home)
  await page.mouse.move(700, 5)
  await page.evaluate(() => document.activeElement?.blur())
  await page.screenshot({ path: `${folder}/${name}.png` })
  await page.keyboard.press('Escape')
}

await shot('window-profiles', 'dark', '', () => page.getByText('2 agents connected').waitFor())
await shot('window-edit', 'light', `profile/${store}/agents`)
await shot('window-status', 'dark', '', async () => { await page.locator('#open-status').click(); await page.getByText(/checks (passed|needs?)/).waitFor() })
await shot('window-connect', 'light', `connect/${made['Acme store – US']}`)
await shot('window-live', 'dark', `live/${store}`, async () => {
  for (const [name, args] of [['list_pages', {}], ['navigate_page', { type: 'url', url: orders }], ['take_snapshot', {}], ['press_key', { key: 'Tab' }], ['take_snapshot', { query: 'Refund order' }]]) await tool(name, args)
  await page.waitForTimeout(2500)
})

// The film: agents at work, a request, a take-over, the replay.
const uid = async (call, what) => new RegExp(`uid=(\\S+) ${what}`).exec((await call('take_snapshot')).text)?.[1]
const drawn = async (n = 1) => { // some pictures of the live view have come since
  const before = await page.evaluate(() => Number(document.querySelector('#screen').dataset.pictures))
  await page.waitForFunction(n => Number(document.querySelector('#screen').dataset.pictures) >= n, before + n, { timeout: 3000 }).catch(() => {})
}
await page.setViewportSize(size)
await page.emulateMedia({ colorScheme: 'dark' })
await tool('emulate', { viewport: '640x420x1' })
await other('emulate', { viewport: '640x420x1' })
await tool('navigate_page', { url: orders })
await other('navigate_page', { url: at('/invoice') })
await page.evaluate(() => { location.hash = '#/activity' })
const tile = name => page.locator('li.card.open').filter({ hasText: name })
await tile('Market research').locator('canvas').waitFor()
await tile('Acme store – EU').locator('canvas').waitFor()
const camera = await newCamera(page, frames)
await camera.scene('Agents work in your profiles. You see all of them at a glance.')
await camera.still(1500)
for (const [call, name, args] of [[tool, 'take_snapshot', {}], [other, 'take_snapshot', {}], [tool, 'navigate_page', { url: at('/invoice') }], [other, 'navigate_page', { url: orders }], [tool, 'navigate_page', { url: orders }]]) {
  await call(name, args)
  await page.waitForTimeout(1200) // the tiles are drawn once in a second
  await camera.still(700)
}
await camera.click(tile('Acme store – EU').locator('a.name'))

await camera.scene('One of them, live: every step in words, as it happens.')
await page.locator('#screen[data-pictures]').waitFor()
await page.waitForTimeout(1000)
await camera.still(1200)
await tool('navigate_page', { url: at('/refund') })
await drawn(2)
await camera.still(1200)
for (const [field, value] of [['Amount', '111,00'], ['Reason', 'Arrived broken']]) {
  await tool('fill', { uid: await uid(tool, `textbox "${field}"`), value })
  await drawn()
  await camera.still(1000)
}

await camera.scene('A step that your rules do not allow alone waits for your yes.')
const refund = tool('click', { uid: await uid(tool, 'button "Refund order"') })
const yes = page.getByRole('button', { name: 'Allow once' })
await yes.waitFor()
await camera.still(2600)
await camera.click(yes)
if ((await refund).bad) throw new Error('the order was not refunded: ' + (await refund).text)
await drawn()
await page.waitForTimeout(800)
await camera.still(2000)

await camera.scene('Where only a person can go on, the agent asks for you.')
await tool('navigate_page', { url: at('/verify') })
const help = tool('ask_person', { message: 'The shop wants to see a person. Please move the slider.', wait: 300 })
const take = page.getByRole('button', { name: 'Take control', exact: true }).last()
await page.getByText('Please move the slider').first().waitFor()
await drawn()
await camera.still(2400)
await camera.click(take)
await camera.scene('Take the controls, in the same window. The browser may have no screen.')
await page.getByText('You’re in control', { exact: true }).waitFor()
await page.locator('.screen.yours .keys').waitFor({ state: 'attached' })
await page.waitForTimeout(5000) // the note in the picture goes
const spot = (x, y) => page.evaluate(([fx, fy]) => {
  const c = document.querySelector('#screen'), r = c.getBoundingClientRect(), k = Math.min(r.width / c.width, r.height / c.height)
  return { x: r.left + (r.width - c.width * k) / 2 + fx * c.width * k, y: r.top + (r.height - c.height * k) / 2 + fy * c.height * k }
}, [x / 640, y / 420])
await camera.still(600)
await camera.move(await spot(66, 90), 6, to => page.mouse.move(to.x, to.y))
await page.mouse.down()
await camera.move(await spot(470, 90), 12, async to => { await page.mouse.move(to.x, to.y); await page.waitForTimeout(150) })
await page.mouse.up()
await page.getByRole('tab', { name: 'Export' }).waitFor()
await page.waitForTimeout(500)
await camera.still(1600)
await camera.click(page.getByRole('button', { name: 'Hand back to agents' }))
await help
await tool('take_snapshot')
await camera.scene('The agent goes on.')
await page.waitForTimeout(1000)
await camera.still(1800)

await camera.scene('Afterwards, replay what happened: words, pictures, and who decided.')
await page.evaluate(id => { location.hash = '#/journal/' + id }, store)
const player = page.getByRole('region', { name: 'Player' })
await player.waitFor()
await page.waitForTimeout(1500)
const steps = (await api('GET', `/browser_profiles/${store}/journal?order=asc&limit=1000`)).data
const since = steps.findLastIndex(e => e.name === 'navigate_page' && e.summary.includes('/refund'))
await camera.move({ x: size.width - 40, y: size.height - 60 }, 1)
const showStep = e => page.evaluate(p => { location.hash = p }, `#/journal/${store}/step=${e.seq}`)
for (const e of steps.slice(since).filter(e => e.summary && e.name !== 'take_snapshot' && !/^You (saw|started)/.test(e.summary))) {
  await showStep(e)
  await page.waitForTimeout(900)
  await camera.still(1000)
}
await camera.still(2500)
console.log(`The film has ${await camera.end()} seconds.`)

// What the film was about, as pictures.
await page.setViewportSize({ width: 1300, height: 780 })
await page.evaluate(() => document.querySelector('#filmed-pointer').remove())
const click = steps.findLast(e => e.name === 'click')
await shot('window-journal', 'light', `journal/${store}/step=${click.seq}`, () => page.waitForTimeout(1500))
await tool('navigate_page', { url: at('/refund') })
await tool('fill', { uid: await uid(tool, 'textbox "Amount"'), value: '111,00' })
const asks = [tool('click', { uid: await uid(tool, 'button "Refund order"') }), other('ask_person', { message: 'Two suppliers fit. Which one should I take?', kind: 'choose', options: ['Northwind', 'Contoso'], wait: 300 })]
await page.evaluate(() => { location.hash = '#/activity' })
await page.locator('li.card.waiting').nth(1).waitFor()
await shot('window-activity', 'dark', 'activity', () => page.waitForTimeout(2500))
await shot('window-requests', 'light', 'requests', () => page.locator('.detail canvas').waitFor())
for (const { id } of (await api('GET', '/asks')).data) await api('POST', '/asks/' + id, { allow: false })
await Promise.all(asks)
await browser.close()
shop.close()
process.exit(0)
