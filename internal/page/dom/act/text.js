// Values that are typed or set, and how they are read back.

// set gives a date, a time, a colour or a slider its value.
act.set = (id, wanted) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  el.focus();
  const was = el.value;
  setValue.call(el, wanted);
  const value = el.value; // the browser's own way to write it, or nothing
  const fits = wanted === '' || (el.type === 'color' ? CSS.supports('color', wanted) : value !== '');
  if (value !== was) announce(el);
  return { value, fits, step: Number(el.step) || 1 };
};

// ready puts the cursor into a field and selects what is there.
act.ready = (id) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  el.focus({ preventScroll: true });
  if (el.isContentEditable && el.localName !== 'input' && el.localName !== 'textarea') {
    const s = getSelection();
    s.selectAllChildren(el);
  } else if (el.select) {
    el.select();
  }
  const now = active();
  return { focused: now === el || within(now, el) || !!el.isContentEditable, gone: !el.isConnected, shown: el.checkVisibility({ visibilityProperty: true }) };
};

// prepare is kind, and ready where text is to be written.
act.prepare = (id) => {
  const k = act.kind(id);
  if ((k.kind === 'text' || k.kind === 'editable') && !k.disabled && !k.readonly) k.ready = act.ready(k.inner || id);
  return k;
};

// read returns what an element holds; of a password only how long it is.
act.read = (id) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  if (cove.hides(el)) return { secret: true, length: el.value.length };
  if (el.localName === 'textarea' && editorOf(el)) return { value: held(el) };
  if ('value' in el && (el.localName === 'input' || el.localName === 'textarea' || el.localName === 'select')) return { value: el.value, checked: !!el.checked };
  if (el.isContentEditable || editorOf(el)) return { value: held(el) };
  const checked = el.getAttribute('aria-checked');
  return { value: (el.getAttribute('aria-valuetext') || el.textContent || '').replace(/\s+/g, ' ').trim(), checked: checked === 'true' };
};

// secret returns whether text typed now must not be shown: the focus is in a password field, or in a frame whose fields this document
// cannot see.
act.secret = () => {
  const el = active();
  return !!el && (cove.hides(el) || /^(i?frame|fencedframe|object|embed)$/.test(el.localName));
};

// focused is the element that has the focus, 0 when none has.
act.focused = () => {
  const el = active();
  return el && (el !== native.document.body() || el.isContentEditable || native.document.editable()) ? cove.id(el) : 0;
};

