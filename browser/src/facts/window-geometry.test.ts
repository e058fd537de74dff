import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { chromiumOptions, launchFirefox } from '../../../scripts/browsers.ts'
import { bundleForBrowsers } from '../../../scripts/build-browser-sdk.ts'
import { servePage } from '../testing/browser-tests.ts'
import { holding } from '../testing/held-timers.ts'
import type { windowGeometry } from './screen.ts'

type Geometry = Awaited<ReturnType<typeof windowGeometry>>
declare const geometry: { windowGeometry: typeof windowGeometry }

let script: string
before(async () => {
  const bundled = await bundleForBrowsers({
    stdin: { contents: `export * from './screen.ts'`, resolveDir: import.meta.dirname, loader: 'ts' },
    format: 'iife',
    globalName: 'geometry',
  })
  // A busy machine may show a page later than the SDK waits for it.
  script = holding([300]) + bundled
})

const browsers: Readonly<Record<string, (t: TestContext) => Promise<Browser>>> = {
  async Chromium(t) {
    const browser = await puppeteer.launch({ ...(await chromiumOptions()), headless: true })
    t.after(() => browser.close())
    return browser
  },
  Firefox: (t) => launchFirefox(t),
}

/** A tab behind another one. */
async function openBehind(t: TestContext, browser: Browser): Promise<Page> {
  await (await browser.newPage()).goto(await servePage(t, ''))
  const page = await browser.newPage({ background: true })
  await page.goto(await servePage(t, script))
  assert.equal(await page.evaluate(() => document.hidden), true)
  return page
}

/** Begins to read; the promise stays in the page. */
const begin = (page: Page) =>
  page.evaluate(() => void Object.assign(globalThis, { reading: geometry.windowGeometry() }))
const read = (page: Page) => page.evaluate(() => (globalThis as unknown as { reading: Promise<Geometry> }).reading)

for (const [name, launch] of Object.entries(browsers)) {
  test(`${name}: a page that opened in the background has a window as soon as it is shown`, async (t) => {
    const page = await openBehind(t, await launch(t))
    await begin(page)
    await page.bringToFront()
    const { outerWidth = 0, outerHeight = 0, screenX } = await read(page)
    assert.ok(outerWidth > 300 && outerHeight > 300, `${outerWidth} × ${outerHeight}`)
    assert.equal(typeof screenX, 'number')
  })

  test(`${name}: a page that stays in the background says nothing of a window of size 0`, async (t) => {
    const page = await openBehind(t, await launch(t))
    await begin(page)
    await page.evaluate(() => {
      for (const limit of limits) limit.end()
    })
    const { outerWidth, innerWidth = 0 } = await read(page)
    assert.notEqual(outerWidth, 0)
    assert.ok(innerWidth > 300)
  })

  test(`${name}: a page that is shown while it is read has no window of size 0`, async (t) => {
    const page = await openBehind(t, await launch(t))
    const seen = await page.evaluate(async () => {
      const all: Promise<Geometry>[] = []
      const readAgain = () => all.push(geometry.windowGeometry())
      document.addEventListener('visibilitychange', readAgain)
      Object.assign(globalThis, { all })
      return readAgain()
    })
    assert.equal(seen, 1)
    await page.bringToFront()
    const widths = await page.evaluate(async () => {
      const { all } = globalThis as unknown as { all: Promise<Geometry>[] }
      while (all.length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
      return (await Promise.all(all)).map(({ outerWidth }) => outerWidth)
    })
    assert.ok(
      widths.every((width) => width! > 300),
      widths.join(),
    )
  })
}
