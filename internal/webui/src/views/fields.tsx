// The fields of a profile's window.
import type { ComponentChild } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'
import type { Browser } from '../api/types.ts'
import type { Form, Wrong } from '../lib/profile.ts'
import { Field, type Labelled } from '../parts/field.tsx'
import { t } from '../strings.ts'

type Attributes = Record<string, string | number | boolean | undefined>

export type FieldsProps = {
  f: Form
  wrong: Wrong
  onChange: (name: keyof Form, value: string) => void
  onPut: (more: Partial<Form>) => void // several at once
  external?: boolean // the profile stands for a browser that has its own settings
}

// inputsOf are the inputs of a form: one line, or several.
export function inputsOf({ f, wrong, onChange }: FieldsProps) {
  type Name = Exclude<keyof Form, 'policy' | 'custom'>
  const text =
    (name: Name, more: Attributes = {}) =>
    (a: Labelled): ComponentChild => (
      <input
        {...a}
        value={f[name]}
        onInput={e => {
          onChange(name, e.currentTarget.value)
        }}
        {...more}
      />
    )
  const area =
    (name: Name, rows: number, more: Attributes = {}) =>
    (a: Labelled): ComponentChild => (
      <textarea
        {...a}
        rows={rows}
        value={f[name]}
        onInput={e => {
          onChange(name, e.currentTarget.value)
        }}
        {...more}
      />
    )
  const field = (name: Name, label: string, more?: Attributes) => (
    <Field label={label} error={wrong[name]}>
      {text(name, more)}
    </Field>
  )
  return { text, area, field }
}

// General is what a profile is to people.
export function General(props: FieldsProps) {
  const { wrong, external } = props
  const { area, field } = inputsOf(props)
  return (
    <>
      {field('name', t.edit.name, { 'data-first': true, required: true, maxlength: 200, dir: 'auto' })}
      <div class="pair">
        {field('folder', t.edit.folder, { list: 'all-folders', dir: 'auto' })}
        {field('tags', t.edit.tags, { placeholder: t.samples.tags })}
      </div>
      {!external && (
        <Field label={t.edit.pages} error={wrong.pages} hint={t.edit.pagesHint}>
          {area('pages', 2, { placeholder: t.samples.page })}
        </Field>
      )}
      <Field label={t.edit.notes} error={wrong.notes}>
        {area('notes', 2, { dir: 'auto' })}
      </Field>
    </>
  )
}

function BrowserField({ f, wrong, onChange }: FieldsProps) {
  const [browsers, setBrowsers] = useState<Browser[]>([])
  useEffect(() => {
    calls.browsers().then(
      a => {
        setBrowsers(a.data)
      },
      () => undefined,
    )
  }, [])
  const paths = [...new Set([...browsers.map(b => b.path), f.browser].filter(Boolean))]
  const nameOf = (path: string) => {
    const b = browsers.find(one => one.path === path)
    return b ? `${b.name} ${b.version.split('.')[0]} (${path})` : path
  }
  return (
    <Field label={t.edit.browser} error={wrong.browser}>
      {a => (
        <select
          {...a}
          value={f.browser}
          onChange={e => {
            onChange('browser', e.currentTarget.value)
          }}
        >
          <option value="" selected={!f.browser}>
            {t.edit.browserFound}
          </option>
          {paths.map(path => (
            <option value={path} selected={path === f.browser} key={path}>
              {nameOf(path)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function PageToolsField({ f, wrong, onChange }: FieldsProps) {
  return (
    <Field label={t.edit.pageTools} error={wrong.pageTools}>
      {a => (
        <select
          {...a}
          value={f.pageTools}
          onChange={e => {
            onChange('pageTools', e.currentTarget.value)
          }}
        >
          <option value="on" selected={f.pageTools !== 'off'}>
            {t.edit.pageToolsOn}
          </option>
          <option value="off" selected={f.pageTools === 'off'}>
            {t.edit.pageToolsOff}
          </option>
        </select>
      )}
    </Field>
  )
}

// Advanced is how its browser starts.
export function Advanced(props: FieldsProps) {
  const { wrong } = props
  const { text, area, field } = inputsOf(props)
  return (
    <details>
      <summary>{t.edit.advanced}</summary>
      <div class="pair">
        <Field label={t.edit.width} error={wrong.window}>
          {text('width', { inputmode: 'numeric', placeholder: t.edit.widthHint })}
        </Field>
        {field('height', t.edit.height, { inputmode: 'numeric' })}
      </div>
      <BrowserField {...props} />
      <PageToolsField {...props} />
      <Field label={t.edit.args} error={wrong.args} hint={t.edit.argsHint}>
        {area('args', 2)}
      </Field>
    </details>
  )
}
