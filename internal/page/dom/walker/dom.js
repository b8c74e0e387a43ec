// The page's tree as it is shown: the DOM out of the page's reach, ids, shadow roots and slots, what is rendered.

// ---- The DOM, out of the page's reach -----------------------------------------------------------------------------
// <input name=children> shadows form.children in every world, and <img name=body> document.body: only functions
// taken from the prototypes tell the truth.

const uncurry = (f) => Function.prototype.call.bind(f);
const method = (type, name) => uncurry(type.prototype[name]);
const getter = (type, name) => {
  for (let p = type.prototype; p; p = Object.getPrototypeOf(p)) {
    const found = Object.getOwnPropertyDescriptor(p, name);
    if (found) return uncurry(found.get);
  }
};

const nodeType = getter(Node, 'nodeType');
const firstChild = getter(Node, 'firstChild');
const nextSibling = getter(Node, 'nextSibling');
const parentNode = getter(Node, 'parentNode');
const isConnected = getter(Node, 'isConnected');
const rootOf = method(Node, 'getRootNode');
const contains = method(Node, 'contains');
const dataOf = getter(CharacterData, 'data');
const tagOf = getter(Element, 'localName');
const namespaceOf = getter(Element, 'namespaceURI');
const shadowRootOf = getter(Element, 'shadowRoot');
const assignedSlot = getter(Element, 'assignedSlot');
const firstElementChild = getter(Element, 'firstElementChild');
const nextElementSibling = getter(Element, 'nextElementSibling');
const attr = method(Element, 'getAttribute');
const has = method(Element, 'hasAttribute');
const hasAttributes = method(Element, 'hasAttributes');
const attributeNames = method(Element, 'getAttributeNames');
const matches = method(Element, 'matches');
const closest = method(Element, 'closest');
const checkVisibility = method(Element, 'checkVisibility');
const animationsOf = method(Element, 'getAnimations');
const rectOf = method(Element, 'getBoundingClientRect');
const clientHeight = getter(Element, 'clientHeight');
const clientWidth = getter(Element, 'clientWidth');
const queryIn = method(Element, 'querySelector');
const queryAllIn = method(Element, 'querySelectorAll');
const byTagIn = method(Element, 'getElementsByTagName');
const labelledByElements = getter(Element, 'ariaLabelledByElements');
const describedByElements = getter(Element, 'ariaDescribedByElements');
const tabIndexOf = getter(HTMLElement, 'tabIndex');
const isContentEditable = getter(HTMLElement, 'isContentEditable');
const assignedNodes = method(HTMLSlotElement, 'assignedNodes');
const labelControl = getter(HTMLLabelElement, 'control');
const inputType = getter(HTMLInputElement, 'type');
const inputValue = getter(HTMLInputElement, 'value');
const inputFault = getter(HTMLInputElement, 'validationMessage');
const selectFault = getter(HTMLSelectElement, 'validationMessage');
const areaFault = getter(HTMLTextAreaElement, 'validationMessage');
const inputChecked = getter(HTMLInputElement, 'checked');
const inputIndeterminate = getter(HTMLInputElement, 'indeterminate');
const inputList = getter(HTMLInputElement, 'list');
const areaValue = getter(HTMLTextAreaElement, 'value');
const selectIndex = getter(HTMLSelectElement, 'selectedIndex');
const selectedOptions = getter(HTMLSelectElement, 'selectedOptions');
const optionSelected = getter(HTMLOptionElement, 'selected');
const optionLabel = getter(HTMLOptionElement, 'label');
const anchorHref = getter(HTMLAnchorElement, 'href');
const areaHref = getter(HTMLAreaElement, 'href');
const imageSrc = getter(HTMLImageElement, 'src');
const frameSrc = getter(HTMLIFrameElement, 'src');
const progressPosition = getter(HTMLProgressElement, 'position');
const progressValue = getter(HTMLProgressElement, 'value');
const meterValue = getter(HTMLMeterElement, 'value');
const documentElement = getter(Document, 'documentElement');
const bodyOf = getter(Document, 'body');
const titleOf = getter(Document, 'title');
const typeOf = getter(Document, 'contentType');
const activeIn = getter(Document, 'activeElement');
const activeInShadow = getter(ShadowRoot, 'activeElement');
const documentSheets = getter(Document, 'styleSheets');
const shadowSheets = getter(ShadowRoot, 'styleSheets');
const documentAdopted = getter(Document, 'adoptedStyleSheets');
const shadowAdopted = getter(ShadowRoot, 'adoptedStyleSheets');
const elementFromPoint = method(Document, 'elementFromPoint');
const documentAnimations = method(Document, 'getAnimations');
const documentImages = getter(Document, 'images');
const visibilityOf = getter(Document, 'visibilityState');
const scrollerOf = getter(Document, 'scrollingElement');
const designModeOf = getter(Document, 'designMode');
const treeWalker = method(Document, 'createTreeWalker');
const baseURI = getter(Node, 'baseURI');
const queryDocument = method(Document, 'querySelectorAll');
const queryFragment = method(DocumentFragment, 'querySelectorAll');
const idInDocument = method(Document, 'getElementById');
const idInFragment = method(DocumentFragment, 'getElementById');

