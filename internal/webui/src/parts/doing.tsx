// What goes on in an open profile, in one word.
import type { Doing } from '../lib/activity.ts'
import { t } from '../strings.ts'

export const DoingMark = ({ now }: { now: Doing }) => (
  <span class={`doing ${now}`}>
    <b aria-hidden="true" />
    {t.activity.doing[now]}
  </span>
)
