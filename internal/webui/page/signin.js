// Shown to whoever has no right to see more: how to get it.
import { html } from './html.js'
import { state } from './store.js'
import { CopyButton } from './parts.js'

export function SignIn() {
  return html`<main id="main" class="alone"><div class="card">
    <h1 class="brand"><i aria-hidden="true"></i>Cove</h1>
    ${state.refused && html`<p class="error all" role="alert">${state.refused}</p>`}
    <p>This window belongs to the person at this computer. To sign in, run this in a terminal and open the link that it prints:</p>
    <div class="command"><pre><code>cove ui</code></pre><${CopyButton} text="cove ui" label="Copy the command" /></div>
    <p class="dim">The link works once and for five minutes. <code>cove up</code> opens this window by itself where there is a display.</p>
    <p><a href="/docs">The local API</a></p></div></main>`
}
