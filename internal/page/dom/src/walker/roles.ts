// Roles as Chromium's accessibility tree has them, from ARIA, HTML-AAM and SVG-AAM.
import { isSpecial, parentOf, pass, scopeOf, styleOf } from './dom.ts'
import { contentOfReference, rawText, references } from './names.ts'
import {
  MATH,
  SVG,
  attr,
  attrOf,
  closest,
  contains,
  doc,
  firstChild,
  firstElementChild,
  has,
  inputList,
  inputType,
  isContentEditable,
  isHTML,
  isInput,
  labelControl,
  matches,
  namespaceOf,
  nextElementSibling,
  parentNode,
  queryAllIn,
  queryIn,
  rootOf,
  set,
  tabIndexOf,
  tagOf,
  words,
} from '../native.ts'

// ---- Roles --------------------------------------------------------------------------------------------------------

const ariaRoles = new Map(
  words(`alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox complementary contentinfo definition deletion dialog document emphasis feed figure form
  generic grid
  gridcell group heading insertion link list listbox listitem log main mark marquee math menu menubar menuitem
  menuitemcheckbox menuitemradio meter navigation none note option paragraph progressbar radio radiogroup region row
  rowgroup
  rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript
  switch tab
  table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem sectionheader sectionfooter
  doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography
  doc-biblioref
  doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes
  doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index
  doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface
  doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc graphics-document graphics-object
  graphics-symbol`).map(r => [r, r]),
)
for (const [from, to] of [
  ['img', 'image'],
  ['image', 'image'],
  ['directory', 'list'],
  ['presentation', 'none'],
])
  ariaRoles.set(from, to)

const tagRoles = new Map(
  Object.entries({
    a: 'generic',
    abbr: 'Abbr',
    address: 'group',
    article: 'article',
    audio: 'Audio',
    blockquote: 'blockquote',
    br: 'LineBreak',
    button: 'button',
    caption: 'caption',
    code: 'code',
    dd: 'definition',
    del: 'deletion',
    details: 'group',
    dfn: 'term',
    dialog: 'dialog',
    dl: 'DescriptionList',
    dt: 'term',
    em: 'emphasis',
    fieldset: 'group',
    figcaption: 'Figcaption',
    figure: 'figure',
    form: 'form',
    frame: 'Iframe',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    hgroup: 'group',
    hr: 'separator',
    iframe: 'Iframe',
    ins: 'insertion',
    label: 'LabelText',
    legend: 'Legend',
    li: 'listitem',
    main: 'main',
    mark: 'mark',
    menu: 'list',
    meter: 'meter',
    nav: 'navigation',
    object: 'PluginObject',
    ol: 'list',
    optgroup: 'group',
    option: 'option',
    output: 'status',
    p: 'paragraph',
    progress: 'progressbar',
    ruby: 'Ruby',
    s: 'deletion',
    search: 'search',
    strong: 'strong',
    sub: 'subscript',
    sup: 'superscript',
    textarea: 'textbox',
    time: 'time',
    ul: 'list',
    video: 'Video',
  }),
)

const inputRoles = new Map(
  Object.entries({
    button: 'button',
    checkbox: 'checkbox',
    color: 'ColorWell',
    date: 'Date',
    'datetime-local': 'DateTime',
    file: 'button',
    hidden: 'none',
    image: 'button',
    month: 'DateTime',
    number: 'spinbutton',
    radio: 'radio',
    range: 'slider',
    reset: 'button',
    search: 'searchbox',
    submit: 'button',
    time: 'InputTime',
    week: 'DateTime',
  }),
)

const mathRoles = new Map(
  Object.entries({
    math: 'MathMLMath',
    mi: 'MathMLIdentifier',
    mn: 'MathMLNumber',
    mo: 'MathMLOperator',
    mrow: 'MathMLRow',
    mfrac: 'MathMLFraction',
    msqrt: 'MathMLSquareRoot',
    msup: 'MathMLSup',
    msub: 'MathMLSub',
    mtext: 'MathMLText',
  }),
)

const globalAria =
  words(`aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description aria-details
  aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns
  aria-relevant
  aria-roledescription`)
export const notThere = set(
  'head script style template noscript title meta link base param source track datalist rp rt colgroup col',
)

export function roleOf(el: Element): string {
  let role: string | null | undefined = pass.roles.get(el)
  if (role === undefined) {
    if (isSpecial(el)) {
      pass.roles.set(el, 'generic') // what a circle of references finds
      role = has(el, 'role') ? ariaRole(el) : null
    }
    pass.roles.set(el, (role ||= nativeRole(el)))
  }
  return role
}

