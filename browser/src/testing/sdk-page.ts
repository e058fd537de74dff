// How does a test use the SDK on a page? Waits take no time, limits end when the test says so; waits, logs and events are recorded.

import type { Ending } from '../../../scripts/browsers.ts'
import { bundleForBrowsers } from '../../../scripts/build-browser-sdk.ts'
import type { RingfenceError } from '../error.ts'
import type { createRingfence, Ringfence } from '../ringfence.ts'
import type { TestBrowser, TestPage } from './browser-tests.ts'
import { appId, type FakeService, startFakeService } from './fake-service.ts'
import { holding } from './held-timers.ts'

declare global {
  var sdk: { createRingfence: typeof createRingfence; RingfenceError: typeof RingfenceError }
  var ringfence: Ringfence
  var recorded: Recorded
}

export interface Recorded {
  waitsMs: number[]
  logged: string[]
  events: [name: string, event: unknown][]
}

export interface SdkPage extends TestPage {
  readonly service: FakeService
  recorded(): Promise<Recorded>
}

/** The SDK as a script that puts its exports into the global `sdk`, on a page whose `limits` are held. */
export async function bundleSdk(): Promise<string> {
  const contents = `export * from '../index.ts'`
  const script = await bundleForBrowsers({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    format: 'iife',
    globalName: 'sdk',
  })
  return holding() + script
}

/** A page on the origin of a fake service, with a Ringfence that is not initialised yet. */
export async function openSdkPage(t: Ending, browser: TestBrowser, script: string, prepared = ''): Promise<SdkPage> {
  const service = await startFakeService(t, script)
  const page = await browser.open(t)
  if (prepared) await page.prepare(prepared)
  await page.goto(service.url)
  await page.evaluate(setUp, null)
  return { ...page, service, recorded: () => page.evaluate(() => recorded, null) }
}

/** Runs in the page, each time it has loaded. */
export function setUp(): void {
  globalThis.recorded = { waitsMs: [], logged: [], events: [] }
  globalThis.ringfence = sdk.createRingfence({
    wait: async (ms) => void recorded.waitsMs.push(ms),
    log: (message) => recorded.logged.push(message),
  })
  for (const name of ['initialized', 'signInStarted', 'signedIn', 'fingerprinted', 'warning'] as const) {
    ringfence.on(name, (event) => recorded.events.push([name, event]))
  }
}

export async function openInitialized(t: Ending, browser: TestBrowser, script: string): Promise<SdkPage> {
  const page = await openSdkPage(t, browser, script)
  await page.evaluate((id) => ringfence.initialize(id), appId)
  return page
}

/** The error of a failed call, as plain data. */
export interface Failure {
  code: string
  message: string
  requestId?: string
  status?: number
  errorCode?: string
}
