// Pictures that come as bytes: the page's policy lets no data: in.
import { useEffect, useRef } from 'preact/hooks'

// bytes are what a text in base64 holds.
export const bytes = (text: string): Blob => new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))])

// Picture draws what load brings.
export function Picture({ load, label }: { load: () => Promise<Blob>; label: string }) {
  const ref = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const draw = async () => {
      const image = await createImageBitmap(await load())
      const canvas = ref.current
      if (canvas) {
        canvas.width = image.width
        canvas.height = image.height
        canvas.getContext('2d')?.drawImage(image, 0, 0)
      }
      image.close()
    }
    draw().catch(() => undefined) // without the picture, then
  }, [])
  return <canvas ref={ref} role="img" aria-label={label} width="0" height="0" />
}
