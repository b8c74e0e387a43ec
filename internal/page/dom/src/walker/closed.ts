// What closed shadow roots hide, which scripts cannot see: the keeper is asked for them.
import { asked, handIn, idFor, shadowOf } from './dom.ts'
import { isBlank } from './names.ts'
import {
  TEXT,
  checkVisibility,
  clientHeight,
  clientWidth,
  dataOf,
  firstChild,
  firstElementChild,
  isElement,
  isHTML,
  nextSibling,
  nodeType,
  set,
} from '../native.ts'
import { bump, observe } from './version.ts'
import { walking } from './walk.ts'

// ---- Closed shadow roots ------------------------------------------------------------------------------------------

const hosts = set('article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span')

const MOST_ASKED = 100 // in one walk; the next one names the next

// lookForClosedRoot notes elements that show something which is not in their light tree.
export function lookForClosedRoot(el: Element, tag: string) {
  const custom = tag.includes('-') && isHTML(el)
  if (!custom && (!hosts.has(tag) || firstChild(el) !== null)) {
    if (!hosts.has(tag) || firstElementChild(el) === null || !couldHostSilently(el)) return
  }
  if (shadowOf(el)) return
  if (custom) walking.hosts.push(el)
  if (asked.has(el)) return
  if (!custom && (clientHeight(el) === 0 || clientWidth(el) === 0)) return
  if (walking.closed.length < MOST_ASKED) walking.closed.push(idFor(el))
}

// couldHostSilently: it has children, none of which is rendered, and still takes up room.
function couldHostSilently(el: Element) {
  for (let n: Node | null = firstChild(el); n; n = nextSibling(n)) {
    if (nodeType(n) === TEXT ? !isBlank(dataOf(n)) : isElement(n) && checkVisibility(n)) return false
  }
  return clientHeight(el) > 0
}

export function adopt(host: Element, root: ShadowRoot): void {
  handIn(host, root)
  observe(root)
  bump()
}
