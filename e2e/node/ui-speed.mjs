// Measures the window with many profiles. node ui-speed.mjs '{"links":[…]}'
import { chromium } from 'playwright-core'

const { links, profiles } = JSON.parse(process.argv[2])
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const ready = [], whole = [], search = [], frames = []
for (const link of links) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async () => (await cdp.send('Performance.getMetrics')).metrics.find(m => m.name === 'TaskDuration').value * 1000
  // Interactive: rows are there, and a key moves in the table.
  await page.addInitScript(() => {
    const tick = () => {
      const grid = document.querySelector('#table')
      if (!grid || !grid.querySelector('.rows .row')) return requestAnimationFrame(tick)
      grid.focus()
      grid.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
      const moved = () => document.querySelector('.row.active') ? globalThis.ready = performance.now() : requestAnimationFrame(moved)
      moved()
    }
    requestAnimationFrame(tick)
  })
  await page.goto(link)
  await page.waitForFunction(() => globalThis.ready)
  ready.push(await page.evaluate(() => globalThis.ready))
  whole.push(await (await page.waitForFunction(n => globalThis.whole ||= document.querySelector('#table').getAttribute('aria-rowcount') > n && performance.now(), profiles)).jsonValue())
  search.push(await page.evaluate(async () => {
    const box = document.querySelector('#search'), began = performance.now()
    box.value = '9876'
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
    while (!/found/.test(document.querySelector('.found').textContent)) await new Promise(requestAnimationFrame)
    const took = performance.now() - began
    box.value = ''
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await new Promise(requestAnimationFrame)
    return took
  }))
  // Frames in which the rows in sight were really there.
  const before = await busy()
  frames.push(await page.evaluate(async () => {
    const grid = document.querySelector('#table'), began = performance.now()
    let n = 0, bare = 0
    while (performance.now() - began < 3000) {
      grid.scrollTop += 120
      await new Promise(requestAnimationFrame)
      n++
      const box = grid.getBoundingClientRect()
      if (!document.elementFromPoint(box.left + 200, box.top + box.height / 2)?.closest('.row')) bare++
    }
    return { fps: n / ((performance.now() - began) / 1000), bare, n }
  }))
  frames.at(-1).cost = (await busy() - before) / frames.at(-1).n
  await context.close()
}
await browser.close()
const median = list => list.sort((a, b) => a - b)[list.length >> 1]
console.log(JSON.stringify({ ready: Math.round(median(ready)), whole: Math.round(median(whole)), search: Math.round(median(search)), fps: Math.round(median(frames.map(f => f.fps))), bare: Math.max(...frames.map(f => f.bare)), cost: median(frames.map(f => f.cost)) }))
