// The table of profiles. Only the rows in sight are in the page, so it is as quick with 10,000 as with ten.
import { Component, type ComponentChildren, type RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { stateName } from '../lib/session.ts'
import { drawn, pageRows, rowHeight, scrollFor, type View } from '../lib/window.ts'
import { withApp } from '../parts/button.tsx'
import { useEvery } from '../parts/hooks.ts'
import * as icons from '../parts/icons.tsx'
import { below, openMenu } from '../parts/menu.tsx'
import { mayAutomate } from '../store/access.ts'
import { adopt } from '../store/app.ts'
import { drag } from '../store/drag.ts'
import { isLetter } from '../store/letters.ts'
import { restore, start, stop } from '../store/profiles.ts'
import { go } from '../store/route.ts'
import { edit, firstDown, moveTo, order, select, selectMore, toggle } from '../store/rows.ts'
import type { Editable, Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { actionsOf, discard, selectionActions, stopName, whyNoAgents } from './actions.ts'
import { CellInput } from './cell.tsx'
import { editable, shown } from './columns.tsx'

type HeadProps = { all: boolean; some: boolean; trash: boolean; onAll: () => void }

function Head({ all, some, trash, onAll }: HeadProps) {
  const { by, down } = state.sort.value
  return (
    <div role="rowgroup" class="head">
      <div role="row" aria-rowindex={1} class="row">
        <span role="columnheader" class="c-check">
          <input
            type="checkbox"
            aria-label={t.table.selectAll}
            checked={all}
            ref={e => {
              if (e) e.indeterminate = some && !all
            }}
            onChange={onAll}
            tabindex={-1}
          />
        </span>
        {shown().map(({ key, name, trashName }) => (
          <span
            role="columnheader"
            class={`c-${key}`}
            key={key}
            aria-sort={by === key ? (down ? 'descending' : 'ascending') : 'none'}
          >
            <button
              type="button"
              tabindex={-1}
              onClick={() => {
                order(key, by === key ? !down : firstDown(key))
              }}
            >
              {(trash && trashName) || name}
              {by === key && (down ? <icons.Down /> : <icons.Up />)}
            </button>
          </span>
        ))}
        <span role="columnheader" class="c-do">
          <span class="hidden">{t.parts.actions}</span>
        </span>
      </div>
    </div>
  )
}

type ActionsProps = { p: Row; tab?: number; trash?: boolean }

// Actions are what one can do with a profile in its present state.
export function Actions({ p, tab = 0, trash }: ActionsProps) {
  const button = (name: string, work: () => void, kind = '', why?: string, title?: string) => (
    <button
      type="button"
      class={`btn ${kind}`}
      tabindex={tab}
      aria-label={`${name}: ${p.name}`}
      onClick={e => {
        e.stopPropagation()
        work()
      }}
      {...withApp({ disabled: why !== undefined, title: why ?? title })}
    >
      {name}
    </button>
  )
  const more = (
    <button
      type="button"
      class="btn quiet square"
      tabindex={tab}
      aria-haspopup="menu"
      aria-label={t.table.menu(p.name)}
      onClick={e => {
        e.stopPropagation()
        openMenu(p.name, actionsOf(p, !!trash), below(e.currentTarget))
      }}
    >
      <icons.More />
    </button>
  )
  if (trash)
    return (
      <>
        {button(t.table.restore, () => void restore([p.id]))} {more}
      </>
    )
  const share = () => {
    adopt(p.id)
  }
  if (p.external && (p.state === 'closed' || p.state === 'starting'))
    return (
      <>
        {button(t.adopt.open, share, '', whyNoAgents(p))} {more}
      </>
    )
  if (p.state === 'starting' || p.state === 'stopping') return more
  if (p.state === 'open')
    return (
      <>
        {p.mode === 'automation' &&
          button(t.table.watch, () => {
            go('live', p.id)
          })}{' '}
        {button(stopName(p), () => void stop(p.id), '', undefined, p.external && t.adopt.letGoText)} {more}
      </>
    )
  return (
    <>
      {button(t.table.open, () => void start(p.id, false))}{' '}
      {button(t.table.openForAgents, () => void start(p.id, true), 'quiet', whyNoAgents(p))} {more}
    </>
  )
}

type RowProps = {
  p: Row
  index: number
  selected: boolean
  active: boolean
  minute: number
  may: boolean
  online: boolean
  trash: boolean
  editing: Editable | null
  hidden: unknown // the columns that are not shown
  onMenu: (p: Row, e: MouseEvent) => void
  onPick: (p: Row, e: MouseEvent) => void
  onCheck: (p: Row, e: MouseEvent) => void
  onOpen: (p: Row) => void
}

const stay = (e: Event) => {
  e.stopPropagation()
}

class TableRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const now = this.props
    return (
      ['p', 'index', 'selected', 'active', 'minute', 'may', 'online', 'trash', 'editing', 'hidden'] as const
    ).some(k => now[k] !== next[k])
  }

  override render({
    p,
    index,
    selected,
    active,
    trash,
    editing,
    onPick,
    onCheck,
    onOpen,
    onMenu,
  }: RowProps): ComponentChildren {
    return (
      <div
        role="row"
        id={`row-${p.id}`}
        aria-rowindex={index + 2}
        aria-selected={selected}
        class={`row${selected ? ' sel' : ''}${active ? ' active' : ''}`}
        style={{ transform: `translateY(${index * rowHeight}px)` }}
        onClick={e => {
          onPick(p, e)
        }}
        onDblClick={() => {
          onOpen(p)
        }}
        onContextMenu={e => {
          onMenu(p, e)
        }}
        draggable={!trash && !editing}
        onDragStart={e => {
          drag(p.id, e)
        }}
      >
        <span role="gridcell" class="c-check" onClick={stay}>
          <input
            type="checkbox"
            tabindex={-1}
            aria-label={t.table.select(p.name)}
            checked={selected}
            onClick={e => {
              onCheck(p, e)
            }}
          />
        </span>
        {shown().map(({ key, name, title, cell, edited }) => (
          <span
            role="gridcell"
            class={`c-${key}`}
            title={title?.(p)}
            key={key}
            onDblClick={e => {
              if (trash || key === 'name' || !editable(key)) return
              e.stopPropagation()
              edit(p.id, key)
            }}
          >
            {editing === key && edited ? (
              <CellInput p={p} column={editing} label={t.table.editOf(name, p.name)} text={edited(p)} />
            ) : (
              cell(p, { trash, onOpen })
            )}
          </span>
        ))}
        <span role="gridcell" class="c-do">
          <Actions p={p} tab={active ? 0 : -1} trash={trash} />
        </span>
      </div>
    )
  }
}

