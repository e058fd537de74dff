// How long do the collector and a proof take, and how long do they block the page? Prints JSON; proof/bench/browser.ts runs it.

import { inTurns } from '../../../proof/bench/harness/harness.ts'
import { bundleForBrowsers } from '../../../scripts/build-browser-sdk.ts'
import type { collectFacts } from '../collect/collect.ts'
import type { installationKey } from '../installation-key.ts'
import type { persistentStorage } from '../persistent-storage.ts'
import type { IntelligenceRequest } from '../wire.ts'
import { servePage, startChromium, startFirefox, type TestBrowser } from './browser-tests.ts'

declare const collector: {
  collectFacts: typeof collectFacts
  installationKey: typeof installationKey
  persistentStorage: typeof persistentStorage
}

const ends: (() => Promise<unknown>)[] = []
const t = { after: (end: () => Promise<unknown>) => void ends.push(end) }
try {
  const script = await bundleForBrowsers({
    stdin: {
      contents: `export * from '../collect/collect.ts'; export * from '../installation-key.ts'; export * from '../persistent-storage.ts'`,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    format: 'iife',
    globalName: 'collector',
  })
  const url = await servePage(t, script)
  const chromium = await startChromium(t)
  const firefox = await startFirefox(t)
  const figures = await inTurns({
    Chromium: () => collection(chromium, url),
    Firefox: () => collection(firefox, url),
  })
  process.stdout.write(JSON.stringify(figures))
} finally {
  for (const end of ends.toReversed()) await end()
}

async function collection(browser: TestBrowser, url: string) {
  const ends: (() => Promise<unknown>)[] = []
  try {
    const page = await browser.open({ after: (end) => void ends.push(end) })
    await page.goto(url)
    return await page.evaluate(async () => {
      let pauseMs = 0
      let last = performance.now()
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        const now = performance.now()
        pauseMs = Math.max(pauseMs, now - last)
        last = now
        port2.postMessage(undefined)
      }
      port2.postMessage(undefined)
      const timed = async () => {
        const start = performance.now()
        const { facts } = await collector.collectFacts({
          context: { deviceToken: undefined },
          switches: [],
          limitMs: 2_000,
        })
        return { facts, ms: performance.now() - start }
      }
      const { facts, ms: firstMs } = await timed()
      const { ms: nextMs } = await timed()
      const collectingPauseMs = pauseMs
      pauseMs = 0
      await new Promise((resolve) => setTimeout(resolve, firstMs + nextMs))
      port1.close()
      const key = collector.installationKey(collector.persistentStorage(), 'rfa_bench')
      const proved = async () => {
        const start = performance.now()
        const ids = { requestId: crypto.randomUUID(), challenge: 'c'.repeat(32), tsId: crypto.randomUUID() }
        const proof = await key.proofOf({ ...ids, facts } as unknown as IntelligenceRequest)
        if (!proof) throw new Error('the browser made no key')
        return performance.now() - start
      }
      const keyMs = await proved()
      const proofMs = await proved()
      return { firstMs, nextMs, pauseMs: collectingPauseMs, idlePauseMs: pauseMs, keyMs, proofMs }
    }, null)
  } finally {
    for (const end of ends) await end()
  }
}
