// What a click or a key may send: forms with passwords, one-time codes and payments.
import {
  attrOf,
  baseURI,
  closest,
  frameSrc,
  inputType,
  inputValue,
  isInput,
  queryAll,
  queryAllIn,
  rectOf,
  tagOf,
} from '../native.ts'
import { cove } from './cove.ts'
import { within } from './tree.ts'
import { active, kind } from './value.ts'

// LEAST is the size of a frame that people see. Payment providers also add frames of a pixel to pages without a
// payment.
const LEAST = { width: 20, height: 10 }

function hostOf(address: string): string {
  try {
    return new URL(address).hostname
  } catch {
    return ''
  }
}

function isPaymentFrame(el: HTMLIFrameElement): boolean {
  const r = rectOf(el)
  return r.width > LEAST.width && r.height > LEAST.height && cove.paymentHost(hostOf(frameSrc(el)))
}

// sensitiveKind is what a field or a frame is for: a password, a code or a payment; '' for none of these.
function sensitiveKind(el: Element): string {
  if (el instanceof HTMLIFrameElement) return isPaymentFrame(el) ? 'payment' : ''
  return cove.fieldKind(el) || (cove.hides(el) ? 'password' : '')
}

// fields are all inputs and frames, also those in shadow roots.
function fields(root: Node, found: Element[] = []): Element[] {
  for (const el of queryAll(root, '*')) {
    if (isInput(el) || el instanceof HTMLIFrameElement) found.push(el)
    const inner = cove.root(el)
    if (inner) fields(inner, found)
  }
  return found
}

function formOf(el: Element): HTMLFormElement | null {
  if (el instanceof HTMLFormElement) return el
  const { form } = el as { form?: unknown } // only a form's own fields can shadow properties, and only the form's
  if (form instanceof HTMLFormElement) return form
  return closest(el, 'form') as HTMLFormElement | null
}

// formKind is what a form holds that is worth a question; '' for nothing.
function formKind(form: HTMLFormElement): string {
  for (const el of fields(document)) {
    const found = sensitiveKind(el)
    if (found && (formOf(el) === form || within(el, form))) return found
  }
  return ''
}

// filledKind is what the page holds outside of any one form: a filled field may be sent by any button, a visible
// payment frame too.
export function filledKind(): string {
  for (const el of fields(document)) {
    const found = sensitiveKind(el)
    if (found && (!isInput(el) || inputValue(el) !== '')) return found
  }
  return ''
}

const PRESSED = ['submit', 'image', 'button', 'reset']

// isField: a click into it only puts the cursor there, or switches it.
function isField(el: Element): boolean {
  switch (tagOf(el)) {
    case 'input':
      return !isInput(el) || !PRESSED.includes(inputType(el))
    case 'textarea':
    case 'select':
    case 'option':
      return true
    case 'label': {
      const control = el instanceof HTMLLabelElement ? el.control : null
      const presses = queryAllIn(el, 'button, input[type=submit], input[type=image]').length > 0
      return !!control && isField(control) && !presses
    }
  }
  return false
}

// actionOf is the address that a form goes to.
function actionOf(form: HTMLFormElement): string {
  const action = attrOf(form, 'action')
  try {
    return new URL(action, baseURI(document)).href
  } catch {
    return action
  }
}

// Risk is what an action may send.
type Risk = { gone?: true; form?: string; field?: boolean; role?: string; name?: string; action?: string }

function submitRisk(el: Element): Risk {
  const form = formOf(el)
  const about = cove.describe(cove.id(el))
  return {
    form: form ? formKind(form) : '',
    field: isField(el),
    role: about?.role ?? '',
    name: about?.name || about?.text || '',
    action: form ? actionOf(form) : '',
  }
}

// assessClick returns what a click on an element may send.
export function assessClick(id: number): Risk {
  const el = cove.get(id)
  if (!el) return { gone: true }
  return submitRisk(closest(el, 'button, a, label, input, [role=button]') ?? el)
}

// assessForm returns what a tool sends that fills in a form of the page.
export function assessForm(id: number): Risk {
  const el = cove.get(id)
  return el ? submitRisk(el) : { gone: true }
}

// assessFill returns what giving an element a value may send.
export function assessFill(id: number): Risk {
  const k = kind(id)
  if ((k.kind === 'check' || k.kind === 'combobox') && !k.field) return assessClick(k.inner || id)
  return { field: true }
}

// assessKey returns what Enter may send, or Space where it presses a button.
export function assessKey(): Risk {
  const el = active()
  if (!el) return { field: true }
  const risk = submitRisk(el)
  return { ...risk, form: risk.form || sensitiveKind(el) }
}
