// Where an agent acts, over the picture of its tab.
import { useRef } from 'preact/hooks'
import type { LivePicture } from '../api/types.ts'
import { ringOf, type Touched } from '../lib/touch.ts'

type TouchProps = {
  touched?: Touched
  size: Pick<LivePicture, 'w' | 'h'> // of the window in the picture
  fills?: boolean // the picture fills its frame; else it fits in
}

// Touch shows for a moment which element an agent touches, and its pointer. What was touched before somebody looked is
// not shown. The list of steps says the same in words.
export function Touch({ touched, size, fills }: TouchProps) {
  const before = useRef(touched?.key)
  if (!touched || touched.key === before.current) return null
  const { w, h } = size
  const at = touched.touch.pointer
  return (
    <svg
      key={touched.key}
      class="touch"
      aria-hidden="true"
      viewBox={`0 0 ${w} ${h}`}
      preserveAspectRatio={`xMidYMin ${fills ? 'slice' : 'meet'}`}
    >
      <rect class="halo" rx="8" {...ringOf(touched.touch, w, h)} />
      <rect rx="8" {...ringOf(touched.touch, w, h)} />
      {at && <path transform={`translate(${at.x * w} ${at.y * h})`} d="M0 0v19l4.6-4.2 2.9 6.8 3-1.3-2.9-6.7h6.2z" />}
    </svg>
  )
}
