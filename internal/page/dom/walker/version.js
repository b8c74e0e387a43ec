// Whether anything has changed, and the functions that the keeper calls.

// ---- Version: has anything changed? -------------------------------------------------------------------------------

let version = 1;
let shape = 1; // changes when elements come or go, attributes change or something is loaded: then other elements may have listeners
let known = { controls: [], hosts: [], href: '', active: null, width: 0, height: 0 };
const observed = new WeakSet();
const roots = new Set();
const bump = () => void version++;

const wasPassword = (type) => sensitive.field(type || '', '', '', '') === 'password';
const observer = new MutationObserver(seen);
function seen(records) {
  if (!records.length) return;
  bump();
  for (const record of records) {
    asked.delete(record.target);
    if (record.type === 'attributes' || holdsElement(record.addedNodes) || holdsElement(record.removedNodes)) shape++;
    // A field that was a password's stays one. Frameworks write the type that a field has already: that says nothing.
    if (record.attributeName === 'type' && isInput(record.target) && wasPassword(record.oldValue)) concealed.add(record.target);
  }
}

function holdsElement(nodes) {
  for (let i = 0; i < nodes.length; i++) if (isElement(nodes[i])) return true;
  return false;
}

function observe(root) {
  if (observed.has(root)) return;
  observed.add(root);
  if (root !== doc) {
    shape++;
    if (pass && pass.sheets) addSheets(root);
    roots.add(new WeakRef(root));
    // These two stay within their tree when what they speak of is in it.
    for (const name of ['slotchange', 'toggle']) root.addEventListener(name, bump, { capture: true, passive: true });
  }
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true });
}

function observedRoots() {
  const alive = [];
  for (const ref of roots) {
    const root = ref.deref();
    if (!root) roots.delete(ref);
    else if (isConnected(root)) alive.push(root);
  }
  return alive;
}

for (const name of words(`input change focusin focusout toggle load error transitionend animationend resize slotchange
  fullscreenchange invalid reset popstate hashchange close pageshow`)) {
  addEventListener(name, bump, { capture: true, passive: true });
}
// What is loaded may be a script. Such an event goes as far up as the document and not to the window.
method(EventTarget, 'addEventListener')(doc, 'load', () => void shape++, { capture: true, passive: true });

// remember keeps what scripts change without a word, to look at it again.
function remember(w) {
  known = {
    controls: w.controls.slice(0, 2000).map((el) => [new WeakRef(el), fingerprint(el)]),
    hosts: w.hosts.slice(0, 500).map((el) => new WeakRef(el)),
    href: location.href, active: w.active && new WeakRef(w.active), width: innerWidth, height: innerHeight,
  };
}

function fingerprint(el) {
  if (el instanceof HTMLSelectElement) return Array.from(selectedOptions(el), optionLabel).join('\n') + selectIndex(el);
  if (el instanceof HTMLTextAreaElement) return areaValue(el);
  switch (inputType(el)) {
    case 'checkbox':
    case 'radio':
      return (inputChecked(el) ? 1 : 0) + (inputIndeterminate(el) ? 2 : 0);
  }
  if (hides(el)) return hash(inputValue(el)); // the value itself is not kept anywhere
  return inputValue(el);
}

function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h;
}

function currentVersion() {
  seen(observer.takeRecords());
  return version;
}

function silentChange() {
  if (known.href !== location.href || known.width !== innerWidth || known.height !== innerHeight) return true;
  for (const [ref, was] of known.controls) {
    const el = ref.deref();
    if (el && fingerprint(el) !== was) return true;
  }
  for (const ref of known.hosts) {
    const el = ref.deref();
    if (el && shadowRootOf(el)) return true;
  }
  return during(() => deepActive()) !== (known.active ? known.active.deref() || null : null);
}

// versionNow also looks at what changes silently; each such change counts once.
function versionNow() {
  if (known.width && silentChange()) {
    bump();
    during(() => relearn());
  }
  return currentVersion();
}

