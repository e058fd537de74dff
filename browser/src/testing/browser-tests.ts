// How do tests run in real browsers? The same steps in Chromium and Firefox, on served pages.

import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { relative } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { getCallSites } from 'node:util'
import { atEnd } from '@ringfence/server/testing/at-end.ts'
import type { BrowserContext as ChromiumContext } from 'playwright-core'
import type { BrowserContext as FirefoxContext, Page as FirefoxPage } from 'puppeteer-core'
import { type Ending, launchChromium, launchFirefox, within } from '../../../scripts/browsers.ts'
import { fileTag } from '../../../scripts/test-events.ts'

// For functions that run in the page. Folders without the DOM types import this file too.
declare const location: { readonly href: string }
declare const document: {
  readonly readyState: string
  createElement(name: 'button'): { onclick?: () => unknown }
  readonly body: { append(element: object): void }
}

/** The operations that both browser drivers support. */
export interface TestPage {
  goto(url: string): Promise<unknown>
  evaluate<Result, Argument>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>
  /** Runs a script in every document, before the document's own scripts. */
  prepare(script: string): Promise<unknown>
  /** Runs a function in a click handler, where it may open windows. */
  click<Result>(work: () => Result | Promise<Result>): Promise<Result>
  /** Presses the mouse at a point, as long as a person does. */
  clickAt(x: number, y: number): Promise<unknown>
  /** Types by the keyboard into what has the focus. */
  write(text: string): Promise<unknown>
  /** Resolves when the URL contains this part and the page's scripts have run. */
  isAt(part: string): Promise<unknown>
  /** Uncaught errors and console messages since the page was opened, without debug messages. */
  readonly complaints: readonly string[]
  /** Another page of the same profile. */
  openTab(): Promise<TestPage>
  close(): Promise<unknown>
}

export interface TestBrowser {
  readonly name: 'Chromium' | 'Firefox'
  /** Opens an isolated page, which closes with the test. */
  open(t: Ending): Promise<TestPage>
}

/** When it takes longer to start or close, a browser counts as hanging. */
const limitMs = 30_000
const pressMs = 100

type BrowserTest = (t: TestContext, browser: TestBrowser) => Promise<void>

interface Launch {
  (t: Ending): Promise<TestBrowser>
  readonly browser: string
}

interface Running {
  readonly browser: TestBrowser
  readonly ends: readonly (() => Promise<unknown>)[]
}

/** The files of a process share its browsers, since a start takes seconds; each test has its own profile. */
class SharedBrowsers {
  readonly #running = new Map<string, Running>()

  async get(launch: Launch): Promise<TestBrowser> {
    const ends: (() => Promise<unknown>)[] = []
    const running = this.#running.get(launch.browser) ?? {
      browser: await launch({ after: (end) => ends.push(end) }),
      ends,
    }
    this.#running.set(launch.browser, running)
    return running.browser
  }

  /** The next file that asks for it starts a new one. */
  async end(name: string): Promise<void> {
    const ends = this.#running.get(name)?.ends ?? []
    this.#running.delete(name)
    for (const end of ends.toReversed()) await end()
  }
}

const browsers = new SharedBrowsers()
let endsWithTheProcess = false

/**
 * Runs tests in each browser. The browser is shared; if it hangs in one test, the next ones of the file fail at once, and the next
 * file starts a new one. `minutes`: after so many it counts as hanging; a slow machine needs some.
 */
export function inEachBrowser(
  define: (test: (title: string, run: BrowserTest, limits?: { minutes: number }) => void) => void,
): void {
  const tags = [fileTag(fileOfCaller())]
  for (const launch of [startChromium, startFirefox]) {
    const name = launch.browser
    if (!endsWithTheProcess) after(() => browsers.end(name), { timeout: 2 * limitMs })
    describe(name, { tags }, () => {
      let browser: TestBrowser
      let hangsIn: string | undefined
      before(
        async () => {
          browser = await browsers.get(launch)
        },
        { timeout: 10 * limitMs }, // the browser may have to be installed first
      )
      after(() => (hangsIn === undefined ? undefined : browsers.end(name)), { timeout: 2 * limitMs })
      define((title, run, { minutes } = { minutes: 3 }) =>
        test(`${name}: ${title}`, async (t) => {
          assert.equal(hangsIn, undefined, `${name} hung in an earlier test`)
          endInReverse(t)
          hangsIn = title
          await within(
            minutes * 60_000,
            `${name}: ${title}`,
            run(t, browser).finally(() => (hangsIn = undefined)),
          )
        }))
    })
  }
  endsWithTheProcess = true
}

