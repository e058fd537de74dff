import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Ringfence as Sdk, SignedInUser } from '@ringfence/browser'
import type { App } from '@ringfence/server/apps/app.ts'
import { startIdentityProvider } from '@ringfence/server/authentication/testing/identity-provider.ts'
import { outboxChannels } from '@ringfence/server/authentication/testing.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { createApp } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import type { BrowserScript } from '../../scripts/build-browser-sdk.ts'
import { inEachBrowser, serve, serveHtml } from './testing/browser-tests.ts'

declare const Ringfence: Sdk
/** What functions that run in the page use of it. */
declare const location: { readonly href: string; readonly search: string }
declare const document: { querySelector(name: 'form'): { requestSubmit(): void } }

interface Scene {
  readonly service: TestService
  readonly app: App
  readonly script: BrowserScript
  /** A page of the app's, whose origin is not the service's, with the script of a tag. */
  page(integrity?: string): Promise<string>
  /** What the last message says. */
  message(): string
  /** What the backend is told of a token. */
  validated(token: string): Promise<Record<string, unknown>>
}

/** The real service, with one app that signs people in by messages and by a provider. */
async function scene(t: TestContext): Promise<Scene> {
  // What people reach: known before the service is, as a provider has to know it.
  const authUrl = await serve(t, ({ url }, response) => response.writeHead(307, { location: service.url + url }).end())
  const { issuer, clientId, person } = await startIdentityProvider(t, [`${authUrl}/auth/v1/oauth/callback`])
  Object.assign(person, { email: 'asha@example.com', email_verified: true })
  const google = { type: 'oidc', issuer, clientId, clientSecret: { env: 'SANDBOX_SECRET' }, method: 'GOOGLE' }
  const channels = { ...outboxChannels, google: { ...google, scopes: ['email'] } }
  const service: TestService = await startTestService(t, await sqliteDatabases.open(t), {
    settings: { authUrl },
    edit: (parts) => ({ ...parts, channels }),
  })
  // The provider, and cookies, live in the time of their machine.
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const script = (await (await fetch(`${service.url}/sdk/browser.json`)).json()) as BrowserScript
  return {
    service,
    script,
    app: await createApp(service, { origins: ['http://127.0.0.1:*'] }),
    page: (integrity = script.integrity) =>
      serveHtml(
        t,
        `<script src="${service.url}/sdk/${script.file}" integrity="${integrity}" crossorigin="anonymous"></script>`,
        { 'content-security-policy': `default-src 'none'; script-src ${service.url}; connect-src ${service.url}` },
      ),
    message: () => service.platform.outbox.messages().at(-1)?.text ?? '',
    async validated(token) {
      const { status, body } = await service.post('/auth/v1/validate/token', { token })
      assert.equal(status, 200, JSON.stringify(body))
      return body
    },
  }
}

/** Runs in the page to which a person comes back. */
const comeBack = async (appId: string): Promise<{ user: SignedInUser | undefined; search: string }> => {
  await Ringfence.initialize(appId)
  return { user: await Ringfence.signIn.completeReturn(), search: location.search }
}

inEachBrowser((test) => {
  test('the script of a tag, from another origin by its hash, in a page that allows no worker: a token for secure-info', async (t, browser) => {
    const { service, app, page: served } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await served())
    const told = await page.evaluate(async (appId) => {
      const isInitialized = await Ringfence.initialize(appId)
      return {
        isInitialized,
        token: await Ringfence.secure(),
        isGlobal: 'Ringfence' in globalThis,
      }
    }, app.id)
    assert.deepEqual([told.isInitialized, told.isGlobal], [true, true])
    const { status, body } = await service.post('/auth/v1/secure-info', { token: told.token })
    assert.equal(status, 200)
    assert.equal(body.secure_info.bot.result, 'bad', 'a driven browser is a bot')
    assert.equal(body.device_info.userAgent, await page.evaluate(() => navigator.userAgent, null))
  })

  test('a script that is not what its hash says does not run', async (t, browser) => {
    const { page: served } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await served(`sha384-${'A'.repeat(64)}`))
    assert.equal(await page.evaluate(() => 'Ringfence' in globalThis, null), false)
  })

  test('4.7 rule 5: the fingerprint of the modes SYNC and ASYNC is secureInfo of the token; NONE has none', async (t, browser) => {
    const { app, page: served, message, validated } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await served())
    await page.evaluate((appId) => Ringfence.initialize(appId), app.id)
    const hasSecureInfo: Record<string, boolean> = {}
    for (const mode of ['NONE', 'SYNC', 'ASYNC'] as const) {
      await page.evaluate(async (deviceFingerprintMode) => {
        const fingerprinted = new Promise((resolve) => Ringfence.on('fingerprinted', resolve))
        const identity = { type: 'MOBILE', value: '917020141726' } as const
        await Ringfence.signIn.start({ channel: 'OTP', identity, deviceFingerprintMode })
        if (deviceFingerprintMode !== 'NONE') await fingerprinted
      }, mode)
      const otp = /\b\d{6}\b/.exec(message())?.[0] ?? ''
      const { token } = await page.evaluate((otp) => Ringfence.signIn.verify({ otp }), otp)
      const { secureInfo } = await validated(token)
      hasSecureInfo[mode] = secureInfo !== undefined
    }
    assert.deepEqual(hasSecureInfo, { NONE: false, SYNC: true, ASYNC: true })
  })

  test('a magic link leads back to the page, which signs the person in', async (t, browser) => {
    const { app, page: served, message, validated } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await served())
    await page.evaluate(async (appId) => {
      await Ringfence.initialize(appId)
      const identity = { type: 'EMAIL', value: 'ada@shop.example' } as const
      await Ringfence.signIn.start({ channel: 'MAGIC_LINK', identity, redirectUrl: location.href })
    }, app.id)
    await page.goto(/https?:\S+/.exec(message())?.[0] ?? '')
    await page.evaluate(() => void setTimeout(() => document.querySelector('form').requestSubmit()), null)
    await page.isAt('ringfence_code')
    const { user, search } = await page.evaluate(comeBack, app.id)
    assert.equal(search, '')
    const { identities } = await validated(user?.token ?? '')
    assert.deepEqual((identities as SignedInUser['identities'])?.[0]?.channel, 'MAGIC_LINK')
  })

  test('a person signs in at a provider by redirect, and comes back to the page', async (t, browser) => {
    const { app, page: served, validated } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await served())
    await page.evaluate(async (appId) => {
      await Ringfence.initialize(appId)
      setTimeout(() => Ringfence.signIn.redirect({ method: 'GOOGLE' })) // an evaluation ends with its page
    }, app.id)
    await page.isAt('ringfence_code')
    const { user, search } = await page.evaluate(comeBack, app.id)
    assert.equal(search, '')
    const { identities } = await validated(user?.token ?? '')
    assert.deepEqual((identities as SignedInUser['identities'])?.[0]?.methods, ['GOOGLE'])
  })
})
