import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test as plainTest, type TestContext } from 'node:test'
import { readSamples } from '@ringfence/contract'
import { canonicalJson } from '@ringfence/server/core/json/canonical-json.ts'
import { verifyProof } from '@ringfence/server/device/identity/proof.ts'
import { chromium } from 'playwright-core'
import { chromiumOptions, type Ending, launchFirefox } from '../../scripts/browsers.ts'
import { chromiumPage, firefoxPage, inEachBrowser, type TestBrowser, type TestPage } from './testing/browser-tests.ts'
import { appId, type FakeService, type ServiceCall, startFakeService } from './testing/fake-service.ts'
import { heldForMs } from './testing/held-timers.ts'
import { bundleSdk, openSdkPage, type SdkPage, setUp } from './testing/sdk-page.ts'

let script: string
before(async () => {
  script = await bundleSdk()
})

/** The limits of the key are a second and three; those of the facts are not, in pages with this, and are not held. */
const factLimitMs = 900

/** For functions that run in the page. */
declare const crypto: { readonly subtle: unknown; getRandomValues(bytes: Uint8Array): Uint8Array }
declare const indexedDB: {
  deleteDatabase(name: string): object
  open(name: string, version: number): object
}

/** Throws when the request has no proof that verifies over its body. */
function assertProven({ body }: ServiceCall): void {
  assert.equal(verifyProof(body)?.state, 'proved', 'the server accepts the proof')
  const { proof, ...signed } = body
  const point = Buffer.from(proof.publicKey, 'base64url')
  assert.deepEqual([point.length, point[0]], [65, 4])
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const hash = createHash('sha256').update(canonicalJson(signed)).digest('base64url')
  const text = `ringfence-proof-v1\n${body.tsId}\n${body.challenge}\n${body.requestId}\n${hash}`
  const signature = Buffer.from(proof.signature, 'base64url')
  assert.ok(verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature), 'the proof verifies')
}

async function initialized(page: TestPage, url: string): Promise<void> {
  await page.goto(url)
  await page.evaluate(setUp, null)
  await page.evaluate(([id, ms]) => ringfence.initialize(id, { factLimitMs: ms }), [appId, factLimitMs] as const)
}

async function openInitialized(t: Ending, browser: TestBrowser): Promise<SdkPage> {
  const page = await openSdkPage(t, browser, script)
  await initialized(page, page.service.url)
  return page
}

const analysed = (page: TestPage) => page.evaluate(() => ringfence.fetchIntelligence(), null)

const keysSent = (service: FakeService) =>
  service.callsTo('intelligence').map(({ body }) => body.proof?.publicKey as string | undefined)

