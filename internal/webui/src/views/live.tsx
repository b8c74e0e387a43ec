// The live view: what an open profile shows, who works in it, and what they did last.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type {
  Live as Line,
  LiveAction,
  LiveAgent,
  LiveOption,
  LivePicture,
  LivePrompt,
  LiveTab,
  LiveTaken,
} from '../api/types.ts'
import { matters, sender } from '../lib/control.ts'
import { lastTouch, waitingBoxes } from '../lib/touch.ts'
import { since } from '../lib/time.ts'
import { Btn } from '../parts/button.tsx'
import { ChooserCard, ControlBar, DownloadList, Hint, OptionList, PromptCard } from '../parts/control.tsx'
import { type Act, useHands } from '../parts/hands.ts'
import { DoingMark } from '../parts/doing.tsx'
import { useEvery, useSeen, useTitle } from '../parts/hooks.ts'
import { Empty, Grow, State } from '../parts/layout.tsx'
import { bytes } from '../parts/picture.tsx'
import { RequestCard } from '../parts/request.tsx'
import { Touch, Waits } from '../parts/touch.tsx'
import { Usage, useUsage } from '../parts/usage.tsx'
import { Who } from '../parts/who.tsx'
import { mayAutomate } from '../store/access.ts'
import { failed, toast, trying } from '../store/messages.ts'
import { start, stop } from '../store/profiles.ts'
import { waitingIn } from '../store/requests.ts'
import { addressOf, go, showTab } from '../store/route.ts'
import type { Row } from '../store/state.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { stopName } from './actions.ts'
import { NotShared } from './sharedtabs.tsx'

// News is what the stream told last.
type News = {
  tabs: LiveTab[]
  agents: LiveAgent[]
  scripts: number
  actions: LiveAction[]
  acted: boolean // actions were told
  shown: string // the tab of the picture
  size?: Pick<LivePicture, 'w' | 'h'> // of the window in the picture
  dialog: string
  prompt?: LivePrompt
  control: LiveTaken[] // the tabs that the person controls
  ended?: boolean
}

const noNews: News = { tabs: [], agents: [], scripts: 0, actions: [], acted: false, shown: '', dialog: '', control: [] }

// newsOf is what a line says, apart from the picture, which is drawn.
function newsOf(l: Line): Partial<News> {
  switch (l.type) {
    case 'dialog':
      return { dialog: l.dialog ?? '', prompt: l.prompt }
    case 'tabs':
      return { tabs: l.tabs ?? [] }
    case 'agents':
      return { agents: l.agents ?? [], scripts: l.scripts ?? 0 }
    case 'actions':
      return { actions: l.actions ?? [], acted: true }
    case 'control':
      return { control: l.control ?? [] }
    case 'picture':
      return {}
  }
}

type ScreenProps = {
  id: number
  tab: string
  label: string
  on: boolean // the person is in control
  onNews: (n: Partial<News>) => void
  onPicture: (p: LivePicture) => void
  act: Act
}

// leave puts the focus back into Cove.
const leave = () => document.getElementById('handback')?.focus()

