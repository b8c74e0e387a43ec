// The player of a journal: the pictures of a step, a strip of those around it, and the time of its session.
import { useEffect, useRef } from 'preact/hooks'
import type { JournalEntry } from '../api/types.ts'
import {
  around,
  clock,
  controls,
  markOf,
  nearest,
  partOf,
  moreOf,
  type Shot as Taken,
  shotOf,
  type Side,
  spanOf,
  ticks,
  told,
} from '../lib/journal.ts'
import { Btn } from '../parts/button.tsx'
import { icon } from '../parts/icons.tsx'
import { Grow } from '../parts/layout.tsx'
import { Shot } from '../parts/shot.tsx'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

const Back = icon('M12 3.5v9L5.5 8zM4 3.5v9')
const Forward = icon('M4 3.5v9L10.5 8zM12 3.5v9')
const Play = icon('M5 3v10l8-5z')
const Pause = icon('M5.5 3.5v9M10.5 3.5v9')
const Lens = icon('M11 11l3 3M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM7 5v4M5 7h4')

const strip = 8
const thumbnail = 200
const percent = (part: number) => `${part * 100}%`
const marks = ['read', 'act', 'refused', 'person'] as const

// Shown is which of the two pictures of a step are shown.
export type Shown = Side | 'split'

type FigureProps = { id: number; shot: Taken | undefined; own: boolean }

function Figure({ id, shot, own }: FigureProps) {
  if (!shot)
    return (
      <figure>
        <p class="dim">{t.journal.noShot}</p>
      </figure>
    )
  const { of, side, name } = shot
  const time = clock(side === 'before' ? (of.beforeTime ?? of.time) : Date.parse(of.time) + of.ms)
  return (
    <figure>
      <Shot id={id} name={name} label={t.journal.shot[side](of.summary)} gone={t.journal.gone} />
      <figcaption>{own ? `${t.journal.sides[side]} · ${time}` : t.journal.earlier(time)}</figcaption>
    </figure>
  )
}

type PicturesProps = { id: number; film: JournalEntry[]; current: JournalEntry; shown: Shown; zoom: boolean }

function Pictures({ id, film, current, shown, zoom }: PicturesProps) {
  const sides: Side[] = shown === 'split' && current.before && current.after ? ['before', 'after'] : []
  if (!sides.length) sides.push(shown === 'before' ? 'before' : 'after')
  return (
    <div
      class={`shots ${zoom ? 'zoomed' : ''}`}
      role="group"
      aria-label={t.journal.picture}
      tabindex={zoom ? 0 : undefined}
    >
      {sides.map(side => {
        const shot = shotOf(film, current, side)
        return <Figure key={side} id={id} shot={shot} own={shot?.of === current} />
      })}
    </div>
  )
}

type StripProps = { id: number; film: JournalEntry[]; current: JournalEntry; onPick: (e: JournalEntry) => void }

function Strip({ id, film, current, onPick }: StripProps) {
  return (
    <div class="strip-of">
      {around(film, current, strip).map(e => (
        <button
          type="button"
          key={e.seq}
          tabindex={-1}
          aria-label={t.journal.shown(clock(e.time), e.summary)}
          aria-current={e === current ? 'step' : undefined}
          title={e.summary}
          onClick={() => {
            onPick(e)
          }}
        >
          <Shot id={id} name={e.after ?? e.before ?? ''} label="" gone="" width={thumbnail} />
        </button>
      ))}
    </div>
  )
}

type ScrubberProps = { film: JournalEntry[]; current: JournalEntry; onPick: (e: JournalEntry) => void }

// Scrubber is the session by real time. A press goes to the nearest step.
function Scrubber({ film, current, onPick }: ScrubberProps) {
  const ref = useRef<HTMLDivElement>(null)
  const span = spanOf(film)
  const seek = (e: PointerEvent) => {
    const box = ref.current?.querySelector('.lane')?.getBoundingClientRect()
    const found = box && nearest(film, span, (e.clientX - box.left) / box.width)
    if (found) onPick(found)
  }
  return (
    <div
      ref={ref}
      class="track"
      role="slider"
      tabindex={0}
      aria-label={t.journal.scrubber}
      aria-valuemin={1}
      aria-valuemax={film.length}
      aria-valuenow={film.indexOf(current) + 1}
      aria-valuetext={t.journal.shown(clock(current.time), current.summary)}
      onPointerDown={e => {
        e.currentTarget.setPointerCapture(e.pointerId)
        seek(e)
      }}
      onPointerMove={e => {
        if (e.currentTarget.hasPointerCapture(e.pointerId)) seek(e)
      }}
    >
      <div class="ticks">
        {ticks(span).map(({ place, name }) => (
          <span style={{ left: percent(place) }} key={place}>
            {name}
          </span>
        ))}
      </div>
      <div class="lane">
        {controls(film, span).map(({ from, to }) => (
          <i class="controlled" style={{ left: percent(from), width: percent(to - from) }} key={from} />
        ))}
        {film.map(e => (
          <i class={markOf(e)} style={{ left: percent(partOf(span, e)) }} key={e.seq} />
        ))}
        <b style={{ left: percent(partOf(span, current)) }} />
      </div>
    </div>
  )
}

