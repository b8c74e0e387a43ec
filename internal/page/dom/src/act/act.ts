// act is what the keeper calls to act on elements. It is installed in the isolated world of a frame, beside the walker.
import { aim, content, drawn, moved, seek, stopped, through } from './aim.ts'
import { box, files, has } from './find.ts'
import { offers, picked, scrollList } from './list.ts'
import { options, pick, pointed, selection } from './person.ts'
import { tick, watch } from './press.ts'
import { assessClick, assessFill, assessKey, filledKind } from './risk.ts'
import { fillSecret, origin } from './secret.ts'
import { focused, prepare, read, ready, secret, set } from './text.ts'
import { branch, choose, chosen, kind, steps } from './value.ts'
import { dragged, fetching, scene, scrolls, unchanged } from './watch.ts'

const act = {
  aim,
  assessClick,
  assessFill,
  assessKey,
  box,
  branch,
  choose,
  chosen,
  content,
  dragged,
  drawn,
  fetching,
  filledKind,
  files,
  fillSecret,
  focused,
  has,
  kind,
  moved,
  offers,
  options,
  origin,
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
  seek,
  selection,
  set,
  steps,
  stopped,
  through,
  tick,
  unchanged,
  watch,
}

Object.defineProperty(globalThis, 'act', { value: Object.freeze(act) })
