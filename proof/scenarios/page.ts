// What does a browser send? A site on loopback whose page runs the SDK against the service behind the site.

import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { IntelligenceRequest } from '@ringfence/contract'
import { bodyOf } from '@ringfence/server/testing/body-of.ts'
import type { Plugin } from 'esbuild'
import { bundleForBrowsers } from '../../scripts/build-browser-sdk.ts'
import { type LibraryName, moduleOfLibraries, type Opinions } from './libraries.ts'
import { type PageScript, textOf } from './page-scripts.ts'
import { canvasNoise, fontFaces, fontFile, webFonts } from './page-variants.ts'
import type { Service } from './service.ts'

export interface Told {
  readonly facts: Readonly<Record<string, unknown>>
  /** Why the SDK sent no others. */
  readonly factsMissing: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** It sent a device token. */
  readonly broughtToken: boolean
  /** Identifies the report. */
  readonly dfrId: string
  /** For secure-info, where the page got one. */
  readonly secureToken?: string
  /** Milliseconds until the facts were sent, and the longest task of the page meanwhile (Chromium). */
  readonly tookMs: number
  readonly longestTaskMs: number
  /** The libraries' results, where they ran. */
  readonly opinions: Opinions
}

export interface VisitOptions {
  /** The page waits this long before it starts. */
  readonly delayMs?: number
  /** In a hidden frame of another page. */
  readonly isFramed?: boolean
  /** What the page runs before the SDK. */
  readonly script?: PageScript
  /** The page also gets a token for the backend without a sign-in. */
  readonly asksSecure?: boolean
  /** The page first clears all storage. */
  readonly isCleared?: boolean
  readonly asksLibraries?: boolean
  /** Only this library runs, and the SDK does not. */
  readonly alone?: LibraryName
  /** The person's IP address, as a proxy reports it. */
  readonly address?: string
  /** The page forbids workers by its policy, and has loaded web fonts with names of the font list. */
  readonly isStrict?: boolean
  /** Every load of the page reads other noise from its canvases, as Samsung Internet does. */
  readonly isNoisy?: boolean
  /** The SDK waits for facts as long as it does by default; otherwise longer, since this machine is busy. */
  readonly hasDefaultLimits?: boolean
  /** The page was requested. */
  opened?(): void
}

/** The result of the page at `url`; the page then waits until it is led to another URL. */
export interface Visit {
  readonly url: string
  readonly told: Promise<Told>
  leadOn(url: string): void
}

export interface Site {
  readonly origin: string
  /** One visit at a time. */
  visit(options?: VisitOptions): Visit
  /** The service that the SDK calls from now on. */
  leadTo(service: Service): void
  close(): Promise<void>
}

/** The requests that went through the site. */
type EngineCall = Pick<Told, 'facts' | 'factsMissing' | 'headers' | 'broughtToken'>

/** The page's last message, besides its engine call. */
type Said = Pick<Told, 'dfrId' | 'secureToken' | 'tookMs' | 'longestTaskMs' | 'opinions'> & { requestId: string } & {
  failure?: string
}

