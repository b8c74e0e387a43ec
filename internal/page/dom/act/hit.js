// What actions need of an element. These files run in the isolated world of a frame, after the walker, joined into one function in
// the order that script.go gives.
//
// Where an element is on the screen, what is in front of it, and whether a click there reaches it.

const act = {};

const cove = globalThis.cove;
const native = cove.native;
const rootOf = cove.root;

// up is the parent in the tree as it is drawn: through slots and shadow roots.
const up = (node) => {
  const slot = node instanceof Element ? native.assignedSlot(node) : node.assignedSlot;
  return slot || native.parentNode(node) || (node instanceof ShadowRoot ? node.host : null);
};

const within = (node, ancestor) => {
  for (let n = node; n; n = up(n)) if (n === ancestor) return true;
  return false;
};

// roots are all shadow roots, every is what a selector finds in the document and in them.
const roots = (root, found = []) => {
  for (const el of query(root, '*')) {
    const inner = rootOf(el);
    if (inner) {
      found.push(inner);
      roots(inner, found);
    }
  }
  return found;
};
const query = (root, selector) => (root instanceof Element ? native.queryAllIn(root, selector) : native.queryAll(root, selector));
const every = (root, selector) => [root, ...roots(root)].flatMap((r) => [...query(r, selector)]);

// topmost is the innermost element that a click at this point would reach.
const topmost = (x, y) => {
  let el = native.elementFromPoint(document, x, y);
  for (let depth = 0; el && depth < 50; depth++) {
    const root = rootOf(el);
    const inner = root && root.elementFromPoint(x, y);
    if (!inner || inner === el || !within(inner, el)) break;
    el = inner;
  }
  return el;
};

// areaBox is where a part of an image map lies.
const areaBox = (area) => {
  const map = area.closest('map');
  const img = map && map.name && [...native.document.images()].find((i) => i.useMap === '#' + map.name && i.getClientRects().length > 0);
  if (!img) return [];
  const r = img.getBoundingClientRect(), c = (area.coords || '').split(',').map(Number);
  if (area.shape === 'default' || c.length < 3 || c.some(Number.isNaN)) return [r];
  let xs = c.filter((_, i) => i % 2 === 0), ys = c.filter((_, i) => i % 2 === 1);
  if (area.shape === 'circle' || area.shape === 'circ') [xs, ys] = [[c[0] - c[2], c[0] + c[2]], [c[1] - c[2], c[1] + c[2]]];
  const x = r.left + Math.min(...xs), y = r.top + Math.min(...ys);
  return [new DOMRect(x, y, Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys))];
};

const boxes = (el) => {
  if (el.localName === 'area') return areaBox(el);
  let found = [...el.getClientRects()].filter((r) => r.width > 0 && r.height > 0);
  if (found.length === 0 && getComputedStyle(el).display === 'contents') found = [...el.children].flatMap(boxes);
  return found;
};

const onScreen = (r) => r.right > 0 && r.bottom > 0 && r.left < innerWidth && r.top < innerHeight;

// spots are the points of a box that are worth a try, the middle first.
const spots = (r) => {
  const left = Math.max(r.left, 0), right = Math.min(r.right, innerWidth), top = Math.max(r.top, 0), bottom = Math.min(r.bottom, innerHeight);
  if (left >= right || top >= bottom) return [];
  const at = (fx, fy) => [left + (right - left) * fx, top + (bottom - top) * fy];
  return [at(0.5, 0.5), at(0.25, 0.5), at(0.75, 0.5), at(0.5, 0.25), at(0.5, 0.75), at(0.1, 0.1), at(0.9, 0.9)];
};

// reaches: a click on hit acts on el, directly or through its label.
const reaches = (hit, el) => {
  if (!hit) return false;
  if (within(hit, el)) return true;
  const label = hit.closest && hit.closest('label');
  return !!label && label.control === el;
};

// part: node belongs to the same widget as the field el and is no control itself. Selects draw their placeholder or their value over
// the input that takes the keys; a press there is a press on the select.
const FIELD = 'input:not([type=hidden]), textarea, select, [contenteditable=""], [contenteditable=true], [role=combobox], [role=textbox], [role=searchbox], [role=spinbutton], [role=listbox], [aria-haspopup=listbox]';
const CONTROL = FIELD + ', a[href], button, summary, iframe, dialog, [role=button], [role=link], [role=option], [role=menuitem], [role=tab], [role=checkbox], [role=radio], [role=switch], [role=slider], [role=dialog], [role=alertdialog]';
const part = (node, el) => {
  if (!node || node.nodeType !== 1 || !el.matches(FIELD)) return false;
  let around = el;
  while (around && !within(node, around)) around = up(around);
  if (!around || native.nodeType(around) !== 1 || around === node || native.matches(around, 'html, body, main, form, fieldset, section, article, dialog, [role=dialog]')) return false;
  for (let n = node; n !== around; n = up(n)) {
    if (native.nodeType(n) === 1 && (native.matches(n, CONTROL) || getComputedStyle(n).position === 'fixed')) return false;
  }
  if (every(around, FIELD).some((o) => !within(o, el) && !within(el, o) && boxes(o).length > 0)) return false;
  const box = native.rect(around), cover = node.getBoundingClientRect();
  return box.height <= 300 && cover.left >= box.left - 4 && cover.right <= box.right + 4 && cover.top >= box.top - 4 && cover.bottom <= box.bottom + 4;
};

const summarize = (el) => {
  if (!el) return 'nothing: the point is outside of the window';
  const about = cove.describe(cove.id(el)) || {};
  const name = about.name || (el.textContent || '').replace(/\s+/g, ' ').trim().slice(0, 5000);
  const mark = el.id ? '#' + el.id : typeof el.className === 'string' && el.className.trim() ? '.' + el.className.trim().split(/\s+/)[0] : '';
  return `<${el.localName}${mark}>` + (name ? ` ${JSON.stringify(name)}` : '');
};

const hit = (el) => {
  for (const r of boxes(el).slice(0, 20)) {
    for (const [x, y] of spots(r)) if (reaches(topmost(x, y), el)) return { x, y };
  }
  for (const r of boxes(el).slice(0, 20)) {
    for (const [x, y] of spots(r)) if (part(topmost(x, y), el)) return { x, y };
  }
  return null;
};

