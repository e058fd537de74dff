import assert from 'node:assert/strict'
import { before } from 'node:test'
import { WebFacts as FactSchemas } from '@ringfence/contract'
import Value from 'typebox/value'
import { bundleForBrowsers } from '../../../scripts/build-browser-sdk.ts'
import { inEachBrowser, serve, servePage, type TestPage } from '../testing/browser-tests.ts'
import { holding } from '../testing/held-timers.ts'
import type { WebFacts } from '../wire.ts'
import type { Collection, collectFacts, collectPlainFacts } from './collect.ts'
import type { Collected } from './readings.ts'

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

/** A busy machine takes seconds for a fact; a minute ends a fact that hangs. */
const everything: Collection = { context: { deviceToken: undefined }, switches: [], limitMs: 60_000 }

function collected(page: TestPage, collection: Partial<Collection> = {}): Promise<Collected<WebFacts>> {
  return page.evaluate((options) => collector.collectFacts(options), { ...everything, ...collection })
}

const factsOf = async (page: TestPage, collection: Partial<Collection> = {}) =>
  (await collected(page, collection)).facts

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
    const facts = await factsOf(page)
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
    const first = await factsOf(page)
    assert.deepEqual(steady(await factsOf(page)), steady(first))
    const blocked = await browser.open(t)
    await blocked.goto(await servePage(t, script, { 'content-security-policy': "default-src 'self'" }))
    const { canvas, ...others } = await factsOf(blocked)
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
    const facts = await factsOf(page, {
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
    const facts = await factsOf(page)
    const blocked = ['canvas', 'webgl', 'fonts', 'fontWidths', 'audio', 'mediaQueries', 'plugins', 'languages']
    blocked.push('permissions', 'mediaDevices', 'clientHints', 'cpuArchitecture', 'pageCanvasExact', ...onlyInWorkers)
    const missing = Object.keys(FactSchemas.properties).filter((name) => !(name in facts) && !notHere.includes(name))
    const elsewhere = browser.name === 'Chromium' ? [] : onlyInChromium
    assert.deepEqual(new Set(missing), new Set([...blocked, ...elsewhere]))
    assert.equal(facts.cookieEnabled, false)
    assert.deepEqual(facts.storage, { localStorage: false, sessionStorage: false, indexedDB: false })
    assert.deepEqual(page.complaints, [])
  })

  test('each missing fact is reported as refused, unavailable or timed out', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(`
      Object.defineProperty(navigator, 'plugins', { get() { throw new Error('no') } })
      Object.defineProperty(window, 'speechSynthesis', { value: undefined })
      MediaDevices.prototype.enumerateDevices = () => Promise.reject(new Error('no'))
      Permissions.prototype.query = () => new Promise(() => {})
      OfflineAudioContext.prototype.startRendering = () => new Promise(() => {})
      const { getContext } = HTMLCanvasElement.prototype
      HTMLCanvasElement.prototype.getContext = function (...values) {
        // Only the last fact of the page reads a canvas so: all others have been begun.
        if (values[1]?.willReadFrequently) window.wasLastBegun = true
        return getContext.apply(this, values)
      }
      ${holding([1_000, 1_500])}
    `)
    await page.goto(await servePage(t, script))
    const { facts, missing } = await page.evaluate(
      async (options) => {
        const collecting = collector.collectFacts(options)
        while (!('wasLastBegun' in window)) await new Promise((resolve) => setTimeout(resolve, 5))
        for (const wanted of [1000, 1500]) {
          const begun = () => limits.filter(({ ms }) => ms === wanted)
          while (begun().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
          for (const limit of begun()) limit.end()
        }
        return collecting
      },
      { ...everything, limitMs: 1_000, switches: [{ keyboard: false }] },
    )
    const { plugins, voices, mediaDevices, permissions, audio, blobStorage } = missing
    assert.deepEqual(
      { plugins, mediaDevices, voices, blobStorage, permissions, audio },
      {
        plugins: 'refused',
        mediaDevices: 'refused',
        voices: 'unavailable',
        blobStorage: 'unavailable',
        permissions: 'timedOut',
        audio: 'timedOut',
      },
    )
    const known = [...Object.keys(facts), ...Object.keys(missing)]
    const wanted = Object.keys(FactSchemas.properties).filter((name) => name !== 'keyboard')
    assert.deepEqual(known.toSorted(), wanted.toSorted(), 'every fact that is switched on is in one of them, once')
  })

  test('an important fact may take two and a half times as long, and delays no longer than that', async (t, browser) => {
    const limitMs = 400
    const moreMs = 600
    const lateMs = 700
    const collectedWith = async (isKnownInTime: boolean) => {
      const page = await browser.open(t)
      await page.prepare(`
        const late = (holder, name) => {
          const native = holder.prototype[name]
          holder.prototype[name] = async function (...values) {
            await new Promise((resolve) => setTimeout(resolve, ${lateMs}))
            return native.apply(this, values)
          }
        }
        late(OfflineAudioContext, 'startRendering')
        late(MediaDevices, 'enumerateDevices')
        Permissions.prototype.query = () => new Promise(() => {})
        const { screen } = window
        Object.defineProperty(window, 'screen', { get: () => (window.wasScreenRead = screen) })
        ${holding([limitMs, moreMs, lateMs])}
      `)
      await page.goto(await servePage(t, script))
      return page.evaluate(
        async ({ options, moreMs, lateMs, isKnownInTime }) => {
          const begun = (wanted: number) => limits.filter(({ ms }) => ms === wanted)
          const end = (wanted: number) => {
            for (const limit of begun(wanted)) limit.end()
          }
          const is = async (holds: () => boolean) => {
            while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
          }
          const collecting = collector.collectFacts(options)
          await is(() => 'wasScreenRead' in window && begun(lateMs).length === 2)
          end(options.limitMs)
          await is(() => begun(moreMs).length === 1)
          if (isKnownInTime) end(lateMs)
          else end(moreMs)
          return collecting
        },
        { options: { ...everything, limitMs }, moreMs, lateMs, isKnownInTime },
      )
    }
    const patient = await collectedWith(true)
    assert.equal(typeof patient.facts.audio, 'number', 'ends when the important facts are known')
    assert.deepEqual([patient.missing.permissions, patient.missing.screen], ['timedOut', undefined])
    const quick = await collectedWith(false)
    assert.deepEqual([quick.missing.audio, quick.missing.mediaDevices], ['timedOut', 'timedOut'])
  })

  const workers = {
    'never answers': 'window.Worker = class { postMessage() {} terminate() {} }',
    'starts late': `window.Worker = class extends Worker {
      postMessage(message) { setTimeout(() => super.postMessage(message), 120000) }
    }`,
    'answers one fact only': `window.Worker = class {
      static count = 0
      postMessage() {
        setTimeout(() => {
          this.onmessage({ data: ['math', 'of the worker'] })
          window.haveAnswered = ++window.Worker.count === 3
        })
      }
      terminate() {}
    }`,
    fails: `window.Worker = class {
      postMessage() { setTimeout(() => this.onerror(new ErrorEvent('error'))) }
      terminate() {}
    }`,
  }
  for (const [what, prepared] of Object.entries(workers)) {
    test(`the page reads the facts of a worker that ${what}, within the same limit`, async (t, browser) => {
      const page = await browser.open(t)
      await page.prepare(`${holding([2_000, 3_000])}; ${prepared}`)
      await page.goto(await servePage(t, script))
      const { facts, missing } = await page.evaluate(
        async ({ options, answers, fails }) => {
          const collecting = collector.collectFacts(options)
          while (answers && !(window as { haveAnswered?: boolean }).haveAnswered)
            await new Promise((resolve) => setTimeout(resolve, 5))
          // The limit of all facts, and of the silence of workers; the important ones need no more time.
          if (!fails) for (const limit of limits.filter(({ ms }) => ms === options.limitMs)) limit.end()
          return collecting
        },
        {
          options: { ...everything, limitMs: 2_000 },
          answers: what === 'answers one fact only',
          fails: what === 'fails',
        },
      )
      for (const name of ['canvas', 'fonts', 'fontWidths', 'locale', 'engine', 'math', 'audio'] as const) {
        assert.notEqual(facts[name], undefined, name)
      }
      assert.equal(facts.math === 'of the worker', what === 'answers one fact only')
      const because = what === 'fails' ? 'unavailable' : 'timedOut'
      assert.deepEqual([missing.workerScope, missing.fileSystem], [because, because])
      assert.deepEqual(page.complaints, [])
    })
  }

  test('web fonts with names of the list change no fact, and are not requested', async (t, browser) => {
    const declared = ['Roboto', "'Open Sans'", '"DejaVu Sans"', 'UBUNTU']
    const style = `<style>${declared.map((name) => `@font-face { font-family: ${name}; src: local("DejaVu Serif"), local("DejaVu Sans Mono") }`).join('')}
      @font-face { font-family: "Source Code Pro"; src: url(/font.woff2) }</style>`
    const asked: string[] = []
    const answer = (html: string) =>
      serve(t, ({ url = '' }, response) => {
        asked.push(url)
        const isScript = url === '/script.js'
        response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
        response.setHeader('content-security-policy', "worker-src 'none'")
        response.end(
          isScript ? script : `<!doctype html><link rel="icon" href="data:,">${html}<script src="/script.js"></script>`,
        )
      })
    const page = await browser.open(t)
    await page.goto(await answer(''))
    const plain = await factsOf(page)
    await page.goto(await answer(style))
    await page.evaluate(async () => {
      await document.fonts.load('48px Roboto')
      await document.fonts.load('48px "DejaVu Sans"')
    }, null)
    const { fonts, fontWidths, canvas } = await factsOf(page)
    assert.deepEqual([fonts, fontWidths, canvas], [plain.fonts, plain.fontWidths, plain.canvas])
    assert.deepEqual(
      asked.filter((url) => url.includes('woff')),
      [],
    )
  })

  const noises = {
    'differs from place to place': '(x * 31 + y * 17 + seed) % 5 === 0',
    'differs from place to place, on edges only': 'isEdge(x, y) && (x * 31 + y * 17 + seed) % 3 === 0',
    'differs from place to place, on smoothed edges only': 'isSmoothed(x, y) && (x * 31 + y * 17 + seed) % 3 === 0',
    'differs from canvas to canvas, on edges only': 'isEdge(x, y) && (x + y + calls) % 4 === 0',
    'changes colours': 'at(x, y) % 9 === seed % 9',
  }
  for (const [what, isChanged] of Object.entries(noises)) {
    test(`a canvas with noise that changes per reload and ${what} is reported as altered`, async (t, browser) => {
      const page = await browser.open(t)
      await page.prepare(`
        const seed = Math.floor(Math.random() * 1000)
        let calls = 0
        for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
          const native = prototype.getImageData
          prototype.getImageData = function (left, top, width, height) {
            calls++
            const image = native.call(this, left, top, width, height)
            const { data } = image
            const own = data.slice()
            const at = (x, y) => own[4 * ((y - top) * width + x - left)]
            const alpha = (x, y) => own[4 * ((y - top) * width + x - left) + 3]
            const isSmoothed = (x, y) => alpha(x, y) % 255 !== 0
            const isEdge = (x, y) => x > left && at(x, y) !== at(x - 1, y) && at(x, y) % 255 !== 0
            for (let y = top; y < top + height; y++)
              for (let x = left; x < left + width; x++)
                if (${isChanged}) data[4 * ((y - top) * width + x - left)] ^= 1
            return image
          }
        }
      `)
      await page.goto(await servePage(t, script, { 'content-security-policy': "worker-src 'none'" }))
      const { canvas } = await factsOf(page)
      assert.ok(canvas && !(canvas.isStable && canvas.isExact), JSON.stringify(canvas))
    })
  }

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
