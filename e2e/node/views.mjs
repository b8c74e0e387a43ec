// Goes through every view of the window, dark and light, and prints what is wrong there. node views.mjs PART '{"base":…,"link":…,"token":…,"ask":…,"width":…}'
// With SHOTS it takes a picture of each.
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import { connectTo, looked } from './person.mjs'

const [part, given] = process.argv.slice(2)
const { base, link, token, ask, width } = JSON.parse(given)
const { api, agent } = connectTo(base, token)
const zoomed = width === '640' // a window of 1280 × 800 at 200 %
const wrong = []
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const context = await browser.newContext({ viewport: { width: Number(width), height: zoomed ? 400 : 800 }, deviceScaleFactor: zoomed ? 2 : 1 })
const page = await context.newPage()

// outside are the things to press, to type into and to read that lie beside the window, or are cut by something that does not scroll; and a dialog that is higher than the window.
const outside = () => page.evaluate(() => {
  const scrolls = e => e && e !== document.documentElement && (/auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth || scrolls(e.parentElement))
  const behind = e => e.closest('[inert]') || (document.querySelector('dialog[open]') && !e.closest('dialog'))
  const cut = (e, box) => {
    for (let up = e.parentElement; up && up !== document.body; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up), frame = up.getBoundingClientRect()
      if (/auto|scroll/.test(overflowX + overflowY)) return false
      if (overflowY === 'hidden' && up.matches('.screen, .card, dialog, .toast') && (box.bottom > frame.bottom + 2 || box.right > frame.right + 2)) return true
    }
    return false
  }
  const all = [...document.querySelectorAll('button, a, input, select, textarea, h1, h2, strong')].filter(e => {
    const box = e.getBoundingClientRect()
    if (!e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || box.width < 2 || behind(e)) return false
    return cut(e, box) || !scrolls(e) && (box.left < -1 || box.right > innerWidth + 1)
  })
  const high = [...document.querySelectorAll('dialog[open]')].filter(e => { const box = e.getBoundingClientRect(); return box.top < -1 || box.bottom > innerHeight + 1 })
  return [...all, ...high].map(e => (e.getAttribute('aria-label') || e.textContent || e.id).trim().slice(0, 40))
})

// covered are the answers of the uppermost dialog, or what hands a page back to agents, if something lies over them.
const covered = () => page.evaluate(() => {
  const buttons = [...document.querySelectorAll('dialog[open]')].at(-1)?.querySelectorAll('.foot .btn') ?? document.querySelectorAll('#handback')
  return [...buttons].filter(e => {
    e.scrollIntoView({ block: 'nearest' })
    const box = e.getBoundingClientRect()
    return [0.1, 0.5, 0.9].some(at => !e.contains(document.elementFromPoint(box.left + box.width * at, box.top + box.height / 2)))
  }).map(e => e.textContent)
})