const doc = document;
const ELEMENT = 1, TEXT = 3;
const HTML = 'http://www.w3.org/1999/xhtml', SVG = 'http://www.w3.org/2000/svg', MATH = 'http://www.w3.org/1998/Math/MathML';

const isElement = (node) => nodeType(node) === ELEMENT;
const isHTML = (el) => namespaceOf(el) === HTML;
// The interface, not the tag: an <input> in the SVG namespace has no value to get.
const isInput = (el) => el instanceof HTMLInputElement;
const queryAll = (scope, selector) =>
  scope instanceof Document ? queryDocument(scope, selector) : scope instanceof DocumentFragment ? queryFragment(scope, selector) : [];
const byId = (scope, id) =>
  scope instanceof Document ? idInDocument(scope, id) : scope instanceof DocumentFragment ? idInFragment(scope, id) : null;
const words = (text) => (text ? text.split(/[ \t\n\f\r]+/).filter(Boolean) : []);
const set = (text) => new Set(words(text));
const attrOf = (el, name) => attr(el, name) || '';

// Most elements have no attribute that bears on role, name or states, and most others none that bears on states: found out once, in
// place of dozens of questions.
const special = set('contenteditable draggable hidden inert onclick role tabindex title');
const stateless = set('aria-controls aria-describedby aria-description aria-hidden aria-label aria-labeledby aria-labelledby aria-owns');
const SPECIAL = 1, STATES = 2;
let lastAsked = null, lastKind = 0;

const isSpecial = (el) => kindOf(el) !== 0;
const mayHaveStates = (el) => (kindOf(el) & STATES) !== 0;

function kindOf(el) {
  if (el === lastAsked) return lastKind;
  lastAsked = el;
  if (!hasAttributes(el)) return (lastKind = 0);
  let kind = pass ? pass.kinds.get(el) : undefined;
  if (kind === undefined) {
    kind = 0;
    for (const name of attributeNames(el)) {
      if (special.has(name)) kind |= SPECIAL;
      else if (name.startsWith('aria-')) kind |= stateless.has(name) ? SPECIAL : SPECIAL | STATES;
    }
    if (pass) pass.kinds.set(el, kind);
  }
  return (lastKind = kind);
}

// ---- Ids ----------------------------------------------------------------------------------------------------------

let lastId = 0;
const idOfElement = new WeakMap();
const elementOfId = new Map();
const forgetId = new FinalizationRegistry((id) => elementOfId.delete(id));

function idFor(el) {
  let id = idOfElement.get(el);
  if (id === undefined) {
    id = ++lastId;
    idOfElement.set(el, id);
    elementOfId.set(id, new WeakRef(el));
    forgetId.register(el, id);
  }
  return id;
}

function elementFor(id) {
  const el = elementOfId.get(id)?.deref();
  return el && isConnected(el) ? el : null;
}

// ---- The flat tree: shadow roots, slots, aria-owns ----------------------------------------------------------------

const adopted = new WeakMap(); // closed roots that were handed in
let anyAdopted = false;
const asked = new WeakSet();

function shadowOf(el) {
  const root = shadowRootOf(el) || (anyAdopted && adopted.get(el)) || null;
  if (root) {
    observe(root);
    if (pass) scopeOf(root);
  }
  return root;
}

function parentOf(node) {
  const slot = isElement(node) ? assignedSlot(node) : null;
  if (slot) return slot;
  const parent = parentNode(node);
  if (!parent) return null;
  if (isElement(parent)) return parent;
  return parent instanceof ShadowRoot ? parent.host : null;
}

