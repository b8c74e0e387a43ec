// The hands of a person in the live view: what the pointer, the keys and the clipboard do over its picture.
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { LiveEvent } from '../api/types.ts'
import { clickCounter, keyOf, modifiersOf, placeIn, wheelOf } from '../lib/control.ts'

// Act sends events for the picture that is shown.
export type Act = (...events: LiveEvent[]) => void

type Handlers = { [K in keyof HTMLElementEventMap]?: (e: HTMLElementEventMap[K]) => void }

// listen adds listeners, until the returned function is called. They can all keep the browser from acting itself.
function listen(on: HTMLElement, handlers: Handlers): () => void {
  const over = new AbortController()
  for (const [name, handle] of Object.entries(handlers)) {
    on.addEventListener(name, handle as EventListener, { signal: over.signal, passive: false })
  }
  return () => {
    over.abort()
  }
}

// pointerOn sends what the pointer does over the picture.
function pointerOn(canvas: HTMLCanvasElement, keys: HTMLElement, act: Act): () => void {
  const count = clickCounter()
  let held = 0
  const place = (e: { clientX: number; clientY: number }) =>
    placeIn(canvas.getBoundingClientRect(), canvas, { x: e.clientX, y: e.clientY })
  const fingers = (e: TouchEvent, k: NonNullable<LiveEvent['k']>) => {
    e.preventDefault()
    keys.focus({ preventScroll: true })
    const points = [...e.touches].flatMap(one => {
      const { x, y } = place(one)
      return [one.identifier, x, y]
    })
    act({ t: 'touch', k, points, m: modifiersOf(e) })
  }
  return listen(canvas, {
    pointerdown: e => {
      if (e.pointerType === 'touch') return
      e.preventDefault()
      keys.focus({ preventScroll: true })
      const { x, y, hits } = place(e)
      if (!hits || e.button > 2) return
      canvas.setPointerCapture(e.pointerId)
      held = count({ x: e.clientX, y: e.clientY, b: e.button, at: e.timeStamp })
      const m = modifiersOf(e)
      act({ t: 'move', x, y, m }, { t: 'down', x, y, b: e.button, n: held, m })
    },
    pointermove: e => {
      const { x, y, hits } = place(e)
      if (e.pointerType !== 'touch' && (hits || e.buttons)) act({ t: 'move', x, y, m: modifiersOf(e) })
    },
    pointerup: e => {
      if (e.pointerType === 'touch' || !held || e.button > 2) return
      const { x, y } = place(e)
      act({ t: 'up', x, y, b: e.button, n: held, m: modifiersOf(e) })
    },
    wheel: e => {
      e.preventDefault()
      const { x, y } = place(e)
      act({ t: 'wheel', x, y, ...wheelOf(e), m: modifiersOf(e) })
    },
    touchstart: e => {
      fingers(e, 'start')
    },
    touchmove: e => {
      fingers(e, 'move')
    },
    touchend: e => {
      fingers(e, 'end')
    },
    touchcancel: e => {
      fingers(e, 'cancel')
    },
    contextmenu: e => {
      e.preventDefault()
    },
  })
}

const twice = 600

// keysOn sends what is typed. The field is empty: it only lets input methods and the clipboard in. Escape twice leaves
// it.
function keysOn(field: HTMLTextAreaElement, act: Act, leave: () => void): () => void {
  let escaped = -twice
  const key = (e: KeyboardEvent, down: boolean) => {
    const event = keyOf(e, down)
    if (!event) return
    e.preventDefault()
    e.stopPropagation()
    act(event)
    if (e.key !== 'Escape' || !down || e.repeat) return
    if (e.timeStamp - escaped < twice) leave()
    escaped = e.timeStamp
  }
  const typed = () => {
    if (field.value) act({ t: 'text', text: field.value })
    field.value = ''
  }
  return listen(field, {
    keydown: e => {
      key(e, true)
    },
    keyup: e => {
      key(e, false)
    },
    compositionupdate: e => {
      act({ t: 'compose', text: e.data })
    },
    compositionend: e => {
      act(e.data ? { t: 'text', text: e.data } : { t: 'compose', text: '' })
      field.value = ''
    },
    input: e => {
      if (!e.isComposing) typed()
    },
    paste: e => {
      e.preventDefault()
      const text = e.clipboardData?.getData('text/plain') ?? ''
      if (text) act({ t: 'text', text })
    },
  })
}

type Where = { canvas: RefObject<HTMLCanvasElement | null>; keys: RefObject<HTMLTextAreaElement | null> }

// useHands sends what the person does over the picture while they are in control.
export function useHands(on: boolean, { canvas, keys }: Where, act: Act, leave: () => void): void {
  useEffect(() => {
    const picture = canvas.current
    const field = keys.current
    if (!on || !picture || !field) return
    const ends = [pointerOn(picture, field, act), keysOn(field, act, leave)]
    field.focus({ preventScroll: true })
    return () => {
      for (const end of ends) end()
    }
  }, [on, act])
}