// useView follows what is seen of the table.
function useView(grid: RefObject<HTMLDivElement | null>): View {
  const [view, setView] = useState<View>({ top: 0, height: 600 })
  useLayoutEffect(() => {
    const g = grid.current
    if (!g) return undefined
    const look = () => {
      setView(v =>
        v.top === g.scrollTop && v.height === g.clientHeight ? v : { top: g.scrollTop, height: g.clientHeight },
      )
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(g)
    g.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      g.removeEventListener('scroll', look)
    }
  }, [])
  return view
}

// open opens a closed profile, or leads to what the person’s own browser asks.
function open(p: Row, automation: boolean): unknown {
  if (p.external && p.state !== 'open') {
    adopt(p.id)
    return undefined
  }
  return p.state === 'closed' && start(p.id, automation)
}

type TableProps = { rows: Row[]; label: string; trash: boolean; onOpen: (p: Row) => void }

export function Table({ rows, onOpen, trash, label }: TableProps) {
  const grid = useRef<HTMLDivElement>(null)
  const anchor = useRef(0) // where a selection with Shift begins
  const [minute, setMinute] = useState(0) // times in words grow old
  useEvery(30000, () => {
    setMinute(m => m + 1)
  })
  const view = useView(grid)
  const { first, last } = drawn(view, rows.length)
  const active = state.active.value
  const selected = state.selected.value
  const activeIndex = rows.findIndex(p => p.id === active)
  const at = rows[activeIndex]

  const range = (a: number, b: number) => {
    selectMore(rows.slice(Math.min(a, b), Math.max(a, b) + 1).map(p => p.id))
  }
  const pick = (p: Row, e: MouseEvent) => {
    const index = rows.indexOf(p)
    if (e.shiftKey) range(anchor.current, index)
    else if (e.ctrlKey || e.metaKey) toggle(p.id)
    if (!e.shiftKey) anchor.current = index
    moveTo(p.id)
  }
  const check = (p: Row, e: MouseEvent) => {
    if (e.shiftKey) range(anchor.current, rows.indexOf(p))
    else toggle(p.id)
    anchor.current = rows.indexOf(p)
    moveTo(p.id)
  }
  const menu = (p: Row, at: { x: number; y: number }) => {
    moveTo(p.id)
    const several = selected.size > 1 && selected.has(p.id)
    openMenu(
      several ? t.many.selected(selected.size) : p.name,
      several ? selectionActions(trash) : actionsOf(p, trash),
      at,
    )
  }
  const menuOf = (p: Row, e: MouseEvent) => {
    if (e.target instanceof HTMLInputElement) return // its own menu pastes
    e.preventDefault()
    menu(p, { x: e.clientX, y: e.clientY })
  }
  const menuByKey = (p: Row) => {
    const row = document.getElementById(`row-${p.id}`)
    if (row) menu(p, { x: row.getBoundingClientRect().left + 60, y: row.getBoundingClientRect().bottom })
  }
  const selectAll = () => {
    select(rows.every(p => selected.has(p.id)) ? [] : rows.map(p => p.id))
  }
  const step = (to: number, extend: boolean) => {
    const i = Math.max(0, Math.min(rows.length - 1, to))
    const p = rows[i]
    if (!p) return
    if (extend) range(activeIndex < 0 ? i : activeIndex, i)
    else anchor.current = i
    moveTo(p.id)
    const g = grid.current
    const top = g && scrollFor(i, { top: g.scrollTop, height: g.clientHeight })
    if (g && top !== null) g.scrollTop = top
  }
  const page = pageRows(view.height)
  const moves: Record<string, number> = {
    ArrowDown: activeIndex + 1,
    ArrowUp: activeIndex < 0 ? 0 : activeIndex - 1,
    PageDown: activeIndex + page,
    PageUp: activeIndex - page,
    Home: 0,
    End: rows.length - 1,
  }
  const letters: Record<string, (p: Row) => unknown> = {
    o: p => !trash && open(p, false),
    g: p => !trash && mayAutomate() && open(p, true),
    s: p => !trash && p.state === 'open' && stop(p.id),
    w: p => {
      if (p.mode === 'automation') go('live', p.id)
    },
    Enter: onOpen,
    ContextMenu: menuByKey,
    F2: p => {
      if (!trash) edit(p.id, 'name')
    },
    Delete: p => {
      if (!trash && p.state === 'closed') void discard([p.id])
    },
    ' ': p => {
      toggle(p.id)
    },
  }
  const act = (e: KeyboardEvent): boolean => {
    const command = e.ctrlKey || e.metaKey
    if (command || e.altKey) {
      if (e.key !== 'a' || !command) return false
      selectAll()
      return true
    }
    if (e.key === 'F10' && e.shiftKey) {
      if (at) menuByKey(at)
      return true
    }
    if (!state.letters.value && isLetter(e)) return false
    const to = moves[e.key]
    const letter = letters[e.key]
    if (to !== undefined) step(to, e.shiftKey)
    else if (e.key === 'Escape') select([])
    else if (!letter) return false
    else if (at) letter(at)
    return true
  }
  const keys = (e: KeyboardEvent) => {
    const pressed = e.target instanceof HTMLButtonElement && (e.key === 'Enter' || e.key === ' ')
    if (!pressed && act(e)) e.preventDefault()
  }
  const enter = (e: FocusEvent) => {
    if (e.target !== grid.current || activeIndex >= 0) return
    const p = rows[Math.min(rows.length - 1, Math.ceil(view.top / rowHeight))]
    if (p) moveTo(p.id)
  }
  const picked = rows.length > 0 && selected.size > 0
  const seen = activeIndex >= first && activeIndex < last
  return (
    <>
      <div
        class={`grid${state.route.value.folder !== undefined ? ' in-folder' : ''}`}
        style={{
          '--columns': shown()
            .map(c => `var(--w-${c.key})`)
            .join(' '),
        }}
        role="grid"
        tabindex={0}
        id="table"
        ref={grid}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={seen && at ? `row-${at.id}` : undefined}
        onKeyDown={keys}
        onFocus={enter}
      >
        <Head trash={trash} all={picked && rows.every(p => selected.has(p.id))} some={picked} onAll={selectAll} />
        <div role="rowgroup" class="rows" style={{ height: `${rows.length * rowHeight}px` }}>
          {rows.slice(first, last).map((p, i) => (
            <TableRow
              key={p.id}
              p={p}
              index={first + i}
              minute={minute}
              may={mayAutomate()}
              online={state.online.value}
              selected={selected.has(p.id)}
              active={p.id === active}
              trash={trash}
              editing={state.editing.value?.id === p.id ? state.editing.value.column : null}
              hidden={state.hidden.value}
              onMenu={menuOf}
              onPick={pick}
              onCheck={check}
              onOpen={onOpen}
            />
          ))}
        </div>
      </div>
      <span class="hidden" role="status">
        {at && `${at.name}, ${stateName(at)}`}
      </span>
    </>
  )
}
