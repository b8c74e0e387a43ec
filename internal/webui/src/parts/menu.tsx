// A menu: of a row, of a button. The arrows move in it, Escape closes it, and the focus goes back to where it was.
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Item, Menu as Open } from '../store/state.ts'
import * as state from '../store/state.ts'
import * as icons from './icons.tsx'

// openMenu opens a menu at a place of the window, which is usually that of an event.
export function openMenu(label: string, items: Item[], at: { x: number; y: number }): void {
  const to = document.activeElement instanceof HTMLElement ? document.activeElement : null
  state.menu.value = { label, items, to, ...at }
}

// below is the place under an element.
export function below(e: Element): { x: number; y: number } {
  const box = e.getBoundingClientRect()
  return { x: box.left, y: box.bottom + 4 }
}

function close(menu: Open): void {
  state.menu.value = null
  menu.to?.focus()
}

const margin = 8

function Shown({ menu }: { menu: Open }) {
  const ref = useRef<HTMLDivElement>(null)
  const items = () => [...(ref.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  useLayoutEffect(() => {
    const box = ref.current
    if (!box) return
    box.style.left = `${Math.max(margin, Math.min(menu.x, innerWidth - box.offsetWidth - margin))}px`
    box.style.top = `${Math.max(margin, Math.min(menu.y, innerHeight - box.offsetHeight - margin))}px`
    items()[0]?.focus()
  }, [menu])
  const keys = (e: KeyboardEvent) => {
    const all = items()
    const at = all.findIndex(one => one === document.activeElement)
    const to = { ArrowDown: (at + 1) % all.length, ArrowUp: (at || all.length) - 1, Home: 0, End: all.length - 1 }[
      e.key
    ]
    const begins = all.find((one, i) => i > at && one.innerText.toLowerCase().startsWith(e.key.toLowerCase()))
    e.stopPropagation()
    if (to !== undefined) all[to]?.focus()
    else if (e.key === 'Escape' || e.key === 'Tab') close(menu)
    else if (e.key.length === 1 && e.key !== ' ' && begins) begins.focus()
    else return
    e.preventDefault()
  }
  const choose = (item: Item) => {
    if (item.why !== undefined) return
    close(menu)
    item.run()
  }
  return (
    <section aria-label={menu.label}>
      <div
        class="behind"
        onMouseDown={e => {
          e.preventDefault()
          close(menu)
        }}
        onContextMenu={e => {
          e.preventDefault()
        }}
      />
      <div class="menu" role="menu" aria-label={menu.label} ref={ref} onKeyDown={keys}>
        {menu.items.map(item => (
          <button
            type="button"
            key={item.name}
            role={item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
            aria-checked={item.checked}
            aria-disabled={item.why !== undefined}
            title={item.why}
            tabindex={-1}
            class={[item.danger && 'bad', item.apart && 'apart'].filter(Boolean).join(' ')}
            onClick={() => {
              choose(item)
            }}
          >
            {item.checked !== undefined && <span class="mark">{item.checked && <icons.Check />}</span>}
            <span>{item.name}</span>
            {item.key && <kbd aria-hidden="true">{item.key}</kbd>}
          </button>
        ))}
      </div>
    </section>
  )
}

export const Menu = () => {
  const menu = state.menu.value
  return menu && <Shown menu={menu} />
}
