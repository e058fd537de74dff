import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { chromium } from 'playwright-core'
import { chromiumOptions, launchFirefox } from '../../../scripts/browsers.ts'
import { bundleForBrowsers } from '../../../scripts/build-browser-sdk.ts'
import type { collectFacts } from '../collect/collect.ts'
import { servePage } from '../testing/browser-tests.ts'

declare const collector: { collectFacts: typeof collectFacts }

const collected = () => collector.collectFacts({ context: { deviceToken: undefined }, switches: [], limitMs: 60_000 })

async function served(t: TestContext): Promise<string> {
  const stdin = {
    contents: `export * from '../collect/collect.ts'`,
    resolveDir: import.meta.dirname,
    loader: 'ts',
  } as const
  return servePage(t, await bundleForBrowsers({ stdin, format: 'iife', globalName: 'collector' }))
}

function assertNothingIsStored({ facts }: Awaited<ReturnType<typeof collected>>): void {
  const { cookieEnabled, storage, userAgent, canvas } = facts
  assert.equal(cookieEnabled, false)
  assert.deepEqual([storage?.localStorage, storage?.sessionStorage], [false, false])
  assert.ok(userAgent && canvas, 'the other facts are reported')
}

test('a Firefox with cookies disabled reports it', { timeout: 60_000 }, async (t) => {
  const firefox = await launchFirefox(t, { 'network.cookie.cookieBehavior': 2 })
  const page = await firefox.newPage()
  await page.goto(await served(t))
  assertNothingIsStored(await page.evaluate(collected))
})

test('a Chromium with cookies disabled reports it', { timeout: 60_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-cookies-off-'))
  await mkdir(join(folder, 'Default'))
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  const browser = await chromium.launchPersistentContext(folder, await chromiumOptions())
  t.after(async () => {
    await browser.close()
    await rm(folder, { recursive: true, maxRetries: 5 })
  })
  const page = await browser.newPage()
  await page.goto(await served(t))
  assertNothingIsStored(await page.evaluate(collected))
})