function relearn() {
  for (const control of known.controls) {
    const el = control[0].deref();
    if (el) control[1] = fingerprint(el);
  }
  known.hosts = known.hosts.filter((ref) => ref.deref() && !shadowRootOf(ref.deref()));
  const active = deepActive();
  Object.assign(known, { href: location.href, active: active && new WeakRef(active), width: innerWidth, height: innerHeight });
}

// ---- The API ------------------------------------------------------------------------------------------------------

function describe(id) {
  const el = elementFor(id);
  if (!el) return null;
  scopeOf(rootOf(el));
  const role = roleOf(el), name = nameOf(el), states = statesOf(el, role, deepActive());
  const about = { role, name, tag: tagOf(el), shown: isShown(el), acts: isActedOn(el, role), ...states };
  if (isInput(el)) about.type = inputType(el);
  const description = descriptionOf(el, name), value = valueOf(el, role);
  if (description) about.description = description;
  if (value !== undefined) about.value = value;
  if (!name) about.text = textIn(el).slice(0, 200);
  if (el instanceof HTMLSelectElement) about.multiple = has(el, 'multiple');
  if (isEditable(el)) about.editable = true;
  return about;
}

function find(role, name) {
  const found = [];
  const look = (root) => {
    scopeOf(root);
    for (const el of queryAll(root, '*')) {
      const shadow = shadowOf(el);
      if (shadow) look(shadow);
      const its = roleOf(el);
      if ((its === 'none' ? 'generic' : its) !== role || !isShown(el)) continue;
      const own = nameOf(el) || (role === 'generic' || role === 'LabelText' ? textIn(el) : '');
      if (own === name) found.push(idFor(el));
    }
  };
  look(doc);
  return found;
}

// walkSafely: a page may be odder than anyone has thought of; an answer that says so is better than none.
function walkSafely(options) {
  try {
    return walk(options);
  } catch (error) {
    return { v: currentVersion(), t: titleOf(doc), u: location.href, n: { r: 'RootWebArea', u: location.href }, k: [], e: String(error) };
  }
}

// native is what the scripts that act use to look at forms and at the document.
const native = Object.freeze({
  nodeType, parentNode, assignedSlot, isConnected, closest, matches, isInput, inputType, inputValue, frameSrc, baseURI, queryAll, queryAllIn,
  tag: tagOf,
  attr: attrOf,
  rect: rectOf,
  animations: animationsOf,
  elementFromPoint: (root, x, y) => (root === doc ? elementFromPoint(root, x, y) : root.elementFromPoint(x, y)),
  document: Object.freeze({
    active: () => activeIn(doc),
    animations: () => documentAnimations(doc),
    body: () => bodyOf(doc),
    byId: (id) => idInDocument(doc, id),
    editable: () => designModeOf(doc) === 'on',
    images: () => documentImages(doc),
    root: () => documentElement(doc),
    scroller: () => scrollerOf(doc),
    texts: (root) => treeWalker(doc, root, NodeFilter.SHOW_TEXT),
    visible: () => visibilityOf(doc) === 'visible',
  }),
});

const cove = {
  native,
  fieldKind,
  paymentHost: sensitive.paymentHost,
  walk: (options) => format(during(() => walkSafely(options || {}))),
  version: versionNow,
  get: elementFor,
  id: (el) => (el instanceof Element ? idFor(el) : 0),
  root: shadowOf,
  hides,
  conceal: (el) => void concealed.add(el),
  find: (role, name) => during(() => find(role, name)),
  describe: (id) => during(() => describe(id)),
  adopt,
  markListeners: (kinds, all) => during(() => markListeners(kinds, all)),
  asked: (ids) => ids.forEach((id) => elementOfId.get(id)?.deref() && asked.add(elementOfId.get(id).deref())),
};
Object.defineProperty(globalThis, 'cove', { value: Object.freeze(cove) });
observe(doc);