inEachBrowser((test) => {
  test('every analysis is signed with one key, over a body of any text and any number', async (t, browser) => {
    const page = await openInitialized(t, browser)
    await page.evaluate(async () => {
      const additionalInput = { 'é"\\\n': '\ud800', a10: '€ 😃', a9: '\u2028', '10': 'ten', '9': 'nine' }
      await ringfence.fetchIntelligence({}, { userId: 'ü', additionalInput })
      await ringfence.fetchIntelligence({}, { large: 1e21, small: 1e-7, zero: -0 } as never)
      await ringfence.secure()
    }, null)
    const calls = [...page.service.callsTo('intelligence'), ...page.service.callsTo('secure')]
    assert.equal(calls.length, 3)
    for (const call of calls) assertProven(call)
    assert.equal(new Set(calls.map(({ body }) => body.proof.publicKey)).size, 1)
    assert.deepEqual(page.complaints, [])
  })

  test('the proof changes with the challenge and covers the new one after a refused session', async (t, browser) => {
    const page = await openInitialized(t, browser)
    page.service.forgetSessions()
    await analysed(page)
    const [refused, accepted] = page.service.callsTo('intelligence')
    assertProven(refused!)
    assertProven(accepted!)
    assert.notEqual(refused!.body.challenge, accepted!.body.challenge)
  })

  test('the key survives a reload and a cleared localStorage; a deleted database makes a new one', async (t, browser) => {
    const page = await openInitialized(t, browser)
    await analysed(page)
    await initialized(page, page.service.url)
    await analysed(page)
    await page.evaluate(() => localStorage.clear(), null)
    await initialized(page, page.service.url)
    await analysed(page)
    await page.evaluate(
      () => new Promise((resolve) => Object.assign(indexedDB.deleteDatabase('ringfence'), { onsuccess: resolve })),
      null,
    )
    await initialized(page, page.service.url)
    await analysed(page)
    for (const call of page.service.callsTo('intelligence')) assertProven(call)
    const [first, reloaded, cleared, deleted] = keysSent(page.service)
    assert.deepEqual([reloaded, cleared], [first, first])
    assert.notEqual(deleted, first)
  })

  test('the private key cannot be exported', async (t, browser) => {
    const page = await openInitialized(t, browser)
    await analysed(page)
    const failures = await page.evaluate(
      (id) =>
        new Promise<string[]>((resolve) => {
          const opening = indexedDB.open('ringfence', 1) as IDBOpenDBRequest
          opening.onsuccess = () => {
            const reading = opening.result.transaction('kept').objectStore('kept').get(`key.${id}`)
            reading.onsuccess = async () => {
              const { subtle } = crypto as Crypto
              const exports = (['pkcs8', 'jwk'] as const).map((format) =>
                subtle.exportKey(format, reading.result.privateKey).then(
                  () => 'exported',
                  ({ name }) => name as string,
                ),
              )
              resolve(Promise.all(exports))
            }
          }
        }),
      appId,
    )
    assert.deepEqual(failures, ['InvalidAccessError', 'InvalidAccessError'])
  })

  test('two tabs that make the first visit at once use one key', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    const tabs = [page, await page.openTab(), await page.openTab()]
    for (const tab of tabs) await initialized(tab, page.service.url)
    await Promise.all(tabs.map(analysed))
    for (const tab of tabs) {
      await initialized(tab, page.service.url)
      await analysed(tab)
    }
    for (const call of page.service.callsTo('intelligence')) assertProven(call)
    const keys = keysSent(page.service)
    assert.deepEqual([keys.length, new Set(keys).size], [6, 1])
  })

  test('a browser with a token of an older SDK proves a key from the first visit on', async (t, browser) => {
    const page = await openSdkPage(t, browser, script)
    // As the older SDK stored it: the same database, version and object store.
    await page.evaluate(
      (id) =>
        new Promise((resolve) => {
          localStorage.setItem(`ringfence.deviceToken.${id}`, 'older-token')
          const opening = indexedDB.open('ringfence', 1) as IDBOpenDBRequest
          opening.onupgradeneeded = () =>
            opening.result.createObjectStore('kept').put('older-token', `deviceToken.${id}`)
          opening.onsuccess = () => {
            opening.result.close()
            resolve(undefined)
          }
        }),
      appId,
    )
    await initialized(page, page.service.url)
    await analysed(page)
    const [call] = page.service.callsTo('intelligence')
    assert.equal(call!.body.facts.deviceToken, 'older-token')
    assertProven(call!)
  })

  /** What a page without keys prepares, and the limits that its first call waits for: of the key, and of the token beside it. */
  const withoutKeys: Record<string, { prepared: string; waitedMs: readonly number[] }> = {
    'an insecure context': {
      prepared: `Object.defineProperty(crypto, 'subtle', { value: undefined })`,
      waitedMs: [],
    },
    'a blocked IndexedDB': {
      prepared: `Object.defineProperty(window, 'indexedDB', { get() { throw new Error('blocked') } })`,
      waitedMs: [],
    },
    'an IndexedDB that cannot be opened': {
      prepared: `IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') }`,
      waitedMs: [],
    },
    'an IndexedDB that stores no keys': {
      prepared: `IDBObjectStore.prototype.put = () => { throw new DOMException('no', 'DataCloneError') }`,
      waitedMs: [],
    },
    'an IndexedDB that never answers': {
      prepared: `IDBFactory.prototype.open = () => ({})`,
      waitedMs: [200, 1_000],
    },
  }
  for (const [where, { prepared, waitedMs }] of Object.entries(withoutKeys)) {
    test(`${where} sends no proof, and delays the call by a second at most`, async (t, browser) => {
      const page = await openSdkPage(t, browser, script, prepared)
      await initialized(page, page.service.url)
      const tookMs = await page.evaluate(async (waited) => {
        const beganAt = performance.now()
        const first = ringfence.fetchIntelligence()
        for (const wanted of waited) {
          const limit = () => limits.find(({ ms }) => ms === wanted)
          while (!limit()) await new Promise((resolve) => setTimeout(resolve, 5))
          limit()!.end()
        }
        // No other limit ends: the first call waits for none of them, and the second one for none at all.
        await first
        await ringfence.fetchIntelligence()
        return performance.now() - beganAt
      }, waitedMs)
      assert.ok(tookMs < heldForMs, 'a limit that is held ended before the test said so')
      assert.deepEqual(keysSent(page.service), [undefined, undefined])
      assert.deepEqual(page.complaints, [])
    })
  }

  test('a browser that stored a key waits up to three seconds for it, and once only', async (t, browser) => {
    const page = await openInitialized(t, browser)
    await analysed(page)
    const slow = `{
      const native = IDBFactory.prototype.open
      IDBFactory.prototype.open = function (...values) {
        const request = {}
        const real = native.apply(this, values)
        real.onsuccess = () => setTimeout(() => {
          request.result = real.result
          request.onsuccess()
        }, 250)
        return request
      }
    }`
    await page.prepare(slow)
    await initialized(page, page.service.url)
    for (const _ of [1, 2]) await analysed(page)
    const [first, second, third] = keysSent(page.service)
    assert.deepEqual([second, third], [first, first], 'a key that comes late')
    await page.prepare(`IDBFactory.prototype.open = () => ({})`)
    await initialized(page, page.service.url)
    const waitedMs = await page.evaluate(async () => {
      const ofKey = () => limits.filter(({ ms }) => ms === 1000 || ms === 3000)
      const waiting = ringfence.fetchIntelligence()
      while (ofKey().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      for (const limit of ofKey()) limit.end()
      await waiting
      await ringfence.fetchIntelligence()
      return ofKey().map(({ ms }) => ms)
    }, null)
    assert.deepEqual(keysSent(page.service).slice(3), [undefined, undefined])
    assert.deepEqual(waitedMs, [3_000])
  })

  test('a clock that jumps changes neither the key nor the proof', async (t, browser) => {
    const page = await openInitialized(t, browser)
    await analysed(page)
    for (const years of [-30, 60]) {
      await page.evaluate((shift) => {
        const now = Date.now()
        Date.now = () => now + shift * 365 * 86_400_000
      }, years)
      await analysed(page)
    }
    for (const call of page.service.callsTo('intelligence')) assertProven(call)
    assert.equal(new Set(keysSent(page.service)).size, 1)
  })
})

