// Says when the window's Activity shows a word of a measurement first. node glance-speed.mjs LINK
import { chromium } from 'playwright-core'

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
await page.exposeFunction('seen', (word, at) => console.log(JSON.stringify({ word, at })))
await page.goto(process.argv[2])
await page.getByRole('grid').waitFor()
await page.evaluate(() => {
  location.hash = '#/activity'
  const known = new Set()
  const look = () => {
    for (const [word] of document.getElementById('app').textContent.matchAll(/glance\d+x\d+z/g)) {
      if (known.has(word)) continue
      known.add(word)
      globalThis.seen(word, performance.timeOrigin + performance.now())
    }
  }
  new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true })
})
await page.locator('li.card.open').nth(4).waitFor()
console.log('ready')
