// The DOM, out of the page's reach.
//
// <input name=children> shadows form.children in every world, and <img name=body> document.body: only functions
// taken from the prototypes tell the truth.

// uncurry makes of a method a function whose first argument is what it is called on.
const uncurry = (f: unknown): unknown => Function.prototype.call.bind(f as () => void)

type Uncurried<F> = F extends (...args: infer A) => infer R ? (on: EventTarget, ...args: A) => R : never

// method is a method of an interface. Called on a node of another interface, it throws.
/* @__NO_SIDE_EFFECTS__ */
export const method = <T extends object, K extends keyof T>(type: { prototype: T }, name: K): Uncurried<T[K]> =>
  uncurry(descriptor(type, name).value) as Uncurried<T[K]>

// Found is a property's functions.
type Found = { readonly get?: unknown; readonly set?: unknown; readonly value?: unknown }

// descriptor finds a property on the prototypes of an interface.
function descriptor(type: { prototype: object }, name: PropertyKey): Found {
  for (let p: unknown = type.prototype; p; p = Object.getPrototypeOf(p)) {
    const found = Object.getOwnPropertyDescriptor(p, name)
    if (found) return found
  }
  throw new TypeError(`no property ${String(name)}`)
}

// getter reads a property of an interface. Called with a node of another interface, it throws.
/* @__NO_SIDE_EFFECTS__ */
export const getter = <T extends object, K extends keyof T>(
  type: { prototype: T },
  name: K,
): ((of: EventTarget) => T[K]) => uncurry(descriptor(type, name).get) as (of: EventTarget) => T[K]

// setter writes a property of an interface.
/* @__NO_SIDE_EFFECTS__ */
export const setter = <T extends object, K extends keyof T>(
  type: { prototype: T },
  name: K,
): ((of: EventTarget, value: T[K]) => void) =>
  uncurry(descriptor(type, name).set) as (of: EventTarget, value: T[K]) => void

export const nodeType = getter(Node, 'nodeType')
export const firstChild = getter(Node, 'firstChild')
export const nextSibling = getter(Node, 'nextSibling')
export const parentNode = getter(Node, 'parentNode')
export const isConnected = getter(Node, 'isConnected')
export const rootOf = method(Node, 'getRootNode')
export const contains = method(Node, 'contains')
export const dataOf = getter(CharacterData, 'data')
export const tagOf = getter(Element, 'localName')
export const namespaceOf = getter(Element, 'namespaceURI')
export const shadowRootOf = getter(Element, 'shadowRoot')
export const assignedSlot = getter(Element, 'assignedSlot')
export const firstElementChild = getter(Element, 'firstElementChild')
export const nextElementSibling = getter(Element, 'nextElementSibling')
export const attr = method(Element, 'getAttribute')
export const has = method(Element, 'hasAttribute')
export const hasAttributes = method(Element, 'hasAttributes')
export const attributeNames = method(Element, 'getAttributeNames')
export const matches = method(Element, 'matches')
export const closest = method(Element, 'closest')
export const checkVisibility = method(Element, 'checkVisibility')
export const animationsOf = method(Element, 'getAnimations')
export const rectOf = method(Element, 'getBoundingClientRect')
export const clientHeight = getter(Element, 'clientHeight')
export const clientWidth = getter(Element, 'clientWidth')
export const queryIn = method(Element, 'querySelector')
export const queryAllIn = method(Element, 'querySelectorAll')
export const byTagIn = method(Element, 'getElementsByTagName')
export const labelledByElements = getter(Element, 'ariaLabelledByElements')
export const describedByElements = getter(Element, 'ariaDescribedByElements')
export const tabIndexOf = getter(HTMLElement, 'tabIndex')
export const isContentEditable = getter(HTMLElement, 'isContentEditable')
export const assignedNodes = method(HTMLSlotElement, 'assignedNodes')
export const labelControl = getter(HTMLLabelElement, 'control')
export const inputType = getter(HTMLInputElement, 'type')
export const inputValue = getter(HTMLInputElement, 'value')
export const inputFault = getter(HTMLInputElement, 'validationMessage')
export const selectFault = getter(HTMLSelectElement, 'validationMessage')
export const areaFault = getter(HTMLTextAreaElement, 'validationMessage')
export const inputChecked = getter(HTMLInputElement, 'checked')
export const inputIndeterminate = getter(HTMLInputElement, 'indeterminate')
export const inputList = getter(HTMLInputElement, 'list')
export const areaValue = getter(HTMLTextAreaElement, 'value')
export const selectIndex = getter(HTMLSelectElement, 'selectedIndex')
export const selectedOptions = getter(HTMLSelectElement, 'selectedOptions')
export const optionSelected = getter(HTMLOptionElement, 'selected')
export const optionLabel = getter(HTMLOptionElement, 'label')
export const anchorHref = getter(HTMLAnchorElement, 'href')
export const areaHref = getter(HTMLAreaElement, 'href')
export const imageSrc = getter(HTMLImageElement, 'src')
export const frameSrc = getter(HTMLIFrameElement, 'src')
export const progressPosition = getter(HTMLProgressElement, 'position')
export const progressValue = getter(HTMLProgressElement, 'value')
export const meterValue = getter(HTMLMeterElement, 'value')
export const documentElement = getter(Document, 'documentElement')
export const bodyOf = getter(Document, 'body')
export const titleOf = getter(Document, 'title')
export const typeOf = getter(Document, 'contentType')
export const activeIn = getter(Document, 'activeElement')
export const activeInShadow = getter(ShadowRoot, 'activeElement')
export const documentSheets = getter(Document, 'styleSheets')
export const shadowSheets = getter(ShadowRoot, 'styleSheets')
export const documentAdopted = getter(Document, 'adoptedStyleSheets')
export const shadowAdopted = getter(ShadowRoot, 'adoptedStyleSheets')
export const elementFromPoint = method(Document, 'elementFromPoint')
export const documentAnimations = method(Document, 'getAnimations')
export const documentImages = getter(Document, 'images')
export const visibilityOf = getter(Document, 'visibilityState')
export const scrollerOf = getter(Document, 'scrollingElement')
export const designModeOf = getter(Document, 'designMode')
export const treeWalker = method(Document, 'createTreeWalker')
export const baseURI = getter(Node, 'baseURI')
export const queryDocument = method(Document, 'querySelectorAll')
export const queryFragment = method(DocumentFragment, 'querySelectorAll')
export const idInDocument = method(Document, 'getElementById')
export const idInFragment = method(DocumentFragment, 'getElementById')