const script = `
import { createRingfence } from './ringfence.ts'
import { askLibraries } from 'libraries'
const webFonts = ${JSON.stringify(webFonts)}
let longestTaskMs = 0
try {
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration)
  }).observe({ type: 'longtask' })
} catch {}
const clear = async () => {
  try { localStorage.clear(); sessionStorage.clear() } catch {}
  const databases = await indexedDB.databases?.().catch(() => []) ?? []
  const drop = (name) => new Promise((resolve) => {
    try {
      const deleting = indexedDB.deleteDatabase(name)
      deleting.onsuccess = deleting.onerror = deleting.onblocked = resolve
    } catch { resolve() }
  })
  for (const name of new Set(['ringfence', ...databases.map(({ name }) => name)])) await drop(name)
}
async function tell({ appId, isCleared, asksLibraries, asksSecure, alone, isStrict, limits }) {
  if (alone) {
    const opinions = await askLibraries([alone])
    return { opinions, tookMs: opinions[alone].tookMs }
  }
  if (isCleared) await clear()
  const ringfence = createRingfence()
  await ringfence.initialize(appId, limits)
  if (isStrict) {
    const loaded = await Promise.all(webFonts.map((name) => document.fonts.load('20px "' + name + '"', 'Waffle')))
    if (loaded.some((faces) => faces.length === 0)) throw new Error('A web font was not loaded')
  }
  longestTaskMs = 0
  const start = performance.now()
  const { dfrId, requestId } = await ringfence.fetchIntelligence()
  const sent = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/sdk/v1/intelligence')).at(-1)
  const tookMs = Math.round((sent?.startTime ?? performance.now()) - start)
  const secureToken = asksSecure ? await ringfence.secure() : undefined
  const said = { dfrId, secureToken, requestId, tookMs, longestTaskMs }
  return { ...said, opinions: asksLibraries ? await askLibraries() : {} }
}
const options = JSON.parse(document.querySelector('#options').textContent)
pageTimer(async () => {
  const said = await tell(options).catch((error) => ({ failure: String(error?.stack ?? error) }))
  const answer = await fetch(location.pathname, { method: 'POST', body: JSON.stringify(said) })
  location.href = await answer.text()
}, options.delayMs)
`

/** The headers that identify a browser. */
const telling = /^(user-agent|accept-language|sec-(ch-ua|fetch|gpc).*)$/

/** Serves the page on loopback, on a free port. */
export async function openSite(): Promise<Site> {
  const bundles = { '/page.js': await bundleOfPage(), '/noisy-page.js': await bundleOfPage([canvasNoise]) }
  const site = new LoopbackSite(bundles, await readFile(fontFile))
  await site.listen()
  return site
}

interface OpenVisit extends VisitOptions {
  hear(told: Told): void
  fail(error: Error): void
  readonly next: Promise<string>
}

class LoopbackSite implements Site {
  readonly #bundles: Readonly<Record<string, string>>
  readonly #font: Uint8Array
  readonly #scripts = new Map<PageScript, string>()
  readonly #visits = new Map<string, OpenVisit>()
  readonly #engineCalls = new Map<string, EngineCall>()
  readonly #cookies = new Set<string>()
  readonly #server = createServer((incoming, response) => this.#serve(incoming, response))
  #service: Service | undefined
  #address: string | undefined

