import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Ringfence as Sdk, SignedInUser } from '@ringfence/browser'
import type { App } from '@ringfence/server/apps/app.ts'
import { startIdentityProvider } from '@ringfence/server/sign-in/authentication/testing/identity-provider.ts'
import { outboxChannels } from '@ringfence/server/sign-in/authentication/testing/sign-in-service.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { createApp } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import type { BrowserScript } from '../../scripts/build-browser-sdk.ts'
import { inEachBrowser, serve, serveHtml, type TestPage } from './testing/browser-tests.ts'
import { holding } from './testing/held-timers.ts'

declare const Ringfence: Sdk
/** For functions that run in the page. */
declare const location: { readonly href: string; readonly search: string }
declare const localStorage: { setItem(name: string, value: string): void }
declare const document: { querySelector(name: 'form'): { requestSubmit(): void } }

interface Scene {
  readonly service: TestService
  readonly app: App
  readonly script: BrowserScript
  /**
   * A page of the app, on another origin than the service, that loads the SDK with a script tag.
   */
  page(integrity?: string): Promise<string>
  /** The text of the last message. */
  message(): string
  /** The response that the backend gets for a token. */
  validated(token: string): Promise<Record<string, unknown>>
}

/** The real service, with one app that signs people in with messages and an identity provider. */
async function scene(t: TestContext): Promise<Scene> {
  // The public URL. The identity provider needs it before the service starts.
  const authUrl = await serve(t, ({ url }, response) => response.writeHead(307, { location: service.url + url }).end())
  const { issuer, clientId, person } = await startIdentityProvider(t, [`${authUrl}/auth/v1/oauth/callback/google`])
  Object.assign(person, { email: 'asha@example.com', email_verified: true })
  const google = { type: 'oidc', issuer, clientId, clientSecret: { env: 'SANDBOX_SECRET' }, method: 'GOOGLE' }
  const channels = {
    ...outboxChannels,
    google: { ...google, scopes: ['email'], authoritativeFor: { emailDomains: ['example.com'] } },
  }
  const service: TestService = await startTestService(t, await sqliteDatabases.open(t), {
    settings: { authUrl },
    edit: (parts) => ({ ...parts, channels }),
  })
  // The identity provider and cookies use the time of the machine.
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const script = (await (await fetch(`${service.url}/sdk/browser.json`)).json()) as BrowserScript
  const app = await createApp(service, {
    origins: ['http://127.0.0.1:*'],
    settings: { signInElsewhere: true, redirectUrls: [] },
  })
  return {
    service,
    script,
    app,
    page: (integrity = script.integrity) =>
      serveHtml(
        t,
        `<script src="${service.url}/sdk/${script.file}" integrity="${integrity}" crossorigin="anonymous"></script>
         <script src="/script.js"></script>`,
        {
          'content-security-policy': `default-src 'none'; script-src 'self' ${service.url}; connect-src ${service.url}`,
        },
        popupReturn(app.id),
      ),
    message: () => service.parts.signIn.outbox.messages().at(-1)?.text ?? '',
    async validated(token) {
      const { status, body } = await service.post('/auth/v1/validate/token', { token })
      assert.equal(status, 200, JSON.stringify(body))
      return body
    },
  }
}

/** The script of the page, which is also the page that a pop-up returns to. */
const popupReturn = (appId: string) => `${holding()}
if (opener && location.search.includes('ringfence_code')) {
  Ringfence.initialize('${appId}').then(() => Ringfence.signIn.completeReturn())
}`

/** Runs in the page that the person returns to. */
const completeReturn = async (appId: string): Promise<{ user: SignedInUser | undefined; search: string }> => {
  await Ringfence.initialize(appId)
  return { user: await Ringfence.signIn.completeReturn(), search: location.search }
}

type Mode = 'NONE' | 'ASYNC' | 'SYNC'

interface Flow {
  readonly flow: string
  start(page: TestPage, mode: Mode): Promise<unknown>
  /** The person proves who they are at once: nothing waits for the fingerprint. */
  prove(page: TestPage, scene: Scene): Promise<SignedInUser | undefined>
}

const bot = (secureInfo: unknown) => (secureInfo as { bot: { result: string } } | undefined)?.bot.result

const startMessage = (page: TestPage, request: object) =>
  page.evaluate((request) => Ringfence.signIn.start(request as Parameters<Sdk['signIn']['start']>[0]), request)

const enterOtp = (page: TestPage, { message }: Scene) =>
  page.evaluate((otp) => Ringfence.signIn.verify({ otp }), /\b\d{6}\b/.exec(message())?.[0] ?? '')

