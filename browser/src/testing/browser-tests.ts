// How do tests run in real browsers? The same steps in Chromium and Firefox, on pages of a server of the test's own.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type Ending, launchChromium, launchFirefox, within } from '../../../scripts/browsers.ts'

// What functions that run in the page may use; tests of other folders, which know no DOM, import this file too.
declare const location: { readonly href: string }
declare const document: {
  createElement(name: 'button'): { onclick?: () => unknown }
  readonly body: { append(element: object): void }
}

/** What both drivers of a page offer. */
export interface TestPage {
  goto(url: string): Promise<unknown>
  evaluate<Result, Argument>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>
  /** Runs in every document before its own scripts. */
  prepare(script: string): Promise<unknown>
  /** Runs as what a person's click does, which may open windows. */
  click<Result>(work: () => Result | Promise<Result>): Promise<Result>
  /** Resolves when the page's address has this part, and its scripts have run. */
  isAt(part: string): Promise<unknown>
  /** Errors that nobody caught, and what the console shows (debug messages it hides), since the page was opened. */
  readonly complaints: readonly string[]
  close(): Promise<unknown>
}

export interface TestBrowser {
  readonly name: 'Chromium' | 'Firefox'
  /** A page that shares nothing with another; it closes with the test. */
  open(t: Ending): Promise<TestPage>
}

/** A test that takes longer has a browser that fell silent. */
const limitMs = 30_000

type BrowserTest = (t: TestContext, browser: TestBrowser) => Promise<void>

/** Runs tests in each browser, which is started once for all of them; when it falls silent in one, the others fail at once. */
export function inEachBrowser(define: (test: (title: string, run: BrowserTest) => void) => void): void {
  for (const launch of [startChromium, startFirefox]) {
    const name = launch.browser
    describe(name, () => {
      let browser: TestBrowser
      let silentIn: string | undefined
      const ends: (() => Promise<unknown>)[] = []
      before(
        async () => {
          browser = await launch({ after: (end) => ends.push(end) })
        },
        { timeout: 10 * limitMs }, // it may have to be installed
      )
      after(
        async () => {
          for (const end of ends.toReversed()) await end()
        },
        { timeout: 2 * limitMs },
      )
      define((title, run) =>
        test(`${name}: ${title}`, async (t) => {
          assert.equal(silentIn, undefined, `${name} fell silent in an earlier test`)
          silentIn = title
          await within(
            limitMs,
            `${name}: ${title}`,
            run(t, browser).finally(() => (silentIn = undefined)),
          )
        }))
    })
  }
}

/** Closes what a test opened; a browser that does not is none of that test's. */
const closes = (ending: Ending, close: () => Promise<unknown>) =>
  ending.after(() => within(limitMs, 'Closing a page', close()).catch(() => {}))

/** Consoles hide debug messages. */
function note(complaints: string[], message: { type(): string; text(): string }): void {
  if (message.type() !== 'debug') complaints.push(message.text())
}

export async function startChromium(t: Ending): Promise<TestBrowser> {
  const browser = await launchChromium(t)
  return {
    name: 'Chromium',
    async open(ending) {
      const context = await browser.newContext()
      closes(ending, () => context.close())
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => note(complaints, message))
      page.on('pageerror', (error) => complaints.push(String(error)))
      return {
        goto: (url) => page.goto(url),
        evaluate: (work, argument) => page.evaluate(work as never, argument),
        prepare: (script) => page.addInitScript({ content: script }),
        click: (work) => clicked(page, work),
        isAt: (part) => page.waitForURL((url) => url.href.includes(part)),
        complaints,
        close: () => page.close(),
      }
    },
  }
}
startChromium.browser = 'Chromium'

export async function startFirefox(t: Ending): Promise<TestBrowser> {
  const browser = await launchFirefox(t)
  return {
    name: 'Firefox',
    async open(ending) {
      const context = await browser.createBrowserContext()
      closes(ending, () => context.close())
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => note(complaints, message))
      page.on('pageerror', (error) => complaints.push(String(error)))
      return {
        goto: (url) => page.goto(url),
        evaluate: (work, argument) => page.evaluate(work as never, argument) as never,
        prepare: (script) => page.evaluateOnNewDocument(script),
        click: (work) => clicked(page, work),
        isAt: (part) => page.waitForFunction((wanted) => location.href.includes(wanted), {}, part),
        complaints,
        close: () => page.close(),
      }
    },
  }
}
startFirefox.browser = 'Firefox'

interface Clickable {
  // biome-ignore lint/suspicious/noExplicitAny: two drivers, each with types of its own
  evaluate(work: any, argument?: any): Promise<any>
  click(selector: string): Promise<unknown>
}

async function clicked<Result>(page: Clickable, work: () => Result | Promise<Result>): Promise<Result> {
  await page.evaluate((source: string) => {
    const button = Object.assign(document.createElement('button'), { id: 'test', textContent: 'Test' })
    document.body.append(button)
    // biome-ignore lint/security/noGlobalEval: the test's own function
    const run = globalThis.eval(`(${source})`) as () => unknown
    button.onclick = () => Object.assign(globalThis, { clicked: Promise.resolve(run()) })
  }, String(work))
  await page.click('#test')
  return page.evaluate(() => (globalThis as { clicked?: unknown }).clicked)
}

/** A server on loopback that ends with the test; answers its address. */
export async function serve(
  t: Ending,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server of one page that runs a script. */
export function servePage(t: Ending, script: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return serveHtml(t, '<script src="/script.js"></script>', headers, script)
}

/** A server of one page, and of `/script.js`. */
export function serveHtml(
  t: Ending,
  html: string,
  headers: Readonly<Record<string, string>> = {},
  script = '',
): Promise<string> {
  return serve(t, ({ url }, response) => {
    const isScript = url === '/script.js'
    response.setHeaders(new Map(Object.entries(headers)))
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : `<!doctype html><link rel="icon" href="data:,"><title>Test</title>${html}`)
  })
}
