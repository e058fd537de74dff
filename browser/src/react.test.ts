import assert from 'node:assert/strict'
import { before } from 'node:test'
import { bundleForBrowsers } from '../../scripts/build-browser-sdk.ts'
import type { Ringfence } from './ringfence.ts'
import { inEachBrowser } from './testing/browser-tests.ts'
import { appId, startFakeService } from './testing/fake-service.ts'

/** Set by the component of the page. */
declare const rendered: { ringfences: Ringfence[]; texts: string[]; unmount(): void }

const component = `
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { useRingfence } from './react.ts'

const ringfences = new Set()
const texts = []
function Login() {
  const { ringfence, isInitialized, user } = useRingfence('${appId}', { collect: { plugins: false } })
  ringfences.add(ringfence)
  const text = isInitialized + ' ' + (user?.userId ?? 'nobody')
  if (texts.at(-1) !== text) texts.push(text)
  return text
}
addEventListener('DOMContentLoaded', () => {
  const root = createRoot(document.body)
  root.render(createElement(StrictMode, null, createElement(Login)))
  globalThis.rendered = { texts, unmount: () => root.unmount(), get ringfences() { return [...ringfences] } }
})
`

let script: string
before(async () => {
  script = await bundleForBrowsers({
    stdin: { contents: component, resolveDir: import.meta.dirname, loader: 'ts' },
    format: 'iife',
    minify: false, // the React build that runs effects twice in StrictMode
  })
})

inEachBrowser((test) => {
  test('the hook renders again after initialisation and after sign-in, and opens one session', async (t, browser) => {
    const service = await startFakeService(t, script)
    const page = await browser.open(t)
    await page.goto(service.url)
    const texts = await page.evaluate(async () => {
      const shows = (text: string) =>
        new Promise<void>((resolve) => {
          const look = () => (document.body.textContent === text ? resolve() : setTimeout(look, 5))
          look()
        })
      await shows('true nobody')
      const { signIn } = rendered.ringfences.at(-1) as Ringfence
      await signIn.start({ channel: 'OTP', identity: { type: 'MOBILE', value: '919812345678' } })
      await signIn.verify({ otp: '123456' })
      await shows('true u1')
      rendered.unmount()
      return rendered.texts
    }, null)
    assert.deepEqual(texts, ['undefined nobody', 'true nobody', 'true u1'])
    assert.equal(service.callsTo('device-fingerprint/config').length, 1)
  })
})