async function pressButton(page: TestPage, { message }: Pick<Scene, 'message'>): Promise<void> {
  await page.goto(/https?:\S+/.exec(message())?.[0] ?? '')
  await page.evaluate(() => void setTimeout(() => document.querySelector('form').requestSubmit()), null)
}

async function returned(page: TestPage, { app }: Scene): Promise<SignedInUser | undefined> {
  await page.isAt('ringfence_code')
  return (await page.evaluate(completeReturn, app.id)).user
}

const mobile = { type: 'MOBILE', value: '917020141726' }
const email = { type: 'EMAIL', value: 'ada@shop.example' }

/** Every way to sign in with the SDK. */
const flows: readonly Flow[] = [
  {
    flow: 'OTP by SMS',
    start: (page, mode) => startMessage(page, { channel: 'OTP', identity: mobile, deviceFingerprintMode: mode }),
    prove: enterOtp,
  },
  {
    flow: 'OTP by email',
    start: (page, mode) => startMessage(page, { channel: 'OTP', identity: email, deviceFingerprintMode: mode }),
    prove: enterOtp,
  },
  {
    flow: 'a magic link in the same browser',
    async start(page, mode) {
      const redirectUrl = await page.evaluate(() => location.href, null)
      const request = { channel: 'MAGIC_LINK', identity: email, redirectUrl, deviceFingerprintMode: mode }
      await startMessage(page, request)
    },
    async prove(page, scene) {
      await pressButton(page, scene)
      return returned(page, scene)
    },
  },
  {
    flow: 'a magic link on another device, with status,',
    start: (page, mode) => startMessage(page, { channel: 'MAGIC_LINK', identity: email, deviceFingerprintMode: mode }),
    async prove(page, { message }) {
      const link = new URL(/https?:\S+/.exec(message())?.[0] ?? '')
      const code = link.searchParams.get('code') ?? ''
      const pressed = await fetch(new URL(link.pathname, link), { method: 'POST', body: new URLSearchParams({ code }) })
      assert.equal(pressed.status, 200)
      return (await page.evaluate(() => Ringfence.signIn.status(), null)).user
    },
  },
  {
    flow: 'a redirect to a provider',
    // An evaluation fails when its page unloads, so the page leaves later.
    start: (page, mode) =>
      page.evaluate(
        (deviceFingerprintMode) =>
          void setTimeout(() => Ringfence.signIn.redirect({ method: 'GOOGLE', deviceFingerprintMode })),
        mode,
      ),
    prove: returned,
  },
  {
    flow: 'a provider in a pop-up',
    start: (page, mode) => page.evaluate((mode) => void Object.assign(globalThis, { mode }), mode),
    prove: (page) =>
      page.click(() =>
        Ringfence.signIn.popup({ method: 'GOOGLE', deviceFingerprintMode: (globalThis as { mode?: Mode }).mode! }),
      ),
  },
]