function Screen({ id, tab, onNews, onPicture, label, on, act }: ScreenProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const keys = useRef<HTMLTextAreaElement>(null)
  useHands(on, { canvas, keys }, act, leave)
  const follows = useSeen() || on // who is in control may look up a code elsewhere
  useEffect(() => {
    if (!follows) return
    onNews({ acted: false }) // what was touched meanwhile is no news
    const over = new AbortController()
    let last = 0
    let n = 0
    let dialog = 0
    // A picture that takes long to decode never covers a newer one, nor a dialog that has come since.
    const draw = async (picture: LivePicture) => {
      const mine = ++n
      const image = await createImageBitmap(bytes(picture.data))
      const c = canvas.current
      if (mine >= last && !over.signal.aborted && c) {
        last = mine
        if (c.width !== image.width || c.height !== image.height) {
          c.width = image.width
          c.height = image.height
        }
        c.getContext('2d')?.drawImage(image, 0, 0)
        c.dataset.pictures = String(Number(c.dataset.pictures ?? 0) + 1)
        onPicture(picture)
        onNews({ shown: picture.tab, size: picture, ...(mine > dialog && { dialog: '', prompt: undefined }) })
      }
      image.close()
    }
    const ended = () => {
      onNews({ ended: true })
    }
    calls
      .live(id, tab, over.signal, l => {
        if (l.picture) {
          draw(l.picture).catch(() => undefined)
          return
        }
        if (l.type === 'dialog') dialog = ++n
        onNews(newsOf(l))
      })
      .then(ended, (e: unknown) => {
        if (over.signal.aborted) return
        ended()
        failed(e)
      })
    return () => {
      over.abort()
    }
  }, [id, tab, follows])
  return (
    <>
      <canvas ref={canvas} id="screen" role="img" aria-label={label} width="0" height="0" />
      {on && <textarea ref={keys} class="keys" aria-label={t.live.keys} autocomplete="off" spellcheck={false} />}
    </>
  )
}

// turnTo is what the arrows do among tabs.
function turnTo(e: KeyboardEvent): void {
  if (!(e.target instanceof HTMLElement)) return
  const to =
    e.key === 'ArrowRight' ? e.target.nextSibling : e.key === 'ArrowLeft' ? e.target.previousSibling : undefined
  if (!(to instanceof HTMLElement)) return
  to.focus()
  to.click()
}

const blankPage = /^(about:blank|chrome:\/\/newtab\/?|)$/

// nameOf is a tab as people know it.
function nameOf(tab: LiveTab): string {
  if (tab.title && tab.title !== 'about:blank') return tab.title
  return blankPage.test(tab.url) ? t.live.newTab : tab.url
}

const Tabs = ({ tabs, now, onPick }: { tabs: LiveTab[]; now?: string; onPick: (id: string) => void }) => (
  <div class="tabs" role="tablist" aria-label={t.live.tabs} onKeyDown={turnTo}>
    {tabs.map(tab => (
      <button
        type="button"
        role="tab"
        key={tab.id}
        aria-selected={tab.id === now}
        tabindex={tab.id === now ? 0 : -1}
        title={[nameOf(tab), tab.url, tab.owner && t.live.owner(tab.owner)].filter(Boolean).join('\n')}
        onClick={() => {
          onPick(tab.id)
        }}
      >
        {nameOf(tab)}
        {tab.crashed ? t.live.crashed : ''}
        {tab.owner && <small class="owner">{tab.owner}</small>}
      </button>
    ))}
  </div>
)

const shownActions = 60

const Actions = ({ actions }: { actions: LiveAction[] }) => (
  <ol class="log" tabindex={0} aria-label={t.live.actions}>
    {[...actions]
      .reverse()
      .slice(0, shownActions)
      .map(a => (
        <li key={a.n}>
          <time datetime={a.at}>{a.going ? t.time.now : since(a.at)}</time>
          <span class={a.error ? 'bad' : ''}>{a.text}</span>
        </li>
      ))}
    {!actions.length && <li class="dim">{t.live.noActions}</li>}
  </ol>
)

// Closed stands in for the picture of a profile that is not open for agents.
function Closed({ p }: { p: Row }) {
  if (p.external)
    return (
      <Empty title={p.name}>
        <NotShared p={p} />
      </Empty>
    )
  const title = p.state === 'open' ? t.live.ordinary : p.state === 'closed' ? t.live.closed : t.live.moment
  const may = mayAutomate()
  return (
    <Empty title={title}>
      <p>{p.state === 'open' ? t.live.ordinaryText : t.live.closedText}</p>
      {p.state === 'closed' && (
        <p>
          <Btn kind="primary" disabled={!may} onClick={() => start(p.id, true)}>
            {t.table.openForAgents}
          </Btn>
        </p>
      )}
      {p.state === 'closed' && !may && (
        <p>
          {t.plan.noAgents} <a href="#/settings">{t.plan.change}</a>
        </p>
      )}
    </Empty>
  )
}

