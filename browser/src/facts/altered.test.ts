import assert from 'node:assert/strict'
import { before } from 'node:test'
import { bundleForBrowsers } from '../../../scripts/build-browser-sdk.ts'
import { inEachBrowser, servePage } from '../testing/browser-tests.ts'
import type { alteredFunctions } from './altered.ts'

declare const altered: { alteredFunctions: typeof alteredFunctions }

let script: string
before(async () => {
  script = await bundleForBrowsers({
    stdin: { contents: `export * from './altered.ts'`, resolveDir: import.meta.dirname, loader: 'ts' },
    format: 'iife',
    globalName: 'altered',
  })
})

/** As libraries wrap: the own function calls the native one with the same arguments. */
const wrap = `
function wrap(holder, name, change = (value) => value) {
  const prototype = window[holder]?.prototype
  const property = prototype && Object.getOwnPropertyDescriptor(prototype, name)
  if (!property) return
  const part = property.get ? 'get' : 'value'
  const native = property[part]
  const wrapped = function (...args) { return change(native.apply(this, args)) }
  wrapped.prototype ??= {}
  Object.defineProperties(wrapped, { __original__: { value: native } })
  Object.defineProperty(prototype, name, { ...property, [part]: wrapped })
}
`

/** What a page loads, in the way in which each is known to wrap. */
const harmless: Readonly<Record<string, string>> = {
  'session replay that records canvases': `
    for (const name of ['getContext', 'toDataURL', 'toBlob']) wrap('HTMLCanvasElement', name)
    for (const name of ['getImageData', 'measureText', 'fillText', 'drawImage']) wrap('CanvasRenderingContext2D', name)
    for (const name of ['readPixels', 'getParameter', 'getExtension', 'drawArrays']) wrap('WebGLRenderingContext', name)`,
  'a tag manager that watches devices': `wrap('MediaDevices', 'enumerateDevices'); wrap('Permissions', 'query')`,
  'zones that follow asynchronous calls': `
    for (const name of ['toBlob']) wrap('HTMLCanvasElement', name)
    wrap('Permissions', 'query', (promise) => promise.then((value) => value))
    wrap('NavigatorUAData', 'getHighEntropyValues', (promise) => promise.then((value) => value))`,
  'an error reporter': `
    const native = Function.prototype.toString
    Function.prototype.toString = function (...args) { return native.apply(this.__original__ ?? this, args) }
    wrap('HTMLCanvasElement', 'getContext')`,
  'a canvas library that patches its context': `
    wrap('CanvasRenderingContext2D', 'measureText', (value) => value); wrap('OffscreenCanvas', 'getContext')`,
  'a date mock with the zone of the person': `
    const NativeDate = Date
    window.Date = class extends NativeDate { constructor(...args) { super(...(args.length ? args : [1.7e12])) } }
    wrap('Date', 'getTimezoneOffset')
    NativeDate.prototype.getTimezoneOffset = new Function('native', 'return function () { return native.call(this) }')(NativeDate.prototype.getTimezoneOffset)`,
  'a property of the page beside those of the browser': `navigator.ofThePage = 1`,
  'sound that is watched': `wrap('AudioBuffer', 'getChannelData')`,
  'a polyfill that corrects nothing': `
    for (const name of ['languages', 'hardwareConcurrency', 'userAgent']) wrap('Navigator', name)
    for (const name of ['width', 'availWidth']) wrap('Screen', name)`,
}

const disguises: Readonly<Record<string, readonly [code: string, found: string]>> = {
  'another number of cores': [
    `wrap('Navigator', 'hardwareConcurrency', (cores) => cores + 2)`,
    'Navigator.hardwareConcurrency',
  ],
  'another platform on navigator itself': [
    `Object.defineProperty(navigator, 'platform', { get: () => 'Win32' })`,
    'navigator.platform',
  ],
  'noise on canvases': [
    `wrap('CanvasRenderingContext2D', 'getImageData', (image) => { image.data[40] ^= 1; return image })`,
    'CanvasRenderingContext2D.getImageData',
  ],
  'noise in exported pictures': [
    `wrap('HTMLCanvasElement', 'toDataURL', (url) => url + 'x')`,
    'HTMLCanvasElement.toDataURL',
  ],
  'noise in sound': [
    `wrap('AudioBuffer', 'getChannelData', (samples) => { samples[3] += 1e-4; return samples })`,
    'AudioBuffer.getChannelData',
  ],
  'another zone': [`wrap('Date', 'getTimezoneOffset', () => 480)`, 'Date.getTimezoneOffset'],
  'another answer of permissions': [
    `wrap('Permissions', 'query', (promise) => promise.then(() => ({ toJSON: () => 'forged' })))`,
    'Permissions.query',
  ],
}

const runs = (text: string) => {
  document.head.append(Object.assign(document.createElement('script'), { textContent: text }))
}

inEachBrowser((test) => {
  test('functions that libraries wrap without an effect do not count', async (t, browser) => {
    for (const [name, code] of Object.entries(harmless)) {
      const page = await browser.open(t)
      await page.goto(await servePage(t, script))
      await page.evaluate(runs, `(() => { ${wrap} ${code} })()`)
      assert.deepEqual(await page.evaluate(() => altered.alteredFunctions(), null), [], name)
    }
  })

  test('a function that returns something else counts', async (t, browser) => {
    for (const [name, [code, found]] of Object.entries(disguises)) {
      const page = await browser.open(t)
      await page.goto(await servePage(t, script))
      await page.evaluate(runs, `(() => { ${wrap} ${code} })()`)
      assert.deepEqual(await page.evaluate(() => altered.alteredFunctions(), null), [found], name)
    }
  })

  test('where every realm is wrapped, nothing shows that it is harmless', async (t, browser) => {
    const page = await browser.open(t)
    await page.prepare(`${wrap} wrap('Navigator', 'languages')`)
    await page.goto(await servePage(t, script))
    assert.deepEqual(await page.evaluate(() => altered.alteredFunctions(), null), ['Navigator.languages'])
  })
})
