// The inbox: what agents ask the person for, and what became of it.
import { useEffect } from 'preact/hooks'
import type { Ask } from '../api/types.ts'
import { canAllowNext, endOf, isOpen, titleOf } from '../lib/request.ts'
import { ago, full } from '../lib/time.ts'
import { Btn } from '../parts/button.tsx'
import { Empty, Grow, Main } from '../parts/layout.tsx'
import { Answers, labelOf, Left, RequestPicture, whoAsks } from '../parts/request.tsx'
import { loadRequests, answer, past, see, waiting } from '../store/requests.ts'
import { addressOf } from '../store/route.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

const shownPast = 100

// turnTo is what the arrows do in the list.
function turnTo(e: KeyboardEvent): void {
  if (!(e.target instanceof HTMLElement)) return
  const all = [...(e.target.closest('.inbox')?.querySelectorAll<HTMLElement>('a.item') ?? [])]
  const to = { ArrowDown: 1, ArrowUp: -1 }[e.key]
  const at = all.findIndex(a => a === e.target)
  if (to === undefined || at < 0) return
  e.preventDefault()
  all[at + to]?.focus()
}

const Item = ({ r, here }: { r: Ask; here: boolean }) => (
  <li>
    <a class="item" href={addressOf('requests', r.id)} aria-current={here ? 'true' : undefined}>
      <span class="line">
        <strong class="grow">{titleOf(r)}</strong>
        <Left r={r} />
      </span>
      <span class="dim path">{whoAsks(r)}</span>
      {!isOpen(r) && (
        <span class="dim">
          {endOf(r)} · {ago(r.endedAt)}
        </span>
      )}
    </a>
    {canAllowNext(r) && (
      <Btn acts onClick={() => answer(r.id, { allow: true })}>
        {t.requests.nextTime}
      </Btn>
    )}
  </li>
)

function Detail({ r }: { r: Ask }) {
  useEffect(() => {
    see(r)
  }, [r.id])
  return (
    <section class="detail asks" tabindex={-1} aria-label={labelOf(r)}>
      <div class="line">
        <h2 class="grow">{titleOf(r)}</h2>
        <Left r={r} />
      </div>
      <p class="dim">
        {whoAsks(r)} · <span title={full(r.askedAt)}>{t.requests.askedAt(ago(r.askedAt))}</span>
      </p>
      {r.page && <p class="dim path">{r.page}</p>}
      {r.because && <p>{r.because}</p>}
      {r.picture && <RequestPicture r={r} />}
      {isOpen(r) ? (
        <Answers r={r} />
      ) : (
        <p role="status">
          <strong>{endOf(r)}</strong> {r.answer?.note && t.requests.note(r.answer.note)}
        </p>
      )}
      {canAllowNext(r) && (
        <Btn acts onClick={() => answer(r.id, { allow: true })}>
          {t.requests.nextTime}
        </Btn>
      )}
    </section>
  )
}

export function Requests() {
  const { arg } = state.route.value
  const open = waiting.value
  const ended = past.value
  const shown = state.requests.value.get(arg) ?? open[0] ?? null
  useEffect(() => {
    loadRequests().catch(() => undefined)
  }, [])
  const head = (
    <>
      <span class="dim">{open.length ? t.requests.open(open.length) : ''}</span>
      <Grow />
      <a class="btn quiet" href={addressOf('activity')}>
        {t.activity.title}
      </a>
    </>
  )
  return (
    <Main title={t.requests.title} head={head}>
      {!open.length && !ended.length ? (
        <Empty title={t.requests.nothing}>
          <p>{t.requests.nothingText}</p>
        </Empty>
      ) : (
        <div class="inbox">
          <div class="list" onKeyDown={turnTo}>
            <h2>{open.length ? t.requests.waiting : t.requests.nothing}</h2>
            <ul>
              {open.map(r => (
                <Item key={r.id} r={r} here={r === shown} />
              ))}
            </ul>
            {ended.length > 0 && <h2>{t.requests.earlier}</h2>}
            <ul>
              {ended.slice(0, shownPast).map(r => (
                <Item key={r.id} r={r} here={r === shown} />
              ))}
            </ul>
          </div>
          {shown && <Detail key={shown.id} r={shown} />}
        </div>
      )}
    </Main>
  )
}
