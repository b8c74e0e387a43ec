// What an action sets off: changes of the page, scrolls, drags, downloads.

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
  resetCalm();
};
// unchanged returns whether nothing has changed since the last watch that a person could see: nothing but that the focus went to the button that
// was pressed. Where things are drawn or played nobody can know.
let calm = { version: 0, focus: 0, scrolls: 0, ended: false, active: null, at: '' };
for (const type of ['focusin', 'focusout']) addEventListener(type, () => { calm.focus++; }, { capture: true, passive: true });
addEventListener('scroll', () => { calm.scrolls++; }, { capture: true, passive: true });
addEventListener('scrollend', () => { calm.ended = true; }, { capture: true, passive: true });
const resetCalm = () => { calm = { version: cove.version(), focus: 0, scrolls: 0, ended: false, active: active(), at: scrollX + ' ' + scrollY }; };
act.unchanged = () => {
  const on = active();
  if (calm.scrolls > 0 || calm.at !== scrollX + ' ' + scrollY || !wanted || !wanted.isConnected || every(document, 'canvas, video, audio, embed, object').length > 0) return false;
  const moved = on !== calm.active;
  if (moved && !(within(on, wanted) && on.matches('button, a, summary, [role=button], [role=link], [role=menuitem], [role=tab], body'))) return false;
  return cove.version() - calm.version - calm.focus - (moved ? 1 : 0) <= 0;
};
// scrolls waits until a scroll is over that a key may have asked for. It begins some frames after the key, and the browser drops it when the focus
// moves on before. A key that the page took for itself scrolls nothing, and nobody draws a hidden tab.
let scrolling = false;
let key = null;
addEventListener('keydown', (e) => { key = e; }, { capture: true, passive: true });
const framesToScroll = 4; // three are the most that were seen, on a machine under load
act.scrolls = () => {
  const el = active();
  if (!native.document.visible() || (key && key.defaultPrevented) || (el && (el.isContentEditable || /^(input|textarea|select)$/.test(el.localName)))) return 0;
  scrolling = true;
  return new Promise((done) => {
    const frame = (left) => {
      if (calm.ended || (calm.scrolls === 0 && left <= 0)) done(0);
      else requestAnimationFrame(() => frame(left - 1));
    };
    frame(framesToScroll);
  });
};
// dragged returns what has become of a drag and drop since the last watch: nothing when there was none.
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
  const texts = [], walker = native.document.texts(native.document.body() || document);
  for (let n = walker.nextNode(); n && texts.length < 20000; n = walker.nextNode()) {
    const text = n.data.trim();
    if (text && !n.parentElement.closest('script, style, [aria-live], [role=status], [role=alert], [role=log]')) texts.push(text);
  }
  const held = every(document, 'input, textarea, select, [aria-valuenow]').slice(0, 2000).map((e) => (cove.hides(e) ? '' : e.value || '') + (e.checked ? 1 : 0) + (e.getAttribute('aria-valuenow') || ''));
  return { known: !document.querySelector('canvas, video, embed, object'), all: JSON.stringify([location.href, at(from), at(to), inside(from), texts, held]) };
};
// fetching returns whether a link to save a file was clicked since the last watch: the browser tells of it only later.
let saving = null;
addEventListener('click', (e) => { if (e.composedPath().some((n) => n.localName === 'a' && n.hasAttribute('download') && n.href)) saving = e; }, { capture: true, passive: true });
act.fetching = () => !!saving && !saving.defaultPrevented;

