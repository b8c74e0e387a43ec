// What a click or a key may send: forms with passwords and payments.

const payName = /(card|cc)[-_]?(num|no$|number|cvc|cvv|csc|code|exp)|^cvv2?$|^cvc2?$|^csc$|security[-_]?code|^iban$/i;
const payFrame = /(^|\.)(stripe\.com|stripe\.network|braintreegateway\.com|braintree-api\.com|adyen\.com|paypal\.com|squareup\.com|squarecdn\.com|checkout\.com|worldpay\.com|klarna\.com|mollie\.com|paddle\.com|recurly\.com|spreedly\.com|authorize\.net|cybersource\.com|worldline-solutions\.com|razorpay\.com|2checkout\.com)$/i;
const sensitiveKind = (el) => {
  if (el.localName === 'iframe') {
    let host = '';
    try { host = new URL(el.src).hostname; } catch { /* none */ }
    return payFrame.test(host) && el.clientWidth > 20 && el.clientHeight > 10 ? 'payment' : '';
  }
  if (el.localName !== 'input' || el.type === 'hidden') return '';
  if (cove.hides(el)) return 'password';
  const auto = el.getAttribute('autocomplete') || '';
  return /(^|\s)cc-/i.test(auto) || payName.test(el.getAttribute('name') || '') || payName.test(el.getAttribute('id') || '') ? 'payment' : '';
};
// fields are all inputs and frames, also those in shadow roots.
const fields = (root, found = []) => {
  for (const el of root.querySelectorAll('*')) {
    if (el.localName === 'input' || el.localName === 'iframe') found.push(el);
    const inner = rootOf(el);
    if (inner) fields(inner, found);
  }
  return found;
};
const formOf = (el) => (el && el.form instanceof HTMLFormElement ? el.form : el && el.closest ? el.closest('form') : null);
// formKind is what a form holds that is worth a question: a password, a payment, or nothing.
const formKind = (form) => {
  for (const el of fields(document)) if (sensitiveKind(el) && (formOf(el) === form || within(el, form))) return sensitiveKind(el);
  return '';
};
// filledKind is what the page holds outside of any one form: a filled field may be sent by any button, a visible payment frame too.
act.filledKind = () => {
  for (const el of fields(document)) {
    const kind = sensitiveKind(el);
    if (kind && (el.localName === 'iframe' ? el.getClientRects().length > 0 : el.value !== '')) return kind;
  }
  return '';
};
// isField: a click into it only puts the cursor there, or switches it.
const isField = (el) => {
  if (el.localName === 'input') return !['submit', 'image', 'button', 'reset'].includes(el.type);
  return el.localName === 'textarea' || el.localName === 'select' || el.localName === 'option' || (el.localName === 'label' && !!el.control && isField(el.control) && !el.querySelector('button, input[type=submit], input[type=image]'));
};
const submitRisk = (el) => {
  const form = formOf(el);
  const about = cove.describe(cove.id(el)) || {};
  return { form: form ? formKind(form) : '', field: isField(el), role: about.role || '', name: about.name || about.text || '', action: form ? new URL(form.getAttribute('action') || '', document.baseURI).href : '' };
};
// assessClick returns what a click on an element may send.
act.assessClick = (id) => {
  let el = cove.get(id);
  if (!el || el.nodeType !== 1) return { gone: true };
  const around = el.closest('button, a, label, input, [role=button]');
  return submitRisk(around || el);
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

