// What a click or a key may send: forms with passwords, one-time codes and payments.
//
// A form's own fields and the document's images can shadow their properties, so these functions use only native.

// LEAST is the size of a frame that people see. Payment providers also add frames of a pixel to pages without a payment.
const LEAST = { width: 20, height: 10 };
const hostOf = (address) => {
  try {
    return new URL(address).hostname;
  } catch {
    return '';
  }
};
const isPaymentFrame = (el) => {
  const r = native.rect(el);
  return r.width > LEAST.width && r.height > LEAST.height && cove.paymentHost(hostOf(native.frameSrc(el)));
};
// sensitiveKind is what a field or a frame is for: a password, a code or a payment; '' for none of these.
const sensitiveKind = (el) => {
  if (el instanceof HTMLIFrameElement) return isPaymentFrame(el) ? 'payment' : '';
  return cove.fieldKind(el) || (cove.hides(el) ? 'password' : '');
};
// fields are all inputs and frames, also those in shadow roots.
const fields = (root, found = []) => {
  for (const el of native.queryAll(root, '*')) {
    if (native.isInput(el) || el instanceof HTMLIFrameElement) found.push(el);
    const inner = rootOf(el);
    if (inner) fields(inner, found);
  }
  return found;
};
const formOf = (el) => {
  if (!el || el instanceof HTMLFormElement) return el;
  return el.form instanceof HTMLFormElement ? el.form : native.closest(el, 'form');
};
// formKind is what a form holds that is worth a question; '' for nothing.
const formKind = (form) => {
  for (const el of fields(document)) {
    const kind = sensitiveKind(el);
    if (kind && (formOf(el) === form || within(el, form))) return kind;
  }
  return '';
};
// filledKind is what the page holds outside of any one form: a filled field may be sent by any button, a visible payment frame too.
act.filledKind = () => {
  for (const el of fields(document)) {
    const kind = sensitiveKind(el);
    if (kind && (!native.isInput(el) || native.inputValue(el) !== '')) return kind;
  }
  return '';
};
// isField: a click into it only puts the cursor there, or switches it.
const PRESSED = ['submit', 'image', 'button', 'reset'];
const isField = (el) => {
  switch (native.tag(el)) {
    case 'input':
      return !native.isInput(el) || !PRESSED.includes(native.inputType(el));
    case 'textarea':
    case 'select':
    case 'option':
      return true;
    case 'label':
      return !!el.control && isField(el.control) && native.queryAllIn(el, 'button, input[type=submit], input[type=image]').length === 0;
  }
  return false;
};
// actionOf is the address that a form goes to.
const actionOf = (form) => {
  const action = native.attr(form, 'action');
  try {
    return new URL(action, native.baseURI(document)).href;
  } catch {
    return action;
  }
};
const submitRisk = (el) => {
  const form = formOf(el);
  const about = cove.describe(cove.id(el)) || {};
  return { form: form ? formKind(form) : '', field: isField(el), role: about.role || '', name: about.name || about.text || '', action: form ? actionOf(form) : '' };
};
// assessClick returns what a click on an element may send.
act.assessClick = (id) => {
  const el = cove.get(id);
  if (!el || native.nodeType(el) !== 1) return { gone: true };
  return submitRisk(native.closest(el, 'button, a, label, input, [role=button]') || el);
};
// assessFill returns what giving an element a value may send.
act.assessFill = (id) => {
  const k = act.kind(id);
  if ((k.kind === 'check' || k.kind === 'combobox') && !k.field) return act.assessClick(k.inner || id);
  return { field: true };
};
// assessKey returns what Enter may send, or Space where it presses a button.
act.assessKey = () => {
  const el = active();
  if (!el) return { field: true };
  const s = submitRisk(el);
  return { ...s, form: s.form || sensitiveKind(el) };
};

