// What an action sets off: changes of the page, scrolls, drags, downloads.
import {
  attrOf,
  bodyOf,
  closest,
  has,
  isConnected,
  isEditableHere,
  matches,
  parentElement,
  queryAllIn,
  queryDocument,
  rectOf,
  tagOf,
  treeWalker,
} from '../native.ts'
import { isVisible, wanted } from './aim.ts'
import { cove } from './cove.ts'
import { every, within } from './tree.ts'
import { active } from './value.ts'

const early = { capture: true, passive: true }

let touched = 0 // how often the page was changed
let last = 0 // when that was
let observer: MutationObserver | null = null

function touch(records: unknown[]): void {
  if (records.length === 0) return
  touched += records.length
  last = performance.now()
}

// changes is how often the page was changed since the last watch.
export const changes = (): number => touched

// settle counts the changes that nobody has been told of yet, and says for how long there has been none.
export function settle(): { changes: number; quiet: number } {
  if (observer) touch(observer.takeRecords())
  return { changes: touched, quiet: performance.now() - last }
}

// watch counts the page's changes from now on.
export function watch(): void {
  if (!observer) {
    observer = new MutationObserver(touch)
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
    addEventListener('scroll', e => scrolling && touch([e]), early)
  }
  observer.takeRecords()
  touched = 0
  saving = null
  dragging = ''
  scrolling = false
  calm = newCalm()
}

// Calm is what tells that nothing has changed which a person could see.
type Calm = { version: number; focus: number; scrolls: number; ended: boolean; active: Element | null; at: string }

const scrolledTo = () => `${scrollX} ${scrollY}`

const newCalm = (): Calm => ({
  version: cove.version(),
  focus: 0,
  scrolls: 0,
  ended: false,
  active: active(),
  at: scrolledTo(),
})

let calm: Calm = { version: 0, focus: 0, scrolls: 0, ended: false, active: null, at: '' }
for (const type of ['focusin', 'focusout']) addEventListener(type, () => void calm.focus++, early)
addEventListener('scroll', () => void calm.scrolls++, early)
addEventListener('scrollend', () => void (calm.ended = true), early)

const DRAWN = 'canvas, video, audio, embed, object'
const PRESSED = 'button, a, summary, [role=button], [role=link], [role=menuitem], [role=tab], body'

// unchanged returns whether nothing has changed since the last watch that a person could see: nothing but that the
// focus went to the button that was pressed. Where things are drawn or played nobody can know.
export function unchanged(): boolean {
  if (calm.scrolls > 0 || calm.at !== scrolledTo() || !wanted || !isConnected(wanted)) return false
  if (every(document, DRAWN).length > 0) return false
  const on = active()
  const moved = on !== calm.active
  if (moved && !(on && within(on, wanted) && matches(on, PRESSED))) return false
  return cove.version() - calm.version - calm.focus - (moved ? 1 : 0) <= 0
}

let scrolling = false
let key: KeyboardEvent | null = null
addEventListener('keydown', e => void (key = e), early)

const framesToScroll = 4 // three are the most that were seen, on a machine under load

// takesKeys: keys write into it, and scroll nothing.
const takesKeys = (el: Element): boolean => isEditableHere(el) || /^(input|textarea|select)$/.test(tagOf(el))

// scrolls waits until a scroll is over that a key may have asked for. It begins some frames after the key, and the
// browser drops it when the focus moves on before. A key that the page took for itself scrolls nothing, and nobody
// draws a hidden tab.
export function scrolls(): 0 | Promise<0> {
  const el = active()
  if (!isVisible() || key?.defaultPrevented || (el && takesKeys(el))) return 0
  scrolling = true
  return new Promise(done => {
    const frame = (left: number) => {
      if (calm.ended || (calm.scrolls === 0 && left <= 0)) done(0)
      else
        requestAnimationFrame(() => {
          frame(left - 1)
        })
    }
    frame(framesToScroll)
  })
}

let dragging: '' | 'begun' | 'taken' | 'refused' = ''
addEventListener('dragstart', () => void (dragging = 'begun'), early)
addEventListener('drop', () => void (dragging = 'taken'), early)
addEventListener(
  'dragend',
  e => {
    if (dragging !== 'taken') dragging = e.dataTransfer && e.dataTransfer.dropEffect !== 'none' ? 'taken' : 'refused'
  },
  early,
)

// dragged returns what has become of a drag and drop since the last watch: nothing when there was none.
export const dragged = (): string => dragging

const QUIET = 'script, style, [aria-live], [role=status], [role=alert], [role=log]'
const MOST_TEXTS = 20000
const MOST_CONTROLS = 2000
const MOST_STYLED = 50

// textsOf are the texts of the page in their order, without what only assistive technology is told.
function textsOf(root: Node): string[] {
  const texts: string[] = []
  const walker = treeWalker(document, root, NodeFilter.SHOW_TEXT)
  for (let n = walker.nextNode() as Text | null; n && texts.length < MOST_TEXTS; n = walker.nextNode() as Text | null) {
    const text = n.data.trim()
    const holder = parentElement(n)
    if (text && holder && !closest(holder, QUIET)) texts.push(text)
  }
  return texts
}

// stateOf is what a control holds.
function stateOf(el: Element): string {
  const field = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement
  const checked = el instanceof HTMLInputElement && el.checked ? 1 : 0
  return (field && !cove.hides(el) ? el.value : '') + checked + attrOf(el, 'aria-valuenow')
}

// scene is what a drag may change: where the element is, the page's texts in their order, and what its controls hold.
// What only assistive technology is told counts for nothing: libraries tell there of each drag. known is false where
// things are drawn.
export function scene(from: number, to: number): { known: boolean; all: string } {
  const at = (id: number) => {
    const el = cove.get(id)
    const r = el && rectOf(el)
    return r && [r.left + scrollX, r.top + scrollY, r.width, r.height].map(Math.round)
  }
  const inside = (id: number) => {
    const el = cove.get(id)
    return el && [...queryAllIn(el, '[style]')].slice(0, MOST_STYLED).map(n => attrOf(n, 'style'))
  }
  const held = every(document, 'input, textarea, select, [aria-valuenow]').slice(0, MOST_CONTROLS).map(stateOf)
  const texts = textsOf(bodyOf(document) ?? document)
  return {
    known: queryDocument(document, 'canvas, video, embed, object').length === 0,
    all: JSON.stringify([location.href, at(from), at(to), inside(from), texts, held]),
  }
}

let saving: MouseEvent | null = null

const saves = (n: EventTarget): boolean => n instanceof HTMLAnchorElement && has(n, 'download') && n.href !== ''

addEventListener(
  'click',
  e => {
    if (e.composedPath().some(saves)) saving = e
  },
  early,
)

// fetching returns whether a link to save a file was clicked since the last watch: the browser tells of it only later.
export const fetching = (): boolean => saving !== null && !saving.defaultPrevented
