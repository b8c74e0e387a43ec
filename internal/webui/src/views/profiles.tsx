// The list of profiles: search, filters, and the trash.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Btn } from '../parts/button.tsx'
import { Options } from '../parts/field.tsx'
import * as icons from '../parts/icons.tsx'
import { later } from '../parts/later.tsx'
import { Empty, Grow, Main, Strip } from '../parts/layout.tsx'
import { below, openMenu } from '../parts/menu.tsx'
import { mayAutomate } from '../store/access.ts'
import { adopt, show } from '../store/app.ts'
import { go } from '../store/route.ts'
import {
  clearFilters,
  find,
  firstDown,
  moveTo,
  narrow,
  order,
  rows,
  select,
  shelves,
  showColumn,
} from '../store/rows.ts'
import type { Column, Filter, Item, Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { shownPlace, shownView } from '../store/views.ts'
import { number, t } from '../strings.ts'
import { columns } from './columns.tsx'
import { FolderMenu } from './folder.tsx'
import { Log } from './log.tsx'
import { Many } from './many.tsx'
import { ViewMenu } from './saved.tsx'
import { Table } from './table.tsx'

const states: [Filter['state'], string][] = [
  ['', t.filters.anyState],
  ['open', t.filters.open],
  ['agents', t.filters.agents],
  ['closed', t.filters.closed],
  ['crashed', t.filters.crashed],
  ['failed', t.filters.failed],
]
const ways: [Filter['proxy'], string][] = [
  ['', t.filters.anyWay],
  ['direct', t.filters.direct],
  ['proxy', t.filters.proxy],
]
const orders = columns.map(({ key, name }): [Column, string] => [key, t.filters.by(name)])
const loadAdopt = () => import('./adopt.tsx')
const loadEdit = async () => (await import('./edit.tsx')).Edit
const Edit = later(loadEdit, Strip)
const shownTags = 500
const suggested = 300

function TagFilter() {
  const { tags } = shelves.value
  const chosen = state.filter.value.tags
  if (!tags.length) return null
  const offered: [string, string][] = tags.slice(0, shownTags).map(([tag, n]) => [tag, `${tag} (${n})`])
  return (
    <select
      aria-label={t.filters.tag}
      value=""
      onChange={e => {
        const { value } = e.currentTarget
        if (value) narrow({ tags: [...new Set([...chosen, value])] })
        e.currentTarget.value = ''
      }}
    >
      <Options of={[['', t.filters.tagChoose], ...offered]} now="" />
    </select>
  )
}

function Filters() {
  const filter = state.filter.value
  const { by, down } = state.sort.value
  return (
    <div class="filters" role="group" aria-label={t.filters.label}>
      <select
        aria-label={t.filters.state}
        value={filter.state}
        onChange={e => {
          narrow({ state: e.currentTarget.value as Filter['state'] })
        }}
      >
        <Options of={states} now={filter.state} />
      </select>
      <select
        aria-label={t.filters.proxyLabel}
        value={filter.proxy}
        onChange={e => {
          narrow({ proxy: e.currentTarget.value as Filter['proxy'] })
        }}
      >
        <Options of={ways} now={filter.proxy} />
      </select>
      <TagFilter />
      <select
        aria-label={t.filters.order}
        value={by}
        onChange={e => {
          const column = e.currentTarget.value as Column
          order(column, firstDown(column))
        }}
      >
        <Options of={orders} now={by} />
      </select>
      <Btn
        aria-pressed={down}
        onClick={() => {
          order(by, !down)
        }}
      >
        {t.filters.reversed}
      </Btn>
      {filter.tags.map(tag => (
        <button
          type="button"
          class="tag on"
          key={tag}
          aria-label={t.filters.without(tag)}
          onClick={() => {
            narrow({ tags: filter.tags.filter(o => o !== tag) })
          }}
        >
          {tag} <icons.Cross />
        </button>
      ))}
      <Grow />
      <ViewMenu />
      {shownPlace.value && !shownView.value && (
        <Btn
          acts
          kind="quiet"
          aria-haspopup="dialog"
          onClick={() => {
            show('view')
          }}
        >
          {t.views.save}
        </Btn>
      )}
      <Btn
        kind="quiet"
        onClick={() => {
          narrow(state.noFilter)
        }}
      >
        {t.filters.clear}
      </Btn>
    </div>
  )
}

// columnItems are the columns that can be shown or not. The name is always there.
const columnItems = (): Item[] =>
  columns
    .filter(c => c.key !== 'name')
    .map(({ key, name }) => {
      const checked = !state.hidden.value.has(key)
      return {
        name,
        checked,
        run: () => {
          showColumn(key, !checked)
        },
      }
    })

const newProfile = () => {
  go('new')
}

// otherWays are the ways to a profile that need more than a name.
const otherWays: Item[] = [
  {
    name: t.adopt.menu,
    run: () => {
      adopt()
    },
  },
  {
    name: t.palette.importCSV,
    run: () => {
      show('csv')
    },
  },
]

function Nothing({ trash, filtered }: { trash: boolean; filtered: boolean }) {
  if (trash)
    return (
      <Empty title={t.profiles.trashEmpty}>
        <p>{t.profiles.trashText}</p>
      </Empty>
    )
  if (filtered)
    return (
      <Empty title={t.profiles.noneFit}>
        <p>{t.profiles.noneFitText(state.route.value.folder)}</p>
        <p>
          <Btn onClick={clearFilters}>{t.profiles.showAll}</Btn>
        </p>
      </Empty>
    )
  return (
    <Empty title={t.profiles.noneYet}>
      <p>{t.profiles.noneYetText}</p>
      <p>
        <Btn kind="primary" onClick={newProfile}>
          {t.profiles.create}
        </Btn>{' '}
        <Btn
          acts
          aria-haspopup="dialog"
          onClick={() => {
            adopt()
          }}
        >
          {t.adopt.menu}
        </Btn>
      </p>
    </Empty>
  )
}

// FirstSteps teaches whoever has one profile that was never opened.
const FirstSteps = ({ p }: { p: Row }) => (
  <section class="steps" aria-label={t.steps.label}>
    <div>
      <strong>{t.steps.open}</strong>
      <p>{t.steps.openText(p.name)}</p>
    </div>
    <div>
      <strong>{t.steps.agents}</strong>
      <p>{t.steps.agentsText}</p>
    </div>
    <div>
      <strong>{t.steps.connect}</strong>
      <p>{t.steps.connectText}</p>
      <Btn
        onClick={() => {
          go('connect', p.id)
        }}
      >
        {t.connect.open}
      </Btn>
    </div>
  </section>
)

function toTable(): void {
  document.getElementById('table')?.focus()
}

function Search({ first }: { first: Row | undefined }) {
  const keys = (e: KeyboardEvent) => {
    if (e.key === 'Escape') {
      find('')
      toTable()
    }
    if (e.key === 'ArrowDown' || e.key === 'Enter') {
      e.preventDefault()
      if (first) moveTo(first.id)
      toTable()
    }
  }
  return (
    <div class="search" role="search">
      <icons.Search />
      <input
        id="search"
        type="search"
        aria-label={t.profiles.search}
        placeholder={t.profiles.searchHint}
        autocomplete="off"
        value={state.search.value}
        onInput={e => {
          find(e.currentTarget.value)
        }}
        onKeyDown={keys}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  )
}

// Suggestions are the folders and tags that inputs offer. They are made again only when they change: drawing them
// takes longer than the rows.
function Suggestions() {
  const shelf = shelves.value
  return useMemo(
    () => (
      <>
        {Object.entries(shelf).map(([name, all]) => (
          <datalist id={`all-${name}`} key={name}>
            {all.slice(0, suggested).map(([one]) => (
              <option value={one} key={one} />
            ))}
          </datalist>
        ))}
      </>
    ),
    [shelf],
  )
}

export function Profiles() {
  const { folder, trash, name, arg } = state.route.value
  const list = rows.value
  const [unfolded, setUnfolded] = useState(false)
  const filter = state.filter.value
  const narrowed = !!(filter.state || filter.proxy || filter.tags.length)
  const found = !!state.search.value || narrowed
  const filters = unfolded || narrowed || !!shownView.value
  const title = trash ? t.profiles.trash : (folder ?? t.profiles.title)
  const ready = trash ? state.trash.value : state.loaded.value
  useEffect(() => {
    if (!ready) return
    loadEdit().catch(() => undefined) // before it is needed: it opens while the app is away, too
    loadAdopt().catch(() => undefined)
  }, [!ready])
  const only = !trash && state.profiles.value.size === 1 ? list[0] : undefined
  const head = (
    <>
      <Search first={list[0]} />
      <span class="found" role="status">
        {found ? t.profiles.found(number(list.length)) : ''}
      </span>
      {folder && <FolderMenu name={folder} />}
      <Grow />
      <Btn
        kind="quiet wide"
        aria-haspopup="dialog"
        onClick={() => {
          show('palette')
        }}
      >
        {t.profiles.commands} <kbd>{t.palette.shortcut}</kbd>
      </Btn>
      <Btn
        kind="wide"
        aria-haspopup="menu"
        onClick={e => {
          openMenu(t.profiles.columns, columnItems(), below(e.currentTarget))
        }}
      >
        {t.profiles.columns}
      </Btn>
      <button
        type="button"
        class={`btn${narrowed ? ' on' : ''}`}
        aria-expanded={filters}
        onClick={() => {
          setUnfolded(!unfolded)
        }}
      >
        {t.filters.button}
      </button>
      {trash && list.length > 0 && (
        <Btn
          acts
          onClick={() => {
            select(state.trash.value?.map(p => p.id) ?? [])
            state.asking.value = 'purge'
          }}
        >
          {t.profiles.emptyTrash}
        </Btn>
      )}
      {!trash && (
        <span class="split">
          <Btn acts kind="primary" title={t.profiles.createKey} onClick={newProfile}>
            {t.profiles.create}
          </Btn>
          <Btn
            acts
            kind="primary square"
            aria-haspopup="menu"
            aria-label={t.adopt.more}
            title={t.adopt.more}
            onClick={e => {
              openMenu(t.adopt.more, otherWays, below(e.currentTarget))
            }}
          >
            <icons.Fold />
          </Btn>
        </span>
      )}
    </>
  )
  return (
    <Main title={title} head={head}>
      {filters && <Filters />}
      {!trash && state.status.value && !mayAutomate() && (
        <div class="strip" role="note">
          <icons.Warn /> {t.plan.freeOpens} <a href="#/settings">{t.plan.change}</a>
        </div>
      )}
      {state.selected.value.size > 0 && <Many trash={trash} />}
      {!ready ? (
        <p class="loading" role="status">
          {t.profiles.loading}
        </p>
      ) : list.length ? (
        <Table
          rows={list}
          label={title}
          trash={trash}
          onOpen={p => {
            if (!trash) go('profile', p.id)
          }}
        />
      ) : (
        <Nothing trash={trash} filtered={found || folder !== undefined} />
      )}
      {only && !only.openedAt && !only.external && <FirstSteps p={only} />}
      <Suggestions />
      {state.log.value > 0 && <Log />}
      {(name === 'profile' || name === 'new') && <Edit key={name + arg} id={name === 'new' ? 0 : Number(arg)} />}
    </Main>
  )
}
