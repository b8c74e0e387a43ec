// act is what the keeper calls to act on elements. It is installed in the isolated world of a frame, beside the walker.
import { aim, content, drawn, moved, seek, stopped, through, want } from './aim.ts'
import { box, files, has } from './find.ts'
import { offers, picked, scrollList } from './list.ts'
import { options, pick, pointed, selection } from './person.ts'
import { tick, watch } from './press.ts'
import { assessClick, assessFill, assessForm, assessKey, filledKind } from './risk.ts'
import { concealBoxes, fillBox, fillSecret, secretBoxes, secretField } from './secret.ts'
import { focused, prepare, read, ready, secret, set } from './text.ts'
import { branch, choose, chosen, kind, steps } from './value.ts'
import { dragged, fetching, scene, scrolls, unchanged } from './watch.ts'

const act = {
  aim,
  assessClick,
  assessFill,
  assessForm,
  assessKey,
  box,
  branch,
  choose,
  chosen,
  concealBoxes,
  content,
  dragged,
  drawn,
  fetching,
  filledKind,
  files,
  fillBox,
  fillSecret,
  focused,
  has,
  kind,
  moved,
  offers,
  options,
  pick,
  picked,
  pointed,
  prepare,
  read,
  ready,
  scene,
  scrollList,
  scrolls,
  secret,
  secretBoxes,
  secretField,
  seek,
  selection,
  set,
  steps,
  stopped,
  through,
  tick,
  unchanged,
  want,
  watch,
}

Object.defineProperty(globalThis, 'act', { value: Object.freeze(act) })
