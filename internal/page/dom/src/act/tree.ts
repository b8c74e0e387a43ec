// The tree as it is drawn: through slots and shadow roots.
import { assignedSlot, getter, parentNode, queryAll, queryAllIn } from '../native.ts'
import { cove } from './cove.ts'

const textSlot = getter(Text, 'assignedSlot')

function slotOf(node: Node): Element | null {
  if (node instanceof Element) return assignedSlot(node)
  return node instanceof Text ? textSlot(node) : null
}

// up is the parent in the tree as it is drawn.
export const up = (node: Node): Node | null =>
  slotOf(node) ?? parentNode(node) ?? (node instanceof ShadowRoot ? node.host : null)

// within: node is ancestor, or inside of it.
export function within(node: Node | null, ancestor: Node | null): boolean {
  for (let n = node; n; n = up(n)) if (n === ancestor) return true
  return false
}

const query = (root: Node, selector: string): Iterable<Element> =>
  root instanceof Element ? queryAllIn(root, selector) : queryAll(root, selector)

// roots are all shadow roots below.
export function roots(root: Node, found: ShadowRoot[] = []): ShadowRoot[] {
  for (const el of query(root, '*')) {
    const inner = cove.root(el)
    if (inner) {
      found.push(inner)
      roots(inner, found)
    }
  }
  return found
}

// every is what a selector finds in the document and in its shadow roots.
export const every = (root: Node, selector: string): Element[] =>
  [root, ...roots(root)].flatMap(r => [...query(r, selector)])