  constructor(bundles: Readonly<Record<string, string>>, font: Uint8Array) {
    this.#bundles = bundles
    this.#font = font
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  visit(options: VisitOptions = {}): Visit {
    const path = `/${crypto.randomUUID()}`
    const { promise: told, resolve: hear, reject: fail } = Promise.withResolvers<Told>()
    const { promise: next, resolve: leadOn } = Promise.withResolvers<string>()
    told.catch(() => {}) // the caller that waits for it gets the error
    this.#visits.set(path, { ...options, hear, fail, next })
    return { url: this.origin + path, told, leadOn }
  }

  leadTo(service: Service): void {
    this.#service = service
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(incoming: IncomingMessage, response: ServerResponse): void {
    const path = new URL(incoming.url ?? '', 'http://localhost').pathname
    if (path.startsWith('/sdk/')) return void this.#forward(incoming, response)
    const bundle = this.#bundles[path]
    if (bundle) return void response.setHeader('content-type', 'text/javascript').end(bundle)
    const script = /^\/before\/([\w-]+)\.js$/.exec(path)?.[1]
    if (script) return void this.#before(script as PageScript, response)
    if (path === '/font') return void response.setHeader('content-type', 'font/ttf').end(this.#font)
    const visit = this.#visits.get(path)
    if (!visit) return void response.writeHead(404).end()
    if (incoming.method === 'POST') return void this.#hear(visit, incoming, response)
    response.setHeader('content-type', 'text/html')
    if (visit.isFramed && !incoming.url?.endsWith('?framed')) {
      return void response.end(`<!doctype html><iframe src="${path}?framed" style="display: none"></iframe>`)
    }
    this.#page(visit, response)
  }

  /** Built when it is first needed. */
  async #before(name: PageScript, response: ServerResponse): Promise<void> {
    const text = this.#scripts.get(name) ?? (await textOf(name))
    this.#scripts.set(name, text)
    response.setHeader('content-type', 'text/javascript').end(text)
  }

  #page(options: OpenVisit, response: ServerResponse): void {
    const { delayMs = 500, isCleared = false, asksLibraries = false, asksSecure = false, alone, ...visit } = options
    const { isStrict = false, isNoisy = false, hasDefaultLimits = false, script } = visit
    this.#address = visit.address
    visit.opened?.()
    if (isStrict) response.setHeader('content-security-policy', "worker-src 'none'")
    if (isCleared)
      response.setHeader(
        'set-cookie',
        [...this.#cookies].map((name) => `${name}=; Max-Age=0; Path=/sdk/v1`),
      )
    // Other tests use the machine too, and some pages are busy: 4 s were not enough for all facts.
    const limits = hasDefaultLimits ? {} : { factLimitMs: 15_000 }
    const appId = this.#service?.app.id
    const given = JSON.stringify({ appId, delayMs, isCleared, asksLibraries, asksSecure, alone, isStrict, limits })
    const fonts = isStrict ? `<style>${fontFaces}</style>` : ''
    // The page's own timer is not to stand still.
    const before = `<script>const pageTimer = setTimeout</script>${script ? `<script src="/before/${script}.js"></script>` : ''}`
    response.end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>${fonts}<p>A page<script type="application/json" id="options">${given}</script>${before}<script src="/${isNoisy ? 'noisy-page' : 'page'}.js"></script>`,
    )
  }

  async #hear(visit: OpenVisit, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { failure, requestId, ...said } = JSON.parse(await bodyOf(incoming)) as Said
    const call =
      this.#engineCalls.get(requestId) ??
      (visit.alone && { facts: {}, factsMissing: {}, headers: {}, broughtToken: false })
    if (call) visit.hear({ ...said, ...call })
    else visit.fail(new Error(failure ?? 'The page made no engine call'))
    response.end(await visit.next)
  }

  /** Like a proxy in front of the service; records the engine call. */
  async #forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming)
    if (incoming.url === '/sdk/v1/intelligence') this.#remember(body, incoming.headers)
    const forwarded = this.#address === undefined ? {} : { 'x-forwarded-for': this.#address }
    const headers = { ...incoming.headers, ...forwarded }
    const onward = request(`${this.#service?.url}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      for (const cookie of answer.headers['set-cookie'] ?? []) this.#cookies.add(cookie.split('=')[0]!)
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  }

  #remember(body: string, headers: IncomingHttpHeaders): void {
    const { requestId, facts, factsMissing = {} } = JSON.parse(body) as IntelligenceRequest
    const { deviceToken, ...others } = facts as Record<string, unknown>
    this.#engineCalls.set(requestId, {
      facts: others,
      factsMissing,
      headers: tellingHeaders(headers),
      broughtToken: deviceToken !== undefined || headers.cookie !== undefined,
    })
  }
}

function bundleOfPage(more: readonly Plugin[] = []): Promise<string> {
  const here = import.meta.dirname
  return bundleForBrowsers({
    stdin: { contents: script, resolveDir: new URL('../../browser/src/', import.meta.url).pathname, loader: 'ts' },
    format: 'iife',
    plugins: [
      {
        name: 'libraries',
        setup(build) {
          build.onResolve({ filter: /^libraries$/ }, ({ path }) => ({ path, namespace: 'libraries' }))
          build.onLoad({ filter: /./, namespace: 'libraries' }, () => ({
            contents: moduleOfLibraries(),
            resolveDir: here,
          }))
        },
      },
      ...more,
    ],
  })
}

function tellingHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (telling.test(name) ? [[name, String(value)]] : [])),
  )
}
