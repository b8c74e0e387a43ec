// What the scripts find in their world beyond the DOM of TypeScript.

// sensitive judges fields: the table of package sensitive. The walker gets it in front of its bundle.
declare const sensitive: {
  readonly field: (type: string, autocomplete: string, name: string, id: string) => string
  readonly hidden: (kind: string) => boolean
  readonly paymentHost: (host: string) => boolean
}

interface CSSStyleDeclaration {
  readonly webkitTextSecurity: string
}

interface HTMLElement {
  readonly editContext?: object | null
}
