// What can be done with one profile: the menu of its row and the palette offer the same.
import { mayAutomate } from '../store/access.ts'
import { adopt } from '../store/app.ts'
import { change } from '../store/jobs.ts'
import { toast, trying } from '../store/messages.ts'
import { clone, remove, restore, start, stop } from '../store/profiles.ts'
import { go } from '../store/route.ts'
import { edit, select } from '../store/rows.ts'
import type { Editable, Item, Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

// whyNoAgents says why a profile cannot be opened for agents; undefined where it can.
export const whyNoAgents = (p: Row): string | undefined =>
  !mayAutomate() ? t.plan.noAgents : p.agents === 'off' ? t.table.agentsOff : undefined

export const showLog = (id: number): void => void (state.log.value = id)

// discard moves profiles to the trash and offers them back.
export async function discard(ids: number[]): Promise<boolean> {
  const text = t.many.inTrash(t.many.profiles(ids.length))
  const told = () => {
    select([])
    toast(text, { action: { name: t.many.undo, run: () => void change(ids, { action: 'restore' }) } })
  }
  if (ids.length > 1) return change(ids, { action: 'trash' }, told)
  const ok = await remove(ids)
  if (ok) told()
  return ok
}

function duplicate(p: Row): Promise<boolean> {
  return trying(async () => {
    const made = await clone(p.id, {})
    toast(t.actions.duplicated(made.name))
  })
}

const away = () => (state.online.value ? undefined : t.app.needsApp)

// stopName is what it is called to end the session of a profile.
export const stopName = (p: Row): string => (p.external ? t.adopt.letGo : t.table.stop)

// sharing is what the person can do with their own browser while it is not shared.
function sharing(p: Row): Item[] {
  const why = away()
  const share: Item = {
    name: t.adopt.open,
    key: 'O',
    why: why ?? whyNoAgents(p),
    run: () => {
      adopt(p.id)
    },
  }
  if (p.state === 'closed') return [share]
  return p.state === 'starting' ? [share, { name: t.adopt.cancel, why, run: () => stop(p.id) }] : []
}

function opening(p: Row): Item[] {
  const why = away()
  if (p.state === 'open')
    return [
      ...(p.mode === 'automation'
        ? [
            {
              name: t.table.watch,
              key: 'W',
              run: () => {
                go('live', p.id)
              },
            },
          ]
        : []),
      ...(p.external
        ? [
            {
              name: t.edit.tabs.shared,
              run: () => {
                go('profile', p.id, 'shared')
              },
            },
          ]
        : []),
      { name: stopName(p), key: 'S', why, run: () => stop(p.id) },
    ]
  if (p.external) return sharing(p)
  if (p.state !== 'closed') return []
  return [
    { name: t.table.open, key: 'O', why, run: () => start(p.id, false) },
    { name: t.table.openForAgents, key: 'G', why: why ?? whyNoAgents(p), run: () => start(p.id, true) },
  ]
}

// actionsOf are the actions of a profile.
export function actionsOf(p: Row, trash: boolean): Item[] {
  const why = away()
  if (trash)
    return [
      { name: t.table.restore, why, run: () => restore([p.id]) },
      {
        name: t.many.purge,
        why,
        danger: true,
        apart: true,
        run: () => {
          select([p.id])
          state.asking.value = 'purge'
        },
      },
    ]
  const editing = (name: string, column: Editable, key?: string): Item => ({
    name,
    key,
    why,
    run: () => {
      edit(p.id, column)
    },
  })
  const to = (name: string, ...place: string[]): Item => ({
    name,
    run: () => {
      go(...place, p.id)
    },
  })
  return [
    ...opening(p),
    ...(p.startFailure
      ? [
          {
            name: t.actions.showLog,
            run: () => {
              showLog(p.id)
            },
          },
        ]
      : []),
    { ...to(t.actions.edit, 'profile'), key: 'Enter', apart: true },
    editing(t.actions.rename, 'name', 'F2'),
    editing(t.actions.tags, 'tags'),
    editing(t.actions.folder, 'folder'),
    editing(t.actions.notes, 'notes'),
    ...(p.external ? [] : [{ name: t.actions.duplicate, why, run: () => duplicate(p) }]),
    { ...to(t.actions.journal, 'journal'), apart: true },
    to(t.connect.title, 'connect'),
    {
      name: t.actions.trash,
      key: 'Del',
      why: why ?? (p.state === 'closed' ? undefined : p.external ? t.adopt.letGoFirst : t.edit.stopFirst),
      danger: true,
      apart: true,
      run: () => discard([p.id]),
    },
  ]
}

// selectionActions are the actions of several selected profiles.
export function selectionActions(trash: boolean): Item[] {
  const why = away()
  const ask = (name: string, question: state.Question, more: Partial<Item> = {}): Item => ({
    name,
    why,
    run: () => void (state.asking.value = question),
    ...more,
  })
  const ids = () => [...state.selected.value]
  const alone = ids().some(isExternal) && !startable(ids()).length ? t.adopt.alone : undefined
  if (trash)
    return [
      { name: t.table.restore, why, run: () => change(ids(), { action: 'restore' }) },
      ask(t.many.purge, 'purge', { danger: true, apart: true }),
    ]
  return [
    { name: t.table.open, why: why ?? alone, run: () => openMany(ids(), false) },
    {
      name: t.table.openForAgents,
      why: why ?? alone ?? (mayAutomate() ? undefined : t.plan.noAgents),
      run: () => openMany(ids(), true),
    },
    { name: t.table.stop, why, run: () => change(opened(ids()), { action: 'stop' }) },
    ask(t.many.tag, 'tag', { apart: true }),
    ask(t.many.move, 'move'),
    ask(t.bulk.edit, 'edit'),
    ask(t.many.delete, 'delete', { danger: true, apart: true }),
  ]
}

const manyBrowsers = 5 // that are opened without a question

// openMany opens profiles, and asks first when these are many.
function openMany(ids: number[], automation: boolean): unknown {
  const list = startable(ids)
  if (list.length > manyBrowsers) return (state.asking.value = automation ? 'agents' : 'open')
  return change(list, { action: 'start', automation })
}

const those = (ids: number[], open: boolean) =>
  ids.filter(id => {
    const p = state.profiles.value.get(id)
    return p && (p.state !== 'closed') === open
  })

// opened and closed are those of the profiles that are.
export const opened = (ids: number[]): number[] => those(ids, true)
const closed = (ids: number[]): number[] => those(ids, false)

const isExternal = (id: number) => !!state.profiles.value.get(id)?.external

// startable are those that can be opened together. A person’s own browser asks its person.
export const startable = (ids: number[]): number[] => closed(ids).filter(id => !isExternal(id))