export const parentElement = getter(Node, 'parentElement')
export const textContentOf = getter(Node, 'textContent')
export const childNodesOf = getter(Node, 'childNodes')
export const clientRectsOf = method(Element, 'getClientRects')
export const scrollIntoView = method(Element, 'scrollIntoView')
export const scrollHeight = getter(Element, 'scrollHeight')
export const scrollWidth = getter(Element, 'scrollWidth')
export const scrollTop = getter(Element, 'scrollTop')
export const clientTop = getter(Element, 'clientTop')
export const clientLeft = getter(Element, 'clientLeft')
export const scrollBoxTo = method(Element, 'scrollTo') as unknown as (el: Element, to: ScrollToOptions) => void
export const scrollBoxBy = method(Element, 'scrollBy') as unknown as (el: Element, by: ScrollToOptions) => void
export const childrenOf = getter(Element, 'children')
export const offsetWidth = getter(HTMLElement, 'offsetWidth')
export const offsetHeight = getter(HTMLElement, 'offsetHeight')
export const offsetParent = getter(HTMLElement, 'offsetParent')
export const innerTextOf = getter(HTMLElement, 'innerText')
export const editContextOf = (el: HTMLElement): unknown =>
  'EditContext' in globalThis ? getter(HTMLElement, 'editContext')(el) : null
export const dispatch = method(EventTarget, 'dispatchEvent')
const focusHTML = method(HTMLElement, 'focus')
const focusSVG = method(SVGElement, 'focus')

export const doc = document
export const ELEMENT = 1,
  TEXT = 3
export const HTML = 'http://www.w3.org/1999/xhtml',
  SVG = 'http://www.w3.org/2000/svg',
  MATH = 'http://www.w3.org/1998/Math/MathML'

export const isElement = (node: Node): node is Element => nodeType(node) === ELEMENT
export const isHTML = (el: Element): boolean => namespaceOf(el) === HTML
// The interface, not the tag: an <input> in the SVG namespace has no value to get.
export const isInput = (el: Node | null): el is HTMLInputElement => el instanceof HTMLInputElement
export const queryAll = (scope: Node, selector: string): Iterable<Element> & { length: number } =>
  scope instanceof Document
    ? queryDocument(scope, selector)
    : scope instanceof DocumentFragment
      ? queryFragment(scope, selector)
      : []
export const byId = (scope: Node, id: string): Element | null =>
  scope instanceof Document
    ? idInDocument(scope, id)
    : scope instanceof DocumentFragment
      ? idInFragment(scope, id)
      : null
export const words = (text: string | null): string[] => (text ? text.split(/[ \t\n\f\r]+/).filter(Boolean) : [])
export const set = (text: string): Set<string> => new Set(words(text))
export const attrOf = (el: Element, name: string): string => attr(el, name) || ''

// focus puts the focus on an element that can have it.
export function focus(el: Element, options?: FocusOptions): void {
  if (el instanceof HTMLElement) focusHTML(el, options)
  else if (el instanceof SVGElement) focusSVG(el, options)
}

// isEditableHere: text can be written into it, also by what is around it.
export const isEditableHere = (el: Element): boolean => el instanceof HTMLElement && isContentEditable(el)
