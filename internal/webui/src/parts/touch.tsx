// Where agents act and where they wait, over the picture of their tab.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { LiveBox, LivePicture } from '../api/types.ts'
import { ringOf, type Touched } from '../lib/touch.ts'

type OverProps = {
  size: Pick<LivePicture, 'w' | 'h'> // of the window in the picture
  fills?: boolean // the picture fills its frame; else it fits in
}

// Over lies over a picture in the units of its window.
const Over = ({ size, fills, kind, children }: OverProps & { kind: string; children: ComponentChildren }) => (
  <svg
    class={`over ${kind}`}
    aria-hidden="true"
    viewBox={`0 0 ${size.w} ${size.h}`}
    preserveAspectRatio={`xMidYMin ${fills ? 'slice' : 'meet'}`}
  >
    {children}
  </svg>
)

const Ring = ({ box, size: { w, h } }: { box: LiveBox; size: OverProps['size'] }) => (
  <>
    <rect class="halo" rx="8" {...ringOf(box, w, h)} />
    <rect rx="8" {...ringOf(box, w, h)} />
  </>
)

// Touch shows for a moment which element an agent touches, and its pointer. What was touched before somebody looked is
// not shown. The list of steps says the same in words.
export function Touch({ touched, ...over }: OverProps & { touched?: Touched }) {
  const before = useRef(touched?.key)
  if (!touched || touched.key === before.current) return null
  const { w, h } = over.size
  const at = touched.touch.pointer
  return (
    <Over key={touched.key} kind="touch" {...over}>
      <Ring box={touched.touch.box} size={over.size} />
      {at && <path transform={`translate(${at.x * w} ${at.y * h})`} d="M0 0v19l4.6-4.2 2.9 6.8 3-1.3-2.9-6.7h6.2z" />}
    </Over>
  )
}

// Waits shows which elements agents have asked the person about. The cards of the requests say the same in words.
export function Waits({ boxes, ...over }: OverProps & { boxes: readonly LiveBox[] }) {
  if (!boxes.length) return null
  return (
    <Over kind="waits" {...over}>
      {boxes.map(box => (
        <Ring key={JSON.stringify(box)} box={box} size={over.size} />
      ))}
    </Over>
  )
}
