// The columns of the table of profiles: one value each. Their order is in lib/view.ts, their widths are in
// style/table.css, and how rows are ordered by them is in store/rows.ts.
import type { ComponentChild } from 'preact'
import { proxyName, proxyText } from '../lib/proxy.ts'
import { stateText } from '../lib/session.ts'
import { ago, full } from '../lib/time.ts'
import { columns as keys } from '../lib/view.ts'
import * as icons from '../parts/icons.tsx'
import { State } from '../parts/layout.tsx'
import { below, openMenu } from '../parts/menu.tsx'
import { edit, narrow } from '../store/rows.ts'
import type { Column, Editable, Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { showLog } from './actions.ts'

type Context = { trash: boolean; onOpen: (p: Row) => void }

type ColumnOf = {
  key: Column
  name: string
  cell: (p: Row, c: Context) => ComponentChild
  title?: (p: Row) => string | undefined // what has no room in the cell
  trashName?: string // what it is called in the trash
  edited?: (p: Row) => string // the text that people edit in the cell
}

const shownTags = 2

const stay = (work: () => void) => (e: Event) => {
  e.stopPropagation()
  work()
}

const Name = ({ p, c }: { p: Row; c: Context }) =>
  c.trash ? (
    <span class="name">{p.name}</span>
  ) : (
    <button
      type="button"
      class="name"
      tabindex={-1}
      title={p.name}
      onClick={stay(() => {
        c.onOpen(p)
      })}
    >
      {p.name}
    </button>
  )

const Preset = ({ preset }: { preset: string }) => (
  <small class="dim" title={t.table.agents(preset)}>
    <icons.Lock />
    <span class="hidden">{preset}</span>
  </small>
)

// Tags are the first tags, and how many more there are: a menu has those.
function Tags({ p, c }: { p: Row; c: Context }) {
  const rest = p.tags.slice(shownTags)
  const items = rest.map(tag => ({
    name: tag,
    run: () => {
      narrow({ tags: [...new Set([...state.filter.value.tags, tag])] })
    },
  }))
  const editTags = {
    name: t.actions.tags,
    apart: true,
    run: () => {
      edit(p.id, 'tags')
    },
  }
  return (
    <>
      {p.tags.slice(0, shownTags).map(tag => (
        <span class="tag" key={tag}>
          {tag}
        </span>
      ))}
      {rest.length > 0 && (
        <button
          type="button"
          class="tag more"
          tabindex={-1}
          aria-haspopup="menu"
          aria-label={t.table.moreTags(rest)}
          onClick={e => {
            e.stopPropagation()
            openMenu(t.table.moreTags(rest), c.trash ? items : [...items, editTags], below(e.currentTarget))
          }}
        >
          +{rest.length}
        </button>
      )}
    </>
  )
}

// Failure leads to the log of a start that failed.
const Failure = ({ p }: { p: Row }) => (
  <button
    type="button"
    class="link"
    tabindex={-1}
    aria-label={t.table.showLogOf(p.name)}
    onClick={stay(() => {
      showLog(p.id)
    })}
  >
    {t.table.showLog}
  </button>
)

const all: Record<Column, Omit<ColumnOf, 'key'>> = {
  name: {
    name: t.table.name,
    edited: p => p.name,
    cell: (p, c) => (
      <>
        <span class="named">
          <Name p={p} c={c} />
          {p.external && <small class="dim">{t.adopt.yours}</small>}
        </span>
        {p.agents && p.agents !== 'open' && <Preset preset={p.agents} />}
      </>
    ),
  },
  id: { name: t.table.id, cell: p => p.id },
  tags: {
    name: t.table.tags,
    title: p => p.tags.join(', '),
    edited: p => p.tags.join(', '),
    cell: (p, c) => <Tags p={p} c={c} />,
  },
  folder: { name: t.table.folder, title: p => p.folder, edited: p => p.folder ?? '', cell: p => p.folder },
  status: { name: t.table.status, title: p => p.status?.name, cell: p => p.status?.name },
  notes: { name: t.table.notes, title: p => p.notes, edited: p => p.notes ?? '', cell: p => p.notes },
  proxy: {
    name: t.table.proxy,
    title: p => (p.external ? undefined : proxyText(p)),
    cell: p => !p.external && proxyName(p),
  },
  state: {
    name: t.table.state,
    title: stateText,
    cell: (p, c) =>
      c.trash ? (
        <span class="dim">{t.table.inTrash}</span>
      ) : (
        <>
          <State p={p} />
          {p.state === 'closed' && p.startFailure && <Failure p={p} />}
        </>
      ),
  },
  opened: {
    name: t.table.opened,
    trashName: t.table.deleted,
    title: p => full(p.deletedAt ?? p.openedAt),
    cell: p => ago(p.deletedAt ?? p.openedAt),
  },
}

// columns are those of the table, in their order.
export const columns: ColumnOf[] = keys.map(key => ({ key, ...all[key] }))

// editable says whether the cells of a column can be edited.
export const editable = (key: Column): key is Editable => columns.some(c => c.key === key && c.edited)

// shown are the columns that the table has now.
export const shown = (): ColumnOf[] => columns.filter(c => !state.hidden.value.has(c.key))