// What the pass has found out already; one call of the API is one pass, and the page cannot change within it.
let pass = null;
const newPass = () => ({ kinds: new Map(), roles: new Map(), names: new Map(), shown: new Map(), scopes: new Map(), tables: new Map(), styles: new Map(), inks: new Map(), fading: new Map(), hiding: new Map(), sheets: undefined, owning: false });

function during(work) {
  if (pass) return work();
  pass = newPass();
  depth = 0;
  asking = null;
  try {
    return work();
  } finally {
    pass = lastAsked = null;
  }
}

// scopeOf gathers once for each document or shadow root what elements point at from elsewhere.
function scopeOf(root) {
  let scope = pass.scopes.get(root);
  if (scope) return scope;
  scope = { labels: null, owned: new Map(), owners: new Map(), hiddenFiles: new Map() };
  pass.scopes.set(root, scope);
  for (const owner of queryAll(root, '[aria-owns]')) {
    for (const el of idsIn(root, attr(owner, 'aria-owns'))) {
      // The first owner wins, and nobody owns an ancestor.
      if (scope.owned.has(el) || el === owner || contains(el, owner)) continue;
      scope.owned.set(el, owner);
      if (!scope.owners.has(owner)) scope.owners.set(owner, []);
      scope.owners.get(owner).push(el);
      pass.owning = true;
    }
  }
  for (const input of queryAll(root, 'input[type=file i]')) {
    let cut = null;
    for (let el = input; el && isElement(el); el = parentOf(el)) if (isAriaHidden(el) || !isRendered(el)) cut = el;
    if (cut) scope.hiddenFiles.set(cut, [...(scope.hiddenFiles.get(cut) || []), input]);
  }
  return scope;
}

// labelsOf is input.labels without its walk over the whole tree for every control.
function labelsOf(el) {
  const root = rootOf(el);
  const scope = scopeOf(root);
  if (!scope.labels) {
    scope.labels = new Map();
    for (const label of queryAll(root, 'label')) {
      const control = label instanceof HTMLLabelElement && labelControl(label);
      if (!control) continue;
      if (!scope.labels.has(control)) scope.labels.set(control, []);
      scope.labels.get(control).push(label);
    }
  }
  return scope.labels.get(el);
}

const idsIn = (root, ids) => words(ids).map((id) => byId(root, id)).filter(Boolean);

function referenced(el, name, get) {
  return (has(el, name) && get(el)) || [];
}

const isSlot = (el) => tagOf(el) === 'slot' && el instanceof HTMLSlotElement;

// kidsOf is the children in the flat tree, after aria-owns has moved things about.
function kidsOf(el) {
  const kids = [];
  const slotted = isSlot(el) ? assignedNodes(el) : null;
  if (slotted && slotted.length) kids.push(...slotted);
  else for (let n = firstChild(shadowOf(el) || el); n; n = nextSibling(n)) kids.push(n);
  return pass.owning ? reowned(el, kids) : kids;
}

function reowned(el, kids) {
  const scope = scopeOf(rootOf(el));
  return kids.filter((n) => !scope.owned.has(n)).concat(scope.owners.get(el) || []);
}

// ---- What is rendered ---------------------------------------------------------------------------------------------

const VISIBLE = { visibilityProperty: true };
const OPAQUE = { opacityProperty: true };
const SEEN = { visibilityProperty: true, opacityProperty: true };

function styleOf(el) {
  let style = pass.styles.get(el);
  if (!style) pass.styles.set(el, (style = getComputedStyle(el)));
  return style;
}

// isFading: it cannot be seen only because an animation has just begun that shows it, and comes to an end.
function isFading(el) {
  let fading = pass.fading.get(el);
  if (fading === undefined) {
    const parent = parentOf(el);
    fading = styleOf(el).opacity !== '0' ? Boolean(parent) && isFading(parent) :
      animationsOf(el).some((a) => a.playState === 'running' && a.effect && a.effect.getComputedTiming().endTime !== Infinity);
    pass.fading.set(el, fading);
  }
  return fading;
}

