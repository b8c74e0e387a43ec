// Profiles that are dragged to a folder of the rail.
import { decoded } from '../lib/proxy.ts'
import { change } from './jobs.ts'
import * as state from './state.ts'

let dragged: number[] = []

// drag begins to drag a profile, with the others that are selected if it is one of them.
export function drag(id: number, e: DragEvent): void {
  const { value: selected } = state.selected
  dragged = selected.has(id) ? [...selected] : [id]
  e.dataTransfer?.setData('text/plain', dragged.join())
}

// folderOf is the folder that an address leads to; null for any other.
export const folderOf = (address: string | null): string | null => {
  const name = /^#\/folder\/([^/?]+)/.exec(address ?? '')?.[1]
  return name === undefined ? null : decoded(name)
}

const linkAt = (e: Event) => (e.target instanceof Element ? e.target.closest('nav a') : null)

// followDrags lets profiles be dropped on folders.
export function followDrags(): void {
  addEventListener('dragover', e => {
    if (dragged.length && folderOf(linkAt(e)?.getAttribute('href') ?? null) !== null) e.preventDefault()
  })
  addEventListener('drop', e => {
    const folder = folderOf(linkAt(e)?.getAttribute('href') ?? null)
    if (!dragged.length || folder === null) return
    e.preventDefault()
    void change(dragged, { folder })
  })
  addEventListener('dragend', () => {
    dragged = []
  })
}