// each looks at what is shown now.
async function each(name) {
  for (const theme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme: theme })
    wrong.push(...await looked(page, `${name} ${width} ${theme}`, !zoomed))
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/view-${name.replaceAll(' ', '-')}-${width}-${theme}.png` })
  }
  for (const text of await outside()) wrong.push(`${name} ${width}: “${text}” is not in the window`)
  for (const text of await covered()) wrong.push(`${name} ${width}: “${text}” is covered`)
}

const go = place => page.evaluate(p => { location.hash = '#/' + p }, place)
const heading = name => page.locator('h1', { hasText: name }).waitFor()
const dialog = name => page.getByRole('dialog', { name })
const leave = async () => { await page.keyboard.press('Escape'); await page.getByRole('dialog').waitFor({ state: 'detached' }) }
async function until(what, test) {
  for (const end = Date.now() + 30000; !await test();) {
    if (Date.now() > end) throw new Error('waited in vain for ' + what)
    await new Promise(r => setTimeout(r, 50))
  }
}

// Names as people write them from the right to the left, mixed with other scripts, and long ones.
const arabic = 'متجر أكمي – أوروبا (EU)', hebrew = 'חשבון פרסום 2 – test'
const people = [
  { name: arabic, folder: 'حسابات المتجر', tags: ['متجر', 'أوروبا', 'shop'], notes: 'اتصل بالمورد قبل الساعة 5' },
  { name: hebrew, folder: 'חשבונות', tags: ['פרסום'], notes: '' },
  { name: 'A profile with a rather long name that does not fit anywhere', folder: 'A folder with a rather long name', tags: ['first tag', 'second tag', 'third'], proxy: { type: 'socks5', host: 'proxy.example', port: 1080 } },
  { name: 'Acme', folder: '', tags: [] },
]

const parts = {
  // The list and everything around it.
  async profiles() {
    await page.goto(base + '/')
    await page.getByText('cove ui').first().waitFor()
    await each('sign-in')
    await api('DELETE', '/browser_profiles/1?forceDelete=1')
    await page.goto(link)
    await page.getByText('No profiles yet').waitFor()
    await each('no profiles')
    const ids = []
    for (const p of people) ids.push((await api('POST', '/browser_profiles', p)).browserProfileId)
    const away = await api('POST', '/browser_profiles', { name: 'מחוק', folder: 'חשבונות' })
    await api('DELETE', '/browser_profiles/' + away.browserProfileId)
    const name = text => page.getByRole('grid').getByRole('button', { name: text, exact: true })
    await name(arabic).waitFor()
    await each('profiles')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('toolbar').waitFor()
    await each('selected')
    await page.getByRole('grid').focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    await each('menu of a row')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Tag' }).waitFor()
    await each('filter')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.keyboard.press('Control+k')
    await dialog('Commands').getByRole('combobox').fill('acme')
    await each('palette')
    await leave()
    await page.getByRole('grid').focus()
    await page.keyboard.press('?')
    await dialog('Keyboard shortcuts').waitFor()
    await each('keys')
    await leave()
    await page.locator('#open-status').click()
    await dialog('Status').getByText(/checks (passed|needs?)/).waitFor()
    await each('status')
    await leave()
    await go('profile/' + ids[0])
    await dialog(arabic).getByLabel('Name').waitFor()
    await each('profile')
    await leave()
    await go('profile/' + ids[2])
    for (const tab of ['Network', 'Secrets', 'Data', 'Agents']) {
      await dialog('A profile').getByRole('tab', { name: tab }).click()
      if (tab === 'Agents') await dialog('A profile').getByRole('button', { name: /^Guarded/ }).click()
      for (const more of await dialog('A profile').locator('summary').all()) if (await more.isVisible()) await more.click()
      await each('profile, ' + tab)
    }
    await page.keyboard.press('Escape')
    await dialog('Discard changes?').waitFor()
    await each('question')
    await dialog('Discard changes?').getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await go('new')
    await dialog('New profile').getByLabel('Name').waitFor()
    await each('new profile')
    await leave()
    await page.getByRole('button', { name: 'More ways to create a profile' }).click()
    await page.getByRole('menuitem', { name: 'Use your open browser…' }).click()
    await dialog('Use your open browser').getByLabel('Profile name').waitFor()
    await page.getByText('Looking for browsers…').waitFor({ state: 'hidden' })
    await each('open browser')
    await leave()
    await go('folder/' + encodeURIComponent('حسابات المتجر'))
    await heading('حسابات المتجر')
    await each('folder')
    await go('trash')
    await name('מחוק').or(page.getByText('מחוק')).first().waitFor()
    await each('trash')
    await api('POST', '/tokens', { name: 'من سكربت – a script with a long name' })
    // Nothing is open, nothing was asked, nothing was done.
    for (const [place, title] of [['connect', 'Connect an agent'], ['connect/' + ids[0], 'Connect an agent'], ['proxies', 'Proxies'], ['settings', 'Settings'], ['activity', 'Activity'], ['requests', 'Requests'], ['live/' + ids[0], arabic], ['journal/' + ids[0], arabic]]) {
      await go(place)
      await heading(title)
      await each(place.replace(/\/\d+/, ' of one'))
    }
  },

  // Agents: what they do, what they ask for, and what they did.
  async agents() {
    const site = createServer((q, r) => {
      r.setHeader('Content-Type', 'text/html; charset=utf-8')
      r.end('<title>Orders</title><form action=/sent method=post><h1>Orders</h1><input name=note aria-label=Note><input type=password name=password aria-label=Password><button>Sign in</button></form>')
    })
    await new Promise(done => site.listen(0, '127.0.0.1', done))
    const home = `http://127.0.0.1:${site.address().port}`
    const { browserProfileId: id } = await api('POST', '/browser_profiles', people[0])
    const { browserProfileId: other } = await api('POST', '/browser_profiles', people[2])
    await page.goto(link)
    await page.getByRole('grid').waitFor()
    for (const one of [id, other]) {
      await api('PUT', `/browser_profiles/${one}/policy`, { preset: 'guarded', sites: { allow: [home] } })
      await api('POST', `/browser_profiles/${one}/start`, { automation: true })
    }
    const tool = await agent('claude-code', id)
    const uid = async what => new RegExp(`uid=(\\S+) ${what}`).exec((await tool('take_snapshot')).text)?.[1]
    const login = async () => tool('click', { uid: await uid('button "Sign in"') })
    await tool('navigate_page', { url: home })
    await tool('fill', { uid: await uid('textbox "Note"'), value: 'السلام عليكم' })
    await tool('navigate_page', { url: 'https://bank.example/' })
    // One request is answered, two wait.
    await go('activity')
    const asks = async n => until(n + ' requests', async () => (await api('GET', '/asks')).data.filter(r => r.id.startsWith(id + '-')).length === n)
    const denied = login()
    await asks(1)
    await page.getByRole('button', { name: 'Deny' }).first().click()
    await denied
    const waits = login()
    await asks(1)
    const second = await agent('codex', other)
    await second('navigate_page', { url: home })
    await second('ask_person', { message: 'أي طلب يجب أن أسترد؟ Which order should I refund? It is a long question with many words.', kind: 'choose', options: ['#8841', '#8842 – هدية', 'None of them'], wait: 0 })
    await go('activity')
    await page.locator('li.card.waiting').nth(1).waitFor()
    await each('activity')
    await go('requests')
    await page.getByText('Earlier').waitFor()
    await each('requests')
    await go('requests/' + (await api('GET', '/asks')).data.find(r => r.id.startsWith(other + '-')).id)
    await page.getByRole('radio').or(page.getByRole('button', { name: '#8841' })).first().waitFor()
    await each('a choice')
    await go('')
    await page.getByRole('region', { name: /asks/ }).first().waitFor()
    await each('a request above the list')
    // The page of one request, which its client opens.
    await page.goto(ask)
    await page.locator('#request').waitFor()
    await each('page of a request')
    await page.goto(base + '/')
    await page.getByRole('grid').waitFor()
    await go('live/' + id)
    await page.locator('#screen[data-pictures]').waitFor()
    await each('live')
    await page.getByRole('button', { name: 'Take control', exact: true }).click()
    await page.getByText('You’re in control', { exact: true }).waitFor()
    await each('in control')
    await page.getByRole('button', { name: 'Hand back to agents' }).click()
    for (const r of (await api('GET', '/asks')).data.filter(r => r.id.startsWith(id + '-'))) await api('POST', '/asks/' + r.id, { allow: false })
    await waits
    await go('journal/' + id)
    await page.getByRole('region', { name: 'Steps' }).getByText('bank.example').first().waitFor()
    await each('journal')
    await page.getByRole('button', { name: 'Stop all agents…' }).click()
    await page.getByRole('dialog').waitFor()
    await each('stop all agents')
    await page.keyboard.press('Enter')
    await page.getByText('All agents are blocked').waitFor()
    await each('all agents stopped')
    site.close()
    site.closeAllConnections()
  },
}

try {
  await parts[part]()
} catch (e) {
  wrong.push(String(e.stack || e))
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/view-failed-${part}-${width}.png` }).catch(() => {})
  wrong.push('the page then: ' + (await page.evaluate(() => document.body.innerText).catch(() => '')).slice(-1500))
}
await browser.close()
console.log(JSON.stringify({ wrong }))
process.exit(0)
