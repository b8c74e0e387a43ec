// Preact and htm together, and the hooks that the views use.
import { h } from './preact.js'
import htm from './htm.js'
import { useEffect, useRef } from './hooks.js'

export { render, Component } from './preact.js'
export { useState, useEffect, useLayoutEffect, useMemo, useRef, useId } from './hooks.js'
export const html = htm.bind(h)

// useEvery does something again and again while its view is there.
export function useEvery(ms, work) {
  const now = useRef()
  now.current = work
  useEffect(() => { const t = setInterval(() => now.current(), ms); return () => clearInterval(t) }, [])
}
