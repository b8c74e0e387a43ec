// How an element takes a value: what kind it is, and how kinds other than text are set.

const setter = (proto, name) => Object.getOwnPropertyDescriptor(proto, name).set;
const setValue = setter(HTMLInputElement.prototype, 'value');
const announce = (el) => {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
};
const SET = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'range', 'color']);
const TEXT = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);

// active is the innermost element that has the focus.
const active = () => {
  let el = native.document.active();
  for (let root = el && rootOf(el); root && root.activeElement; root = rootOf(el)) el = root.activeElement;
  return el;
};

// editorOf is the code editor that a field only takes the keys for: what it holds is drawn elsewhere, in lines.
const editorOf = (el) => el.closest('.ace_editor, .CodeMirror, .cm-editor, .monaco-editor');
const LINES = '.ace_line, .CodeMirror-line, .view-line, .cm-line';
const linesOf = (editor) => [...editor.querySelectorAll(LINES)].map((l) => [l.getBoundingClientRect().top, l]).sort((a, b) => a[0] - b[0]).map((l) => l[1].textContent.replace(/\u200b/g, '').replace(/\u00a0/g, ' ')).join('\n');
// held is the text in an editable element or in a code editor.
const held = (el) => {
  const editor = editorOf(el);
  return editor ? linesOf(editor) : el.innerText.replace(/\n$/, '');
};

// steps returns where a slider or spinbutton of the page's own making stands, and puts the focus there.
act.steps = (id, focus) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  if (focus) {
    el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    el.focus({ preventScroll: true });
  }
  const number = (name) => { const v = parseFloat(el.getAttribute(name)); return Number.isFinite(v) ? v : null; };
  return { now: number('aria-valuenow'), min: number('aria-valuemin'), max: number('aria-valuemax'), text: el.getAttribute('aria-valuetext') || '', focused: within(active(), el), upright: el.getAttribute('aria-orientation') === 'vertical' };
};

// branch puts the focus on a branch of a tree and tells whether it is open.
act.branch = (id) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  const own = (n) => !!n && !!n.closest && n.closest('[role=treeitem]') === el; // not a branch inside of it
  if (!own(active())) el.focus();
  const inner = !own(active()) && [...el.querySelectorAll('a[href], button, [tabindex]')].find(own);
  if (inner) inner.focus();
  return { checked: el.getAttribute('aria-expanded') === 'true', focused: own(active()) };
};

// opens: a press on the field shows a list to choose from.
const LISTS = '[role=combobox], [aria-haspopup=listbox], [aria-haspopup=tree], [aria-haspopup=grid]';
const opens = (el) => el.matches(LISTS) || (!!el.parentElement && !!el.parentElement.closest('[role=combobox], [aria-haspopup=listbox]'));

// kind returns how an element takes a value.
act.kind = (id) => {
  const el = cove.get(id);
  if (!el) return { kind: 'gone' };
  const role = (el.getAttribute('role') || '').trim().split(/\s+/)[0];
  const off = el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true';
  const base = { disabled: off, readonly: !!el.readOnly || el.getAttribute('aria-readonly') === 'true' };
  if (el.localName === 'select') return { ...base, kind: 'select', multiple: el.multiple };
  if (el.localName === 'option') return { ...base, kind: 'option' };
  if (el.localName === 'textarea') return { ...base, kind: 'text', multiline: true, now: editorOf(el) ? held(el) : el.value, code: !!editorOf(el) };
  if (el.localName === 'input') {
    const type = el.type;
    if (type === 'checkbox' || type === 'radio') return { ...base, kind: 'check', type, checked: el.checked };
    if (type === 'file') return { ...base, kind: 'file' };
    if (SET.has(type)) return { ...base, kind: 'set', type };
    if (TEXT.has(type) && base.readonly && opens(el)) return { ...base, kind: 'combobox' };
    if (TEXT.has(type)) return { ...base, kind: 'text', type, now: cove.hides(el) ? '' : el.value };
    return { ...base, kind: 'none', type };
  }
  if (role === 'treeitem' && el.hasAttribute('aria-expanded')) return { ...base, kind: 'branch', checked: el.getAttribute('aria-expanded') === 'true' };
  if (role === 'slider' || role === 'spinbutton') return { ...base, kind: 'steps', type: role, editable: !!el.isContentEditable };
  if (el.isContentEditable || el.editContext) return { ...base, kind: 'editable', now: el.editContext ? '' : held(el), code: !!editorOf(el) };
  if (['checkbox', 'switch', 'menuitemcheckbox', 'radio', 'menuitemradio'].includes(role)) {
    return { ...base, kind: 'check', type: role, checked: el.getAttribute('aria-checked') === 'true' };
  }
  if (role === 'combobox' || role === 'listbox' || el.getAttribute('aria-haspopup') === 'listbox') {
    const field = el.querySelector('input:not([type=hidden]), textarea');
    return { ...base, kind: 'combobox', field: field ? cove.id(field) : 0 };
  }
  const inner = el.querySelectorAll('input:not([type=hidden]), textarea, select, [contenteditable=""], [contenteditable=true]');
  if (inner.length === 1) return { ...act.kind(cove.id(inner[0])), inner: cove.id(inner[0]) };
  return { ...base, kind: 'none' };
};

// choose picks the option of a select by its text or its value.
act.choose = (id, wanted) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  const text = (o) => (o.label || o.text || '').replace(/\s+/g, ' ').trim();
  const options = [...el.options];
  const found = options.find((o) => text(o) === wanted) || options.find((o) => o.value === wanted) ||
    options.find((o) => text(o).toLowerCase() === wanted.trim().toLowerCase());
  if (!found) return { options: options.slice(0, 30).map(text), more: Math.max(0, options.length - 30) };
  if (found.disabled || (found.parentNode.localName === 'optgroup' && found.parentNode.disabled)) return { disabled: true };
  el.focus();
  if (!found.selected || el.multiple) {
    if (el.multiple) found.selected = true;
    else el.selectedIndex = found.index;
    announce(el);
  }
  return { ok: true, value: text(found), index: found.index };
};
// chosen returns whether a select still holds the option that was chosen.
act.chosen = (id, index) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  return { ok: [...el.selectedOptions].some((o) => o.index === index), value: [...el.selectedOptions].map((o) => o.label || o.text).join(', ') };
};

