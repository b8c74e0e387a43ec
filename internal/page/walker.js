// The walker reads one frame for an agent: what is there, what it is called, and what can be acted on. It lives in an
// isolated world, so the page neither sees it nor can change what it calls; roles and names are those of Chromium's
// accessibility tree, which the tests in e2e/accname_test.go compare them with.
(() => {
  'use strict';
  // Own property only: <div id=cove> would answer for a global that is not there yet.
  if (Object.hasOwn(globalThis, 'cove')) return;

  // ---- The DOM, out of the page's reach --------------------------------------------------------------------------
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
  const progressPosition = getter(HTMLProgressElement, 'position');
  const progressValue = getter(HTMLProgressElement, 'value');
  const meterValue = getter(HTMLMeterElement, 'value');
  const documentElement = getter(Document, 'documentElement');
  const bodyOf = getter(Document, 'body');
  const titleOf = getter(Document, 'title');
  const activeIn = getter(Document, 'activeElement');
  const activeInShadow = getter(ShadowRoot, 'activeElement');
  const documentSheets = getter(Document, 'styleSheets');
  const shadowSheets = getter(ShadowRoot, 'styleSheets');
  const documentAdopted = getter(Document, 'adoptedStyleSheets');
  const shadowAdopted = getter(ShadowRoot, 'adoptedStyleSheets');
  const elementFromPoint = method(Document, 'elementFromPoint');
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

  // ---- Ids -------------------------------------------------------------------------------------------------------

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

  // ---- The flat tree: shadow roots, slots, aria-owns ---------------------------------------------------------------

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
  const newPass = () => ({ roles: new Map(), names: new Map(), shown: new Map(), scopes: new Map(), tables: new Map(), styles: new Map(), inks: new Map(), pseudo: undefined, owning: false });

  function during(work) {
    if (pass) return work();
    pass = newPass();
    try {
      return work();
    } finally {
      pass = null;
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
      for (let el = input; el && isElement(el); el = parentOf(el)) if (attr(el, 'aria-hidden') === 'true' || !isRendered(el)) cut = el;
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

  // ---- What is rendered --------------------------------------------------------------------------------------------

  const VISIBLE = { visibilityProperty: true };
  const OPAQUE = { opacityProperty: true };
  const SEEN = { visibilityProperty: true, opacityProperty: true };

  function styleOf(el) {
    let style = pass.styles.get(el);
    if (!style) pass.styles.set(el, (style = getComputedStyle(el)));
    return style;
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
    for (let e = el; e; e = parentOf(e)) if (attr(e, 'aria-hidden') === 'true' || has(e, 'inert')) return true;
    const modal = topModal();
    return Boolean(modal) && !isInside(el, modal);
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

  // isReadable tells whether text that stands directly in el has a colour and a size. Elements without a single attribute
  // are taken to look like what is around them, and elements of one class to look alike: these two questions would cost
  // as much as the rest of the walk.
  function isReadable(el, style) {
    if (!hasAttributes(el)) return true;
    const key = has(el, 'style') ? null : tagOf(el) + ' ' + attr(el, 'class');
    let readable = key === null ? undefined : pass.inks.get(key);
    if (readable === undefined) {
      const color = style.color;
      const clear = color.charCodeAt(3) === 97 && color.endsWith(', 0)'); // rgba(…, 0)
      readable = !clear && style.fontSize !== '0px';
      if (key !== null) pass.inks.set(key, readable);
    }
    return readable;
  }

  // hidesItsText tells whether a box keeps everything in it from being read, as screen-reader-only boxes and closed
  // accordions do. Sizes are asked for only where something could be cut off.
  function hidesItsText(el, style, display) {
    if (display === 'inline' || display === 'contents' || !hasAttributes(el)) return false;
    if (style.contentVisibility === 'hidden') return true;
    const position = style.position;
    if ((position === 'absolute' || position === 'fixed') && isAway(el, style)) return true;
    if (style.overflowY === 'visible' && (!has(el, 'style') || style.clipPath === 'none')) return false;
    const r = rectOf(el);
    return (r.width <= 1 || r.height <= 1) && clips(style);
  }

  function clips(style) {
    return style.overflow !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none';
  }

  // isAway: moved to where nobody can scroll, or clipped to nothing.
  function isAway(el, style) {
    const r = rectOf(el);
    if (r.right + scrollX <= 0 || r.bottom + scrollY <= 0) return true;
    const clip = style.clip;
    return clip !== 'auto' && /^rect\((\d+px|auto), (\d+px|auto), \1, \2\)$/.test(clip);
  }

  // ---- Roles -------------------------------------------------------------------------------------------------------

  const ariaRoles = new Map(words(`alert alertdialog application article banner blockquote button caption cell checkbox code
    columnheader combobox complementary contentinfo definition deletion dialog document emphasis feed figure form generic grid
    gridcell group heading insertion link list listbox listitem log main mark marquee math menu menubar menuitem
    menuitemcheckbox menuitemradio meter navigation none note option paragraph progressbar radio radiogroup region row rowgroup
    rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab
    table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem sectionheader sectionfooter
    doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref
    doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes
    doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index
    doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
    doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc graphics-document graphics-object graphics-symbol`).map((r) => [r, r]));
  for (const [from, to] of [['img', 'image'], ['image', 'image'], ['directory', 'list'], ['presentation', 'none']]) ariaRoles.set(from, to);

  const tagRoles = new Map(Object.entries({
    a: 'generic', abbr: 'Abbr', address: 'group', article: 'article', audio: 'Audio', blockquote: 'blockquote',
    br: 'LineBreak', button: 'button', caption: 'caption', code: 'code', dd: 'definition', del: 'deletion', details: 'group',
    dfn: 'term', dialog: 'dialog', dl: 'DescriptionList', dt: 'term', em: 'emphasis', fieldset: 'group', figcaption: 'Figcaption',
    figure: 'figure', form: 'form', frame: 'Iframe', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading',
    h6: 'heading', hgroup: 'group', hr: 'separator', iframe: 'Iframe', ins: 'insertion', label: 'LabelText', legend: 'Legend',
    li: 'listitem', main: 'main', mark: 'mark', menu: 'list', meter: 'meter', nav: 'navigation', object: 'PluginObject',
    ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', ruby: 'Ruby',
    s: 'deletion', search: 'search', strong: 'strong', sub: 'subscript', sup: 'superscript', textarea: 'textbox', time: 'time',
    ul: 'list', video: 'Video',
  }));

  const inputRoles = new Map(Object.entries({
    button: 'button', checkbox: 'checkbox', color: 'ColorWell', date: 'Date', 'datetime-local': 'DateTime', file: 'button',
    hidden: 'none', image: 'button', month: 'DateTime', number: 'spinbutton', radio: 'radio', range: 'slider', reset: 'button',
    search: 'searchbox', submit: 'button', time: 'InputTime', week: 'DateTime',
  }));

  const mathRoles = new Map(Object.entries({
    math: 'MathMLMath', mi: 'MathMLIdentifier', mn: 'MathMLNumber', mo: 'MathMLOperator', mrow: 'MathMLRow',
    mfrac: 'MathMLFraction', msqrt: 'MathMLSquareRoot', msup: 'MathMLSup', msub: 'MathMLSub', mtext: 'MathMLText',
  }));

  const globalAria = words(`aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description aria-details
    aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant
    aria-roledescription`);
  const notThere = set('head script style template noscript title meta link base param source track datalist rp rt colgroup col');

  function roleOf(el) {
    let role = pass.roles.get(el);
    if (role === undefined) {
      pass.roles.set(el, 'generic'); // what a circle of references finds
      pass.roles.set(el, (role = (hasAttributes(el) && has(el, 'role') && ariaRole(el)) || nativeRole(el)));
    }
    return role;
  }

  function ariaRole(el) {
    for (const word of words(attr(el, 'role').toLowerCase())) {
      const role = ariaRoles.get(word);
      if (!role) continue;
      switch (role) {
        case 'none':
          return isNeeded(el) ? null : 'none';
        case 'form':
        case 'region':
          if (!hasAuthorName(el)) continue;
          return role;
        case 'listitem':
          if (!within(el, 'list')) continue;
          return role;
        case 'option':
          if (!within(el, 'listbox', 'group')) continue;
          return role;
        case 'treeitem':
          if (!within(el, 'tree', 'group', 'treeitem')) continue;
          return role;
      }
      return role;
    }
    return null;
  }

  // isNeeded: role=none gives way where people could not do without the element.
  function isNeeded(el) {
    return isFocusable(el) || globalAria.some((name) => has(el, name));
  }

  function isFocusable(el) {
    if (has(el, 'tabindex')) return !Number.isNaN(parseInt(attr(el, 'tabindex'), 10)) && !isDisabled(el);
    return el instanceof HTMLElement && tabIndexOf(el) >= 0 && !isDisabled(el);
  }

  const isDisabled = (el) => isHTML(el) && matches(el, ':disabled');

  // within asks the nearest ancestor that means something.
  function within(el, ...roles) {
    const owner = scopeOf(rootOf(el)).owned.get(el);
    for (let e = owner || parentOf(el); e; e = parentOf(e)) {
      const role = roleOf(e);
      if (role !== 'generic' && role !== 'none') return roles.includes(role);
    }
    return false;
  }

  function hasAuthorName(el) {
    if (attrOf(el, 'aria-label').trim() || attrOf(el, 'title').trim()) return true;
    return references(el).some((ref) => contentOfReference(ref));
  }

  function nativeRole(el) {
    const ns = namespaceOf(el), tag = tagOf(el);
    if (ns === SVG) return svgRole(el, tag);
    if (ns === MATH) return mathRoles.get(tag) || 'generic';
    switch (tag) {
      case 'div':
        return hasAttributes(el) && has(el, 'draggable') ? 'group' : 'generic';
      case 'span':
      case 'b':
      case 'i':
        return 'generic';
      case 'a':
        return has(el, 'href') || has(el, 'onclick') ? 'link' : 'generic';
      case 'area':
        return has(el, 'href') ? 'link' : 'none';
      case 'li':
        return isPresentational(parentOf(el)) ? 'none' : 'listitem';
      case 'input':
        return isInput(el) ? inputRole(el) : 'generic';
      case 'select':
        return has(el, 'multiple') || Number(attr(el, 'size')) > 1 ? (attr(el, 'size') === '1' ? 'combobox' : 'listbox') : 'combobox';
      case 'img':
        return attr(el, 'alt') === '' && !has(el, 'title') && !isNeeded(el) ? 'none' : 'image';
      case 'header':
        return isScoped(el) ? 'sectionheader' : 'banner';
      case 'footer':
        return isScoped(el) ? 'sectionfooter' : 'contentinfo';
      case 'section':
        return hasAuthorName(el) ? 'region' : 'generic';
      case 'aside':
        return isInSection(el) && !hasAuthorName(el) ? 'generic' : 'complementary';
      case 'summary':
        return parentNode(el) instanceof HTMLDetailsElement ? 'DisclosureTriangle' : 'generic';
      case 'label':
        return labelRole(el);
      case 'canvas':
        return firstChild(el) || isNeeded(el) || has(el, 'title') ? 'Canvas' : 'none';
      case 'audio':
        return has(el, 'controls') ? 'Audio' : 'none';
      case 'html':
        return parentNode(el) === doc ? 'none' : 'generic';
      case 'table':
      case 'thead':
      case 'tbody':
      case 'tfoot':
      case 'tr':
      case 'td':
      case 'th':
        return tableRole(el, tag);
    }
    if (notThere.has(tag)) return 'none';
    return tagRoles.get(tag) || 'generic';
  }

  const isPresentational = (el) => Boolean(el) && roleOf(el) === 'none' && has(el, 'role');

  function inputRole(el) {
    const type = inputType(el);
    if (has(el, 'list') && !['range', 'color', 'checkbox', 'radio', 'file', 'hidden', 'submit', 'reset', 'image', 'button'].includes(type) && inputList(el)) return 'combobox';
    return inputRoles.get(type) || 'textbox';
  }

  function labelRole(el) {
    const control = el instanceof HTMLLabelElement && labelControl(el);
    // A checkbox's or radio button's label is nothing but its name.
    return control && isInput(control) && ['checkbox', 'radio'].includes(inputType(control)) && contains(el, control) ? 'none' : 'LabelText';
  }

  function isScoped(el) {
    for (let e = parentOf(el); e; e = parentOf(e)) {
      if (has(e, 'role')) {
        if (['article', 'complementary', 'main', 'navigation'].includes(roleOf(e))) return true;
        if (roleOf(e) !== 'region') continue;
      }
      if (isHTML(e) && ['article', 'aside', 'main', 'nav', 'section'].includes(tagOf(e))) return true;
    }
    return false;
  }

  function isInSection(el) {
    for (let e = parentOf(el); e; e = parentOf(e)) {
      if (['article', 'aside', 'nav', 'section'].includes(tagOf(e))) return true;
      if (has(e, 'role') && ['article', 'complementary', 'navigation'].includes(roleOf(e))) return true;
    }
    return false;
  }

  function svgRole(el, tag) {
    switch (tag) {
      case 'svg':
        return svgSpeaks(el) ? 'SvgRoot' : 'image';
      case 'a':
        return has(el, 'href') || has(el, 'xlink:href') ? 'link' : 'generic';
      case 'title':
      case 'desc':
      case 'defs':
      case 'symbol':
      case 'style':
      case 'script':
        return 'none';
      case 'g':
        return svgNamed(el) ? 'group' : 'none';
      case 'text':
      case 'foreignObject':
        return 'generic';
      case 'image':
        return svgNamed(el) ? 'image' : 'none';
    }
    return svgNamed(el) ? 'graphics-symbol' : 'none';
  }

  const svgNamed = (el) => has(el, 'aria-label') || has(el, 'aria-labelledby') || has(el, 'tabindex') || Boolean(svgTitle(el));
  const svgSpeaks = (el) => Boolean(queryIn(el, 'text, a, foreignObject, [role], [aria-label], [tabindex], :not(symbol) > title:not(:scope > title)'));

  function svgTitle(el) {
    for (let e = firstElementChild(el); e; e = nextElementSibling(e)) if (tagOf(e) === 'title' && namespaceOf(e) === SVG) return rawText(e);
    return '';
  }

  // ---- Tables ------------------------------------------------------------------------------------------------------

  function tableRole(el, tag) {
    const table = tag === 'table' ? el : closest(el, 'table');
    const kind = table ? tableKind(table) : 'generic';
    if (kind === 'none' || kind === 'generic') return tag === 'td' || tag === 'th' ? 'generic' : kind;
    const layout = kind === 'LayoutTable';
    switch (tag) {
      case 'table':
        return kind;
      case 'thead':
      case 'tfoot':
        return layout ? 'none' : 'rowgroup';
      case 'tbody':
        return 'none';
      case 'tr':
        return layout ? 'LayoutTableRow' : 'row';
      case 'th':
        return layout ? 'LayoutTableCell' : headerRole(el);
    }
    return layout ? 'LayoutTableCell' : kind === 'grid' || kind === 'treegrid' ? 'gridcell' : 'cell';
  }

  function headerRole(el) {
    const scope = attrOf(el, 'scope').toLowerCase();
    if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
    if (scope === 'col' || scope === 'colgroup') return 'columnheader';
    const row = parentNode(el);
    if (row && closest(row, 'thead')) return 'columnheader';
    for (let e = row && firstElementChild(row); e; e = nextElementSibling(e)) if (tagOf(e) === 'td') return 'rowheader';
    return 'columnheader';
  }

  function tableKind(table) {
    let kind = pass.tables.get(table);
    if (kind) return kind;
    const role = has(table, 'role') ? ariaRole(table) : null;
    kind = role ? (['table', 'grid', 'treegrid', 'none'].includes(role) ? role : 'generic') : isDataTable(table) ? 'table' : 'LayoutTable';
    pass.tables.set(table, kind);
    return kind;
  }

  // isDataTable follows the signs by which Chromium tells a table of data from one that only places things.
  function isDataTable(table) {
    if (isContentEditable(table)) return true;
    if (has(table, 'summary') || has(table, 'rules') || Number(attr(table, 'border')) > 0) return true;
    for (let e = firstElementChild(table); e; e = nextElementSibling(e)) if (['caption', 'thead', 'tfoot', 'col', 'colgroup'].includes(tagOf(e))) return true;
    let rows = 0, cells = 0, bordered = 0;
    for (const row of queryAllIn(table, ':scope > tbody > tr, :scope > tr')) {
      if (++rows >= 20) return true;
      for (let cell = firstElementChild(row); cell; cell = nextElementSibling(cell)) {
        if (tagOf(cell) === 'th' || has(cell, 'headers') || has(cell, 'scope') || has(cell, 'abbr')) return true;
        if (++cells > 40) continue;
        const style = styleOf(cell);
        if (style.borderTopWidth !== '0px' || style.borderLeftWidth !== '0px') bordered++;
      }
    }
    return cells > 1 && bordered * 2 >= Math.min(cells, 40);
  }

  // ---- Names -------------------------------------------------------------------------------------------------------

  const namedByContent = set(`button cell checkbox columnheader DisclosureTriangle doc-backlink doc-biblioref doc-glossref
    doc-noteref gridcell heading LayoutTableCell link math menuitem menuitemcheckbox menuitemradio option radio rowheader switch
    tab term tooltip treeitem`);
  const silentInside = set(`alert alertdialog application article Audio banner blockquote combobox complementary contentinfo
    dialog document feed figure form grid group Iframe image listbox log main marquee menu menubar navigation note PluginObject
    progressbar radiogroup row rowgroup scrollbar search sectionheader separator status table tablist tabpanel timer
    toolbar tree treegrid Video`);
  const titleIsNoName = set(`code deletion emphasis generic insertion LineBreak mark none paragraph strong subscript suggestion
    superscript time caption definition`);
  const controls = set(`button checkbox ColorWell combobox Date DateTime InputTime listbox menuitem menuitemcheckbox
    menuitemradio meter option progressbar radio scrollbar searchbox slider spinbutton switch tab textbox`);
  const typedInto = set('textbox searchbox');
  const measured = set('slider spinbutton progressbar meter scrollbar');

  // Not trim: a no-break space belongs to the name.
  const collapse = (text) => text.replace(/[ \t\n\r\f]+/g, ' ').replace(/^ | $/g, '');

  // Whether the last text alternative came from an attribute or another element, which sets it off with spaces.
  let setOff = false;

  function nameOf(el) {
    let name = pass.names.get(el);
    if (name === undefined) {
      pass.names.set(el, '');
      pass.names.set(el, (name = collapse(alternative(el, ROOT))));
    }
    return name;
  }

  // textIn is what an element without a name is called by agents: its text.
  const textIn = (el) => collapse(alternative(el, REFERRED, true));

  // How an element is come to: as the one to be named, as part of another's content, or through a reference; hidden says
  // that the reference led into something hidden, all of which then counts.
  const ROOT = { inside: false, referred: false, hidden: false };
  const INSIDE = { inside: true, referred: false, hidden: false };
  const INSIDE_REFERENCE = { inside: true, referred: false, hidden: false, reference: true };
  const REFERRED = { inside: true, referred: true, hidden: false };
  const REFERRED_HIDDEN = { inside: true, referred: true, hidden: true };

  let depth = 0;

  function alternative(el, how, first = false) {
    if (depth > 60) return '';
    depth++;
    try {
      setOff = false;
      const text = ownName(el, how, first);
      if (text !== null) {
        setOff = true;
        return text;
      }
      const role = roleOf(el);
      if (first || speaks(el, role, how)) {
        const text = contentOf(el, how);
        setOff = false;
        if (text.trim()) return text;
        if (first || !titleIsNoName.has(role)) {
          const title = attrOf(el, 'title');
          if (title.trim()) return ((setOff = true), title);
        }
        return text;
      }
      if (!titleIsNoName.has(role) && has(el, 'title')) return ((setOff = true), attr(el, 'title'));
      return '';
    } finally {
      depth--;
    }
  }

  // speaks: its content is its name, or part of the name of what it stands in.
  function speaks(el, role, how) {
    if (namedByContent.has(role)) return !(isInput(el) || (role === 'heading' && !how.inside && isEditable(el)));
    if ((role === 'row' || role === 'rowgroup') && how.reference) return true;
    if (role === 'row') return !how.inside && within(el, 'grid', 'treegrid', 'rowgroup') && isGridRow(el);
    if (!how.inside) return false;
    if (role === 'group') return ['details', 'address'].includes(tagOf(el));
    if (role === 'contentinfo') return tagOf(el) === 'footer';
    return !silentInside.has(role);
  }

  function isGridRow(el) {
    for (let e = parentOf(el); e; e = parentOf(e)) {
      const role = roleOf(e);
      if (role === 'grid' || role === 'treegrid') return true;
      if (role === 'table') return false;
    }
    return false;
  }

  // ownName is the name by aria-labelledby, aria-label or what the element's language gives it; null without one.
  function ownName(el, how, first) {
    const plain = !hasAttributes(el);
    if (!plain && !how.referred) {
      const refs = references(el);
      if (refs.length) {
        const text = refs.map(contentOfReference).filter(Boolean).join(' ');
        if (text) return text;
      }
    }
    const role = roleOf(el);
    if (how.inside && controls.has(role)) {
      const value = embeddedValue(el, role, first);
      if (value !== null) return value;
    }
    if (!plain) {
      const label = attr(el, 'aria-label');
      if (label && label.trim()) return label;
    }
    if (role === 'none' && !how.inside) return null;
    return nativeName(el, role, how);
  }

  function references(el) {
    if (has(el, 'aria-labelledby')) return labelledByElements(el) || [];
    if (!has(el, 'aria-labeledby')) return [];
    return idsIn(rootOf(el), attr(el, 'aria-labeledby'));
  }

  function contentOfReference(ref) {
    const saved = depth;
    const text = collapse(alternative(ref, isRendered(ref) ? REFERRED : REFERRED_HIDDEN, true));
    depth = saved;
    return text;
  }

  // embeddedValue is what a control says where it stands in the middle of a label.
  function embeddedValue(el, role, first) {
    if (typedInto.has(role)) {
      if (isInput(el)) return inputType(el) === 'password' ? '' : inputValue(el);
      if (el instanceof HTMLTextAreaElement) return areaValue(el);
      return null;
    }
    if (role === 'combobox' || role === 'listbox') {
      if (el instanceof HTMLSelectElement) return Array.from(selectedOptions(el), optionText).join(' ');
      if (isInput(el)) return inputValue(el);
      const chosen = Array.from(queryAllIn(el, '[role=option][aria-selected=true]'), nameOf).join(' ');
      return chosen || (first ? null : '');
    }
    if (measured.has(role)) {
      const value = attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow') || measuredValue(el);
      if (value !== '') return value;
      if (role === 'progressbar') return null;
      return role === 'slider' || role === 'scrollbar' ? '50' : '0';
    }
    return null;
  }

  function measuredValue(el) {
    if (isInput(el)) return inputValue(el);
    if (el instanceof HTMLProgressElement) return progressPosition(el) < 0 ? '' : String(progressValue(el));
    if (el instanceof HTMLMeterElement) return String(meterValue(el));
    return '';
  }

  const optionText = (el) => optionLabel(el) || collapse(rawText(el));

  function nativeName(el, role, how) {
    const ns = namespaceOf(el);
    if (ns === SVG) return svgTitle(el) || attr(el, 'xlink:title') || null;
    if (ns !== HTML) return null;
    if (typedInto.has(role) && has(el, 'aria-placeholder') && !has(el, 'placeholder') && !isInput(el)) return titleOrPlaceholder(el);
    const tag = tagOf(el);
    switch (tag) {
      case 'span':
      case 'div':
      case 'a':
        return null;
      case 'input':
        return inputName(el);
      case 'button':
      case 'select':
      case 'textarea':
      case 'meter':
      case 'progress':
      case 'output': {
        const label = labelText(el);
        if (label !== null) return label;
        return tag === 'textarea' ? titleOrPlaceholder(el) : null;
      }
      case 'img':
        return has(el, 'alt') ? attr(el, 'alt') : null;
      case 'area':
        return attr(el, 'alt') || null;
      case 'option':
        return optionText(el);
      case 'optgroup':
        return attrOf(el, 'label');
      case 'fieldset':
        return childText(el, 'legend', how);
      case 'table':
        return childText(el, 'caption', how) ?? attr(el, 'summary');
      case 'abbr':
        return how.inside ? null : attr(el, 'title');
    }
    return null;
  }

  function childText(el, tag, how) {
    for (let e = firstElementChild(el); e; e = nextElementSibling(e)) {
      if (tagOf(e) !== tag) continue;
      return isHiddenFromNames(e) && !how.hidden ? null : contentOf(e, INSIDE);
    }
    return null;
  }

  function inputName(el) {
    const type = inputType(el);
    const label = labelText(el);
    if (label !== null) return label;
    switch (type) {
      case 'submit':
      case 'reset':
        return attr(el, 'value') ?? (type === 'submit' ? 'Submit' : 'Reset');
      case 'button':
        return attr(el, 'value') || null;
      case 'image':
        return attr(el, 'alt') || attr(el, 'value') || attr(el, 'title') || 'Submit';
      case 'file':
        return 'Choose File';
      case 'checkbox':
      case 'radio':
      case 'range':
      case 'color':
        return null;
    }
    return titleOrPlaceholder(el);
  }

  function titleOrPlaceholder(el) {
    return attr(el, 'title') || attr(el, 'placeholder') || attr(el, 'aria-placeholder') || null;
  }

  // labelText is null without a label; an empty label is a name, an empty one.
  function labelText(el) {
    const labels = labelsOf(el);
    if (!labels) return null;
    const saved = asking;
    asking = el;
    const texts = labels.filter((label) => !isHiddenFromNames(label)).map((label) => collapse(alternative(label, REFERRED, true)));
    asking = saved;
    return texts.filter(Boolean).join(' ');
  }

  // textOfLabel is what a label says for a control that people cannot see.
  function textOfLabel(label) {
    asking = label instanceof HTMLLabelElement ? labelControl(label) : null;
    const text = textIn(label);
    asking = null;
    return text;
  }

  // The control whose label is being read: it is no part of its own name.
  let asking = null;

  function isHiddenFromNames(el) {
    if (attr(el, 'aria-hidden') === 'true') return true;
    if (isRendered(el)) return false;
    const parent = parentOf(el);
    return !(parent && tagOf(parent) === 'canvas');
  }

  function contentOf(el, how) {
    const child = firstChild(el);
    const style = how.hidden ? null : styleOf(el);
    let text = how.hidden ? '' : generated(el, '::before');
    const inner = how.hidden ? REFERRED_HIDDEN : how.referred || how.reference ? INSIDE_REFERENCE : INSIDE;
    // Most names are one text.
    if (child && !nextSibling(child) && nodeType(child) === TEXT && !pass.owning && !shadowOf(el) && !isSlot(el)) {
      text += transformed(dataOf(child), style);
    } else {
      const closed = isClosed(el);
      for (const node of kidsOf(el)) {
        const type = nodeType(node);
        if (type === TEXT) {
          if (!closed && (!style || style.visibility === 'visible')) text += transformed(dataOf(node), style);
        } else if (type === ELEMENT && node !== asking && !(closed && tagOf(node) !== 'summary')) {
          text += part(node, inner);
        }
      }
    }
    return how.hidden ? text : text + generated(el, '::after');
  }

  const isClosed = (el) => tagOf(el) === 'details' && el instanceof HTMLDetailsElement && !has(el, 'open');

  // part is what an element inside adds, with the spaces that keep it apart from its neighbours.
  function part(el, how) {
    const tag = tagOf(el);
    if (tag === 'br' || tag === 'wbr') return ' ';
    if (notThere.has(tag) && isHTML(el)) return '';
    if (!how.hidden) {
      if (attr(el, 'aria-hidden') === 'true') return isRendered(el) && styleOf(el).display === 'block' ? ' ' : '';
      if (isHiddenFromNames(el)) return visiblePart(el, how);
    }
    const text = alternative(el, how);
    const display = how.hidden ? 'inline' : styleOf(el).display;
    if (text === '') return display === 'block' || controls.has(roleOf(el)) ? ' ' : '';
    return setOff || display !== 'inline' || controls.has(roleOf(el)) ? ` ${text} ` : text;
  }

  // visiblePart: in what visibility hides, something may be visible again.
  function visiblePart(el, how) {
    if (!checkVisibility(el) || !firstElementChild(el)) return '';
    let text = '';
    for (const node of kidsOf(el)) if (isElement(node)) text += part(node, how);
    return text;
  }

  const isBlank = (text) => !/[^ \t\n\r\f]/.test(text);

  // rawText is all text below, whatever it looks like.
  function rawText(el) {
    let text = '';
    for (let n = firstChild(el); n; n = nextSibling(n)) {
      if (nodeType(n) === TEXT) text += dataOf(n);
      else if (isElement(n)) text += rawText(n);
    }
    return text;
  }

  // transformed is text as it is drawn: agents compare names with what they see.
  function transformed(text, style) {
    if (!style) return text;
    switch (style.textTransform) {
      case 'uppercase':
        return text.toUpperCase();
      case 'lowercase':
        return text.toLowerCase();
      case 'capitalize':
        return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
    }
    return text;
  }

  // ---- Generated content -------------------------------------------------------------------------------------------

  // Asking for two pseudo-elements costs more than all else about a name, so small style sheets are looked through once:
  // where none speaks of them, nobody needs to ask.
  const sheets = new WeakMap();
  const MANY_RULES = 400;

  function sheetGenerates(sheet) {
    try {
      const rules = sheet.cssRules, was = sheets.get(sheet);
      if (was && was.length === rules.length) return was.generates;
      let generates = rules.length > MANY_RULES;
      for (let i = 0; i < rules.length && !generates; i++) generates = /:before|:after|@import/.test(rules[i].cssText);
      sheets.set(sheet, { length: rules.length, generates });
      return generates;
    } catch {
      return true; // another origin's, which may say anything
    }
  }

  function scopeGenerates(root) {
    for (const sheet of styleSheets(root)) if (sheetGenerates(sheet)) return true;
    for (const sheet of adoptedSheets(root)) if (sheetGenerates(sheet)) return true;
    return false;
  }

  const styleSheets = (root) => (root === doc ? documentSheets(root) : shadowSheets(root));
  const adoptedSheets = (root) => (root === doc ? documentAdopted(root) : shadowAdopted(root));

  function anyGenerated() {
    if (pass.pseudo === undefined) pass.pseudo = scopeGenerates(doc) || observedRoots().some(scopeGenerates);
    return pass.pseudo;
  }

  function generated(el, which) {
    if (!anyGenerated() && tagOf(el) !== 'q') return '';
    const style = getComputedStyle(el, which);
    const content = style.content;
    if (content === 'none' || content === 'normal' || content === '') return '';
    if (style.display === 'none' || style.visibility !== 'visible') return '';
    const text = transformed(contentText(content), style);
    return text === '' || (style.display === 'inline' && !content.includes(' / ')) ? text : ` ${text} `;
  }

  // contentText reads a computed content value: strings and quotes; the alternative after a slash instead of all of them.
  function contentText(content) {
    const tokens = content.match(/"(?:[^"\\]|\\.)*"|\/|[\w-]+\([^)]*\)|[\w-]+/g) || [];
    const slash = tokens.indexOf('/');
    let text = '';
    for (const token of slash < 0 ? tokens : tokens.slice(slash + 1)) {
      if (token[0] === '"') text += unescaped(token.slice(1, -1));
      else if (token === 'open-quote') text += '“';
      else if (token === 'close-quote') text += '”';
    }
    return text;
  }

  function unescaped(text) {
    return text.replace(/\\([0-9a-fA-F]{1,6}) ?|\\(.)/g, (_, hex, char) => (hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : char));
  }

  // ---- Description, value, states ----------------------------------------------------------------------------------

  // descriptionOf is what is said beside the name, '' where that would only repeat it.
  function descriptionOf(el, name) {
    if (!hasAttributes(el)) return '';
    let text = referenced(el, 'aria-describedby', describedByElements).map(contentOfReference).filter(Boolean).join(' ');
    text ||= attrOf(el, 'aria-description').trim();
    text ||= collapse(attrOf(el, 'title'));
    return text === name ? '' : text;
  }

  // valueOf is a control's value; undefined where there is none to tell, and always for passwords.
  function valueOf(el, role) {
    if (!controls.has(role)) return undefined;
    if (isInput(el)) return valueOfInput(el, inputType(el));
    if (el instanceof HTMLTextAreaElement) return areaValue(el);
    if (el instanceof HTMLSelectElement) return role === 'combobox' ? Array.from(selectedOptions(el), optionText).join(', ') : undefined;
    if (measured.has(role)) return measuredValue(el) || attr(el, 'aria-valuenow') || undefined;
    if (isEditable(el) && (typedInto.has(role) || role === 'combobox')) return collapse(rawText(el));
    return undefined;
  }

  function valueOfInput(el, type) {
    switch (type) {
      case 'password':
      case 'hidden':
      case 'checkbox':
      case 'radio':
      case 'button':
      case 'submit':
      case 'reset':
      case 'image':
        return undefined;
      case 'file':
        return inputValue(el).replace(/^.*[\\/]/, '') || 'No file chosen';
    }
    return inputValue(el);
  }

  const checkable = set('checkbox radio switch menuitemcheckbox menuitemradio option treeitem');
  const popups = set('menu listbox tree grid dialog');
  const politeness = new Map(Object.entries({ alert: 'assertive', status: 'polite', log: 'polite' }));

  // statesOf is what an agent should know of an element beyond its name, in the words of the accessibility tree.
  function statesOf(el, role, active) {
    const s = {};
    if (el === active) s.focusable = s.focused = true;
    const html = isHTML(el), tag = tagOf(el);
    if (role === 'heading') s.level = Number(attr(el, 'aria-level')) || Number(/^h([1-6])$/.exec(tag)?.[1]) || 2;
    if (controls.has(role) || typedInto.has(role)) {
      if (isDisabled(el)) s.disabled = true;
      if (html) controlStates(el, role, tag, s);
    }
    if (tag === 'summary' && role === 'DisclosureTriangle') expands(s, has(parentNode(el), 'open'));
    const polite = politeness.get(role);
    if (polite) liveStates(el, role, polite, s);
    if (tag === 'dialog' && el === topModal()) s.modal = true;
    if (hasAria(el)) ariaStates(el, role, s);
    return s;
  }

  function expands(s, open) {
    s.expandable = true;
    if (open) s.expanded = true;
  }

  function controlStates(el, role, tag, s) {
    if (tag === 'input' && isInput(el)) inputStates(el, role, inputType(el), s);
    else if (tag === 'textarea') s.multiline = true;
    else if (tag === 'option' && el instanceof HTMLOptionElement && optionSelected(el)) s.selected = true;
    else if (tag === 'select') {
      if (role === 'combobox') {
        expands(s, false);
        s.haspopup = 'menu';
      } else {
        s.orientation = 'vertical';
      }
      if (has(el, 'multiple')) s.multiselectable = true;
    } else if (tag === 'progress' || tag === 'meter') {
      s.valuemin = Number(attr(el, 'min')) || 0;
      s.valuemax = Number(attr(el, 'max')) || 1;
    }
    if (tag === 'input' || tag === 'textarea' || tag === 'select') {
      if (has(el, 'required')) s.required = true;
      if (has(el, 'readonly')) s.readonly = true;
      if (matches(el, ':user-invalid')) s.invalid = 'true';
    }
  }

  function inputStates(el, role, type, s) {
    if (type === 'checkbox' || type === 'radio') {
      if (inputIndeterminate(el)) s.checked = 'mixed';
      else if (inputChecked(el)) s.checked = true;
    } else if (type === 'range') {
      s.orientation = 'horizontal';
      s.valuemin = Number(attr(el, 'min')) || 0;
      s.valuemax = has(el, 'max') ? Number(attr(el, 'max')) : 100;
    } else if (type === 'number') {
      if (has(el, 'min')) s.valuemin = Number(attr(el, 'min'));
      if (has(el, 'max')) s.valuemax = Number(attr(el, 'max'));
    } else if (type === 'file') {
      if (has(el, 'multiple')) s.multiselectable = true;
    } else if (role === 'combobox' && has(el, 'list')) {
      s.autocomplete = 'list';
      s.haspopup = 'menu';
    }
  }

  function liveStates(el, role, polite, s) {
    s.live = polite;
    if (role !== 'log') s.atomic = true;
    s.relevant = 'additions text';
  }

  function hasAria(el) {
    for (const name of attributeNames(el)) if (name.startsWith('aria-')) return true;
    return false;
  }

  function ariaStates(el, role, s) {
    if (attr(el, 'aria-disabled') === 'true') s.disabled = true;
    if (attr(el, 'aria-busy') === 'true') s.busy = true;
    if (attr(el, 'aria-required') === 'true') s.required = true;
    if (attr(el, 'aria-readonly') === 'true') s.readonly = true;
    if (attr(el, 'aria-selected') === 'true') s.selected = true;
    if (attr(el, 'aria-multiselectable') === 'true') s.multiselectable = true;
    if (attr(el, 'aria-multiline') === 'true') s.multiline = true;
    if (attr(el, 'aria-modal') === 'true') s.modal = true;
    if (has(el, 'aria-expanded')) expands(s, attr(el, 'aria-expanded') === 'true');
    const checked = checkable.has(role) && !isInput(el) && attr(el, 'aria-checked');
    if (checked === 'true') s.checked = true;
    if (attr(el, 'aria-checked') === 'mixed' && checkable.has(role)) s.checked = 'mixed';
    const pressed = attr(el, 'aria-pressed');
    if (pressed === 'true') s.pressed = true;
    if (pressed === 'mixed') s.pressed = 'mixed';
    const popup = attr(el, 'aria-haspopup');
    if (popup && popup !== 'false') s.haspopup = popups.has(popup) ? popup : 'menu';
    const invalid = attr(el, 'aria-invalid');
    if (invalid && invalid !== 'false') s.invalid = invalid;
    const live = attr(el, 'aria-live');
    if (live && live !== 'off') s.live = live;
    const current = attr(el, 'aria-current');
    if (current && current !== 'false') s.current = current;
    for (const name of ['level', 'valuemin', 'valuemax', 'valuetext', 'autocomplete', 'orientation', 'roledescription', 'keyshortcuts']) {
      const value = attr(el, 'aria-' + name);
      if (value) s[name] = value;
    }
  }

  // ---- What one can act on -----------------------------------------------------------------------------------------

  const acted = set(`button checkbox ColorWell combobox Date DateTime DisclosureTriangle InputTime link listbox menuitem
    menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem`);

  function isEditable(el) {
    return has(el, 'contenteditable') && el instanceof HTMLElement && isContentEditable(el);
  }

  // isActedOn: by its role or what its attributes say. Clickable boxes without either are found by their cursor.
  function isActedOn(el, role) {
    if (acted.has(role)) return true;
    if (!hasAttributes(el)) return false;
    if (has(el, 'onclick') || attr(el, 'draggable') === 'true' || isEditable(el)) return true;
    return has(el, 'tabindex') && parseInt(attr(el, 'tabindex'), 10) >= 0 && !isScrollerOnly(el, role);
  }

  // Dialogs and panels are focusable to hold the keyboard, not to be used.
  const isScrollerOnly = (el, role) => role === 'dialog' || role === 'alertdialog' || role === 'tabpanel' || role === 'main';

  // hiddenControl is the control that people reach only through this label.
  function hiddenControl(label) {
    const control = label instanceof HTMLLabelElement && labelControl(label);
    if (!control) return null;
    if (!isRendered(control)) return control;
    if (!checkVisibility(control, OPAQUE)) return control;
    const r = rectOf(control);
    return r.width <= 1 || r.height <= 1 || r.right + scrollX <= 0 ? control : null;
  }

  // ---- The walk ----------------------------------------------------------------------------------------------------

  const dissolved = set(`generic none paragraph LayoutTable LayoutTableRow LayoutTableCell LineBreak Legend Figcaption caption
    strong emphasis mark insertion deletion subscript superscript code time Abbr Ruby term definition DescriptionList
    rowgroup LabelText SvgRoot suggestion MathMLMath MathMLIdentifier MathMLNumber MathMLOperator MathMLRow MathMLFraction
    MathMLSquareRoot MathMLSup MathMLSub MathMLText`);
  // Worth a line only with a name of their own, or with something in it that one can act on.
  const onlyNamed = set('image group figure Canvas article blockquote separator sectionheader sectionfooter document note');
  const structure = set('table row cell gridcell columnheader rowheader list listitem grid rowgroup');
  const leaves = set(`button checkbox columnheader cell DisclosureTriangle gridcell heading image link listitem menuitem
    menuitemcheckbox menuitemradio meter option progressbar radio row rowheader scrollbar separator slider spinbutton switch tab
    textbox searchbox tooltip treeitem Canvas graphics-symbol`);
  // Their name is their content: told by their children when those are told.
  const looseNames = set('row cell gridcell columnheader rowheader listitem');
  const DEEPEST = 400; // levels, of which each takes some five calls: the stack is about a megabyte

  let walking = null;

  function walk(options) {
    const limit = options.limit || 20000;
    const root = options.root === undefined ? documentElement(doc) : elementFor(options.root);
    walking = {
      left: limit, missing: 0, out: [], buffer: '', depth: 0, flat: Boolean(options.flat), active: deepActive(),
      closed: [], controls: [], hosts: [], acted: 0, pre: false, hush: 0, modal: topModal(),
    };
    observe(doc);
    scopeOf(doc);
    let node = null;
    if (root && options.root === undefined) {
      node = { r: 'RootWebArea', i: idFor(root), n: collapse(titleOf(doc)), u: location.href };
      const start = walking.modal || root;
      fill(node, () => (start === root ? children(start, false, false) : element(start, false, false)));
    } else if (root) {
      element(root, false, false, true);
      flush();
      node = walking.out[0] || null;
    }
    const w = walking;
    walking = null;
    remember(w);
    return { v: currentVersion(), t: titleOf(doc), u: location.href, n: node, k: w.closed, m: w.missing || undefined };
  }

  function deepActive() {
    let el = activeIn(doc);
    while (el && shadowOf(el)) {
      const inner = activeInShadow(shadowOf(el));
      if (!inner) break;
      el = inner;
    }
    return el === bodyOf(doc) ? null : el;
  }

  // fill makes node the one that gets what work emits.
  function fill(node, work) {
    const saved = walking.out;
    walking.out = [];
    work();
    flush();
    if (walking.out.length) node.c = walking.out;
    walking.out = saved;
  }

  function flush() {
    const text = walking.pre ? walking.buffer.replace(/\s+$/, '') : collapse(walking.buffer);
    walking.buffer = '';
    if (text && /[^\s\u200b\ue000-\uf8ff]/.test(text) && take()) walking.out.push({ r: 'text', x: text });
  }

  function take() {
    if (walking.left > 0) return --walking.left >= 0;
    walking.missing++;
    return false;
  }

  // children walks what is in el. inside: something around it is acted on; pointer: the cursor around it is a hand.
  function children(el, inside, pointer, unseen = false) {
    if (walking.depth > DEEPEST || walking.left <= 0) {
      walking.missing += byTagIn(el, '*').length;
      return;
    }
    walking.depth++;
    let style = null, readable = !walking.hush && !unseen;
    const details = isClosed(el);
    for (const node of kidsOf(el)) {
      const type = nodeType(node);
      if (type === TEXT) {
        if (!readable || details) continue;
        const data = dataOf(node);
        if (!style && !isBlank(data)) {
          style = styleOf(el);
          readable = isReadable(el, style);
          if (!readable) continue;
        }
        walking.buffer += style ? transformed(data, style) : data;
      } else if (type === ELEMENT && !(details && tagOf(node) !== 'summary')) {
        element(node, inside, pointer);
      }
    }
    walking.depth--;
  }

  function element(el, inside, pointer, forced = false) {
    const tag = tagOf(el);
    if (tag === 'br') return flush();
    if (notThere.has(tag) && isHTML(el)) return;
    if (!forced && hasAttributes(el) && (attr(el, 'aria-hidden') === 'true' || has(el, 'inert') || attr(el, 'hidden') === 'until-found')) return skip(el);
    if (checkVisibility(el, SEEN)) return visible(el, tag, inside, pointer, forced);
    if (!checkVisibility(el, VISIBLE)) {
      if (isRendered(el)) return visible(el, tag, inside, pointer, forced);
      if (forced || !checkVisibility(el)) return skip(el);
      return children(el, inside, pointer, true); // hidden by visibility, which what is in it may undo
    }
    walking.hush++; // opacity: it is there and can be clicked, but not read
    visible(el, tag, inside, pointer, forced);
    walking.hush--;
  }

  function visible(el, tag, inside, pointer, forced) {
    if (walking.left <= 0) {
      walking.missing += 1 + byTagIn(el, '*').length;
      return;
    }
    lookForClosedRoot(el, tag);
    const role = roleOf(el);
    let acts = isActedOn(el, role);
    if (role === 'LabelText' || tag === 'label') return label(el, inside, pointer);
    if (!acts && !forced && (dissolved.has(role) || (walking.flat && structure.has(role)))) return box(el, tag, role, inside, pointer);
    node(el, tag, role, acts, inside, pointer);
  }

  // skip passes over what nobody sees, but for file inputs, which pages hide and agents need.
  function skip(el) {
    const files = scopeOf(rootOf(el)).hiddenFiles.get(el);
    for (const input of files || []) hiddenFile(input);
  }

  function hiddenFile(input) {
    if (walking.modal && !isInside(input, walking.modal)) return;
    flush();
    if (!take()) return;
    const n = { i: idFor(input), r: 'button', n: nameOf(input) || undefined, v: valueOf(input, 'button'), a: 1, s: statesOf(input, 'button', walking.active) };
    n.s.hidden = true;
    walking.out.push(n);
    walking.controls.push(input);
  }

  // box is an element that means nothing by itself: only what is in it is told, unless it turns out to be clickable.
  function box(el, tag, role, inside, pointer) {
    const style = styleOf(el), display = style.display;
    const hushes = hidesItsText(el, style, display);
    const hand = !inside && style.cursor === 'pointer';
    if (hushes) walking.hush++;
    if (hand && !pointer && tag !== 'body' && tag !== 'html') {
      node(el, tag, role, true, inside, true);
    } else if (display === 'inline' || display === 'contents') {
      if (tag === 'q') walking.buffer += '“';
      children(el, inside, hand);
      if (tag === 'q') walking.buffer += '”';
    } else if (display.startsWith('inline') || display === 'ruby') {
      walking.buffer += ' ';
      children(el, inside, hand);
      walking.buffer += ' ';
    } else {
      block(el, tag === 'pre', inside, hand);
    }
    if (hushes) walking.hush--;
  }

  // block stands apart from the text around it.
  function block(el, pre, inside, hand) {
    flush();
    const was = walking.pre;
    walking.pre ||= pre;
    children(el, inside, hand);
    flush();
    walking.pre = was;
  }

  // label: its text is told by its control's name, unless the control itself cannot be seen.
  function label(el, inside, pointer) {
    const hidden = inside ? null : hiddenControl(el);
    if (hidden) return node(el, 'label', 'LabelText', true, inside, pointer);
    const control = el instanceof HTMLLabelElement && labelControl(el);
    flush();
    const from = walking.out.length;
    children(el, inside, true);
    flush();
    if (!control || !isShown(control)) return;
    const name = nameOf(control);
    const kept = walking.out.splice(from).filter((n) => !(n.r === 'text' && name.includes(n.x)));
    walking.out.push(...kept);
  }

  function node(el, tag, role, acts, inside, pointer) {
    const loose = looseNames.has(role);
    let name = loose && !hasAttributes(el) ? '' : role === 'LabelText' ? textOfLabel(el) : nameOf(el);
    flush();
    if (!take()) {
      walking.missing += byTagIn(el, '*').length;
      return;
    }
    const n = { i: idFor(el), r: role };
    if (acts) n.a = 1;
    if (tag === 'iframe' || tag === 'frame') n.f = 1;
    const value = valueOf(el, role);
    const before = walking.acted;
    const told = hasNoInside(el, tag, role, value, leaves.has(role) ? name : '');
    if (!told) fill(n, () => content(el, tag, role, inside || (acts && role !== 'generic'), pointer));
    const busy = walking.acted > before;
    if (acts || n.f) walking.acted++;
    settleName(el, n, role, name, busy, loose, acts);
    if (!n.c && !n.n && !acts && !n.f && onlyNamed.has(role)) return giveBack();
    if (onlyNamed.has(role) && !n.n && !acts && role !== 'image') return dissolve(n);
    const description = descriptionOf(el, n.n || '');
    if (description && description !== n.n) n.d = description;
    if (value !== undefined && value !== '') n.v = value;
    const url = urlOf(el, tag);
    if (url) n.u = url;
    n.s = statesOf(el, role, walking.active);
    if (isEmpty(n.s)) delete n.s;
    if (isControl(el, tag)) walking.controls.push(el);
    if (value !== undefined && tag === 'input' && inputType(el) === 'file' && !checkVisibility(el, OPAQUE)) (n.s ||= {}).hidden = true;
    walking.out.push(n);
  }

  const giveBack = () => void walking.left++;
  const isControl = (el, tag) => (tag === 'input' || tag === 'textarea' || tag === 'select') && isHTML(el);

  function isEmpty(object) {
    for (const _ in object) return false;
    return true;
  }

  function dissolve(n) {
    giveBack();
    if (n.c) walking.out.push(...n.c);
  }

  // hasNoInside: nothing below it could add to what is told of it.
  function hasNoInside(el, tag, role, value, name) {
    if (tag === 'input' || tag === 'textarea' || tag === 'iframe' || tag === 'frame' || tag === 'img' || tag === 'option') return true;
    if (value !== undefined && typedInto.has(role) && !firstElementChild(el)) return true;
    // Named by the one text in it.
    return Boolean(name) && !firstElementChild(el) && !pass.owning && !shadowOf(el) && !isSlot(el);
  }

  function content(el, tag, role, inside, pointer) {
    if (tag === 'svg') return svgContent(el, inside, pointer);
    if (tag === 'audio' || tag === 'video' || tag === 'canvas' || tag === 'object') return;
    const style = styleOf(el);
    const hushes = hidesItsText(el, style, style.display);
    if (hushes) walking.hush++;
    children(el, inside, pointer || (!inside && style.cursor === 'pointer'));
    if (hushes) walking.hush--;
  }

  const svgContent = (el, inside, pointer) => svgSpeaks(el) && children(el, inside, pointer);

  // settleName keeps name and children from telling the same twice.
  function settleName(el, n, role, name, busy, loose, acts) {
    if (leaves.has(role) && !busy) {
      if (loose && !name) name = n.c && n.c.some((c) => c.r !== 'text') ? '' : textOf(n);
      if (name) giveBackAll(n);
    } else if (loose && !attrOf(el, 'aria-label') && !has(el, 'aria-labelledby')) {
      name = '';
    } else if (!name && acts && n.c && n.c.every((c) => c.r === 'text')) {
      name = textOf(n);
      giveBackAll(n);
    }
    if (name) n.n = name;
    if (n.c && name) dropEcho(n, name);
  }

  // dropEcho takes out the legend or caption that gave the name.
  function dropEcho(n, name) {
    const kept = n.c.filter((c) => (n.r === 'LabelText' ? !c.x || !name.includes(c.x) : c.x !== name));
    walking.left += n.c.length - kept.length;
    if (kept.length) n.c = kept;
    else delete n.c;
  }

  const textOf = (n) => (n.c || []).map((c) => c.x || '').join(' ').trim();

  function giveBackAll(n) {
    if (!n.c) return;
    walking.left += n.c.length;
    delete n.c;
  }

  function urlOf(el, tag) {
    let url = '';
    if (tag === 'a') url = isHTML(el) ? (has(el, 'href') ? anchorHref(el) : '') : resolved(attr(el, 'href') || attr(el, 'xlink:href'));
    else if (tag === 'area' && isHTML(el)) url = areaHref(el);
    else if (tag === 'img' && isHTML(el)) url = imageSrc(el);
    return url.startsWith('data:') ? '' : url;
  }

  function resolved(url) {
    try {
      return url ? new URL(url, baseURI(doc)).href : '';
    } catch {
      return url;
    }
  }

  // ---- Closed shadow roots -----------------------------------------------------------------------------------------

  const hosts = set('article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

  // lookForClosedRoot notes elements that show something which is not in their light tree.
  function lookForClosedRoot(el, tag) {
    const custom = tag.includes('-') && isHTML(el);
    if (!custom && (!hosts.has(tag) || firstChild(el) !== null)) {
      if (!hosts.has(tag) || firstElementChild(el) === null || !couldHostSilently(el)) return;
    }
    if (shadowOf(el)) return;
    if (custom) walking.hosts.push(el);
    if (asked.has(el)) return;
    if (!custom && (clientHeight(el) === 0 || clientWidth(el) === 0)) return;
    walking.closed.push(idFor(el));
  }

  // couldHostSilently: it has children, none of which is rendered, and still takes up room.
  function couldHostSilently(el) {
    for (let n = firstChild(el); n; n = nextSibling(n)) {
      if (nodeType(n) === TEXT ? !isBlank(dataOf(n)) : isElement(n) && checkVisibility(n)) return false;
    }
    return clientHeight(el) > 0;
  }

  function adopt(host, root) {
    adopted.set(host, root);
    anyAdopted = true;
    asked.add(host);
    observe(root);
    bump();
  }

  // ---- Version: has anything changed? --------------------------------------------------------------------------------

  let version = 1;
  let known = { controls: [], hosts: [], href: '', active: null, width: 0, height: 0 };
  const observed = new WeakSet();
  const roots = new Set();
  const bump = () => void version++;

  const observer = new MutationObserver(seen);
  function seen(records) {
    if (!records.length) return;
    bump();
    for (const record of records) asked.delete(record.target);
  }

  function observe(root) {
    if (observed.has(root)) return;
    observed.add(root);
    if (root !== doc) {
      roots.add(new WeakRef(root));
      // These two stay within their tree when what they speak of is in it.
      for (const name of ['slotchange', 'toggle']) root.addEventListener(name, bump, { capture: true, passive: true });
    }
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
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
      case 'password':
        return hash(inputValue(el)); // the value itself is not kept anywhere
    }
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

  // ---- The API -----------------------------------------------------------------------------------------------------

  function describe(id) {
    const el = elementFor(id);
    if (!el) return null;
    scopeOf(rootOf(el));
    const role = roleOf(el), name = nameOf(el), states = statesOf(el, role, deepActive());
    const told = { role, name, tag: tagOf(el), shown: isShown(el), acts: isActedOn(el, role), ...states };
    if (isInput(el)) told.type = inputType(el);
    const description = descriptionOf(el, name), value = valueOf(el, role);
    if (description) told.description = description;
    if (value !== undefined) told.value = value;
    if (!name) told.text = textIn(el).slice(0, 200);
    if (el instanceof HTMLSelectElement) told.multiple = has(el, 'multiple');
    if (isEditable(el)) told.editable = true;
    return told;
  }

  function find(role, name) {
    const found = [];
    const look = (root) => {
      scopeOf(root);
      for (const el of queryAll(root, '*')) {
        const shadow = shadowOf(el);
        if (shadow) look(shadow);
        if (roleOf(el) !== role || !isShown(el)) continue;
        const own = nameOf(el) || (role === 'generic' || role === 'LabelText' ? textIn(el) : '');
        if (own === name) found.push(idFor(el));
      }
    };
    look(doc);
    return found;
  }

  const cove = {
    walk: (options) => JSON.stringify(during(() => walk(options || {}))),
    version: versionNow,
    get: elementFor,
    id: idFor,
    find: (role, name) => during(() => find(role, name)),
    describe: (id) => during(() => describe(id)),
    adopt,
    asked: (ids) => ids.forEach((id) => elementOfId.get(id)?.deref() && asked.add(elementOfId.get(id).deref())),
  };
  Object.defineProperty(globalThis, 'cove', { value: Object.freeze(cove) });
  observe(doc);
})();
