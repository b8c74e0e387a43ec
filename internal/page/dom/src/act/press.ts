// What became of a press of the mouse.
import { bodyOf, documentElement, isConnected, matches, rectOf } from '../native.ts'
import { wanted } from './aim.ts'
import { cove } from './cove.ts'
import { part, reaches, summarize } from './hit.ts'
import { read, type Reading } from './text.ts'
import { within } from './tree.ts'
import { active } from './value.ts'
import { changes, fetching, settle, watch as watchChanges } from './watch.ts'

// Press is what the mouse has done since the last watch, as the window hears it before the page does. own tells that
// what became of the element (it was removed, moved or disabled) came while the page handled the press or the release
// itself: the page has acted on it.
type Press = {
  on: Element
  by: Event
  own: boolean
  handled: boolean
  connected: boolean
  at: string
  off: boolean
  released: string
  clicked: EventTarget | null
  look: MutationObserver
}

let pressed: Press | null = null

function onTrusted(type: 'pointerdown' | 'mousedown' | 'pointerup' | 'mouseup' | 'click', f: (e: Event) => void): void {
  addEventListener(
    type,
    e => {
      if (e.isTrusted) f(e)
    },
    { capture: true, passive: true },
  )
}

function positionOf(el: Element): string {
  const r = rectOf(el)
  return `${r.x} ${r.y}`
}

const disabled = (el: Element): boolean => matches(el, ':disabled')

function follow(e: Event): Press | null {
  const path = e.composedPath()
  const on = path[0]
  if (!(on instanceof Element)) return null
  // A change is told right after the script that made it, and so still inside of the event that it handles.
  const look = new MutationObserver(() => {
    if (p.own || p.by.eventPhase === 0) return // a field that lost the focus may have pushed it away
    p.handled = true
    p.own = !isConnected(on) || disabled(on) !== p.off || positionOf(on) !== p.at
  })
  const p: Press = {
    on,
    by: e,
    own: false,
    handled: false,
    connected: true,
    at: positionOf(on),
    off: disabled(on),
    released: '',
    clicked: null,
    look,
  }
  for (const n of path) {
    if (n instanceof Document || n instanceof DocumentFragment) {
      look.observe(n, { subtree: true, childList: true, attributes: true })
    }
  }
  return p
}

function press(e: Event): void {
  if (!pressed) pressed = follow(e)
  else if (!pressed.released) pressed.by = e
}

function release(e: Event): void {
  const p = pressed
  if (!p || p.clicked) return
  p.by = e
  if (!p.released) p.connected = isConnected(p.on)
  p.released = e.type
}

onTrusted('pointerdown', press)
onTrusted('mousedown', press)
onTrusted('pointerup', release)
onTrusted('mouseup', release)
onTrusted('click', e => {
  if (!pressed || pressed.clicked) return
  pressed.clicked = e.composedPath()[0]
  pressed.look.disconnect()
})

// watch counts the page's changes, and follows the mouse, from now on.
export function watch(): void {
  watchChanges()
  pressed?.look.disconnect()
  pressed = null
}

// serves: what happens to node happens to the element that was aimed at. Of a closed shadow root only its host is heard
// of.
const serves = (node: EventTarget): boolean =>
  node instanceof Element &&
  (reaches(node, wanted) || (cove.root(node) !== null && within(wanted, node)) || part(node, wanted))

// pressFailure is why a press came to no click on the element although the page has done nothing about the press; ''
// when all is well.
function pressFailure(): '' | 'gone' | 'moved' | 'disabled' {
  const p = pressed
  if (!p || p.own || !wanted) return ''
  if (!p.connected || (!p.released && !isConnected(p.on))) {
    return p.clicked && p.clicked !== p.on && isConnected(wanted) && serves(p.clicked) ? '' : 'gone'
  }
  if (p.clicked) return movedAway(p, p.clicked) ? 'moved' : ''
  return p.released !== 'mouseup' && isConnected(p.on) && !p.off && disabled(p.on) ? 'disabled' : ''
}

// movedAway: the element went from under the mouse. What opens on the press lies under the release, and the click goes
// elsewhere: then the press has done its work.
const movedAway = (p: Press, clicked: EventTarget): boolean =>
  !p.handled &&
  isConnected(p.on) &&
  wanted !== null &&
  isConnected(wanted) &&
  positionOf(p.on) !== p.at &&
  serves(p.on) &&
  !serves(clicked)

// missed is what the mouse was pressed on instead of the element that was aimed at, which is still there.
function missed(): string {
  const on = pressed?.on
  if (!on || !isConnected(on) || !wanted || !isConnected(wanted)) return ''
  // A press on another part of the widget is one on the field when the widget does something about it.
  if (serves(on) && (!part(on, wanted) || changes() > 0 || within(active(), wanted))) return ''
  return on === documentElement(document) || on === bodyOf(document) ? 'an empty part of the page' : summarize(on)
}

// turn lets the tasks pass that are due now. Not by a timer: those of a hidden tab come once a second.
const turn = () =>
  new Promise<void>(done => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      done()
    }
    port2.postMessage(0)
  })

type Tick = {
  changes: number
  quiet: number
  saving: boolean
  pressFailure: string
  missed: string
  reading: Reading | null
}

// tick lets the tasks pass that are due now, and reads the element.
export async function tick(id: number): Promise<Tick> {
  await turn()
  await turn()
  return {
    ...settle(),
    saving: fetching(),
    pressFailure: pressFailure(),
    missed: missed(),
    reading: id ? read(id) : null,
  }
}
