// Opens replay files in a browser without a network, and prints what a person sees of each.
// node replay.mjs FILE… [SCREENSHOT.png]
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

const args = process.argv.slice(2)
const shot = args.at(-1).endsWith('.png') ? args.pop() : ''
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, offline: true })
const axe = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
const seen = []

for (const file of args) {
  const page = await context.newPage()
  const one = { verdict: '', requests: [], steps: [], errors: [] }
  page.on('request', r => { if (!/^(file|data):/.test(r.url())) one.requests.push(r.url()) })
  page.on('pageerror', e => one.errors.push(String(e)))
  await page.goto(pathToFileURL(file).href)
  await page.waitForFunction(() => 'verified' in document.documentElement.dataset, null, { timeout: 5000 })
    .catch(() => {}) // its script was changed, so it does not run
  one.verdict = await page.evaluate(() => document.getElementById('verdict')?.innerText || '')
  one.verified = await page.evaluate(() => document.documentElement.dataset.verified || '')
  one.steps = await page.locator('.steps li span').allInnerTexts()
  if (one.verified === 'true') {
    // The film: a step with both pictures, the scrubber, a filter, the search.
    const pictures = () => page.locator('.screen img')
      .evaluateAll(all => all.map(i => i.src.length + ':' + i.naturalWidth))
    one.pictures = []
    for (let i = 0; i < one.steps.length; i++) {
      await page.locator('.steps li button').nth(i).click()
      const after = (await pictures())[0]
      const flip = page.getByRole('button', { name: 'Before' })
      if (!after || await flip.isDisabled()) continue
      await flip.click()
      one.pictures.push([(await pictures())[0], after])
      await flip.click()
    }
    await page.locator('input[type=range]').fill('0')
    one.first = await page.locator('.about h2').innerText()
    await page.locator('.player').getByRole('button', { name: 'Next' }).click()
    one.second = await page.locator('.about h2').innerText()
    await page.getByRole('checkbox', { name: 'Only denied and failed' }).check()
    one.denied = await page.locator('.steps li span').allInnerTexts()
    await page.getByRole('checkbox', { name: 'Only denied and failed' }).uncheck()
    await page.getByRole('searchbox').fill('refund button')
    one.found = await page.locator('.steps li span').allInnerTexts()
    await page.getByRole('searchbox').fill('')
    if (shot) await page.screenshot({ path: shot })
    one.escaped = await page.evaluate(() => fetch('http://127.0.0.1:1/').then(() => 'sent', e => e.message))
    // axe may run where the page's own rules would not let it: it is put into a world of its own.
    const cdp = await context.newCDPSession(page)
    const { frameTree } = await cdp.send('Page.getFrameTree')
    const { executionContextId } = await cdp.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id })
    const { result } = await cdp.send('Runtime.evaluate', { contextId: executionContextId, awaitPromise: true,
      returnByValue: true, expression: axe + ';axe.run().then(r => r.violations.map(v => v.id))' })
    one.violations = result.value
  }
  seen.push(one)
  await page.close()
}
await browser.close()
console.log(JSON.stringify(seen))
