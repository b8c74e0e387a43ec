// A cell of the table while it is edited: Enter and leaving it save, Escape does not.
import { useEffect, useRef } from 'preact/hooks'
import { words } from '../lib/text.ts'
import { trying } from '../store/messages.ts'
import { patch } from '../store/profiles.ts'
import { editNone } from '../store/rows.ts'
import type { Editable, Row } from '../store/state.ts'

type CellProps = { p: Row; column: Editable; label: string; text: string }

const toTable = () => document.getElementById('table')?.focus()

// CellInput edits one field of a profile.
export function CellInput({ p, column, label, text }: CellProps) {
  const input = useRef<HTMLInputElement>(null)
  const over = useRef(false)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const end = (save: boolean) => {
    if (over.current) return
    over.current = true
    editNone()
    const value = (input.current?.value ?? text).trim()
    if (!save || value === text.trim() || (column === 'name' && !value)) return
    void trying(() => patch(p.id, { [column]: column === 'tags' ? words(value) : value }))
  }
  return (
    <input
      ref={input}
      class="inline"
      aria-label={label}
      list={column === 'tags' || column === 'folder' ? `all-${column === 'tags' ? 'tags' : 'folders'}` : undefined}
      autocomplete="off"
      dir="auto"
      defaultValue={text}
      onClick={e => {
        e.stopPropagation()
      }}
      onDblClick={e => {
        e.stopPropagation()
      }}
      onBlur={() => {
        end(true)
      }}
      onKeyDown={e => {
        e.stopPropagation()
        if (e.isComposing || (e.key !== 'Enter' && e.key !== 'Escape')) return
        e.preventDefault()
        end(e.key === 'Enter')
        toTable()
      }}
    />
  )
}
