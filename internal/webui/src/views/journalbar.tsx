// What stands above the steps of a journal: verifying and exporting it, and which steps are shown.
import * as calls from '../api/calls.ts'
import type { JournalEntry, JournalReport } from '../api/types.ts'
import { entriesIn, type Filter, isFiltered, noFilter } from '../lib/journal.ts'
import { Btn } from '../parts/button.tsx'
import { Options } from '../parts/field.tsx'
import { download } from '../parts/file.ts'
import { useWork } from '../parts/hooks.ts'
import * as icons from '../parts/icons.tsx'
import { Grow } from '../parts/layout.tsx'
import { go } from '../store/route.ts'
import { t } from '../strings.ts'

const most = 1000 // that the app tells at a time

// Report says what is wrong with a journal.
export const Report = ({ report, onShow }: { report: JournalReport; onShow: (seq: number) => void }) => {
  const { broken } = report
  return report.ok ? null : (
    <div class="strip changed" role="alert">
      <icons.Warn />
      <div>
        <strong class="bad">{t.journal.changed}</strong> {broken ? t.journal.broken(broken) : ''}
        {report.problems.map(problem => (
          <div key={problem}>{problem}</div>
        ))}
      </div>
      <Grow />
      {broken && (
        <Btn
          onClick={() => {
            onShow(broken)
          }}
        >
          {t.journal.showBroken(broken)}
        </Btn>
      )}
    </div>
  )
}

// exportJSON reads all entries, byte for byte.
async function exportJSON(id: number): Promise<Blob> {
  const parts: string[] = []
  for (let after = 0; ;) {
    const text = await calls.journalText(id, `limit=${most}&after=${after}`)
    const { data, more } = JSON.parse(text) as { data: JournalEntry[]; more: boolean }
    if (data.length) parts.push(entriesIn(text))
    after = data.at(-1)?.seq ?? 0
    if (!more || !after) break
  }
  return new Blob([`[${parts.join(',\n')}]\n`], { type: 'application/json' })
}

type HeadProps = { id: number; watch: boolean; onReport: (report: JournalReport) => void }

// Head verifies and exports.
export function Head({ id, watch, onReport }: HeadProps) {
  const { doing, wrong, run } = useWork()
  const button = (name: string, work: () => Promise<void>) => (
    <Btn acts onClick={() => run(name, work)}>
      {doing === name ? t.journal.doing : name}
    </Btn>
  )
  const save = (kind: string, read: (id: number) => Promise<Blob>) => async () => {
    download(await read(id), `cove-journal-${id}.${kind}`)
  }
  return (
    <>
      {wrong && (
        <span class="bad" role="alert">
          {wrong}
        </span>
      )}
      <Grow />
      {button(t.journal.verify, async () => {
        onReport(await calls.verifyJournal(id))
      })}
      {button(t.journal.exportHTML, save('html', calls.exportJournal))}
      {button(t.journal.exportJSON, save('json', exportJSON))}
      {watch && (
        <Btn
          onClick={() => {
            go('live', id)
          }}
        >
          {t.table.watch}
        </Btn>
      )}
    </>
  )
}

type FiltersProps = {
  filter: Filter
  agents: string[]
  summary: string
  report: JournalReport | null
  onFilter: (filter: Filter) => void
}

// Filters says which steps are shown.
export function Filters({ filter, agents, summary, report, onFilter }: FiltersProps) {
  const pick = (name: keyof Filter, label: string, of: readonly (readonly [string, string])[]) => (
    <select
      aria-label={label}
      onChange={e => {
        onFilter({ ...filter, [name]: e.currentTarget.value })
      }}
    >
      <Options of={of} now={filter[name]} />
    </select>
  )
  const named = [...new Set([...agents, filter.agent])].filter(Boolean).sort()
  return (
    <div class="filters of-steps" role="search" aria-label={t.journal.filters}>
      <div class="search">
        <icons.Search />
        <input
          id="search"
          type="search"
          aria-label={t.journal.search}
          placeholder={t.journal.search}
          value={filter.q}
          onInput={e => {
            onFilter({ ...filter, q: e.currentTarget.value })
          }}
        />
        <kbd>/</kbd>
      </div>
      {pick('agent', t.journal.agent, [['', t.journal.agents], ...named.map(name => [name, name] as const)])}
      {pick('kind', t.journal.kind, t.journal.kinds)}
      {pick('outcome', t.journal.outcome, t.journal.outcomes)}
      {pick('time', t.journal.time, t.journal.times)}
      {isFiltered(filter) && (
        <Btn
          kind="quiet"
          onClick={() => {
            onFilter(noFilter)
          }}
        >
          {t.journal.clear}
        </Btn>
      )}
      <span class="found" role="status">
        {report?.ok && (
          <>
            <strong class="ok">{t.journal.verified}</strong> {t.journal.intact(report.entries, report.pictures)}{' '}
          </>
        )}
        {summary}
      </span>
    </div>
  )
}
