// The journal of a profile as a film: what agents did, step by step, with pictures.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { JournalEntry, JournalReport } from '../api/types.ts'
import {
  actionOf,
  addressOf,
  type Filter,
  groups,
  isFiltered,
  nextRefused,
  noFilter,
  pauseOf,
  placeOf,
  stepAt,
  stepAway,
} from '../lib/journal.ts'
import { Btn } from '../parts/button.tsx'
import * as icons from '../parts/icons.tsx'
import { useJournal } from '../parts/journal.ts'
import { Empty, Grow, Main } from '../parts/layout.tsx'
import { addressOf as linkTo } from '../store/route.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { Filters, Head, Report } from './journalbar.tsx'
import { Player, type Shown } from './player.tsx'
import { Steps } from './steps.tsx'

const speeds = [1, 2, 4]

// ownsSpace says that the space bar presses what has the focus.
const ownsSpace = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('summary, button:not([data-seq])')

export function Journal() {
  const route = state.route.value
  const id = Number(route.arg)
  const p = state.profiles.value.get(id)
  const [{ filter, step }, setPlace] = useState(() => placeOf(location.hash))
  const { found, sessions, wrong, oldest, begin, older } = useJournal(id, filter, p?.state === 'open')
  const [report, setReport] = useState<JournalReport | null>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [shown, setShown] = useState<Shown>('after')
  const [zoom, setZoom] = useState(false)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)

  const all = useMemo(() => groups(found?.steps ?? []), [found])
  const ordered = useMemo(() => [...all].reverse().flatMap(g => g.steps), [all])
  const last = ordered.at(-1)
  const current = (step && stepAt(ordered, step)) || last
  const group = all.find(g => current && g.steps.includes(current))
  const next = current && stepAway(ordered, current.seq, 1)

  const move = (filter: Filter, step: number) => {
    setPlace({ filter, step })
    history.replaceState(null, '', addressOf(id, filter, step))
  }
  // Whoever is at the newest step stays with the newest one.
  const select = (e: JournalEntry | undefined) => {
    if (e) move(filter, e === last ? 0 : e.seq)
  }
  const play = () => {
    if (!playing && current === group?.steps.at(-1)) select(group?.steps[0])
    setPlaying(!playing)
  }
  const setUnfolded = (session: string, on: boolean) => {
    setOpen(old => new Set(on ? [...old, session] : [...old].filter(s => s !== session)))
  }
  const act: Record<NonNullable<ReturnType<typeof actionOf>>, () => void> = {
    previous: () => {
      select(current && stepAway(ordered, current.seq, -1))
    },
    next: () => {
      select(next)
    },
    refused: () => {
      select(current && nextRefused(ordered, current.seq))
    },
    first: () => {
      select(group?.steps[0])
    },
    last: () => {
      select(group?.steps.at(-1))
    },
    play,
    side: () => {
      setShown(shown === 'before' ? 'after' : 'before')
    },
    zoom: () => {
      setZoom(!zoom)
    },
    search: () => document.querySelector<HTMLInputElement>('#search')?.focus(),
  }
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.defaultPrevented || (e.key === ' ' && ownsSpace(e.target))) return
    const action = actionOf(e, state.letters.value)
    if (!action) return
    e.preventDefault()
    act[action]()
  }

  useEffect(() => {
    setPlace(placeOf(location.hash)) // a link, or back
  }, [route])
  useEffect(() => {
    if (group) setUnfolded(group.session, true)
  }, [group?.session])
  useEffect(() => {
    if (found?.more && step && step < oldest) void older()
  }, [found, step])
  useEffect(() => {
    if (!playing || !current) return undefined
    if (!next || next === current || !group?.steps.includes(next)) {
      setPlaying(false)
      return undefined
    }
    const timer = setTimeout(
      () => {
        select(next)
      },
      pauseOf(current, next, speed),
    )
    return () => {
      clearTimeout(timer)
    }
  }, [playing, speed, current?.seq])

  const agents = sessions.map(s => s.agent.name)
  const summary = found?.steps.length ? t.journal.found(found.steps.length, all.length, found.more) : ''
  return (
    <Main
      title={t.journal.title(p?.name ?? String(id))}
      head={<Head id={id} watch={p?.mode === 'automation'} onReport={setReport} />}
    >
      {report && (
        <Report
          report={report}
          onShow={seq => {
            move(noFilter, seq)
          }}
        />
      )}
      <Filters
        filter={filter}
        agents={agents}
        summary={summary}
        report={report}
        onFilter={to => {
          move(to, step)
        }}
      />
      {wrong && (
        <div class="strip" role="alert">
          <icons.Warn />
          {wrong}
          <Grow />
          <Btn onClick={begin}>{t.journal.retry}</Btn>
        </div>
      )}
      {!found && !wrong && <p class="loading">{t.app.loading}</p>}
      {found && !current && isFiltered(filter) && (
        <Empty title={t.journal.noMatch}>
          <p>{t.journal.noMatchText}</p>
        </Empty>
      )}
      {found && !current && !isFiltered(filter) && (
        <Empty title={t.journal.nothing}>
          <p>{t.journal.nothingText}</p>
          <p>
            <a href={linkTo('connect', id)}>{t.connect.open}</a>
          </p>
        </Empty>
      )}
      {current && group && (
        <div class="replay" onKeyDown={onKeyDown}>
          <Steps all={all} sessions={sessions} current={current} open={open} onOpen={setUnfolded} onPick={select}>
            {found?.more && (
              <Btn kind="quiet" onClick={older}>
                {t.journal.older}
              </Btn>
            )}
          </Steps>
          <Player
            id={id}
            film={group.steps}
            current={current}
            shown={shown}
            zoom={zoom}
            playing={playing}
            speed={speed}
            onPick={select}
            onShow={setShown}
            onZoom={act.zoom}
            onPlay={play}
            onSpeed={() => {
              setSpeed(speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1)
            }}
            onStep={by => {
              select(stepAway(ordered, current.seq, by))
            }}
          />
        </div>
      )}
    </Main>
  )
}