// whoDrives says who is at work.
function whoDrives(id: number, news: News): string {
  const access = state.access.value.get(id)
  if (access?.takenOver) return t.live.takenOver
  if (access?.driver) return t.live.drives(access.driver.name)
  const last = news.actions.at(-1)
  if (waitingIn(id).length) return '' // its call goes on, and it does nothing
  return news.agents.length && last?.going ? t.live.works(last.agent) : ''
}

// copy puts what was copied in the page where the person can paste it.
const copy = (text: string) =>
  navigator.clipboard.writeText(text).catch(() => {
    toast(t.parts.copyBlocked, { hint: t.parts.copyByHand, bad: true })
  })

// useControl is what the person does in a tab, and the list that they have opened there.
function useControl(id: number, tab: string) {
  const picture = useRef(0)
  const [options, setOptions] = useState<LiveOption[]>([])
  const act = useMemo<Act>(() => {
    const send = sender(
      input => calls.sendInput(id, { tab, ...input }),
      (r, of) => {
        if (r.stale && of.some(matters)) toast(t.live.stale)
        if (r.copied) void copy(r.copied)
        if (r.options) setOptions(r.options)
      },
      failed,
    )
    return (...events) => {
      send(picture.current, ...events)
    }
  }, [id, tab])
  const onPicture = useCallback((p: LivePicture) => {
    picture.current = p.n
  }, [])
  const pick = (n?: number) => {
    setOptions([])
    if (n !== undefined) act({ t: 'choose', n })
    document.querySelector<HTMLElement>('.picture .keys')?.focus()
  }
  return { act, options, onPicture, pick }
}

// usePopups shows a tab that the person has opened from the one that they control, and goes back when it closes.
function usePopups(news: News, shown: string, show: (tab: string) => void) {
  const openers = useRef(new Map<string, string>())
  useEffect(() => {
    const opened = news.control.find(c => c.opener === shown && !openers.current.has(c.tab))
    if (opened) {
      openers.current.set(opened.tab, shown)
      show(opened.tab)
      return
    }
    const opener = openers.current.get(shown)
    if (opener && news.tabs.length && !news.tabs.some(one => one.id === shown)) show(opener)
  }, [news.control, news.tabs, shown])
}