function ariaRole(el: Element): string | null {
  for (const word of words(attrOf(el, 'role').toLowerCase())) {
    const role = ariaRoles.get(word)
    if (!role) continue
    switch (role) {
      case 'none':
        return isNeeded(el) ? null : 'none'
      case 'form':
      case 'region':
        if (!hasAuthorName(el)) continue
        return role
      case 'listitem':
        if (!within(el, 'list')) continue
        return role
      case 'option':
        if (!within(el, 'listbox', 'group')) continue
        return role
      case 'treeitem':
        if (!within(el, 'tree', 'group', 'treeitem')) continue
        return role
    }
    return role
  }
  return null
}

// isNeeded: role=none gives way where people could not do without the element.
function isNeeded(el: Element) {
  return isFocusable(el) || globalAria.some(name => has(el, name))
}

function isFocusable(el: Element) {
  if (has(el, 'tabindex')) return !Number.isNaN(parseInt(attrOf(el, 'tabindex'), 10)) && !isDisabled(el)
  return el instanceof HTMLElement && tabIndexOf(el) >= 0 && !isDisabled(el)
}

export const isDisabled = (el: Element) => isHTML(el) && matches(el, ':disabled')

// within asks the nearest ancestor that means something.
export function within(el: Element, ...roles: string[]): boolean {
  const owner = scopeOf(rootOf(el)).owned.get(el)
  for (let e = owner || parentOf(el); e; e = parentOf(e)) {
    const role = roleOf(e)
    if (role !== 'generic' && role !== 'none') return roles.includes(role)
  }
  return false
}

export function hasAuthorName(el: Element) {
  if (attrOf(el, 'aria-label').trim() || attrOf(el, 'title').trim()) return true
  return references(el).some(ref => contentOfReference(ref))
}

function nativeRole(el: Element): string {
  const ns = namespaceOf(el),
    tag = tagOf(el)
  if (ns === SVG) return svgRole(el, tag)
  if (ns === MATH) return mathRoles.get(tag) || 'generic'
  switch (tag) {
    case 'div':
      return isSpecial(el) && has(el, 'draggable') ? 'group' : 'generic'
    case 'span':
    case 'b':
    case 'i':
      return 'generic'
    case 'a':
      return has(el, 'href') || has(el, 'onclick') ? 'link' : 'generic'
    case 'area':
      return has(el, 'href') ? 'link' : 'none'
    case 'li':
      return isPresentational(parentOf(el)) ? 'none' : 'listitem'
    case 'input':
      return isInput(el) ? inputRole(el) : 'generic'
    case 'select':
      return has(el, 'multiple') || Number(attr(el, 'size')) > 1
        ? attr(el, 'size') === '1'
          ? 'combobox'
          : 'listbox'
        : 'combobox'
    case 'img':
      return attr(el, 'alt') === '' && !has(el, 'title') && !isNeeded(el) ? 'none' : 'image'
    case 'header':
      return isScoped(el) ? 'sectionheader' : 'banner'
    case 'footer':
      return isScoped(el) ? 'sectionfooter' : 'contentinfo'
    case 'section':
      return hasAuthorName(el) ? 'region' : 'generic'
    case 'aside':
      return isInSection(el) && !hasAuthorName(el) ? 'generic' : 'complementary'
    case 'summary':
      return parentNode(el) instanceof HTMLDetailsElement ? 'DisclosureTriangle' : 'generic'
    case 'label':
      return labelRole(el)
    case 'canvas':
      return firstChild(el) || isNeeded(el) || has(el, 'title') ? 'Canvas' : 'none'
    case 'audio':
      return has(el, 'controls') ? 'Audio' : 'none'
    case 'html':
      return parentNode(el) === doc ? 'none' : 'generic'
    case 'table':
    case 'thead':
    case 'tbody':
    case 'tfoot':
    case 'tr':
    case 'td':
    case 'th':
      return tableRole(el, tag)
  }
  if (notThere.has(tag)) return 'none'
  return tagRoles.get(tag) || 'generic'
}

const isPresentational = (el: Element | null): boolean => el !== null && roleOf(el) === 'none' && has(el, 'role')

function inputRole(el: Element) {
  const type = inputType(el)
  if (
    has(el, 'list') &&
    !['range', 'color', 'checkbox', 'radio', 'file', 'hidden', 'submit', 'reset', 'image', 'button'].includes(type) &&
    inputList(el)
  )
    return 'combobox'
  return inputRoles.get(type) || 'textbox'
}

function labelRole(el: Element) {
  const control = el instanceof HTMLLabelElement ? labelControl(el) : null
  // A checkbox's or radio button's label is nothing but its name.
  return control && isInput(control) && ['checkbox', 'radio'].includes(inputType(control)) && contains(el, control)
    ? 'none'
    : 'LabelText'
}

