// Preact and htm together, and the hooks that the views use.
import { h } from './preact.js'
import htm from './htm.js'

export { render, Component } from './preact.js'
export { useState, useEffect, useLayoutEffect, useMemo, useRef, useId } from './hooks.js'
export const html = htm.bind(h)