function Watched({ p }: { p: Row }) {
  const { id } = p
  const { tab = '' } = state.route.value
  const setTab = (to: string) => {
    showTab(id, to)
  }
  const [news, setNews] = useState(noNews)
  const [, tick] = useState(0)
  const [note, setNote] = useState('')
  useEvery(1000, () => {
    tick(n => n + 1)
  })
  useTitle(p.name)
  useUsage()
  const open = p.state === 'open' && p.mode === 'automation'
  const asks = waitingIn(id)
  const taken = !!state.access.value.get(id)?.takenOver
  const turn = () =>
    trying(async () => {
      const a = await (taken ? calls.giveback(id) : calls.takeover(id))
      setNote(a.note ? t.live.told(a.note) : taken || a.window || p.external ? '' : t.live.headless)
    })
  const tabOf = (wanted: string) => news.tabs.find(one => one.id === wanted)
  const shown = tabOf(tab) ?? tabOf(news.shown) ?? news.tabs[0]
  const mine = news.control.find(c => c.tab === shown?.id)
  const waits = asks.length > 0 && !taken
  const { act, options, onPicture, pick } = useControl(id, shown?.id ?? '')
  usePopups(news, tab || news.shown, setTab)
  useEffect(() => {
    if (mine && !tab) setTab(mine.tab) // it stays in view, wherever agents work
  }, [mine?.tab])
  return (
    <main id="main">
      <header>
        <h1>{p.name}</h1>
        <State p={p} />
        {open && waits && <DoingMark now="waiting" />}
        {open && <span class="dim">{whoDrives(id, news)}</span>}
        {open && <Usage id={id} />}
        <Grow />
        {open && (
          <Btn acts kind="primary" onClick={turn}>
            {taken ? t.live.giveBack : t.live.takeOver}
          </Btn>
        )}
        {p.external && open && (
          <Btn
            onClick={() => {
              go('profile', id, 'shared')
            }}
          >
            {t.edit.tabs.shared}
          </Btn>
        )}
        <Btn
          onClick={() => {
            go('journal', id)
          }}
        >
          {t.journal.link}
        </Btn>
        <Btn
          onClick={() => {
            go('profile', id)
          }}
        >
          {t.parts.edit}
        </Btn>
        {p.state === 'open' && (
          <Btn acts title={p.external && t.adopt.letGoText} onClick={() => stop(id)}>
            {stopName(p)}
          </Btn>
        )}
      </header>
      {!open ? (
        <Closed p={p} />
      ) : (
        <div class="live">
          <div class={`screen ${mine ? 'yours' : ''}`}>
            <Tabs tabs={news.tabs} now={shown?.id} onPick={setTab} />
            <div class="address">{shown?.url ?? ''}</div>
            <div class="picture">
              {news.dialog && !mine && (
                <div class="note" role="alert">
                  {t.live.dialog(news.dialog)}
                </div>
              )}
              {!news.shown && (
                <p class="loading" role="status">
                  {news.ended ? t.live.ended : t.live.waiting}
                </p>
              )}
              <Screen
                id={id}
                tab={tab}
                label={shown ? t.live.picture(nameOf(shown)) : t.live.pictureOfTab}
                on={!!mine}
                act={act}
                onPicture={onPicture}
                onNews={more => {
                  setNews(old => ({ ...old, ...more }))
                }}
              />
              {!mine && news.acted && news.size && (
                <Touch key={news.shown} touched={lastTouch(news.actions, news.shown)} size={news.size} />
              )}
              {!mine && news.size && (
                <Waits
                  boxes={waitingBoxes(asks, { tab: news.shown, url: tabOf(news.shown)?.url, actions: news.actions })}
                  size={news.size}
                />
              )}
              {mine && <Hint key={mine.since} />}
              {mine && news.prompt && (
                <PromptCard
                  prompt={news.prompt}
                  act={act}
                  onDone={() => {
                    setNews(old => ({ ...old, prompt: undefined }))
                    document.querySelector<HTMLElement>('.picture .keys')?.focus()
                  }}
                />
              )}
              {mine?.chooser && <ChooserCard id={id} tab={mine.tab} chooser={mine.chooser} />}
              {mine && options.length > 0 && <OptionList options={options} onPick={pick} />}
            </div>
            {mine?.downloads && <DownloadList id={id} downloads={mine.downloads} />}
            <ControlBar id={id} tab={shown?.id ?? ''} on={!!mine} shown={!!news.shown} />
          </div>
          <aside aria-label={t.live.agents}>
            {note && (
              <p class="note" role="status">
                {note}
              </p>
            )}
            {asks.map(r => (
              <RequestCard key={r.id} r={r} />
            ))}
            <h2>{t.live.connected}</h2>
            <Who id={id}>
              <li class="dim">
                {t.live.nobody} <a href={addressOf('connect', id)}>{t.connect.open}</a>
              </li>
            </Who>
            <h2>{t.live.actions}</h2>
            <Actions actions={news.actions} />
          </aside>
        </div>
      )}
    </main>
  )
}

export function Live() {
  const id = Number(state.route.value.arg)
  const p = state.profiles.value.get(id)
  if (p) return <Watched p={p} />
  return (
    <main id="main">
      <Empty title={state.loaded.value ? t.edit.noProfile(id) : t.parts.reading}>
        <p>
          <a href="#/">{t.activity.showProfiles}</a>
        </p>
      </Empty>
    </main>
  )
}