/** By node:test a service ends before the pages that call it, and its port may be that of another test by then. */
function endInReverse(t: TestContext): void {
  const node = { after: t.after.bind(t) }
  t.after = (end) => atEnd(node, end as () => unknown)
}

/** Of the test, which node:test cannot know: it calls from here. */
const fileOfCaller = (): string => {
  const { scriptName } = getCallSites(3)[2]!
  return relative('.', scriptName.startsWith('file:') ? fileURLToPath(scriptName) : scriptName)
}

/** Closes a page with its test. A page that does not close must not fail that test. */
const closeAfter = (ending: Ending, close: () => Promise<unknown>) =>
  ending.after(() => within(limitMs, 'Closing a page', close()).catch(() => {}))

/** Leaves out debug messages, which consoles hide. */
function note(complaints: string[], message: { type(): string; text(): string }): void {
  if (message.type() !== 'debug') complaints.push(message.text())
}

export async function startChromium(t: Ending): Promise<TestBrowser> {
  const browser = await launchChromium(t)
  return {
    name: 'Chromium',
    async open(ending) {
      const context = await browser.newContext()
      closeAfter(ending, () => context.close())
      return chromiumPage(context)
    },
  }
}
startChromium.browser = 'Chromium'

/** A new page of a context of Playwright. */
export async function chromiumPage(context: ChromiumContext): Promise<TestPage> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => note(complaints, message))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return {
    goto: (url) => page.goto(url),
    evaluate: (work, argument) => page.evaluate(work as never, argument),
    prepare: (script) => page.addInitScript({ content: script }),
    click: (work) => clicked(page, work),
    clickAt: (x, y) => page.mouse.click(x, y, { delay: pressMs }),
    write: (text) => page.keyboard.type(text),
    isAt: (part) => page.waitForURL((url) => url.href.includes(part)),
    complaints,
    openTab: () => chromiumPage(context),
    close: () => page.close(),
  }
}

export async function startFirefox(t: Ending): Promise<TestBrowser> {
  const browser = await launchFirefox(t)
  return {
    name: 'Firefox',
    async open(ending) {
      const context = await browser.createBrowserContext()
      closeAfter(ending, () => context.close())
      return firefoxPage(context)
    },
  }
}
startFirefox.browser = 'Firefox'

/** Firefox aborts a visit when the page before it changes its address at that moment. */
const visited = (page: FirefoxPage, url: string): Promise<unknown> =>
  page.goto(url).catch((error) => {
    if (!String(error).includes('NS_BINDING_ABORTED')) throw error
    return page.goto(url)
  })

/** A new page of a context of Puppeteer. */
export async function firefoxPage(context: Pick<FirefoxContext, 'newPage'>): Promise<TestPage> {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => note(complaints, message))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return {
    goto: (url) => visited(page, url),
    evaluate: (work, argument) => page.evaluate(work as never, argument) as never,
    prepare: (script) => page.evaluateOnNewDocument(script),
    click: (work) => clicked(page, work),
    clickAt: (x, y) => page.mouse.click(x, y, { delay: pressMs }),
    write: (text) => page.keyboard.type(text),
    // Like Chromium's, which waits for the load: before it, the scripts of the page may be missing.
    isAt: (part) =>
      page.waitForFunction((wanted) => document.readyState === 'complete' && location.href.includes(wanted), {}, part),
    complaints,
    openTab: () => firefoxPage(context),
    close: () => page.close(),
  }
}

interface Clickable {
  // biome-ignore lint/suspicious/noExplicitAny: the two drivers have different types
  evaluate(work: any, argument?: any): Promise<any>
  click(selector: string): Promise<unknown>
}

async function clicked<Result>(page: Clickable, work: () => Result | Promise<Result>): Promise<Result> {
  await page.evaluate((source: string) => {
    const button = Object.assign(document.createElement('button'), { id: 'test', textContent: 'Test' })
    document.body.append(button)
    // biome-ignore lint/security/noGlobalEval: runs a function of the test
    const run = globalThis.eval(`(${source})`) as () => unknown
    const clicked = new Promise((resolve) => {
      button.onclick = () => resolve(run())
    })
    Object.assign(globalThis, { clicked })
  }, String(work))
  await page.click('#test')
  return page.evaluate(() => (globalThis as { clicked?: unknown }).clicked)
}

/** Starts a server on 127.0.0.1 that ends with the test. Returns its URL. */
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

/** Serves one page that runs a script. */
export function servePage(t: Ending, script: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return serveHtml(t, '<script src="/script.js"></script>', headers, script)
}

/** Serves one page and `/script.js`. */
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
