import assert from 'node:assert/strict'
import { before } from 'node:test'
import { WebFacts as FactSchemas } from '@ringfence/contract'
import Value from 'typebox/value'
import { bundleForBrowsers } from '../../../scripts/build-browser-sdk.ts'
import { inEachBrowser, servePage, type TestPage } from '../testing/browser-tests.ts'
import type { WebFacts } from '../wire.ts'
import type { Collection, collectFacts, collectPlainFacts } from './collect.ts'

declare const collector: { collectFacts: typeof collectFacts; collectPlainFacts: typeof collectPlainFacts }

let script: string
before(async () => {
  const contents = `export * from './collect.ts'`
  script = await bundleForBrowsers({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    format: 'iife',
    globalName: 'collector',
  })
})

const everything: Collection = { context: { deviceToken: undefined }, switches: [], limitMs: 5_000 }

function collected(page: TestPage, collection: Partial<Collection> = {}): Promise<WebFacts> {
  return page.evaluate((options) => collector.collectFacts(options), { ...everything, ...collection })
}

/** The facts that the specification's deviceInfo (2.4) is made of. */
const ofDeviceInfo = [
  'userAgent',
  'platform',
  'vendor',
  'language',
  'cookieEnabled',
  'screen',
  'devicePixelRatio',
  'timezoneOffset',
  'cpuArchitecture',
  'fontFamily',
] as const
const onlyInChromium = ['clientHints', 'connection', 'deviceMemory', 'inspection', 'keyboard']
const onlyInWorkers = ['fileSystem', 'workerScope'] as const
/**
 * The test machine has no voices, the service issued no token yet, and neither browser is WebKit.
 */
const notHere = ['voices', 'deviceToken', 'blobStorage']
/** Without the facts that change each time: measured times, and the position of a new window. */
const steady = ({ inspection, fileSystem, windowGeometry, ...facts }: WebFacts): WebFacts => facts

inEachBrowser((test) => {
  test('every fact is reported and matches the schema of the contract', async (t, browser) => {
    const page = await browser.open(t)
    await page.goto(await servePage(t, script))
    const facts = await collected(page)
    const errors = [...Value.Errors(FactSchemas, facts)]
    assert.deepEqual(errors, [])
    const missing = Object.keys(FactSchemas.properties).filter((name) => !(name in facts) && !notHere.includes(name))
    const hasWebGl = await page.evaluate(() => document.createElement('canvas').getContext('webgl') !== null, null)
    const unsupported = [...(browser.name === 'Chromium' ? [] : onlyInChromium), ...(hasWebGl ? [] : ['webgl'])]
    assert.deepEqual(missing.toSorted(), unsupported.toSorted())
    assert.deepEqual(page.complaints, [])
  })

  test('the plain facts include those of deviceInfo and need neither a worker nor a canvas', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(`window.Worker = OffscreenCanvas.prototype.getContext = HTMLCanvasElement.prototype.getContext = () => {
      throw window.used = new Error('drawn')
    }`)
    await page.goto(await servePage(t, script))
    const facts = await page.evaluate((options) => collector.collectPlainFacts(options), everything)
    for (const name of ofDeviceInfo) assert.notEqual(facts[name], undefined, name)
    assert.equal('connection' in facts, browser.name === 'Chromium')
    assert.equal(await page.evaluate(() => 'used' in window, null), false)
  })

  test('the facts are the same the second time and in a page that may not start a worker', async (t, browser) => {
    const page = await browser.open(t)
    await page.goto(await servePage(t, script))
    const first = await collected(page)
    assert.deepEqual(steady(await collected(page)), steady(first))
    const blocked = await browser.open(t)
    await blocked.goto(await servePage(t, script, { 'content-security-policy': "default-src 'self'" }))
    const { canvas, ...others } = await collected(blocked)
    const { canvas: firstCanvas, ...firstOthers } = first
    for (const name of onlyInWorkers) delete firstOthers[name]
    assert.deepEqual(steady(others), steady(firstOthers))
    // Firefox uses another emoji font in a worker.
    assert.equal(canvas?.geometry, firstCanvas?.geometry)
    if (browser.name === 'Chromium') assert.deepEqual(canvas, firstCanvas)
  })

  test('a fact that is switched off is not read', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(`Object.defineProperty(navigator, 'plugins', { get: () => { window.wasRead = true } })`)
    await page.goto(await servePage(t, script))
    const facts = await collected(page, {
      switches: [
        { plugins: false, fonts: true },
        { canvas: false, userAgent: false, plugins: true },
      ],
    })
    assert.deepEqual([facts.plugins, facts.canvas, facts.userAgent], [undefined, undefined, undefined])
    assert.ok(facts.fonts)
    assert.equal(await page.evaluate(() => 'wasRead' in window, null), false)
  })

  test('a blocked API leaves out its own facts only', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(`
      window.Worker = function () { throw new Error('no workers') }
      window.OffscreenCanvas = undefined
      HTMLCanvasElement.prototype.getContext = () => null
      window.OfflineAudioContext = class { constructor() { throw new Error('no sound') } }
      window.matchMedia = undefined
      for (const name of ['plugins', 'languages', 'permissions', 'mediaDevices', 'userAgentData']) {
        Object.defineProperty(navigator, name, { get() { throw new Error(name) } })
      }
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
        Object.defineProperty(window, name, { get() { throw new Error(name) } })
      }
      Object.defineProperty(document, 'cookie', { get() { throw new Error('cookie') }, set() { throw new Error('cookie') } })
    `)
    await page.goto(await servePage(t, script))
    const facts = await collected(page)
    const blocked = ['canvas', 'webgl', 'fonts', 'fontWidths', 'audio', 'mediaQueries', 'plugins', 'languages']
    blocked.push('permissions', 'mediaDevices', 'clientHints', 'cpuArchitecture', 'pageCanvasExact', ...onlyInWorkers)
    const missing = Object.keys(FactSchemas.properties).filter((name) => !(name in facts) && !notHere.includes(name))
    const elsewhere = browser.name === 'Chromium' ? [] : onlyInChromium
    assert.deepEqual(new Set(missing), new Set([...blocked, ...elsewhere]))
    assert.equal(facts.cookieEnabled, false)
    assert.deepEqual(facts.storage, { localStorage: false, sessionStorage: false, indexedDB: false })
    assert.deepEqual(page.complaints, [])
  })

  test('a fact that never resolves is left out and delays no other fact', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(`
      Permissions.prototype.query = () => new Promise(() => {})
      window.Worker = class { postMessage() {} terminate() {} }
    `)
    await page.goto(await servePage(t, script))
    const facts = await collected(page, { limitMs: 300 })
    assert.equal(facts.permissions, undefined)
    assert.ok(facts.audio && facts.userAgent && facts.screen)
  })

  test('the page can run its own tasks between slow facts', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(`
      const slow = () => { const end = performance.now() + 20; while (performance.now() < end); return [] }
      Object.defineProperty(navigator, 'plugins', { get: slow })
      Object.defineProperty(navigator, 'languages', { get: slow })
    `)
    await page.goto(await servePage(t, script))
    const order = await page.evaluate(async (options) => {
      const seen: string[] = []
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => seen.push('the page')
      const collecting = collector.collectPlainFacts(options).then(() => seen.push('the facts'))
      port2.postMessage(undefined)
      await collecting
      return seen
    }, everything)
    assert.deepEqual(order, ['the page', 'the facts'])
  })
})
