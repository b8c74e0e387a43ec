// Settings of the app, the account, and the tokens for programs.
import { useEffect, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import { signOut, told } from '../api/client.ts'
import type { Setting as SettingData, Token } from '../api/types.ts'
import { full } from '../lib/time.ts'
import { typedText, upperFirst } from '../lib/text.ts'
import { Btn, CopyButton } from '../parts/button.tsx'
import { Field, focused, Options } from '../parts/field.tsx'
import { Card, Grow, Main, Page } from '../parts/layout.tsx'
import { Sure } from '../parts/sure.tsx'
import { show, signedOut } from '../store/app.ts'
import { toast, trying } from '../store/messages.ts'
import { setSound } from '../store/sound.ts'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'
import { Account } from './account.tsx'

const samples: Record<string, string> = {
  'adspower.port': '50325',
  api_port: '3001',
  browser: '/usr/bin/chromium',
  browser_args: '--disable-gpu',
  journal_days: '90',
  journal_mb: '200',
  'proxy.check': 'https://…',
}

const sampleOf = (key: string) => (samples[key] ? t.parts.example(samples[key]) : undefined)

const choices: Record<string, readonly (readonly [string, string])[]> = {
  'adspower.key': [
    ['required', t.settings.required],
    ['off', t.settings.off],
  ],
}

function Setting({ setting }: { setting: SettingData }) {
  const { key } = setting
  const options = choices[key]
  const usual = options?.[0]?.[0] ?? '' // a port that is off has no value
  const [saved, setSaved] = useState(setting.value || usual)
  const [value, setValue] = useState(saved)
  const [wrong, setWrong] = useState('')
  const save = async (to: string) => {
    try {
      const now = (await calls.setSetting(key, to)).value || usual
      setSaved(now)
      setValue(now)
      setWrong('')
      toast(t.parts.saved)
    } catch (e) {
      setWrong(told(e))
    }
  }
  const about = t.settings.hints[key] ?? `${upperFirst(setting.about)}.`
  const title = t.settings.titles[key] ?? key
  if (key === 'require_token') {
    const switchTo = (on: boolean) => {
      setValue(String(on))
      void save(String(on))
    }
    return (
      <div class="field">
        <label class="check">
          <input
            type="checkbox"
            checked={value === 'true'}
            onChange={e => {
              switchTo(e.currentTarget.checked)
            }}
          />{' '}
          {title}
        </label>
        <p class="hint">{about}</p>
      </div>
    )
  }
  return (
    <Field label={title} error={wrong} hint={about}>
      {a => (
        <div class="line">
          {options ? (
            <select
              {...a}
              value={value}
              onChange={e => {
                setValue(e.currentTarget.value)
              }}
            >
              <Options of={options} now={value} />
            </select>
          ) : (
            <input
              {...a}
              value={value}
              placeholder={sampleOf(key)}
              onInput={e => {
                setValue(e.currentTarget.value)
              }}
              onKeyDown={e => {
                if (e.key === 'Enter') void save(value)
              }}
            />
          )}
          <Btn disabled={value === saved} onClick={() => save(value)}>
            {t.parts.save}
          </Btn>
        </div>
      )}
    </Field>
  )
}

// formText takes what was typed into a form of one field.
const formText = (form: HTMLFormElement, name: string) => typedText(new FormData(form), name)

function TokenTable({ list, onRevoke }: { list: Token[]; onRevoke: (token: Token) => Promise<boolean> }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t.tokens.name}</th>
          <th scope="col">{t.tokens.account}</th>
          <th scope="col">{t.tokens.used}</th>
          <th scope="col">
            <span class="hidden">{t.parts.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map(one => (
          <tr key={one.id}>
            <td>{one.name}</td>
            <td>{one.email}</td>
            <td>{full(one.usedAt) || t.time.never}</td>
            <td class="end">
              <Sure
                kind="quiet"
                label={t.tokens.revokeNamed(one.name)}
                title={t.tokens.revokeTitle(one.name)}
                text={t.tokens.revokeText}
                go={t.tokens.revoke}
                onGo={() => onRevoke(one)}
              >
                {t.tokens.revoke}
              </Sure>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Tokens() {
  const [list, setList] = useState<Token[]>([])
  const [made, setMade] = useState<Token | null>(null)
  const read = () =>
    trying(async () => {
      setList((await calls.tokens()).data)
    })
  useEffect(() => {
    void read()
  }, [])
  const create = (e: SubmitEvent) => {
    e.preventDefault()
    const form = e.currentTarget as HTMLFormElement
    void trying(async () => {
      setMade((await calls.createToken(formText(form, 'name'))).data)
      form.reset()
      await read()
    })
  }
  const revoke = (one: Token) =>
    trying(async () => {
      await calls.revokeToken(one.id)
      await read()
    })
  return (
    <Card title={t.tokens.title}>
      <p class="dim">{t.tokens.about}</p>
      {made?.token && (
        <div class="command">
          <pre>
            <code>{made.token}</code>
          </pre>
          <CopyButton text={made.token} label={t.tokens.copy} />
        </div>
      )}
      {list.length > 0 && <TokenTable list={list} onRevoke={revoke} />}
      <form class="line" onSubmit={create}>
        <input
          name="name"
          aria-label={t.tokens.newName}
          placeholder={t.tokens.newName}
          required
          maxlength={100}
          autocomplete="off"
        />
        <button class="btn">{t.parts.create}</button>
      </form>
    </Card>
  )
}

// OwnPIN has the focus when an address leads to it, as soon as nothing above it grows any more.
function OwnPIN({ sought }: { sought: boolean }) {
  const [has, setHas] = useState<boolean | null>(null)
  const read = () =>
    trying(async () => {
      setHas((await calls.pin()).set)
    })
  useEffect(() => {
    void read()
  }, [])
  const put = (e: SubmitEvent) => {
    e.preventDefault()
    const form = e.currentTarget as HTMLFormElement
    void trying(async () => {
      await calls.setPIN(formText(form, 'pin'))
      form.reset()
      toast(t.pin.isSet)
      await read()
    })
  }
  const remove = () =>
    trying(async () => {
      await calls.removePIN()
      toast(t.pin.removed)
      await read()
    })
  return (
    <Card title={t.pin.title}>
      <p class="dim">{t.pin.about}</p>
      {has !== null && (
        <form class="line" onSubmit={put}>
          <input
            name="pin"
            type="password"
            ref={sought ? focused : undefined}
            aria-label={t.pin.newLabel}
            placeholder={t.pin.newHint}
            required
            autocomplete="new-password"
          />
          <button class="btn">{has ? t.pin.change : t.pin.set}</button>
          {has && (
            <Sure kind="quiet" title={t.pin.removeTitle} text={t.pin.removeText} go={t.parts.remove} onGo={remove}>
              {t.parts.remove}
            </Sure>
          )}
        </form>
      )}
    </Card>
  )
}

const leave = () =>
  trying(async () => {
    await signOut()
    signedOut()
  })

const Head = () => (
  <>
    <Grow />
    <Btn
      onClick={() => {
        show('keys')
      }}
    >
      {t.keys.title}
    </Btn>
    <a class="btn" href="/docs" target="_blank" rel="noopener">
      {t.settings.docs}
    </a>
  </>
)

export function Settings() {
  const [list, setList] = useState<SettingData[]>([])
  useEffect(() => {
    void trying(async () => {
      setList((await calls.settings()).data)
    })
  }, [])
  return (
    <Main title={t.settings.title} head={<Head />}>
      <Page>
        <Account />
        <Card title={t.settings.app}>
          {list.map(s => (
            <Setting key={s.key} setting={s} />
          ))}
        </Card>
        <OwnPIN sought={state.route.value.arg === 'pin' && list.length > 0} />
        {state.status.value?.logged_in && <Tokens />}
        <Card title={t.settings.window}>
          <div class="field">
            <label class="check">
              <input
                type="checkbox"
                checked={state.sound.value}
                onChange={e => {
                  setSound(e.currentTarget.checked)
                }}
              />{' '}
              {t.settings.sound}
            </label>
            <p class="hint">{t.settings.soundHint}</p>
          </div>
          <div class="line">
            <span class="dim">{t.settings.windowAbout}</span>
            <Grow />
            <Btn onClick={leave}>{t.settings.signOut}</Btn>
          </div>
        </Card>
      </Page>
    </Main>
  )
}
