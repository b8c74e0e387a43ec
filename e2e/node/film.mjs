// A camera for the window: it takes a picture where the script says so, and how long that is seen has nothing to do with how long it took.
import { mkdirSync, writeFileSync } from 'node:fs'

export const size = { width: 1000, height: 625 }
const captionHeight = 44

// newCamera films a page of the given size into a folder. The list of frames is for scripts/film.
export async function newCamera(page, folder) {
  mkdirSync(folder, { recursive: true })
  const list = []
  const strip = await page.context().newPage()
  await strip.setViewportSize({ width: size.width, height: captionHeight })
  let caption = '', scenes = 0, at = { x: size.width / 2, y: size.height - 60 }

  // The pointer is drawn: no screenshot has one. The page's own rules let no style in, but its properties can be set.
  const draw = () => page.evaluate(({ x, y }) => {
    let e = document.querySelector('#filmed-pointer')
    if (!e) {
      e = document.createElement('div')
      e.id = 'filmed-pointer'
      const shape = 'polygon(0 0, 0 78%, 26% 62%, 44% 100%, 62% 92%, 46% 56%, 80% 56%)'
      const face = document.createElement('div')
      Object.assign(face.style, { position: 'absolute', left: '2px', top: '4px', width: '22px', height: '26px', background: '#fff', clipPath: shape })
      Object.assign(e.style, { position: 'fixed', margin: 0, padding: 0, border: 0, inset: 'auto', width: '28px', height: '34px', overflow: 'hidden', pointerEvents: 'none', background: '#000', clipPath: shape })
      e.append(face)
      e.popover = 'manual'
      document.body.append(e)
    }
    if (e.matches(':popover-open')) e.hidePopover()
    e.showPopover() // above dialogs
    e.style.left = x + 'px'
    e.style.top = y + 'px'
  }, at)

  const camera = {
    // scene begins with another caption.
    async scene(text) {
      caption = `caption-${++scenes}.png`
      await strip.setContent('<body>')
      await strip.evaluate(text => {
        Object.assign(document.body.style, { margin: 0, height: '44px', display: 'grid', placeItems: 'center', background: '#0b6b7a', color: '#fff', font: '600 19px system-ui, sans-serif' })
        document.body.textContent = text
      }, text)
      await strip.screenshot({ path: `${folder}/${caption}` })
    },
    // still is a picture that is seen for some milliseconds.
    async still(time) {
      await draw()
      const picture = `frame-${list.length}.png`
      await page.screenshot({ path: `${folder}/${picture}`, animations: 'disabled', caret: 'hide' })
      list.push({ picture, caption, time })
    },
    // move leads the pointer somewhere. Where it passes it is seen.
    async move(to, steps = 6, moved = async () => {}) {
      const from = at
      for (let i = 1; i <= steps; i++) {
        const part = i / steps
        at = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
        await moved(at)
        await camera.still(70)
      }
    },
    // click leads the pointer to something and clicks it.
    async click(what) {
      await what.scrollIntoViewIfNeeded()
      const box = await what.boundingBox()
      await camera.move({ x: box.x + Math.min(box.width / 2, 40), y: box.y + box.height / 2 })
      await camera.still(500)
      await what.click()
    },
    async end() {
      await strip.close()
      writeFileSync(`${folder}/frames.json`, JSON.stringify(list))
      return list.reduce((sum, f) => sum + f.time, 0) / 1000
    },
  }
  return camera
}
