// What to do with the selected profiles. The app does it as a job, whether this window stays open or not.
import { typedText, words } from '../lib/text.ts'
import { Btn, Close } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { later } from '../parts/later.tsx'
import { Grow, Strip } from '../parts/layout.tsx'
import { Ask } from '../parts/modal.tsx'
import { change } from '../store/jobs.ts'
import { select } from '../store/rows.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { discard, selectionActions, startable } from './actions.ts'

const BulkEdit = later(async () => (await import('./bulk.tsx')).BulkEdit, Strip)

const tag = (ids: number[], form: FormData) => {
  const addTags = words(typedText(form, 'add'))
  const removeTags = words(typedText(form, 'drop'))
  return addTags.length || removeTags.length ? change(ids, { addTags, removeTags }) : true
}

const noQuestion = () => {
  state.asking.value = null
}

function Asked({ what, ids }: { what: state.Question; ids: number[] }) {
  const n = t.many.profiles(ids.length)
  switch (what) {
    case 'open':
    case 'agents':
      return (
        <Ask
          title={t.many.openTitle(t.many.profiles(startable(ids).length))}
          text={t.many.openText}
          go={what === 'open' ? t.table.open : t.table.openForAgents}
          onClose={noQuestion}
          onGo={() => change(startable(ids), { action: 'start', automation: what === 'agents' })}
        />
      )
    case 'tag':
      return (
        <Ask title={t.many.tagTitle(n)} go={t.many.tagGo} onClose={noQuestion} onGo={form => tag(ids, form)}>
          <Field label={t.many.tagsToAdd} hint={t.many.tagsHint}>
            {a => <input {...a} name="add" list="all-tags" data-first />}
          </Field>
          <Field label={t.many.tagsToDrop}>{a => <input {...a} name="drop" list="all-tags" />}</Field>
        </Ask>
      )
    case 'move':
      return (
        <Ask
          title={t.many.moveTitle(n)}
          go={t.many.moveGo}
          onClose={noQuestion}
          onGo={form => change(ids, { folder: typedText(form, 'folder').trim() })}
        >
          <Field label={t.many.folder} hint={t.many.folderHint}>
            {a => <input {...a} name="folder" list="all-folders" data-first />}
          </Field>
        </Ask>
      )
    case 'edit':
      return <BulkEdit ids={ids} onClose={noQuestion} />
    case 'delete':
      return (
        <Ask
          title={t.many.deleteTitle(n)}
          text={t.many.deleteText}
          go={t.many.deleteGo}
          danger
          onClose={noQuestion}
          onGo={() => discard(ids)}
        />
      )
    case 'purge':
      return (
        <Ask
          title={t.many.purgeTitle(n)}
          text={t.many.purgeText}
          go={t.many.purgeGo}
          danger
          careful
          onClose={noQuestion}
          onGo={() => change(ids, { action: 'delete' })}
        />
      )
  }
}

export function Many({ trash }: { trash: boolean }) {
  const ids = [...state.selected.value]
  return (
    <div class="many" role="toolbar" aria-label={t.many.label}>
      <strong>{t.many.selected(ids.length)}</strong>
      {selectionActions(trash).map(a => (
        <Btn acts key={a.name} kind={a.danger ? 'quiet' : ''} disabled={!!a.why} title={a.why} onClick={a.run}>
          {a.name}
        </Btn>
      ))}
      <Grow />
      <Close
        onClick={() => {
          select([])
        }}
      />
      {state.asking.value && <Asked what={state.asking.value} ids={ids} />}
    </div>
  )
}