function Details({ e }: { e: JournalEntry }) {
  const { agent } = e
  const who = [agent.name, agent.version, agent.pid ? t.journal.process(agent.pid) : ''].filter(Boolean).join(' ')
  const args = told(e.args ?? {})
  return (
    <details class="about">
      <summary>{t.journal.details}</summary>
      <p class="path">{[t.journal.entry(e.seq), who, e.name, t.journal.took(Math.round(e.ms))].join(' · ')}</p>
      {e.page && <p class="path">{e.page}</p>}
      {args && <p class="path dim">{args}</p>}
    </details>
  )
}

// host is the site of a page, for the line above its picture.
function host(page: string | undefined): string {
  return page && URL.canParse(page) ? new URL(page).host : ''
}

type PlayerProps = {
  id: number
  film: JournalEntry[]
  current: JournalEntry
  shown: Shown
  zoom: boolean
  playing: boolean
  speed: number
  onPick: (e: JournalEntry) => void
  onShow: (shown: Shown) => void
  onZoom: () => void
  onPlay: () => void
  onSpeed: () => void
  onStep: (by: number) => void
}

function Head({ current, shown, zoom, playing, onShow, onZoom }: PlayerProps) {
  const more = moreOf(current)
  const about = [host(current.page), current.agent.kind === 'keeper' ? '' : t.journal.took(Math.round(current.ms))]
  return (
    <div class="scene">
      <div class="told" aria-live={playing ? 'off' : 'polite'}>
        <h2>{more ? current.summary : current.text}</h2>
        <span class="dim">{about.filter(Boolean).join(' · ')}</span>
        {more && <p class={current.outcome === 'ok' ? 'dim' : 'bad'}>{more}</p>}
      </div>
      <div class="choose">
        <span class="sides" role="group" aria-label={t.journal.picture}>
          {(['before', 'after', 'split'] as const).map(side => (
            <button
              type="button"
              key={side}
              aria-pressed={shown === side}
              onClick={() => {
                onShow(side)
              }}
            >
              {t.journal.sides[side]}
            </button>
          ))}
        </span>
        <Btn kind="square" aria-label={t.journal.zoom} aria-pressed={zoom} title={t.journal.zoom} onClick={onZoom}>
          <Lens />
        </Btn>
      </div>
    </div>
  )
}

// Player shows one step of a session, and goes through all of them.
export function Player(props: PlayerProps) {
  const { id, film, current, shown, zoom, playing, speed, onPick, onPlay, onSpeed, onStep } = props
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    ref.current?.querySelector('.shots')?.scrollTo(0, 0)
    ref.current?.querySelector('.strip-of [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current.seq])
  const step = (by: number) => () => {
    onStep(by)
  }
  return (
    <section class="player" ref={ref} tabindex={0} aria-label={t.journal.player}>
      <Head {...props} />
      <Pictures id={id} film={film} current={current} shown={shown} zoom={zoom} />
      <Strip id={id} film={film} current={current} onPick={onPick} />
      <Scrubber film={film} current={current} onPick={onPick} />
      <div class="line">
        <Btn kind="square" aria-label={t.journal.previous} title={t.journal.previous} onClick={step(-1)}>
          <Back />
        </Btn>
        <Btn kind="square primary" aria-label={playing ? t.journal.pause : t.journal.play} onClick={onPlay}>
          {playing ? <Pause /> : <Play />}
        </Btn>
        <Btn kind="square" aria-label={t.journal.next} title={t.journal.next} onClick={step(1)}>
          <Forward />
        </Btn>
        <Btn aria-label={t.journal.speedLabel(speed)} onClick={onSpeed}>
          {t.journal.speed(speed)}
        </Btn>
        <span>{t.journal.at(film.indexOf(current) + 1, film.length)}</span>
        <Grow />
        {marks.map(mark => (
          <span class={`legend ${mark}`} key={mark}>
            <i />
            {t.journal.marks[mark]}
          </span>
        ))}
      </div>
      <div class="line keys-of">
        {t.journal.keys.map(
          ([key, what]) =>
            (state.letters.value || key.length > 1) && (
              <span key={key}>
                <kbd>{key}</kbd> {what}
              </span>
            ),
        )}
      </div>
      <Details e={current} />
    </section>
  )
}
