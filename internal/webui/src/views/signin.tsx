// Shown to whoever has no right to see more: how to get it.
import { CopyButton } from '../parts/button.tsx'
import * as state from '../store/state.ts'
import { t } from '../strings.ts'

export const SignIn = () => (
  <main id="main" class="alone">
    <div class="card">
      <h1 class="brand">
        <i aria-hidden="true" />
        {t.name}
      </h1>
      {state.refused.value && (
        <p class="error all" role="alert">
          {state.refused.value}
        </p>
      )}
      <p>{t.signin.text}</p>
      <div class="command">
        <pre>
          <code>{t.commands.ui}</code>
        </pre>
        <CopyButton text={t.commands.ui} label={t.parts.copyCommand} />
      </div>
      <p class="dim">
        {t.signin.once} <code>{t.commands.up}</code> {t.signin.byItself}
      </p>
      <p>
        <a href="/docs">{t.signin.docs}</a>
      </p>
    </div>
  </main>
)
