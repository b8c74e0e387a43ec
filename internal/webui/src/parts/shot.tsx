// Screenshots of the journal. Each is read once and stays here for a while.
import { useEffect, useRef, useState } from 'preact/hooks'
import * as calls from '../api/calls.ts'

const most = 60
const here = new Map<string, Promise<Blob>>()

function load(id: number, name: string): Promise<Blob> {
  const key = `${id}/${name}`
  const known = here.get(key) ?? calls.journalPicture(id, name)
  here.delete(key)
  here.set(key, known) // the last one that was asked for goes last
  known.catch(() => here.delete(key))
  for (const [oldest] of here) {
    if (here.size <= most) break
    here.delete(oldest)
  }
  return known
}

type ShotProps = { id: number; name: string; label: string; gone: string; width?: number }

// Shot draws a screenshot, at most so wide. It shows the last one until the next one is here, so that nothing flickers.
// One without a label is only for the eye.
export function Shot({ id, name, label, gone, width }: ShotProps) {
  const ref = useRef<HTMLCanvasElement>(null)
  const [missing, setMissing] = useState(false)
  useEffect(() => {
    let over = false
    const draw = async () => {
      const blob = await load(id, name)
      const image = await createImageBitmap(blob, width ? { resizeWidth: width, resizeQuality: 'medium' } : {})
      const canvas = ref.current
      if (canvas && !over) {
        canvas.width = image.width
        canvas.height = image.height
        canvas.getContext('2d')?.drawImage(image, 0, 0)
        setMissing(false)
      }
      image.close()
    }
    draw().catch(() => {
      if (!over) setMissing(true)
    })
    return () => {
      over = true
    }
  }, [id, name, width])
  return (
    <>
      <canvas
        ref={ref}
        role={label ? 'img' : undefined}
        aria-label={label || undefined}
        width="0"
        height="0"
        hidden={missing}
      />
      {missing && <p class="dim">{gone}</p>}
    </>
  )
}