inEachBrowser((test) => {
  test('a script tag with an integrity hash, on another origin and without workers, gets a token for secure-info', async (t, browser) => {
    const { service, app, page: served } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await served())
    const sdk = await page.evaluate(async (appId) => {
      const isInitialized = await Ringfence.initialize(appId)
      return {
        isInitialized,
        token: await Ringfence.secure(),
        isGlobal: 'Ringfence' in globalThis,
      }
    }, app.id)
    assert.deepEqual([sdk.isInitialized, sdk.isGlobal], [true, true])
    const { status, body } = await service.post('/auth/v1/secure-info', { token: sdk.token })
    assert.equal(status, 200)
    assert.equal(body.secure_info.bot.result, 'bad', 'an automated browser is a bot')
    assert.equal(body.device_info.userAgent, await page.evaluate(() => navigator.userAgent, null))
  })

  test('a script with another hash does not run', async (t, browser) => {
    const { page: served } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await served(`sha384-${'A'.repeat(64)}`))
    assert.equal(await page.evaluate(() => 'Ringfence' in globalThis, null), false)
  })

  for (const { flow, start, prove } of flows) {
    test(`4.7 rule 5: ${flow} has secureInfo with SYNC and ASYNC, and none with NONE`, async (t, browser) => {
      const place = await scene(t)
      const address = await place.page()
      for (const mode of ['NONE', 'SYNC', 'ASYNC'] as const) {
        const page = await browser.open(t)
        await page.goto(address)
        // Firefox lists devices only in the window that it shows, which is that of a pop-up.
        const withoutDevices = { collect: { mediaDevices: false } }
        await page.evaluate(([id, options]) => Ringfence.initialize(id, options), [
          place.app.id,
          withoutDevices,
        ] as const)
        await start(page, mode)
        const user = await prove(page, place)
        const { secureInfo } = await place.validated(user?.token ?? '')
        assert.equal(bot(secureInfo), mode === 'NONE' ? undefined : 'bad', mode)
        assert.equal(typeof user?.dfrId, mode === 'NONE' ? 'undefined' : 'string', mode)
        const warnings = page.complaints.filter((text) => text.startsWith('Ringfence'))
        assert.deepEqual(warnings, [], mode)
        await page.close()
      }
    })
  }

  test('a magic link returns to the page, which signs the person in', async (t, browser) => {
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
    const { user, search } = await page.evaluate(completeReturn, app.id)
    assert.equal(search, '')
    const { identities } = await validated(user?.token ?? '')
    assert.deepEqual((identities as SignedInUser['identities'])?.[0]?.channel, 'MAGIC_LINK')
  })

  test('an OTP that the telecom gate made a magic link, or a visit to an identity provider, returns to the page', async (t, browser) => {
    const { service, app, page: served, message, validated } = await scene(t)
    for (const [channel, method] of [
      ['MAGIC_LINK', 'SMS'],
      ['OAUTH', 'GOOGLE'],
    ] as const) {
      const gate = { simSwap: { onFound: 'stepUp' }, stepUp: { channel, method } } as const
      await service.parts.apps.update({ ...app, settings: { ...app.settings, gate } })
      const page = await browser.open(t)
      await page.goto(await served())
      const started = await page.evaluate(async (appId) => {
        await Ringfence.initialize(appId)
        const identity = { type: 'MOBILE', value: '61491570110' } as const
        return Ringfence.signIn.start({ channel: 'OTP', identity, redirectUrl: location.href })
      }, app.id)
      if (channel === 'MAGIC_LINK') await pressButton(page, { message })
      else await page.goto(started.authorizationUrl!)
      await page.isAt('ringfence_code')
      const { user } = await page.evaluate(completeReturn, app.id)
      const { identities } = await validated(user?.token ?? '')
      assert.deepEqual((identities as SignedInUser['identities'])?.[0]?.channel, channel)
      await page.close()
    }
  })

  test('whoever opens the return URL in another browser is not signed in, and its owner still is', async (t, browser) => {
    const { app, page: served, message, validated } = await scene(t)
    const [page, other] = [await browser.open(t), await browser.open(t)]
    const address = await served()
    await page.goto(address)
    await page.evaluate(async (appId) => {
      await Ringfence.initialize(appId)
      const identity = { type: 'EMAIL', value: 'ada@shop.example' } as const
      await Ringfence.signIn.start({ channel: 'MAGIC_LINK', identity, redirectUrl: location.href })
    }, app.id)
    await pressButton(page, { message })
    await page.isAt('ringfence_code')
    const back = await page.evaluate(() => location.href, null)
    await other.goto(back)
    const refused = await other.evaluate(async (appId) => {
      await Ringfence.initialize(appId)
      const { searchParams } = new URL(location.href)
      const [code, transactionId] = [searchParams.get('ringfence_code')!, searchParams.get('ringfence_transaction')!]
      // Attackers write their own script: this browser says that it started the sign-in.
      const own = { transactionId, savedAt: Date.now(), codeVerifier: 'x'.repeat(43) }
      const started = await Ringfence.signIn.completeReturn().catch(({ code }) => code as string)
      localStorage.setItem(`ringfence.signIns.${appId}`, JSON.stringify([own]))
      const forced = await Ringfence.signIn
        .verify({ code, transactionId })
        .catch(({ errorCode }) => errorCode as string)
      return [started, forced]
    }, app.id)
    assert.deepEqual(refused, ['noSignIn', '7135'])
    const { user } = await page.evaluate(completeReturn, app.id)
    assert.ok((await validated(user?.token ?? '')).userId)
  })

  test('a person signs in at an identity provider by redirect and returns to the page', async (t, browser) => {
    const { app, page: served, validated } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await served())
    await page.evaluate(async (appId) => {
      await Ringfence.initialize(appId)
      setTimeout(() => Ringfence.signIn.redirect({ method: 'GOOGLE' })) // an evaluation fails when its page unloads
    }, app.id)
    await page.isAt('ringfence_code')
    const { user, search } = await page.evaluate(completeReturn, app.id)
    assert.equal(search, '')
    const { identities } = await validated(user?.token ?? '')
    assert.deepEqual((identities as SignedInUser['identities'])?.[0]?.methods, ['GOOGLE'])
  })
})