// isRendered: display and visibility let it be seen. Asks the parent only where the element has no box of its own.
function isRendered(el) {
  if (checkVisibility(el, VISIBLE)) return true;
  const tag = tagOf(el);
  if (tag === 'option' || tag === 'optgroup') {
    const select = closest(el, 'select');
    return Boolean(select) && isRendered(select);
  }
  if (tag === 'area') return isUsedArea(el);
  const style = getComputedStyle(el);
  if (style.display !== 'contents' || style.visibility !== 'visible') return false;
  const parent = parentOf(el);
  return Boolean(parent) && isRendered(parent);
}

function isUsedArea(el) {
  const name = closest(el, 'map') && attr(closest(el, 'map'), 'name');
  if (!name) return false;
  for (const img of queryAll(rootOf(el), 'img[usemap]')) if (attr(img, 'usemap') === '#' + name) return isRendered(img);
  return false;
}

// isShown: rendered, and not cut off from people by aria-hidden or inert.
function isShown(el) {
  let shown = pass.shown.get(el);
  if (shown === undefined) pass.shown.set(el, (shown = isRendered(el) && !isCutOff(el)));
  return shown;
}

function isCutOff(el) {
  for (let e = el; e; e = parentOf(e)) if (isAriaHidden(e) || has(e, 'inert')) return true;
  const modal = topModal();
  return Boolean(modal) && !isInside(el, modal);
}

// isAriaHidden: as a browser has it, which lets nobody hide the whole page or what has the focus.
function isAriaHidden(el) {
  if (attr(el, 'aria-hidden') !== 'true' || tagOf(el) === 'body' || tagOf(el) === 'html') return false;
  const active = deepActive();
  return !(active && isInside(active, el));
}

function isInside(el, ancestor) {
  for (let e = el; e; e = parentOf(e)) if (e === ancestor) return true;
  return false;
}

// topModal is the dialog that makes everything else inert.
function topModal() {
  if (pass.modal !== undefined) return pass.modal;
  const all = [...queryDocument(doc, ':modal')];
  for (const root of observedRoots()) all.push(...queryFragment(root, ':modal'));
  const dialogs = all.filter((d) => d instanceof HTMLDialogElement);
  pass.modal = dialogs.at(-1) || null;
  if (dialogs.length > 1) pass.modal = dialogs.find(isOnTop) || pass.modal;
  return pass.modal;
}

// Inert elements are not hit: only the dialog on top answers for its own middle.
function isOnTop(dialog) {
  const r = rectOf(dialog);
  const hit = elementFromPoint(doc, r.left + r.width / 2, r.top + r.height / 2);
  return Boolean(hit) && (hit === dialog || contains(dialog, hit));
}

// isReadable returns whether text that stands directly in el has a colour and a size. Elements without a single attribute
// are taken to look like what is around them, and elements of one class to look alike: these two questions would cost
// as much as the rest of the walk.
function isReadable(el) {
  if (!hasAttributes(el)) return true;
  const key = has(el, 'style') ? null : tagOf(el) + ' ' + attr(el, 'class');
  let readable = key === null ? undefined : pass.inks.get(key);
  if (readable === undefined) {
    const style = styleOf(el), color = style.color;
    const clear = color.charCodeAt(3) === 97 && color.endsWith(', 0)'); // rgba(…, 0)
    readable = !clear && style.fontSize !== '0px';
    if (key !== null) pass.inks.set(key, readable);
  }
  return readable;
}

// hidesItsText returns whether a box keeps everything in it from being read, as screen-reader-only boxes and closed
// accordions do. Sizes are asked for only where something could be cut off.
function hidesItsText(el, style, display) {
  if (display === 'inline' || display === 'contents' || !hasAttributes(el)) return false;
  if (style.contentVisibility === 'hidden') return true;
  const position = style.position;
  if ((position === 'absolute' || position === 'fixed') && isAway(style)) return true;
  if (style.overflowY === 'visible' && (!has(el, 'style') || style.clipPath === 'none')) return false;
  const r = rectOf(el);
  return (r.width <= 1 || r.height <= 1) && clips(style);
}

function clips(style) {
  return style.overflow !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none';
}

// isAway: moved to where nobody looks, or clipped to nothing. By its style, not its place: what is scrolled past is
// still there to be read.
function isAway(style) {
  if (parseFloat(style.left) < -500 || parseFloat(style.top) < -500) return true;
  const clip = style.clip;
  return clip !== 'auto' && /^rect\((\d+px|auto), (\d+px|auto), \1, \2\)$/.test(clip);
}
