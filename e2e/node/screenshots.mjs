// Takes the pictures of the window. node screenshots.mjs LINK TOKEN FOLDER HOME
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'

const [link, token, folder, home] = process.argv.slice(2)
const base = new URL(link).origin
const api = async (method, path, body) => (await fetch(base + '/v1.0' + path, { method, headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) })).json()

const shop = createServer((q, r) => {
  r.setHeader('Content-Type', 'text/html; charset=utf-8')
  const card = n => `<div><b>#88${40 + n}</b><p>${1 + n % 3} items · € ${n * 37},00</p></div>`
  r.end(`<title>${q.url === '/invoice' ? 'Supplier invoice 8841' : 'Orders – Acme admin'}</title><style>body{font:16px system-ui;margin:30px 38px;color:#222}main{display:grid;grid-template-columns:1fr 1fr 1fr;gap:16px}
    div{border:1px solid #dde;border-radius:8px;padding:16px}p{color:#667;margin:6px 0 0}button{margin-top:24px;padding:10px 20px;border-radius:8px;border:0;background:#0b6b7a;color:#fff;font:inherit}</style>
    <h2>Orders</h2><main>${[1, 2, 3, 4, 5, 6].map(card).join('')}</main><button>Refund order</button>`)
})
await new Promise(done => shop.listen(0, '127.0.0.1', done))
const orders = `http://127.0.0.1:${shop.address().port}/orders`

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

// An agent at work.
async function agent(id, title) {
  let session
  const rpc = async message => {
    const res = await fetch(`${base}/mcp/${id}`, { method: 'POST', headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...(session ? { 'Mcp-Session-Id': session } : {}) }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
    session ||= res.headers.get('Mcp-Session-Id')
    return res.text()
  }
  await rpc({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: title, version: '1' } } })
  await rpc({ method: 'notifications/initialized' })
  return (name, args = {}) => rpc({ id: 2, method: 'tools/call', params: { name, arguments: args } })
}
const tool = await agent(store, 'claude-code')
const other = await agent(research, 'codex')
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
await browser.close()
shop.close()
process.exit(0)
