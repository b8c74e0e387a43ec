// Control of a tab in the live view: taking it, handing it back, and what the page asks meanwhile.
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { LiveChooser, LiveDownload, LiveOption, LivePrompt } from '../api/types.ts'
import { trying } from '../store/messages.ts'
import { t } from '../strings.ts'
import { Btn } from './button.tsx'
import type { Act } from './hands.ts'
import { Grow } from './layout.tsx'

type BarProps = { id: number; tab: string; on: boolean; shown: boolean }

// ControlBar takes control of the tab that is shown, and hands it back with a note.
export function ControlBar({ id, tab, on, shown }: BarProps) {
  const [note, setNote] = useState('')
  const turn = () =>
    trying(async () => {
      await calls.controlTab(id, { tab, on: !on, ...(on && note && { note }) })
      setNote('')
    })
  if (!on) {
    return (
      <div class="dock">
        <Btn acts kind="you" disabled={!shown} onClick={turn}>
          {t.live.takeControl}
        </Btn>
        <span class="dim">{t.live.takeControlText}</span>
      </div>
    )
  }
  return (
    <form
      class="dock on"
      onSubmit={e => {
        e.preventDefault()
        void turn()
      }}
    >
      <b role="status">{t.live.inControl}</b>
      <input
        aria-label={t.live.note}
        placeholder={t.live.note}
        maxlength={1000}
        value={note}
        onInput={e => {
          setNote(e.currentTarget.value)
        }}
      />
      <Btn acts kind="you" id="handback" onClick={turn}>
        {t.live.handBack}
      </Btn>
    </form>
  )
}

const hintFor = 4000

// Hint says for a moment what the person can do.
export function Hint() {
  const [shown, setShown] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => {
      setShown(false)
    }, hintFor)
    return () => {
      clearTimeout(timer)
    }
  }, [])
  return shown ? (
    <p class="hint-card" role="status">
      {t.live.hint}
    </p>
  ) : null
}

// OptionList is the list of the select that the person has pressed.
export function OptionList({ options, onPick }: { options: LiveOption[]; onPick: (n?: number) => void }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[aria-selected=true], button')?.focus()
  }, [options])
  const move = (e: KeyboardEvent) => {
    if (e.key === 'Escape') onPick()
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0
    if (!step) return
    e.preventDefault()
    const all = [...(list.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])]
    const at = all.findIndex(one => one === document.activeElement)
    all[Math.min(all.length - 1, Math.max(0, at + step))]?.focus()
  }
  return (
    <div class="card-over options" role="listbox" aria-label={t.live.options} ref={list} onKeyDown={move}>
      {options.map((o, n) => (
        <button
          type="button"
          role="option"
          key={n}
          aria-selected={!!o.chosen}
          disabled={o.disabled}
          onClick={() => {
            onPick(n)
          }}
        >
          {o.group && <span class="dim">{o.group} · </span>}
          {o.text || t.live.emptyOption}
        </button>
      ))}
    </div>
  )
}

type PromptProps = { prompt: LivePrompt; act: Act; onDone: () => void }

// PromptCard is a dialog of the page, which waits for an answer.
export function PromptCard({ prompt, act, onDone }: PromptProps) {
  const [text, setText] = useState(prompt.default ?? '')
  const card = useRef<HTMLDivElement>(null)
  const asks = prompt.kind !== 'alert'
  const answer = (accept: boolean) => {
    act({ t: 'dialog', accept, text })
    onDone()
  }
  const key = (e: KeyboardEvent) => {
    if (e.key === 'Enter' && e.target instanceof HTMLInputElement) answer(true)
    if (e.key === 'Escape') answer(!asks)
  }
  useEffect(() => {
    card.current?.querySelector<HTMLElement>('input, .primary')?.focus()
  }, [])
  return (
    <div class="card-over" role="alertdialog" aria-label={t.live.prompts[prompt.kind]} ref={card} onKeyDown={key}>
      <p>
        <b>{t.live.prompts[prompt.kind]}</b>
      </p>
      <p class="said">{prompt.message}</p>
      {prompt.kind === 'prompt' && (
        <input
          aria-label={t.live.answer}
          value={text}
          onInput={e => {
            setText(e.currentTarget.value)
          }}
        />
      )}
      <div class="line">
        <Grow />
        {asks && (
          <Btn
            onClick={() => {
              answer(false)
            }}
          >
            {t.parts.cancel}
          </Btn>
        )}
        <Btn
          kind="primary"
          onClick={() => {
            answer(true)
          }}
        >
          {t.live.ok}
        </Btn>
      </div>
    </div>
  )
}

type ChooserProps = { id: number; tab: string; chooser: LiveChooser }

// ChooserCard gives the page files of this computer.
export function ChooserCard({ id, tab, chooser }: ChooserProps) {
  const give = (files: File[]) =>
    trying(async () => {
      const form = new FormData()
      for (const file of files) form.append('file', file, file.name)
      await calls.sendFiles(id, tab, form)
    })
  return (
    <div class="card-over" role="dialog" aria-label={t.live.files}>
      <p>
        <b>{chooser.closed ? t.live.filesElsewhere : t.live.files}</b>
      </p>
      <div class="line">
        {!chooser.closed && (
          <input
            type="file"
            aria-label={t.live.chooseFiles}
            multiple={!!chooser.multiple}
            onChange={e => {
              const files = [...(e.currentTarget.files ?? [])]
              if (files.length) void give(files)
            }}
          />
        )}
        <Grow />
        <Btn onClick={() => give([])}>{t.parts.cancel}</Btn>
      </div>
    </div>
  )
}

// DownloadList offers what the page has saved to this computer.
export const DownloadList = ({ id, downloads }: { id: number; downloads: LiveDownload[] }) => (
  <ul class="downloads" aria-label={t.live.downloads}>
    {downloads.map(d => (
      <li key={d.id}>
        <span class="name">{d.name}</span>
        {d.state === 'completed' ? (
          <Btn
            kind="small"
            onClick={() =>
              trying(async () => {
                save(await calls.downloaded(id, d.id), d.name)
              })
            }
          >
            {t.live.save}
          </Btn>
        ) : (
          <span class="dim">{t.live.downloadStates[d.state]}</span>
        )}
      </li>
    ))}
  </ul>
)

const kept = 60000

// save hands a file to the person.
function save(file: Blob, name: string): void {
  const a = document.createElement('a')
  a.href = URL.createObjectURL(file)
  a.download = name
  a.click()
  setTimeout(() => {
    URL.revokeObjectURL(a.href)
  }, kept)
}
