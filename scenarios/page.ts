// What does a browser tell a page? A site on loopback whose page collects the facts and posts them.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { bundleForBrowsers } from '../scripts/build-browser-sdk.ts'

export interface Told {
  readonly facts: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds that the collection took, and the longest task that the page saw meanwhile (Chromium). */
  readonly tookMs: number
  readonly longestTaskMs: number
}

export interface Site {
  /** An address for one visit, and what the page at it tells. */
  visit(): { url: string; told: Promise<Told> }
  close(): Promise<void>
}

const script = `
import { collectFacts } from './collect/collect.ts'
let longestTaskMs = 0
try {
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration)
  }).observe({ type: 'longtask' })
} catch {}
const delayMs = Number(new URLSearchParams(location.search).get('delayMs') ?? 500)
setTimeout(async () => {
  longestTaskMs = 0
  const start = performance.now()
  const facts = await collectFacts({ context: { deviceToken: undefined }, switches: [], limitMs: 4000 })
  const tookMs = Math.round(performance.now() - start)
  await fetch(location.pathname, { method: 'POST', body: JSON.stringify({ facts, tookMs, longestTaskMs }) })
}, delayMs)
`

/** Of the headers, those that a browser is told apart by. */
const telling = /^(user-agent|accept-language|sec-(ch-ua|fetch|gpc).*)$/

export async function openSite(): Promise<Site> {
  const resolveDir = fileURLToPath(new URL('../browser/src/', import.meta.url))
  const bundle = await bundleForBrowsers({ stdin: { contents: script, resolveDir, loader: 'ts' }, format: 'iife' })
  const visits = new Map<string, (told: Told) => void>()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname
    if (path === '/page.js') return void response.setHeader('content-type', 'text/javascript').end(bundle)
    const resolve = visits.get(path)
    if (!resolve) return void response.writeHead(404).end()
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html')
      return void response.end(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><p>A page<script src="/page.js"></script>',
      )
    }
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.end()
      resolve({ ...JSON.parse(Buffer.concat(parts).toString()), headers: tellingHeaders(request.headers) })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    visit() {
      const path = `/${crypto.randomUUID()}`
      const told = new Promise<Told>((resolve) => visits.set(path, resolve))
      return { url: `http://localhost:${port}${path}`, told }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function tellingHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (telling.test(name) ? [[name, String(value)]] : [])),
  )
}
