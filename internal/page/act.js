// What actions need of an element: where it can be hit, what is in the way, how its value is set and read back. Runs in the
// isolated world of a frame, after walker.js.
(() => {
  const cove = globalThis.cove;
  if (Object.hasOwn(globalThis, 'act')) return; // an element with that id is not ours
  const act = {};

  const rootOf = cove.root;

  // up is the parent in the tree as it is drawn: through slots and shadow roots.
  const up = (node) => node.assignedSlot || node.parentNode || node.host || null;

  const within = (node, ancestor) => {
    for (let n = node; n; n = up(n)) if (n === ancestor) return true;
    return false;
  };

  // roots are all shadow roots, every is what a selector finds in the document and in them.
  const roots = (root, found = []) => {
    for (const el of root.querySelectorAll('*')) {
      const inner = rootOf(el);
      if (inner) {
        found.push(inner);
        roots(inner, found);
      }
    }
    return found;
  };
  const every = (root, selector) => [root, ...roots(root)].flatMap((r) => [...r.querySelectorAll(selector)]);

  // topmost is the innermost element that a click at this point would reach.
  const topmost = (x, y) => {
    let el = document.elementFromPoint(x, y);
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
    const img = map && map.name && [...document.images].find((i) => i.useMap === '#' + map.name && i.getClientRects().length > 0);
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

  const tell = (el) => {
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
    return null;
  };

  // moving lists the animations that move an element and come to an end.
  const MOVES = /^(transform|translate|rotate|scale|left|right|top|bottom|inset|margin|width|height|max|min|padding|offset|grid|flex|fontSize|font-size)/;
  const moving = (el) => {
    if (document.getAnimations().length === 0) return [];
    const found = [];
    for (let n = el; n; n = up(n)) {
      for (const a of n.getAnimations ? n.getAnimations() : []) {
        if (a.playState !== 'running' || !a.effect || a.effect.getComputedTiming().endTime === Infinity) continue;
        if (a.effect.getKeyframes().some((k) => Object.keys(k).some((p) => MOVES.test(p)))) found.push(a);
      }
    }
    return found;
  };

  // rested waits, not for long, until an element has stopped moving.
  act.rested = (id) => {
    const el = cove.get(id);
    if (!el) return 0;
    return Promise.race([Promise.allSettled(moving(el).map((a) => a.finished)), new Promise((done) => setTimeout(done, 1000))]).then(() => 0);
  };

  let wanted = null; // what was aimed at last
  // aim finds where to click an element: {x, y}, or why there is no such place. With patient it only says that the element moves.
  act.aim = (id, patient) => {
    const el = cove.get(id);
    if (!el) return { gone: true };
    if (el.nodeType !== 1) return { hidden: true };
    wanted = el;
    if (patient && moving(el).length > 0) return { moving: true };
    if (el.matches(':disabled')) return { disabled: true };
    let target = el;
    if (el.localName === 'option' && el.closest('select')) return { option: true };
    if (boxes(el).length === 0 || getComputedStyle(el).visibility !== 'visible') {
      const label = el.labels && [...el.labels].find((l) => boxes(l).length > 0);
      if (!label) return { hidden: true };
      target = label; // a styled control: what people click is its label
    }
    let point = boxes(target).some(onScreen) ? hit(target) : null;
    if (!point) {
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      point = hit(target);
    }
    if (!point && target === el && el.labels) {
      for (const l of el.labels) point = point || hit(l);
    }
    if (point) return point;
    const r = boxes(target)[0];
    const [middle] = r ? spots(r) : [];
    if (!middle) return { hidden: true };
    return { cover: tell(topmost(middle[0], middle[1])) };
  };

  // content is where the inside of a frame's element begins, and how much it is scaled.
  act.content = (el) => {
    const r = el.getBoundingClientRect();
    const style = getComputedStyle(el);
    const scaleX = el.offsetWidth ? r.width / el.offsetWidth : 1, scaleY = el.offsetHeight ? r.height / el.offsetHeight : 1;
    return {
      x: r.left + (el.clientLeft + parseFloat(style.paddingLeft || 0)) * scaleX,
      y: r.top + (el.clientTop + parseFloat(style.paddingTop || 0)) * scaleY,
      scaleX, scaleY,
    };
  };

  // through takes a point inside a frame to a point of this document, and tells what covers the frame there.
  act.through = (id, x, y) => {
    const el = cove.get(id);
    if (!el) return { gone: true };
    const place = () => {
      const c = act.content(el);
      return { x: c.x + x * c.scaleX, y: c.y + y * c.scaleY };
    };
    let at = place();
    for (let n = up(el); n; n = up(n)) { // boxes that have scrolled the frame away
      if (n.nodeType !== 1 || n === document.scrollingElement || n === document.body) continue;
      if (n.scrollHeight <= n.clientHeight && n.scrollWidth <= n.clientWidth) continue;
      const r = n.getBoundingClientRect();
      if (at.x >= r.left && at.y >= r.top && at.x < r.right && at.y < r.bottom) continue;
      n.scrollBy({ left: at.x - (r.left + r.right) / 2, top: at.y - (r.top + r.bottom) / 2, behavior: 'instant' });
      at = place();
    }
    if (at.x < 0 || at.y < 0 || at.x >= innerWidth || at.y >= innerHeight) {
      scrollBy({ left: at.x - innerWidth / 2, top: at.y - innerHeight / 2, behavior: 'instant' });
      at = place();
    }
    const top = topmost(at.x, at.y);
    if (!top) return { hidden: true };
    if (top !== el && !within(top, el)) return { cover: tell(top) };
    return at;
  };

  // moved tells whether the mouse has moved over this document since it was last asked.
  let mice = -1;
  act.moved = () => {
    if (mice < 0) for (const type of ['pointermove', 'mousemove', 'mouseover']) addEventListener(type, () => { mice++; }, { capture: true, passive: true });
    const any = mice > 0;
    mice = 0;
    return any;
  };

  // ---- what an action sets off

  let touched = 0;
  let last = 0; // when it was
  let observer = null;
  const touch = (records) => {
    if (records.length === 0) return;
    touched += records.length;
    last = performance.now();
  };
  // watch counts the page's changes from now on.
  act.watch = () => {
    if (!observer) {
      observer = new MutationObserver(touch);
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
      addEventListener('scroll', (e) => scrolling && touch([e]), { capture: true, passive: true });
    }
    observer.takeRecords();
    touched = 0;
    saving = null;
    pressed = null;
    dragging = '';
    scrolling = false;
  };
  // scrolls lets a scroll begin that a key may have asked for: the page hears of it with its next picture. Nobody draws a hidden tab.
  let scrolling = false;
  act.scrolls = () => {
    const el = active();
    if (document.visibilityState !== 'visible' || (el && (el.isContentEditable || /^(input|textarea|select)$/.test(el.localName)))) return 0;
    scrolling = true;
    return new Promise((done) => {
      setTimeout(done, 100, 0);
      requestAnimationFrame(() => requestAnimationFrame(() => done(0)));
    });
  };
  // dragged tells what has become of a drag and drop since the last watch: nothing when there was none.
  let dragging = '';
  for (const type of ['dragstart', 'drop', 'dragend']) {
    addEventListener(type, (e) => {
      if (type === 'dragstart') dragging = 'begun';
      else if (type === 'drop') dragging = 'taken';
      else if (dragging !== 'taken') dragging = e.dataTransfer && e.dataTransfer.dropEffect !== 'none' ? 'taken' : 'refused';
    }, { capture: true, passive: true });
  }
  act.dragged = () => dragging;
  // fetching tells whether a link to save a file was clicked since the last watch: the browser tells of it only later.
  let saving = null;
  addEventListener('click', (e) => { if (e.composedPath().some((n) => n.localName === 'a' && n.hasAttribute('download') && n.href)) saving = e; }, { capture: true, passive: true });
  act.fetching = () => !!saving && !saving.defaultPrevented;
  // What the mouse was pressed on since the last watch. kept: it outlived what the page did about the press itself.
  let pressed = null;
  addEventListener('pointerdown', (e) => {
    if (!e.isTrusted || pressed) return;
    const p = pressed = { on: e.composedPath()[0], kept: false, clicked: false };
    addEventListener('mousedown', () => queueMicrotask(() => queueMicrotask(() => { p.kept = p.on.isConnected; })), { once: true });
  }, { capture: true, passive: true });
  addEventListener('click', (e) => { if (e.isTrusted && pressed) pressed.clicked = true; }, { capture: true, passive: true });
  // lost: the page drew anew what was pressed before the mouse was released, and so nothing was clicked.
  const lost = () => !!pressed && pressed.kept && !pressed.clicked && !pressed.on.isConnected;
  // missed is what the mouse was pressed on instead of the element that was aimed at, which is still there.
  const missed = () => {
    const on = pressed && pressed.on;
    if (!on || !on.isConnected || !wanted || !wanted.isConnected || reaches(on, wanted) || (rootOf(on) && within(wanted, on))) return '';
    return on === document.documentElement || on === document.body ? 'an empty part of the page' : tell(on);
  };
  // beat lets the tasks pass that are due now. Not by a timer: those of a hidden tab come once a second. Then it reads the element.
  act.beat = async (id) => {
    for (let i = 0; i < 2; i++) {
      await new Promise((done) => {
        const c = new MessageChannel();
        c.port1.onmessage = () => { c.port1.close(); done(); };
        c.port2.postMessage(0);
      });
    }
    if (observer) touch(observer.takeRecords());
    return { changes: touched, quiet: performance.now() - last, saving: act.fetching(), lost: lost(), missed: missed(), held: id ? act.read(id) : null };
  };

  // ---- values

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
    let el = document.activeElement;
    for (let root = el && rootOf(el); root && root.activeElement; root = rootOf(el)) el = root.activeElement;
    return el;
  };

  // kind tells how an element takes a value.
  act.kind = (id) => {
    const el = cove.get(id);
    if (!el) return { kind: 'gone' };
    const role = (el.getAttribute('role') || '').trim().split(/\s+/)[0];
    const off = el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true';
    const base = { disabled: off, readonly: !!el.readOnly || el.getAttribute('aria-readonly') === 'true' };
    if (el.localName === 'select') return { ...base, kind: 'select', multiple: el.multiple };
    if (el.localName === 'option') return { ...base, kind: 'option' };
    if (el.localName === 'textarea') return { ...base, kind: 'text', multiline: true, now: el.value };
    if (el.localName === 'input') {
      const type = el.type;
      if (type === 'checkbox' || type === 'radio') return { ...base, kind: 'check', type, checked: el.checked };
      if (type === 'file') return { ...base, kind: 'file' };
      if (SET.has(type)) return { ...base, kind: 'set', type };
      if (TEXT.has(type)) return { ...base, kind: 'text', type, now: cove.hides(el) ? '' : el.value };
      return { ...base, kind: 'none', type };
    }
    if (el.isContentEditable) return { ...base, kind: 'editable' };
    if (['checkbox', 'switch', 'menuitemcheckbox', 'radio', 'menuitemradio'].includes(role)) {
      return { ...base, kind: 'check', type: role, checked: el.getAttribute('aria-checked') === 'true' };
    }
    if (role === 'combobox' || role === 'listbox' || el.getAttribute('aria-haspopup') === 'listbox') {
      const field = el.querySelector('input:not([type=hidden]), textarea');
      return { ...base, kind: 'combobox', field: field ? cove.id(field) : 0 };
    }
    if (role === 'slider' || role === 'spinbutton') return { ...base, kind: 'none', type: role };
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
  // chosen tells whether a select still holds the option that was chosen.
  act.chosen = (id, index) => {
    const el = cove.get(id);
    if (!el) return { gone: true };
    return { ok: [...el.selectedOptions].some((o) => o.index === index), value: [...el.selectedOptions].map((o) => o.label || o.text).join(', ') };
  };

  // offers lists the options that a combobox or listbox of the page's own making shows: its own first, and what is elsewhere on the page.
  const OFFERED = ['option', 'menuitemradio', 'menuitemcheckbox', 'menuitem', 'treeitem', 'gridcell'];
  act.offers = (id, wanted) => {
    const el = cove.get(id);
    if (!el) return { gone: true };
    const scope = el.getRootNode();
    const lists = ['aria-controls', 'aria-owns'].flatMap((a) => (el.getAttribute(a) || '').split(/\s+/)).filter(Boolean).map((i) => scope.getElementById(i)).filter(Boolean);
    const same = (a) => a.replace(/\s+/g, ' ').trim().toLowerCase() === wanted.replace(/\s+/g, ' ').trim().toLowerCase();
    const own = [], other = [], names = [];
    for (const option of every(document, OFFERED.map((r) => `[role=${r}]`).join())) {
      if (boxes(option).length === 0 || !option.checkVisibility({ visibilityProperty: true })) continue;
      const about = cove.describe(cove.id(option)) || {};
      const name = about.name || about.text || '';
      const mine = within(option, el) || lists.some((l) => within(option, l));
      if (mine && names.length < 30) names.push(name);
      if (name === wanted || same(name)) (mine ? own : other).push(cove.id(option));
    }
    return { own, other, names, open: el.getAttribute('aria-expanded') === 'true' };
  };
  // picked tells whether an option that was clicked is chosen now, as far as the page shows it: not when nothing has changed at all.
  act.picked = (id, option, wanted) => {
    const el = cove.get(id), o = cove.get(option);
    if (touched > 0 || !o || boxes(o).length === 0 || !o.checkVisibility({ visibilityProperty: true })) return true;
    if (['aria-selected', 'aria-checked', 'aria-pressed'].some((a) => o.getAttribute(a) === 'true')) return true;
    return !!el && !within(o, el) && act.read(id).value.toLowerCase().includes(wanted.trim().toLowerCase());
  };

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
    return { focused: now === el || within(now, el) || el.isContentEditable, gone: !el.isConnected, shown: el.checkVisibility({ visibilityProperty: true }) };
  };

  // prepare is kind, and ready where text is to be written.
  act.prepare = (id) => {
    const k = act.kind(id);
    if ((k.kind === 'text' || k.kind === 'editable') && !k.disabled && !k.readonly) k.ready = act.ready(k.inner || id);
    return k;
  };

  // read tells what an element holds; of a password only how long it is.
  act.read = (id) => {
    const el = cove.get(id);
    if (!el) return { gone: true };
    if (cove.hides(el)) return { secret: true, length: el.value.length };
    if ('value' in el && (el.localName === 'input' || el.localName === 'textarea' || el.localName === 'select')) return { value: el.value, checked: !!el.checked };
    if (el.isContentEditable) return { value: el.innerText.replace(/\n$/, '') };
    const checked = el.getAttribute('aria-checked');
    return { value: (el.getAttribute('aria-valuetext') || el.textContent || '').replace(/\s+/g, ' ').trim(), checked: checked === 'true' };
  };

  // secret tells whether what is typed now goes into a password field.
  act.secret = () => {
    const el = active();
    return !!el && cove.hides(el);
  };

  // focused is the element that has the focus, 0 when none has.
  act.focused = () => {
    const el = active();
    return el && (el !== document.body || el.isContentEditable || document.designMode === 'on') ? cove.id(el) : 0;
  };

  // conceal writes a secret into a field of this very document, if it is of the origin that the secret is for. It is done here and
  // not with keys, which would go wherever the focus is by then. The field shows dots from now on, whatever type it has or gets.
  const origin = () => self.origin;
  const command = Document.prototype.execCommand;
  act.conceal = (id, value, wanted) => {
    const el = cove.get(id);
    if (!el) return { gone: true };
    if (origin() !== wanted) return { left: true };
    if (el.localName !== 'input' || !TEXT.has(el.type)) return { unfit: true };
    if (el.matches(':disabled')) return { disabled: true };
    if (el.readOnly) return { readonly: true };
    cove.conceal(el);
    el.style.setProperty('-webkit-text-security', 'disc', 'important');
    el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    el.focus({ preventScroll: true });
    el.select();
    try {
      command.call(document, 'insertText', false, value);
    } catch { /* written below */ }
    if (el.value !== value && cove.get(id) === el && origin() === wanted) {
      setValue.call(el, value);
      announce(el);
    }
    return { length: el.value.length };
  };
  act.origin = origin;

  // ---- what a click or a key may send

  const payName = /(card|cc)[-_]?(num|no$|number|cvc|cvv|csc|code|exp)|^cvv2?$|^cvc2?$|^csc$|security[-_]?code|^iban$/i;
  const payFrame = /(^|\.)(stripe\.com|stripe\.network|braintreegateway\.com|braintree-api\.com|adyen\.com|paypal\.com|squareup\.com|squarecdn\.com|checkout\.com|worldpay\.com|klarna\.com|mollie\.com|paddle\.com|recurly\.com|spreedly\.com|authorize\.net|cybersource\.com|worldline-solutions\.com|razorpay\.com|2checkout\.com)$/i;
  const grave = (el) => {
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
  // gravity is what a form holds that is worth a question: a password, a payment, or nothing.
  const gravity = (form) => {
    for (const el of fields(document)) if (grave(el) && (formOf(el) === form || within(el, form))) return grave(el);
    return '';
  };
  // loaded is what the page holds outside of any one form: a filled field may be sent by any button, a visible payment frame too.
  act.loaded = () => {
    for (const el of fields(document)) {
      const kind = grave(el);
      if (kind && (el.localName === 'iframe' ? el.getClientRects().length > 0 : el.value !== '')) return kind;
    }
    return '';
  };
  // isField: a click into it only puts the cursor there, or switches it.
  const isField = (el) => {
    if (el.localName === 'input') return !['submit', 'image', 'button', 'reset'].includes(el.type);
    return el.localName === 'textarea' || el.localName === 'select' || el.localName === 'option' || (el.localName === 'label' && !!el.control && isField(el.control) && !el.querySelector('button, input[type=submit], input[type=image]'));
  };
  const stakes = (el) => {
    const form = formOf(el);
    const about = cove.describe(cove.id(el)) || {};
    return { form: form ? gravity(form) : '', field: isField(el), role: about.role || '', name: about.name || about.text || '', action: form ? new URL(form.getAttribute('action') || '', document.baseURI).href : '' };
  };
  // weigh tells what a click on an element may send.
  act.weigh = (id) => {
    let el = cove.get(id);
    if (!el || el.nodeType !== 1) return { gone: true };
    const around = el.closest('button, a, label, input, [role=button]');
    return stakes(around || el);
  };
  // weighFill tells what giving an element a value may send.
  act.weighFill = (id) => {
    const k = act.kind(id);
    if ((k.kind === 'check' || k.kind === 'combobox') && !k.field) return act.weigh(k.inner || id);
    return { field: true };
  };
  // weighKey tells what Enter may send, or Space where it presses a button.
  act.weighKey = () => {
    const el = active();
    if (!el) return { field: true };
    const s = stakes(el);
    return { ...s, form: s.form || grave(el) };
  };

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

  // inside tells whether a very long page shows a text, without laying out all of it: innerText is asked only of what may hold it.
  const LONG = 1e6;
  const longest = (text) => text.toLowerCase().split(' ').reduce((a, b) => (b.length > a.length ? b : a));
  const inside = (el, text, word = longest(text)) => {
    if (!el.textContent.toLowerCase().includes(word)) return false;
    for (const child of el.children) if (inside(child, text, word)) return true;
    return el.textContent.length < LONG && el.checkVisibility({ visibilityProperty: true }) && el.innerText !== undefined && el.innerText.replace(/\s+/g, ' ').includes(text);
  };

  // has tells which of the texts the page shows.
  act.has = (texts) => {
    const body = document.body;
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
})();
