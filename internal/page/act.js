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

  // part: node belongs to the same widget as the field el and is no control itself. Selects draw their placeholder or their value over
  // the input that takes the keys; a press there is a press on the select.
  const FIELD = 'input:not([type=hidden]), textarea, select, [contenteditable=""], [contenteditable=true], [role=combobox], [role=textbox], [role=searchbox], [role=spinbutton], [role=listbox], [aria-haspopup=listbox]';
  const CONTROL = FIELD + ', a[href], button, summary, iframe, dialog, [role=button], [role=link], [role=option], [role=menuitem], [role=tab], [role=checkbox], [role=radio], [role=switch], [role=slider], [role=dialog], [role=alertdialog]';
  const part = (node, el) => {
    if (!node || node.nodeType !== 1 || !el.matches(FIELD)) return false;
    let around = el;
    while (around && !within(node, around)) around = up(around);
    if (!around || around.nodeType !== 1 || around === node || around.matches('html, body, main, form, fieldset, section, article, dialog, [role=dialog]')) return false;
    for (let n = node; n !== around; n = up(n)) {
      if (n.nodeType === 1 && (n.matches(CONTROL) || getComputedStyle(n).position === 'fixed')) return false;
    }
    if (every(around, FIELD).some((o) => !within(o, el) && !within(el, o) && boxes(o).length > 0)) return false;
    const box = around.getBoundingClientRect(), cover = node.getBoundingClientRect();
    return box.height <= 300 && cover.left >= box.left - 4 && cover.right <= box.right + 4 && cover.top >= box.top - 4 && cover.bottom <= box.bottom + 4;
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
    for (const r of boxes(el).slice(0, 20)) {
      for (const [x, y] of spots(r)) if (part(topmost(x, y), el)) return { x, y };
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

  // drawn waits until the page has drawn itself and heard that it was scrolled. Nobody draws a hidden tab.
  act.drawn = () => document.visibilityState !== 'visible' ? 0 : new Promise((done) => {
    setTimeout(done, 100, 0);
    requestAnimationFrame(() => requestAnimationFrame(() => done(0)));
  });

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
    let scrolled = false;
    if (!point) {
      scrolled = true;
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      point = hit(target);
    }
    if (!point && target === el && el.labels) {
      for (const l of el.labels) point = point || hit(l);
    }
    if (point) return { ...point, scrolled };
    const r = boxes(target)[0];
    const [middle] = r ? spots(r) : [];
    if (!middle) return { hidden: true };
    const top = topmost(middle[0], middle[1]);
    return { cover: tell(top), passing: passing(top, target) };
  };
  // passing: what is in the way goes by itself. Lists are deaf while they scroll, and what fades is on its way out.
  const passing = (top, el) => {
    if (getComputedStyle(el).pointerEvents === 'none') return true;
    for (let n = top; n && !within(el, n); n = up(n)) {
      if (n.getAnimations && n.getAnimations().some((a) => a.playState === 'running' && a.effect && a.effect.getComputedTiming().endTime !== Infinity)) return true;
    }
    return false;
  };

  // seek is the element, or the only one of that role and name when the page has drawn it anew; 0 when there is none.
  act.seek = (id, role, name) => {
    if (cove.get(id)) return id;
    const found = role && name ? cove.find(role, name) : [];
    return found.length === 1 ? found[0] : 0;
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
    if (pressed) pressed.look.disconnect();
    pressed = null;
    dragging = '';
    scrolling = false;
    rest();
  };
  // still tells that nothing has changed since the last watch that a person could see: nothing but that the focus went to the button that
  // was pressed. Where things are drawn or played nobody can know.
  let calm = { version: 0, focus: 0, scrolls: 0, active: null, at: '' };
  for (const type of ['focusin', 'focusout']) addEventListener(type, () => { calm.focus++; }, { capture: true, passive: true });
  addEventListener('scroll', () => { calm.scrolls++; }, { capture: true, passive: true });
  const rest = () => { calm = { version: cove.version(), focus: 0, scrolls: 0, active: active(), at: scrollX + ' ' + scrollY }; };
  act.still = () => {
    const on = active();
    if (calm.scrolls > 0 || calm.at !== scrollX + ' ' + scrollY || !wanted || !wanted.isConnected || every(document, 'canvas, video, audio, embed, object').length > 0) return false;
    const moved = on !== calm.active;
    if (moved && !(within(on, wanted) && on.matches('button, a, summary, [role=button], [role=link], [role=menuitem], [role=tab], body'))) return false;
    return cove.version() - calm.version - calm.focus - (moved ? 1 : 0) <= 0;
  };
  // scrolls lets a scroll begin that a key may have asked for: the page hears of it with its next picture. Nobody draws a hidden tab.
  let scrolling = false;
  act.scrolls = () => {
    const el = active();
    if (document.visibilityState !== 'visible' || (el && (el.isContentEditable || /^(input|textarea|select)$/.test(el.localName)))) return 0;
    scrolling = true;
    return act.drawn();
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
  // scene is what a drag may change: where the element is, the page's texts in their order, and what its controls hold. What only
  // assistive technology is told counts for nothing: libraries tell there of each drag. known is false where things are drawn.
  act.scene = (from, to) => {
    const at = (id) => { const el = cove.get(id), r = el && el.getBoundingClientRect(); return r ? [r.left + scrollX, r.top + scrollY, r.width, r.height].map(Math.round) : null; };
    const inside = (id) => { const el = cove.get(id); return el ? [...el.querySelectorAll('[style]')].slice(0, 50).map((n) => n.getAttribute('style')) : null; };
    const texts = [], walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n && texts.length < 20000; n = walker.nextNode()) {
      const text = n.data.trim();
      if (text && !n.parentElement.closest('script, style, [aria-live], [role=status], [role=alert], [role=log]')) texts.push(text);
    }
    const held = every(document, 'input, textarea, select, [aria-valuenow]').slice(0, 2000).map((e) => (cove.hides(e) ? '' : e.value || '') + (e.checked ? 1 : 0) + (e.getAttribute('aria-valuenow') || ''));
    return { known: !document.querySelector('canvas, video, embed, object'), all: JSON.stringify([location.href, at(from), at(to), inside(from), texts, held]) };
  };
  // fetching tells whether a link to save a file was clicked since the last watch: the browser tells of it only later.
  let saving = null;
  addEventListener('click', (e) => { if (e.composedPath().some((n) => n.localName === 'a' && n.hasAttribute('download') && n.href)) saving = e; }, { capture: true, passive: true });
  act.fetching = () => !!saving && !saving.defaultPrevented;
  // What the mouse has done since the last watch, as the window hears it before the page does. own tells that what became of the
  // element (it was removed, moved or disabled) came while the page handled the press or the release itself: the page has acted on it.
  let pressed = null;
  const hear = (type, f) => addEventListener(type, (e) => { if (e.isTrusted) f(e); }, { capture: true, passive: true });
  const place = (el) => { const r = el.getBoundingClientRect(); return r.x + ' ' + r.y; };
  const disabled = (el) => !!el.matches && el.matches(':disabled');
  const follow = (e) => {
    const on = e.composedPath()[0];
    const p = { on, by: e, own: false, handled: false, connected: true, at: place(on), off: disabled(on), released: '', clicked: null };
    // A change is told right after the script that made it, and so still inside of the event that it handles.
    const look = new MutationObserver(() => {
      if (p.own || p.by.eventPhase === 0) return; // a field that lost the focus may have pushed it away
      p.handled = true;
      p.own = !on.isConnected || disabled(on) !== p.off || place(on) !== p.at;
    });
    for (const n of e.composedPath()) if (n.nodeType === 9 || n.nodeType === 11) look.observe(n, { subtree: true, childList: true, attributes: true });
    p.look = look;
    return p;
  };
  const press = (e) => {
    if (!pressed) pressed = follow(e);
    else if (!pressed.released) pressed.by = e;
  };
  const release = (e) => {
    const p = pressed;
    if (!p || p.clicked) return;
    p.by = e;
    if (!p.released) p.connected = p.on.isConnected;
    p.released = e.type;
  };
  hear('pointerdown', press);
  hear('mousedown', press);
  hear('pointerup', release);
  hear('mouseup', release);
  hear('click', (e) => {
    if (!pressed || pressed.clicked) return;
    pressed.clicked = e.composedPath()[0];
    pressed.look.disconnect();
  });
  // serves: what happens to node happens to the element that was aimed at. Of a closed shadow root only its host is heard of.
  const serves = (node) => reaches(node, wanted) || (!!rootOf(node) && within(wanted, node)) || part(node, wanted);
  // fate is why a press came to no click on the element although the page has done nothing about the press; '' when all is well.
  const fate = () => {
    const p = pressed;
    if (!p || p.own || !wanted) return '';
    if (!p.connected || (!p.released && !p.on.isConnected)) return p.clicked && p.clicked !== p.on && wanted.isConnected && serves(p.clicked) ? '' : 'gone';
    // What opens on the press lies under the release, and the click goes elsewhere: then the press has done its work.
    if (p.clicked) return !p.handled && p.on.isConnected && wanted.isConnected && place(p.on) !== p.at && serves(p.on) && !serves(p.clicked) ? 'moved' : '';
    return p.released !== 'mouseup' && p.on.isConnected && !p.off && disabled(p.on) ? 'disabled' : '';
  };
  // missed is what the mouse was pressed on instead of the element that was aimed at, which is still there.
  const missed = () => {
    const on = pressed && pressed.on;
    if (!on || !on.isConnected || !wanted || !wanted.isConnected) return '';
    // A press on another part of the widget is one on the field when the widget does something about it.
    if (serves(on) && (!part(on, wanted) || touched > 0 || within(active(), wanted))) return '';
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
    return { changes: touched, quiet: performance.now() - last, saving: act.fetching(), fate: fate(), missed: missed(), held: id ? act.read(id) : null };
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

  // editorOf is the code editor that a field only takes the keys for: what it holds is drawn elsewhere, in lines.
  const editorOf = (el) => el.closest('.ace_editor, .CodeMirror, .cm-editor, .monaco-editor');
  const LINES = '.ace_line, .CodeMirror-line, .view-line, .cm-line';
  const linesOf = (editor) => [...editor.querySelectorAll(LINES)].map((l) => [l.getBoundingClientRect().top, l]).sort((a, b) => a[0] - b[0]).map((l) => l[1].textContent.replace(/\u200b/g, '').replace(/\u00a0/g, ' ')).join('\n');
  // held is the text in an editable element or in a code editor.
  const held = (el) => {
    const editor = editorOf(el);
    return editor ? linesOf(editor) : el.innerText.replace(/\n$/, '');
  };

  // steps tells where a slider or spinbutton of the page's own making stands, and puts the focus there.
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

  // kind tells how an element takes a value.
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
  // chosen tells whether a select still holds the option that was chosen.
  act.chosen = (id, index) => {
    const el = cove.get(id);
    if (!el) return { gone: true };
    return { ok: [...el.selectedOptions].some((o) => o.index === index), value: [...el.selectedOptions].map((o) => o.label || o.text).join(', ') };
  };

  // offers lists the options that a combobox or listbox of the page's own making shows: its own first, then what is elsewhere on the
  // page, then texts that are no options by their role.
  const OFFERED = ['option', 'menuitemradio', 'menuitemcheckbox', 'menuitem', 'treeitem', 'gridcell'];
  const plain = (text) => text.replace(/\s+/g, ' ').trim().toLowerCase();
  const shown = (el) => boxes(el).length > 0 && el.checkVisibility({ visibilityProperty: true }) && !clipped(el);
  // clipped: it lies in a box without room, as lists do that only assistive technology reads.
  const clipped = (el) => {
    for (let n = up(el); n; n = up(n)) {
      if (n.nodeType === 1 && (n.offsetWidth <= 1 || n.offsetHeight <= 1) && n.offsetParent !== null && getComputedStyle(n).overflow !== 'visible') return true;
    }
    return false;
  };
  const listsOf = (el) => {
    const scope = el.getRootNode(), around = el.closest('[role=combobox]');
    const names = [el, around].filter(Boolean).flatMap((n) => ['aria-controls', 'aria-owns'].flatMap((a) => (n.getAttribute(a) || '').split(/\s+/)));
    const lists = names.filter(Boolean).map((i) => scope.getElementById(i) || document.getElementById(i)).filter(Boolean);
    const active = el.getAttribute('aria-activedescendant');
    const at = active && (scope.getElementById(active) || document.getElementById(active));
    const around2 = at && at.closest('[role=listbox], [role=tree], [role=grid], [role=menu]');
    return around2 ? [...lists, around2] : lists;
  };
  act.offers = (id, wanted) => {
    const el = cove.get(id);
    if (!el) return { gone: true };
    const lists = listsOf(el), goal = plain(wanted);
    const own = [], other = [], names = [], loose = [], off = [];
    let last = 0;
    for (const option of every(document, OFFERED.map((r) => `[role=${r}]`).join())) {
      if (!shown(option)) continue;
      const about = cove.describe(cove.id(option)) || {};
      const name = about.name || about.text || '';
      const mine = within(option, el) || lists.some((l) => within(option, l));
      if (mine && names.length < 30) names.push(name);
      if (mine || !last) last = cove.id(option);
      if (plain(name) !== goal && plain(option.textContent || '') !== goal) continue;
      (option.getAttribute('aria-disabled') === 'true' ? off : mine ? own : other).push(cove.id(option));
    }
    for (const root of [document, ...roots(document)]) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let n = texts.nextNode(); n && loose.length < 50; n = texts.nextNode()) {
        const holder = n.data.length < 300 && plain(n.data) === goal && n.parentElement;
        if (holder && !within(holder, el) && !/^(script|style|option)$/.test(holder.localName) && !holder.closest('[aria-disabled=true]') && shown(holder)) loose.push(cove.id(holder));
      }
    }
    return { own, other, loose, off, names, last, open: el.getAttribute('aria-expanded') === 'true' };
  };
  // scrollList scrolls the list that holds an option to its next part, or to its beginning; false when there is no more of it.
  act.scrollList = (option, fromStart) => {
    for (let n = up(cove.get(option) || document.body); n; n = up(n)) {
      if (n.nodeType !== 1 || n.scrollHeight <= n.clientHeight + 2 || !/auto|scroll/.test(getComputedStyle(n).overflowY)) continue;
      const was = n.scrollTop;
      n.scrollTo({ top: fromStart ? 0 : was + n.clientHeight * 0.8, behavior: 'instant' });
      return fromStart || n.scrollTop > was + 1;
    }
    return false;
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
    return { focused: now === el || within(now, el) || !!el.isContentEditable, gone: !el.isConnected, shown: el.checkVisibility({ visibilityProperty: true }) };
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
    if (el.localName === 'textarea' && editorOf(el)) return { value: held(el) };
    if ('value' in el && (el.localName === 'input' || el.localName === 'textarea' || el.localName === 'select')) return { value: el.value, checked: !!el.checked };
    if (el.isContentEditable || editorOf(el)) return { value: held(el) };
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