function isScoped(el: Element) {
  for (let e = parentOf(el); e; e = parentOf(e)) {
    if (has(e, 'role')) {
      if (['article', 'complementary', 'main', 'navigation'].includes(roleOf(e))) return true
      if (roleOf(e) !== 'region') continue
    }
    if (isHTML(e) && ['article', 'aside', 'main', 'nav', 'section'].includes(tagOf(e))) return true
  }
  return false
}

function isInSection(el: Element) {
  for (let e = parentOf(el); e; e = parentOf(e)) {
    if (['article', 'aside', 'nav', 'section'].includes(tagOf(e))) return true
    if (has(e, 'role') && ['article', 'complementary', 'navigation'].includes(roleOf(e))) return true
  }
  return false
}

function svgRole(el: Element, tag: string) {
  switch (tag) {
    case 'svg':
      return svgSpeaks(el) ? 'SvgRoot' : 'image'
    case 'a':
      return has(el, 'href') || has(el, 'xlink:href') ? 'link' : 'generic'
    case 'title':
    case 'desc':
    case 'defs':
    case 'symbol':
    case 'style':
    case 'script':
      return 'none'
    case 'g':
      return svgNamed(el) ? 'group' : 'none'
    case 'text':
    case 'foreignObject':
      return 'generic'
    case 'image':
      return svgNamed(el) ? 'image' : 'none'
  }
  return svgNamed(el) ? 'graphics-symbol' : 'none'
}

const svgNamed = (el: Element) =>
  has(el, 'aria-label') || has(el, 'aria-labelledby') || has(el, 'tabindex') || Boolean(svgTitle(el))
export const svgSpeaks = (el: Element) =>
  Boolean(
    queryIn(el, 'text, a, foreignObject, [role], [aria-label], [tabindex], :not(symbol) > title:not(:scope > title)'),
  )

export function svgTitle(el: Element) {
  for (let e = firstElementChild(el); e; e = nextElementSibling(e))
    if (tagOf(e) === 'title' && namespaceOf(e) === SVG) return rawText(e)
  return ''
}

// ---- Tables -------------------------------------------------------------------------------------------------------

function tableRole(el: Element, tag: string) {
  const table = tag === 'table' ? el : closest(el, 'table')
  const kind = table ? tableKind(table) : 'generic'
  if (kind === 'none' || kind === 'generic') return tag === 'td' || tag === 'th' ? 'generic' : kind
  const layout = kind === 'LayoutTable'
  switch (tag) {
    case 'table':
      return kind
    case 'thead':
    case 'tfoot':
      return layout ? 'none' : 'rowgroup'
    case 'tbody':
      return 'none'
    case 'tr':
      return layout ? 'LayoutTableRow' : 'row'
    case 'th':
      return layout ? 'LayoutTableCell' : headerRole(el)
  }
  return layout ? 'LayoutTableCell' : kind === 'grid' || kind === 'treegrid' ? 'gridcell' : 'cell'
}

function headerRole(el: Element) {
  const scope = attrOf(el, 'scope').toLowerCase()
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader'
  if (scope === 'col' || scope === 'colgroup') return 'columnheader'
  const row = parentNode(el)
  if (row && closest(row, 'thead')) return 'columnheader'
  for (let e: Element | null = row && firstElementChild(row); e; e = nextElementSibling(e))
    if (tagOf(e) === 'td') return 'rowheader'
  return 'columnheader'
}

function tableKind(table: Element): string {
  let kind = pass.tables.get(table)
  if (kind) return kind
  const role = has(table, 'role') ? ariaRole(table) : null
  kind = role
    ? ['table', 'grid', 'treegrid', 'none'].includes(role)
      ? role
      : 'generic'
    : isDataTable(table)
      ? 'table'
      : 'LayoutTable'
  pass.tables.set(table, kind)
  return kind
}

// isDataTable follows the signs by which Chromium tells a table of data from one that only places things.
function isDataTable(table: Element) {
  if (isContentEditable(table)) return true
  if (has(table, 'summary') || has(table, 'rules') || Number(attr(table, 'border')) > 0) return true
  for (let e = firstElementChild(table); e; e = nextElementSibling(e))
    if (['caption', 'thead', 'tfoot', 'col', 'colgroup'].includes(tagOf(e))) return true
  let rows = 0,
    cells = 0,
    bordered = 0
  for (const row of queryAllIn(table, ':scope > tbody > tr, :scope > tr')) {
    if (++rows >= 20) return true
    for (let cell = firstElementChild(row); cell; cell = nextElementSibling(cell)) {
      if (tagOf(cell) === 'th' || has(cell, 'headers') || has(cell, 'scope') || has(cell, 'abbr')) return true
      if (++cells > 40) continue
      const style = styleOf(cell)
      if (style.borderTopWidth !== '0px' || style.borderLeftWidth !== '0px') bordered++
    }
  }
  return cells > 1 && bordered * 2 >= Math.min(cells, 40)
}
