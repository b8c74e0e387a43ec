// More of the window, as ui.mjs uses it: what agents touch, who can be stopped, and an app that is away.
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

export const watching = ({ agent, api, axe, check, shot, shows, until, window }) => ({
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
    const ring = page.locator('.touch rect').last()
    // around is where a ring stands in its picture, in pixels of the page.
    const around = async () => {
      const [box, c] = [await ring.evaluate(e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom] }), await page.locator('.touch').evaluate(e => { const r = e.getBoundingClientRect(), k = e.getAttribute('preserveAspectRatio').endsWith('slice') ? Math.max(r.width / 1000, r.height / 700) : Math.min(r.width / 1000, r.height / 700); return { left: r.left + (r.width - 1000 * k) / 2, top: r.top, k } })]
      return [(box[0] - c.left) / c.k, (box[1] - c.top) / c.k, (box[2] - c.left) / c.k, (box[3] - c.top) / c.k].map(Math.round)
    }
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
    site.close()
  },
})
