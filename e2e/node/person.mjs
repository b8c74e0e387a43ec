// What every person at the window has: eyes for what is wrong with a page, the API, and agents that work meanwhile.
import { readFileSync } from 'node:fs'

const axeSource = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

// violations is what people with a screen reader or weak eyes stumble over.
export async function violations(page) {
  const cdp = await page.context().newCDPSession(page) // the page's own policy lets no foreign script in
  await cdp.send('Runtime.evaluate', { expression: axeSource + ';undefined' })
  const { result } = await cdp.send('Runtime.evaluate', { expression: `axe.run(document, { resultTypes: ['violations'] }).then(r => JSON.stringify({ violations: r.violations, passes: r.passes.length }))`, awaitPromise: true })
  await cdp.detach()
  return JSON.parse(result.value)
}

// looked returns what is wrong with a page when nothing moves any more: its width, and unless whole is false what axe finds.
export async function looked(page, where, whole = true) {
  await page.waitForFunction(() => !document.querySelector('.loading') && document.getAnimations().every(a => a.playState !== 'running' || a.effect.getComputedTiming().iterations === Infinity))
  const wrong = []
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (wide > 0) wrong.push(`${where}: the page is ${wide} pixels too wide`)
  const native = await page.evaluate(() => [...document.querySelectorAll('input:not([type=checkbox]), select, textarea')]
    .filter(e => { const s = getComputedStyle(e); return s.borderTopStyle === 'inset' || s.backgroundColor === 'rgb(59, 59, 59)' })
    .map(e => e.outerHTML.slice(0, 120)))
  if (native.length) wrong.push(`${where}: drawn as the browser likes: ${native}`)
  if (!whole) return wrong
  const found = await violations(page)
  if (found.passes <= 10) wrong.push(`${where}: axe looked at nothing`)
  for (const v of found.violations) for (const n of v.nodes) wrong.push(`${where}: ${v.id}: ${n.html.slice(0, 160)} – ${n.failureSummary.replace(/\s+/g, ' ').slice(0, 300)}`)
  return wrong
}

// connectTo returns the API of an app, and what connects an agent to one of its profiles; what that returns calls a tool.
export function connectTo(base, token) {
  async function api(method, path, body) {
    const res = await fetch(base + '/v1.0' + path, { method, headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) })
    const answer = await res.json()
    if (!res.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  async function agent(name, profile = 1) {
    let session, n = 1
    const rpc = async message => {
      const res = await fetch(`${base}/mcp/${profile}`, { method: 'POST', headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...(session ? { 'Mcp-Session-Id': session } : {}) }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
      session ||= res.headers.get('Mcp-Session-Id')
      const text = await res.text()
      const data = text.startsWith('{') ? text : text.split('\n').filter(l => l.startsWith('data:')).map(l => l.slice(5)).pop()
      return data ? JSON.parse(data) : {}
    }
    await rpc({ id: n, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } } })
    await rpc({ method: 'notifications/initialized' })
    return async (tool, args = {}) => {
      const { result, error } = await rpc({ id: ++n, method: 'tools/call', params: { name: tool, arguments: args } })
      return { bad: !!error || !!result?.isError, text: error?.message || (result?.content || []).map(c => c.text || '').join('\n') }
    }
  }
  return { api, agent }
}
