// What agents may do in a profile.
import { useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { Policy as PolicyData } from '../api/types.ts'
import { type Answer, answerTo, type PolicyForm, rights, withAnswer, withPreset } from '../lib/policy.ts'
import type { Wrong } from '../lib/profile.ts'
import { Pick } from '../parts/button.tsx'
import { Field, Options } from '../parts/field.tsx'
import { Ask } from '../parts/modal.tsx'
import { trying } from '../store/messages.ts'
import { go } from '../store/route.ts'
import { t } from '../strings.ts'

const presets: PolicyData['preset'][] = ['open', 'guarded', 'read-only', 'off']
const answers: [Answer, string][] = [
  ['yes', t.policy.yes],
  ['ask', t.policy.ask],
  ['no', t.policy.no],
]

type PolicyProps = { f: PolicyForm; wrong: Wrong; external?: boolean; onChange: (f: PolicyForm) => void }

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

// aboutOf says what a preset means.
const aboutOf = (preset: PolicyData['preset'], external?: boolean) =>
  external && preset === 'guarded' ? t.adopt.guarded : t.policy.presets[preset].about

// FullAccess asks before agents may do everything in a person’s own browser. Without a PIN that cannot be saved.
function FullAccess({ pin, onGo, onClose }: { pin: boolean; onGo: () => void; onClose: () => void }) {
  if (pin)
    return (
      <Ask
        title={t.adopt.fullTitle}
        text={t.adopt.fullText}
        go={t.adopt.fullGo}
        danger
        careful
        here
        onGo={onGo}
        onClose={onClose}
      />
    )
  return (
    <Ask
      title={t.adopt.pinTitle}
      text={t.pin.about}
      go={t.adopt.pinGo}
      here
      onGo={() => {
        go('settings', 'pin')
      }}
      onClose={onClose}
    />
  )
}

export function Policy(props: PolicyProps) {
  const { f, external, onChange } = props
  const [asking, setAsking] = useState<{ pin: boolean } | null>(null)
  const choose = (preset: PolicyData['preset']) => {
    onChange(withPreset(f, preset, external))
  }
  const ask = () =>
    trying(async () => {
      setAsking({ pin: (await calls.pin()).set })
    })
  return (
    <>
      {external && (
        <div class="note" role="note">
          {t.adopt.policy}
        </div>
      )}
      <div class="plans two" role="group" aria-label={t.policy.title}>
        {presets.map(preset => (
          <Pick
            on={f.preset === preset}
            about={aboutOf(preset, external)}
            key={preset}
            onClick={() => {
              if (f.preset === preset) return
              if (external && preset === 'open') void ask()
              else choose(preset)
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
      {asking && (
        <FullAccess
          pin={asking.pin}
          onGo={() => {
            choose('open')
          }}
          onClose={() => {
            setAsking(null)
          }}
        />
      )}
    </>
  )
}
