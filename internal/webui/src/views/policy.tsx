// What agents may do in a profile.
import type { Policy as PolicyData } from '../api/types.ts'
import { type Answer, answerTo, type PolicyForm, rights, withAnswer } from '../lib/policy.ts'
import type { Wrong } from '../lib/profile.ts'
import { Pick } from '../parts/button.tsx'
import { Field, Options } from '../parts/field.tsx'
import { t } from '../strings.ts'

const presets: PolicyData['preset'][] = ['open', 'guarded', 'read-only', 'off']
const answers: [Answer, string][] = [
  ['yes', t.policy.yes],
  ['ask', t.policy.ask],
  ['no', t.policy.no],
]

type PolicyProps = { f: PolicyForm; wrong: Wrong; onChange: (f: PolicyForm) => void }

function Sites({ f, wrong, onChange }: PolicyProps) {
  const sites = (name: 'allow' | 'block', label: string, hint?: string) => (
    <Field label={label} error={wrong[name]} hint={hint}>
      {a => (
        <textarea
          {...a}
          rows={2}
          value={f[name]}
          placeholder={t.samples.sites}
          onInput={e => {
            onChange({ ...f, [name]: e.currentTarget.value })
          }}
        />
      )}
    </Field>
  )
  return (
    <div class="pair">
      {sites('allow', t.policy.allow, t.policy.allowHint)}
      {sites('block', t.policy.block)}
    </div>
  )
}

function Advanced({ f, wrong, onChange }: PolicyProps) {
  const check = (name: 'oneDriver' | 'sharedTabs' | 'noPictures', label: string, inverted: boolean) => (
    <label class="check">
      <input
        type="checkbox"
        checked={!!f[name] !== inverted}
        onChange={e => {
          onChange({ ...f, [name]: e.currentTarget.checked !== inverted })
        }}
      />{' '}
      {label}
    </label>
  )
  return (
    <details>
      <summary>{t.policy.advanced}</summary>
      <div class="rights">
        {rights.map(right => (
          <label key={right}>
            {t.policy.rights[right]}
            <select
              value={answerTo(f, right)}
              onChange={e => {
                onChange(withAnswer(f, right, e.currentTarget.value as Answer))
              }}
            >
              <Options of={answers} now={answerTo(f, right)} />
            </select>
          </label>
        ))}
      </div>
      {check('oneDriver', t.policy.oneDriver, false)}
      {check('sharedTabs', t.policy.ownTabs, true)}
      {check('noPictures', t.policy.pictures, true)}
      <Field label={t.policy.answerers} error={wrong.answerers} hint={t.policy.answerersHint}>
        {a => (
          <input
            {...a}
            value={f.answerers}
            placeholder={t.samples.client}
            onInput={e => {
              onChange({ ...f, answerers: e.currentTarget.value })
            }}
          />
        )}
      </Field>
    </details>
  )
}

export function Policy(props: PolicyProps) {
  const { f, onChange } = props
  return (
    <>
      <div class="plans two" role="group" aria-label={t.policy.title}>
        {presets.map(preset => (
          <Pick
            on={f.preset === preset}
            about={t.policy.presets[preset].about}
            key={preset}
            onClick={() => {
              if (f.preset !== preset) onChange({ ...f, preset, rights: {} })
            }}
          >
            {t.policy.presets[preset].name}
          </Pick>
        ))}
      </div>
      {f.preset !== 'off' && (
        <>
          <Sites {...props} />
          <Advanced {...props} />
          {answerTo(f, 'script') !== 'no' && <p class="hint">{t.policy.scripts}</p>}
        </>
      )}
    </>
  )
}
