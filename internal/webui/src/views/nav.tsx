// The rail at the left: views and folders.
import type { ComponentChild } from 'preact'
import { useMemo } from 'preact/hooks'
import { connected } from '../store/access.ts'
import { folderNamed } from '../store/folders.ts'
import { waiting } from '../store/requests.ts'
import { addressOf } from '../store/route.ts'
import { shelves } from '../store/rows.ts'
import * as state from '../store/state.ts'
import { shownView } from '../store/views.ts'
import { number, t } from '../strings.ts'
import * as icons from '../parts/icons.tsx'

type ItemProps = {
  to: string
  icon: icons.Icon
  name: string
  n?: ComponentChild
  here: boolean
  tab?: number
  hue?: string
}

const Item = ({ to, icon: Sign, name, n, here, tab, hue }: ItemProps) => (
  <a href={to} class={hue && `hue ${hue}`} tabindex={tab} aria-current={here ? 'page' : undefined} title={name}>
    <Sign />
    <span class="label">{name}</span>
    {n !== undefined && n !== '' && <span class="n">{typeof n === 'number' ? number(n) : n}</span>}
  </a>
)

// turnTo is what the arrows do among folders: all of them are one stop of the Tab key, however many there are.
function turnTo(e: KeyboardEvent): void {
  if (!(e.target instanceof HTMLElement)) return
  const all = [...(e.target.parentElement?.querySelectorAll('a') ?? [])]
  const at = all.findIndex(a => a === e.target)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[e.key]
  if (to === undefined) return
  e.preventDefault()
  all[to]?.focus()
}

const shownFolders = 200

function agentsNow(): ComponentChild {
  const asked = waiting.value.length
  if (asked) return <span class="warn">{t.nav.requests(asked)}</span>
  const { length } = connected.value
  return length ? t.nav.agents(length) : ''
}

export function Nav() {
  const { view, folder, trash } = state.route.value
  const { folders } = shelves.value
  const listed = view === 'profiles'
  const at = listed ? folder : null
  const colored = state.folders.value
  const views = state.views.value
  const shown = shownView.value
  const shelf = useMemo(
    () =>
      folders
        .slice(0, shownFolders)
        .map(([name, n], i, all) => (
          <Item
            key={name}
            to={addressOf('folder', name)}
            icon={icons.Folder}
            name={name}
            n={n}
            here={at === name && !shown}
            hue={folderNamed(name)?.color}
            tab={at === name || (i === 0 && !all.some(([other]) => other === at)) ? 0 : -1}
          />
        )),
    [folders, colored, at, !shown],
  )
  return (
    <nav aria-label={t.nav.views}>
      <a class="brand" href="#/" aria-label={t.nav.home}>
        <i aria-hidden="true" />
        <span class="label">{t.name}</span>
      </a>
      <Item
        to={addressOf('')}
        icon={icons.Profiles}
        name={t.profiles.title}
        n={state.loaded.value ? state.total.value || state.profiles.value.size : ''}
        here={listed && folder === undefined && !trash && !shown}
      />
      <Item
        to={addressOf('activity')}
        icon={icons.Activity}
        name={t.activity.title}
        n={agentsNow()}
        here={['activity', 'requests', 'live', 'journal'].includes(view)}
      />
      <Item to={addressOf('connect')} icon={icons.Plug} name={t.connect.title} here={view === 'connect'} />
      <Item to={addressOf('proxies')} icon={icons.Proxies} name={t.proxies.title} here={view === 'proxies'} />
      <Item to={addressOf('settings')} icon={icons.Gear} name={t.settings.title} here={view === 'settings'} />
      {views.length > 0 && (
        <>
          <h2>{t.views.title}</h2>
          <div class="folders" role="group" aria-label={t.views.title} onKeyDown={turnTo}>
            {views.map((v, i) => (
              <Item
                key={v.id}
                to={`#${v.address}`}
                icon={icons.Search}
                name={v.name}
                here={v === shown}
                tab={v === shown || (i === 0 && !shown) ? 0 : -1}
              />
            ))}
          </div>
        </>
      )}
      <h2>{t.nav.folders}</h2>
      <div class="folders" role="group" aria-label={t.nav.folders} onKeyDown={turnTo}>
        {shelf}
      </div>
      <Item
        to={addressOf('trash')}
        icon={icons.Trash}
        name={t.profiles.trash}
        n={state.trashed.value || ''}
        here={listed && trash && !shown}
      />
    </nav>
  )
}
