// Hooks that several views use.
import { useEffect, useRef, useState } from 'preact/hooks'
import { told } from '../api/client.ts'
import * as state from '../store/state.ts'

// useEvery does something again and again while its view is there.
export function useEvery(ms: number, work: () => unknown): void {
  const now = useRef(work)
  now.current = work
  useEffect(() => {
    const timer = setInterval(() => now.current(), ms)
    return () => {
      clearInterval(timer)
    }
  }, [])
}

const isSeen = () => document.visibilityState === 'visible'

// useSeen says whether the window is to be seen. A window that is not lets go of its streams of pictures: a browser has
// few connections for all windows of one program.
export function useSeen(): boolean {
  const [seen, setSeen] = useState(isSeen)
  useEffect(() => {
    const turn = () => {
      setSeen(isSeen())
    }
    document.addEventListener('visibilitychange', turn)
    return () => {
      document.removeEventListener('visibilitychange', turn)
    }
  }, [])
  return seen
}

// useTitle names the window after a view while it is there.
export function useTitle(title: string): void {
  useEffect(() => {
    state.viewTitle.value = title
  }, [title])
  useEffect(
    () => () => {
      state.viewTitle.value = ''
    },
    [],
  )
}

// useDialogTitle names the window after a dialog while it is there.
export function useDialogTitle(title: string): void {
  useEffect(() => {
    state.dialogTitle.value = title
    return () => {
      state.dialogTitle.value = ''
    }
  }, [title])
}

// Work is one thing at a time: what is being done, and what went wrong.
export type Work = { doing: string; wrong: string; run: (what: string, work: () => Promise<void>) => Promise<void> }

// useWork does one thing at a time. A button keeps the focus meanwhile, which a disabled one would lose.
export function useWork(): Work {
  const [doing, setDoing] = useState('')
  const [wrong, setWrong] = useState('')
  const run = async (what: string, work: () => Promise<void>) => {
    if (doing) return
    setDoing(what)
    setWrong('')
    try {
      await work()
    } catch (e) {
      setWrong(told(e))
    }
    setDoing('')
  }
  return { doing, wrong, run }
}
