// Lists of the page's own making: what they offer, and whether an option is chosen.

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
  const lists = names.filter(Boolean).map((i) => scope.getElementById(i) || native.document.byId(i)).filter(Boolean);
  const active = el.getAttribute('aria-activedescendant');
  const at = active && (scope.getElementById(active) || native.document.byId(active));
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
    const texts = native.document.texts(root);
    for (let n = texts.nextNode(); n && loose.length < 50; n = texts.nextNode()) {
      const holder = n.data.length < 300 && plain(n.data) === goal && n.parentElement;
      if (holder && !within(holder, el) && !/^(script|style|option)$/.test(holder.localName) && !holder.closest('[aria-disabled=true]') && shown(holder)) loose.push(cove.id(holder));
    }
  }
  return { own, other, loose, off, names, last, open: el.getAttribute('aria-expanded') === 'true' };
};
// scrollList scrolls the list that holds an option to its next part, or to its beginning; false when there is no more of it.
act.scrollList = (option, fromStart) => {
  for (let n = up(cove.get(option) || native.document.body()); n; n = up(n)) {
    if (n.nodeType !== 1 || n.scrollHeight <= n.clientHeight + 2 || !/auto|scroll/.test(getComputedStyle(n).overflowY)) continue;
    const was = n.scrollTop;
    n.scrollTo({ top: fromStart ? 0 : was + n.clientHeight * 0.8, behavior: 'instant' });
    return fromStart || n.scrollTop > was + 1;
  }
  return false;
};
// picked returns whether an option that was clicked is chosen now, as far as the page shows it: not when nothing has changed at all.
act.picked = (id, option, wanted) => {
  const el = cove.get(id), o = cove.get(option);
  if (touched > 0 || !o || boxes(o).length === 0 || !o.checkVisibility({ visibilityProperty: true })) return true;
  if (['aria-selected', 'aria-checked', 'aria-pressed'].some((a) => o.getAttribute(a) === 'true')) return true;
  return !!el && !within(o, el) && act.read(id).value.toLowerCase().includes(wanted.trim().toLowerCase());
};

