// What is looked for in a page: file inputs, boxes, texts.

// files counts what a file input holds.
act.files = (id) => {
  let el = cove.get(id);
  if (el && el.localName === 'label' && el.control) el = el.control;
  if (!el || el.localName !== 'input' || el.type !== 'file') return { id: 0 };
  return { id: cove.id(el), multiple: el.multiple, count: el.files.length, disabled: el.disabled };
};

// box is where an element is in the whole page, for a picture of it.
act.box = (id, still) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  if (!still) el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const r = el.getBoundingClientRect();
  return { x: r.left, y: r.top, width: r.width, height: r.height };
};

// inside returns whether a very long page shows a text, without laying out all of it: innerText is asked only of what may hold it.
const LONG = 1e6;
const longest = (text) => text.toLowerCase().split(' ').reduce((a, b) => (b.length > a.length ? b : a));
const inside = (el, text, word = longest(text)) => {
  if (!el.textContent.toLowerCase().includes(word)) return false;
  for (const child of el.children) if (inside(child, text, word)) return true;
  return el.textContent.length < LONG && el.checkVisibility({ visibilityProperty: true }) && el.innerText !== undefined && el.innerText.replace(/\s+/g, ' ').includes(text);
};

// has returns which of the texts the page shows.
act.has = (texts) => {
  const body = native.document.body();
  if (!body) return -1;
  const wanted = texts.map((t) => t.replace(/\s+/g, ' ').trim());
  const among = (text) => {
    const shown = text.replace(/\s+/g, ' ');
    return wanted.findIndex((t) => shown.includes(t));
  };
  const at = body.textContent.length < LONG ? among(body.innerText) : wanted.findIndex((t) => inside(body, t));
  if (at >= 0) return at;
  // innerText leaves out what is in shadow roots.
  for (const root of roots(document)) {
    const inner = among([...root.childNodes].map((n) => (n.nodeType === 3 ? n.data : n.innerText || '')).join(' '));
    if (inner >= 0) return inner;
  }
  // It has neither what a control shows nor a label that only assistive technology reads.
  for (const el of every(document, 'input:not([type=hidden]), textarea, [aria-label], [alt], [title], [placeholder]')) {
    if (!el.checkVisibility({ visibilityProperty: true })) continue;
    const seen = [cove.hides(el) ? '' : el.value, el.getAttribute('aria-label'), el.getAttribute('alt'), el.getAttribute('title'), el.getAttribute('placeholder')];
    const found = texts.findIndex((t) => seen.some((s) => typeof s === 'string' && s.includes(t)));
    if (found >= 0) return found;
  }
  return -1;
};

Object.defineProperty(globalThis, 'act', { value: Object.freeze(act) });

