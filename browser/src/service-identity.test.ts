import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { Intelligence, Ringfence as Sdk } from '@ringfence/browser'
import { analysisOf } from '@ringfence/server/device/store/find-analysis.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { createApp } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import type { BrowserScript } from '../../scripts/build-browser-sdk.ts'
import { inEachBrowser, serveHtml, type TestPage } from './testing/browser-tests.ts'
import { holding } from './testing/held-timers.ts'

declare const Ringfence: Sdk
/** For functions that run in the page. */
declare const location: { assign(url: string): void }
declare const localStorage: {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  clear(): void
}

/** The real service, and a page of an app on another origin that loads the SDK. */
async function scene(t: TestContext) {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const { id: appId, tenantId } = await createApp(service, { origins: ['http://127.0.0.1:*'] })
  const { file } = (await (await fetch(`${service.url}/sdk/browser.json`)).json()) as BrowserScript
  const scripts = ['/script.js', `${service.url}/sdk/${file}`].map((source) => `<script src="${source}"></script>`)
  const url = await serveHtml(t, scripts.join(''), {}, holding())
  return {
    /** Loads the page and analyses the device. */
    async visit(page: TestPage, params: Record<string, string> = {}) {
      await page.goto(url)
      const { requestId } = await page.evaluate(
        async ({ appId, params }): Promise<Intelligence> => {
          // Facts may be late: Firefox lists devices only in the window that it shows. The key may not.
          await Ringfence.initialize(appId, { factLimitMs: 900 })
          return Ringfence.fetchIntelligence(params)
        },
        { appId, params },
      )
      const found = await analysisOf({ requestId }, { tenantId }, service.parts)
      assert.ok(found, 'the push stored the analysis')
      const { deviceId, installationId, identification } = found
      return { deviceId, installationId, ...identification }
    },
    token: (page: TestPage) => page.evaluate((id) => localStorage.getItem(`ringfence.deviceToken.${id}`), appId),
    setToken: (page: TestPage, token: string) =>
      page.evaluate(({ name, token }) => localStorage.setItem(name, token), {
        name: `ringfence.deviceToken.${appId}`,
        token,
      }),
    analysis: (requestId: string) => analysisOf({ requestId }, { tenantId }, service.parts),
    appId,
    url,
  }
}

inEachBrowser((test) => {
  test('the second visit is identified by its key, also without the token', async (t, browser) => {
    const { visit, token } = await scene(t)
    const page = await browser.open(t)
    const first = await visit(page)
    assert.equal(first.by, 'none')
    assert.match((await token(page)) ?? '', /^[\da-f-]{36}\.[\da-z]+\.[\w-]{16}\.[\w-]{43}$/)
    const second = await visit(page)
    assert.deepEqual([second.by, second.deviceId, second.installationId], ['key', first.deviceId, first.installationId])
    await page.evaluate(() => localStorage.clear(), null)
    const cleared = await visit(page)
    assert.deepEqual([cleared.by, cleared.deviceId], ['key', first.deviceId])
    assert.equal(second.factsMissing?.blobStorage, 'unavailable', 'only WebKit has it')
  })

  test('a token in another profile is a copied token, and its owner stays who it is', async (t, browser) => {
    const { visit, token, setToken, url } = await scene(t)
    const owner = await browser.open(t)
    const first = await visit(owner)
    const thief = await browser.open(t)
    await thief.goto(url)
    await setToken(thief, (await token(owner)) ?? '')
    const stolen = await visit(thief)
    assert.equal(stolen.token, 'copied')
    assert.notEqual(stolen.by, 'key')
    assert.notEqual(stolen.installationId, first.installationId)
    const back = await visit(owner)
    assert.deepEqual([back.by, back.installationId, back.token], ['key', first.installationId, undefined])
  })

  test('a visit whose push is lost is the same device the next time', async (t, browser) => {
    const { visit, url, appId } = await scene(t)
    const page = await browser.open(t)
    const first = await visit(page)
    await page.goto(url)
    const failed = await page.evaluate(async (id) => {
      const native = fetch
      globalThis.fetch = (async (input: string, init?: RequestInit) => {
        if (String(input).endsWith('/sdk/v1/device-fingerprint') && init?.method === 'POST')
          return new Response('{"errorMessage":"lost"}', { status: 400 })
        return native(input, init)
      }) as typeof fetch
      await Ringfence.initialize(id)
      return Ringfence.fetchIntelligence().then(
        () => 'pushed',
        ({ message }) => message as string,
      )
    }, appId)
    assert.equal(failed, 'lost')
    const next = await visit(page)
    assert.deepEqual([next.by, next.deviceId], ['key', first.deviceId])
  })

  test('a first visit whose push is lost is answered by its key the next time', async (t, browser) => {
    const { visit, url, appId } = await scene(t)
    const page = await browser.open(t)
    await page.goto(url)
    await page.evaluate(async (id) => {
      const native = fetch
      globalThis.fetch = (async (input: string, init?: RequestInit) =>
        String(input).endsWith('/sdk/v1/device-fingerprint') && init?.method === 'POST'
          ? new Response('{}', { status: 400 })
          : native(input, init)) as typeof fetch
      await Ringfence.initialize(id)
      await Ringfence.fetchIntelligence().catch(() => {})
    }, appId)
    const [second, third] = [await visit(page), await visit(page)]
    assert.equal(second.token, undefined, 'its token is not taken for a copied one')
    assert.deepEqual([third.by, third.deviceId], ['key', second.deviceId])
  })

  test('a push arrives although the page is left while it is sent', async (t, browser) => {
    const { analysis, url, appId } = await scene(t)
    const page = await browser.open(t)
    await page.goto(url)
    await page.evaluate(async (id) => {
      const native = fetch
      const left = new Promise<void>((resolve) => {
        globalThis.fetch = (input, init) => {
          const answer = native(input, init)
          if (String(input).endsWith('/sdk/v1/device-fingerprint')) {
            const { requestId } = JSON.parse(new TextDecoder().decode(init?.body as Uint8Array))
            localStorage.setItem('pushed', requestId)
            // The request has not left yet: the browser first asks whether this origin may send it.
            setTimeout(() => location.assign('?left'))
            resolve()
          }
          return answer
        }
      })
      await Ringfence.initialize(id)
      Ringfence.fetchIntelligence().catch(() => {})
      await left
    }, appId)
    await page.isAt('?left')
    const requestId = await page.evaluate(() => localStorage.getItem('pushed'), null)
    const lastMs = performance.now() + 60_000
    while (performance.now() < lastMs && !(await analysis(requestId ?? ''))) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.ok(await analysis(requestId ?? ''))
  })

  test('the largest params are pushed, and larger ones are refused with the limit', async (t, browser) => {
    const { visit } = await scene(t)
    const page = await browser.open(t)
    const note = randomBytes(2_000).toString('hex')
    assert.ok((await visit(page, { note })).deviceId)
    await assert.rejects(visit(page, { note: note + note }), /4096 bytes/)
  })
})
