// A test of the rules as they stand in the form: what would happen to a step of an agent.
import { useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { told } from '../api/client.ts'
import type { PolicyOutcome } from '../api/types.ts'
import { outcomeText, type PolicyForm, sentPolicy, steps } from '../lib/policy.ts'
import { Btn } from '../parts/button.tsx'
import { Field, Options } from '../parts/field.tsx'
import { t } from '../strings.ts'

const offered = steps.map(step => [step, step ? t.policy.rights[step] : t.policy.openPage] as const)

export function TryPolicy({ f }: { f: PolicyForm }) {
  const [url, setURL] = useState('')
  const [step, setStep] = useState(steps[0])
  const [result, setResult] = useState<{ of: string; outcome?: PolicyOutcome; wrong?: string } | null>(null)
  const policy = sentPolicy(f)
  const asked = JSON.stringify([policy, url, step])
  const now = result?.of === asked ? result : null // what was tested before a change says nothing any more
  const test = async () => {
    if (!url.trim()) return
    try {
      const { data } = await calls.testPolicy({ policy, url, right: step || undefined })
      setResult({ of: asked, outcome: data })
    } catch (e) {
      setResult({ of: asked, wrong: told(e) })
    }
  }
  return (
    <section aria-label={t.policy.test}>
      <h3>{t.policy.test}</h3>
      <div class="pair">
        <Field label={t.policy.testURL} error={now?.wrong}>
          {a => (
            <input
              {...a}
              value={url}
              placeholder={t.samples.page}
              onInput={e => {
                setURL(e.currentTarget.value)
              }}
              onKeyDown={e => {
                if (e.key !== 'Enter') return
                e.preventDefault()
                void test()
              }}
            />
          )}
        </Field>
        <Field label={t.policy.testStep}>
          {a => (
            <select
              {...a}
              value={step}
              onChange={e => {
                setStep(e.currentTarget.value as typeof step)
              }}
            >
              <Options of={offered} now={step} />
            </select>
          )}
        </Field>
      </div>
      <div class="line">
        <Btn acts disabled={!url.trim()} onClick={test}>
          {t.policy.testGo}
        </Btn>
        <span class="outcome" role="status">
          {now?.outcome && (
            <>
              <strong class={{ yes: 'ok', ask: 'warn', no: 'bad' }[now.outcome.answer]}>
                {t.policy.outcomes[now.outcome.answer]}
              </strong>{' '}
              {outcomeText(now.outcome)}
            </>
          )}
        </span>
      </div>
    </section>
  )
}
