// The keys that work everywhere, and their help.
import { Modal } from '../parts/modal.tsx'
import { show } from '../store/app.ts'
import { isLetter, setLetters } from '../store/letters.ts'
import { go } from '../store/route.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

export const Keys = () => (
  <Modal
    kind="ask"
    title={t.keys.title}
    onClose={() => {
      show(null)
    }}
  >
    <div class="body">
      <dl class="keys">
        {t.keys.help.map(([key, what]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={state.letters.value}
          onChange={e => {
            setLetters(e.currentTarget.checked)
          }}
        />{' '}
        {t.keys.letters}
      </label>
      <p class="hint">{t.keys.lettersHint}</p>
    </div>
  </Modal>
)

const places = ['', 'activity', 'connect', 'settings']

// typing says that a key belongs to what has the focus.
function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  return target instanceof HTMLInputElement && target.type !== 'checkbox'
}

// findSearch leads to the search: at once where it is there, for what is typed next belongs into it.
function findSearch(): boolean {
  const input = document.querySelector<HTMLInputElement>('#search')
  input?.focus()
  input?.select()
  return !!input
}

function search(): void {
  if (findSearch()) return
  go('')
  addEventListener('hashchange', () => requestAnimationFrame(findSearch), { once: true })
}

const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()

// does is what a key does everywhere.
function does(key: string, target: EventTarget | null): (() => void) | undefined {
  const place = places[Number(key) - 1]
  if (place !== undefined) {
    return () => {
      go(place)
    }
  }
  switch (key) {
    case '/':
      return search
    case 'n':
      return () => {
        go('new')
      }
    case 'a':
      return () => {
        if (document.querySelector('.asks')) focus('.asks')
        else go('requests')
      }
    case '?':
      return () => {
        show('keys')
      }
    case 'ArrowDown':
    case 'ArrowUp':
      return target === document.body ? () => focus('#table') : undefined
    default:
      return undefined
  }
}

// onKey does what a key means, unless it belongs to an input or a dialog.
export function onKey(e: KeyboardEvent): void {
  if (state.page.value === 'app' && (e.ctrlKey || e.metaKey) && e.key === 'k' && !e.altKey && !e.shiftKey) {
    e.preventDefault()
    if (!document.querySelector('dialog[open]')) show('palette')
    return
  }
  if (state.page.value !== 'app' || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return
  if (!state.letters.value && isLetter(e)) return
  if (typing(e.target) || document.querySelector('dialog[open]')) return
  const work = does(e.key, e.target)
  if (!work) return
  e.preventDefault()
  work()
}