plainTest('the proof of the sample in the contract verifies', () => {
  const body = readSamples().IntelligenceRequest!.proof as ServiceCall['body']
  assertProven({ name: 'intelligence', body, text: '' })
  assert.throws(() => assertProven({ name: 'intelligence', body: { ...body, carry: false }, text: '' }))
})

/** The distinct keys of three visits with reloads. */
async function keysOfPrivateWindow(t: TestContext, page: TestPage): Promise<string[]> {
  const service = await startFakeService(t, script)
  for (const _ of [1, 2, 3]) {
    await initialized(page, service.url)
    await analysed(page)
  }
  for (const call of service.callsTo('intelligence')) if (call.body.proof) assertProven(call)
  return [...new Set(keysSent(service).filter((key) => key !== undefined))]
}

plainTest('a private window of Chromium has one key until it is closed', { timeout: 60_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-key-'))
  const { args, ...options } = await chromiumOptions()
  const browser = await chromium.launchPersistentContext(folder, { ...options, args: [...args, '--incognito'] })
  t.after(async () => {
    await browser.close()
    await rm(folder, { recursive: true, maxRetries: 5 })
  })
  assert.equal((await keysOfPrivateWindow(t, await chromiumPage(browser))).length, 1)
})

plainTest('a private window of Firefox has one key, or none', { timeout: 60_000 }, async (t) => {
  const firefox = await launchFirefox(t, { 'browser.privatebrowsing.autostart': true })
  const keys = await keysOfPrivateWindow(t, await firefoxPage(firefox))
  t.diagnostic(`key: ${keys[0] ?? 'none'}`)
  assert.ok(keys.length <= 1, keys.join())
})
