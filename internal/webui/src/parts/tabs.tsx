// Tabs: together one stop of the Tab key; arrows turn to another.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { turned } from '../lib/tabs.ts'
import { t } from '../strings.ts'

type TabsProps<T extends string> = {
  label: string
  all: readonly T[]
  names: Record<T, string>
  now: T
  wrong: ReadonlySet<T> // those with something wrong in them
  onTurn: (to: T) => void
}

export function Tabs<T extends string>({ label, all, names, now, wrong, onTurn }: TabsProps<T>) {
  const bar = useRef<HTMLDivElement>(null)
  const keys = (e: KeyboardEvent) => {
    const to = turned(all, now, e.key)
    if (!to) return
    e.preventDefault()
    onTurn(to)
    bar.current?.querySelector<HTMLElement>(`#tab-${to}`)?.focus()
  }
  return (
    <div class="sheets" role="tablist" aria-label={label} ref={bar} onKeyDown={keys}>
      {all.map(tab => (
        <button
          type="button"
          role="tab"
          key={tab}
          id={`tab-${tab}`}
          aria-selected={tab === now}
          aria-controls={`panel-${tab}`}
          tabindex={tab === now ? 0 : -1}
          data-first={(tab === now && tab !== all[0]) || undefined}
          onClick={() => {
            onTurn(tab)
          }}
        >
          {names[tab]}
          {wrong.has(tab) && (
            <i>
              <span class="hidden">{t.parts.tabWrong}</span>
            </i>
          )}
        </button>
      ))}
    </div>
  )
}

type PanelProps = { tab: string; now: string; children: ComponentChildren }

// Panel is what a tab shows. It is made when it is first shown, and keeps what was typed into it.
export function Panel({ tab, now, children }: PanelProps) {
  const seen = useRef(false)
  seen.current ||= tab === now
  return (
    <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} hidden={tab !== now}>
      {seen.current && children}
    </div>
  )
}
