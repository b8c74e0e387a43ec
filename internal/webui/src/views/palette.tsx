// The palette: profiles, actions and pages by their names, from anywhere.
import { useMemo, useState } from 'preact/hooks'
import { type Entry, grouped, offered } from '../lib/palette.ts'
import { stateName } from '../lib/session.ts'
import * as icons from '../parts/icons.tsx'
import { Modal } from '../parts/modal.tsx'
import { adopt, show } from '../store/app.ts'
import { start } from '../store/profiles.ts'
import { go } from '../store/route.ts'
import { pick, shelves } from '../store/rows.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { shownPlace, shownView } from '../store/views.ts'
import { t } from '../strings.ts'
import { actionsOf, selectionActions, whyNoAgents } from './actions.ts'

type Choice = Entry & { id: string; key?: string; run: (withCommand: boolean) => unknown }

const groups = [t.palette.profiles, t.palette.actions, t.palette.pages]
const shownProfiles = 7

// opened leads into a profile: it opens, or is watched, or is edited where it is open already.
function openProfile(p: Row, agents: boolean): unknown {
  if (p.external && p.state !== 'open') {
    adopt(p.id)
    return undefined
  }
  if (p.state === 'closed' && (!agents || !whyNoAgents(p))) return start(p.id, agents)
  if (p.mode === 'automation') go('live', p.id)
  else go('profile', p.id)
  return undefined
}

const profileOf = (p: Row): Choice => ({
  group: t.palette.profiles,
  id: `p${p.id}`,
  name: p.name,
  about: `${p.id} · ${stateName(p)}`,
  run: command => openProfile(p, command),
})

const page = (name: string, ...to: string[]): Choice => ({
  group: t.palette.pages,
  id: `g${to.join()}`,
  name,
  run: () => {
    go(...to)
  },
})

const dialog = (name: string, which: state.Dialog): Choice => ({
  group: t.palette.actions,
  id: `d${which}`,
  name,
  run: () => {
    show(which)
  },
})

// commands are what the palette offers whatever is typed.
function commands(): Choice[] {
  const { trash } = state.route.value
  const many = state.selected.value.size ? selectionActions(trash).filter(a => a.why === undefined) : []
  return [
    ...many.map((a): Choice => ({
      group: t.palette.actions,
      id: `s${a.name}`,
      name: a.name,
      about: t.many.selected(state.selected.value.size),
      run: a.run,
    })),
    { ...page(t.profiles.create, 'new'), group: t.palette.actions },
    {
      group: t.palette.actions,
      id: 'adopt',
      name: t.adopt.menu,
      run: () => {
        adopt()
      },
    },
    ...(shownPlace.value && !shownView.value ? [dialog(t.views.save, 'view')] : []),
    dialog(t.palette.importCSV, 'csv'),
    dialog(t.palette.stopAgents, 'panic'),
    dialog(t.status.title, 'status'),
    dialog(t.palette.shortcuts, 'keys'),
    page(t.profiles.title, ''),
    page(t.activity.title, 'activity'),
    page(t.connect.title, 'connect'),
    page(t.proxies.title, 'proxies'),
    page(t.settings.title, 'settings'),
    page(t.profiles.trash, 'trash'),
    ...state.views.value.map((v): Choice => ({
      group: t.palette.pages,
      id: `v${v.id}`,
      name: v.name,
      about: t.views.title,
      run: () => {
        location.hash = v.address
      },
    })),
    ...shelves.value.folders.map(([name]) => page(name, 'folder', name)),
  ]
}

// distance says how far a name is from what is typed: it begins with it, it has it, or something else of it fits.
function distance(p: Row, typed: string): number {
  const at = p.name.toLowerCase().indexOf(typed.toLowerCase())
  return at < 0 ? 2 : Math.sign(at)
}

function choices(typed: string): Choice[] {
  const search = typed.startsWith('>') ? '' : typed.trim()
  const found = search
    ? pick(state.profiles.value.values(), {
        search,
        filter: state.noFilter,
        sort: { by: 'name', down: false },
      })
        .sort((a, b) => distance(a, search) - distance(b, search))
        .slice(0, shownProfiles)
    : []
  const first = found[0]
  const actions = first
    ? actionsOf(first, false)
        .filter(a => a.why === undefined)
        .slice(0, shownProfiles)
        .map((a): Choice => ({
          group: t.palette.actions,
          id: `a${a.name}`,
          name: a.name,
          about: first.name,
          key: a.key,
          run: a.run,
        }))
    : []
  const rest = offered(commands(), typed, t.palette.actions)
  return grouped([...found.map(profileOf), ...actions, ...rest], groups).flatMap(([, all]) => all)
}

const close = () => {
  show(null)
}

function Choices({ all, at, onRun }: { all: Choice[]; at: number; onRun: (c: Choice, command: boolean) => void }) {
  return (
    <div class="choices-list" id="choices" role="listbox" aria-label={t.palette.title}>
      {grouped(all, groups).map(([group, list]) => (
        <div role="group" aria-label={group} key={group}>
          <h3 aria-hidden="true">{group}</h3>
          {list.map(c => (
            <div
              role="option"
              id={`choice-${all.indexOf(c)}`}
              key={c.id}
              aria-selected={all[at] === c}
              ref={e => {
                if (e && all[at] === c) e.scrollIntoView({ block: 'nearest' })
              }}
              onMouseDown={e => {
                e.preventDefault()
              }}
              onClick={e => {
                onRun(c, e.ctrlKey || e.metaKey)
              }}
            >
              <span>{c.name}</span>
              {c.about && <small class="dim">{c.about}</small>}
              {c.key && <kbd aria-hidden="true">{c.key}</kbd>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

export function Palette() {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const all = useMemo(() => choices(typed), [typed, state.profiles.value, state.selected.value])
  const run = (c: Choice, command: boolean) => {
    close()
    c.run(command)
  }
  const keys = (e: KeyboardEvent) => {
    const n = all.length
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 7, PageUp: at - 7 }[e.key]
    const chosen = all[at]
    if (to !== undefined) setAt(n ? (to + n) % n : 0)
    else if (e.key === 'Enter' && !e.isComposing && chosen) run(chosen, e.ctrlKey || e.metaKey)
    else return
    e.preventDefault()
  }
  return (
    <Modal kind="palette" onClose={close}>
      {label => (
        <>
          <h2 class="hidden" id={label}>
            {t.palette.title}
          </h2>
          <div class="search">
            <icons.Search />
            <input
              data-first
              role="combobox"
              aria-label={t.palette.hint}
              aria-expanded="true"
              aria-controls="choices"
              aria-autocomplete="list"
              aria-activedescendant={all.length ? `choice-${at}` : undefined}
              placeholder={t.palette.hint}
              autocomplete="off"
              value={typed}
              onInput={e => {
                setTyped(e.currentTarget.value)
                setAt(0)
              }}
              onKeyDown={keys}
            />
          </div>
          {all.length ? (
            <Choices all={all} at={at} onRun={run} />
          ) : (
            <p class="dim" role="status">
              {t.palette.none}
            </p>
          )}
          <div class="foot dim">{t.palette.keys}</div>
        </>
      )}
    </Modal>
  )
}
