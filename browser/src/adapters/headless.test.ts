import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { App } from '@ringfence/server/apps/app.ts'
import { startIdentityProvider } from '@ringfence/server/sign-in/authentication/testing/identity-provider.ts'
import { outboxChannels } from '@ringfence/server/sign-in/authentication/testing/sign-in-service.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { createApp } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import { build } from 'esbuild'
import { inEachBrowser, serve, serveHtml } from '../testing/browser-tests.ts'

// This file is checked without the types of the DOM, which headless.ts needs.
interface HeadlessResponse {
  readonly responseType: string
  readonly success: boolean
  readonly statusCode: number
  readonly response: Readonly<Record<string, unknown>>
}
interface Headless {
  initiate(request: object): Promise<HeadlessResponse>
  verify(request: object): Promise<HeadlessResponse>
  on(type: string | object, listener?: (event: HeadlessResponse) => void): () => void
  off(type: string, listener: (event: HeadlessResponse) => void): void
}

/** The npm package, bundled as a page of its users. */
async function packageScript(): Promise<string> {
  const contents = `import { otpless, SDK_CONFIG } from 'otpless-headless-js'
const events = []
for (const type of ['ONETAP', 'FAILED']) otpless.on(type, (event) => events.push(event))
Object.assign(globalThis, { otpless, SDK_CONFIG, events })`
  const stdin = { contents, resolveDir: import.meta.dirname }
  const { outputFiles } = await build({ stdin, bundle: true, write: false, minify: true, format: 'iife' })
  return outputFiles[0]!.text
}
declare const otpless: Omit<Headless, 'off'> & { init(appId: string): Promise<void> }
declare const SDK_CONFIG: { URL: string }

/** Set by the script of the page, which is written as for the headless SDK. */
declare const OTPlessSignin: Headless
declare const events: HeadlessResponse[]
declare const location: { readonly href: string }

const pageScript = `
const events = []
const OTPlessSignin = new OTPless((event) => events.push(event))`

interface Scene {
  readonly service: TestService
  readonly app: App
  page(appId?: string): Promise<string>
  otp(): string
}

async function scene(t: TestContext): Promise<Scene> {
  const authUrl = await serve(t, ({ url }, response) => response.writeHead(307, { location: service.url + url }).end())
  const { issuer, clientId, person } = await startIdentityProvider(t, [`${authUrl}/auth/v1/oauth/callback/google`])
  Object.assign(person, { email: 'asha@example.com', email_verified: true })
  const google = { type: 'oidc', issuer, clientId, clientSecret: { env: 'SANDBOX_SECRET' }, method: 'GOOGLE' }
  const service: TestService = await startTestService(t, await sqliteDatabases.open(t), {
    settings: { authUrl },
    edit: (parts) => ({
      ...parts,
      channels: {
        ...outboxChannels,
        google: { ...google, scopes: ['email'], authoritativeFor: { emailDomains: ['example.com'] } },
      },
    }),
  })
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const app = await createApp(service, { origins: ['http://127.0.0.1:*'] })
  return {
    service,
    app,
    page: (appId = app.id) =>
      serveHtml(
        t,
        `<script id="otpless-sdk" src="${service.url}/sdk/headless.js" data-appid="${appId}"></script>
         <script src="/script.js"></script>`,
        {},
        pageScript,
      ),
    otp: () => /\b\d{4,10}\b/.exec(service.parts.signIn.outbox.messages().at(-1)?.text ?? '')?.[0] ?? '',
  }
}

const phone = { channel: 'PHONE', phone: '70201 41726', countryCode: '+91' } as const
/** A wrong code. A longer one could not be the code at all, and would be malformed. */
const otherThan = (code: string) => `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`
const initiate = (request: object) => OTPlessSignin.initiate(request)

inEachBrowser((test) => {
  test('a page of the headless SDK signs a person in with an OTP, and its backend verifies the token of ONETAP', async (t, browser) => {
    const { service, page: start, otp } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await start())
    const sent = await page.evaluate(initiate, {
      ...phone,
      otpLength: '8',
      metaData: '{"tid":"t-1"}',
      deviceFingerprintMode: 'ASYNC' as const,
    })
    assert.deepEqual([sent.responseType, sent.success, sent.statusCode], ['INITIATE', true, 200], JSON.stringify(sent))
    assert.equal(typeof sent.response.requestID, 'string')
    assert.match(otp(), /^\d{8}$/)

    const wrong = await page.evaluate((code) => OTPlessSignin.verify({ channel: 'PHONE', otp: code }), otherThan(otp()))
    assert.deepEqual([wrong.success, wrong.statusCode, wrong.response.errorCode], [false, 400, '7118'])
    const verified = await page.evaluate((code) => OTPlessSignin.verify({ channel: 'PHONE', otp: code }), otp())
    assert.deepEqual([verified.responseType, verified.success], ['VERIFY', true], JSON.stringify(verified))

    const seen = await page.evaluate(() => events, null)
    assert.deepEqual(
      seen.map(({ responseType, success }) => [responseType, success]),
      [
        ['FAILED', false],
        ['ONETAP', true],
      ],
    )
    const { token, identities, metaData } = seen[1]!.response as Record<string, never>
    assert.equal(token, verified.response.token)
    assert.equal(metaData, '{"tid":"t-1"}')
    assert.equal(Reflect.get(Object(identities)[0], 'identityValue'), '917020141726')
    const { status, body } = await service.post('/auth/v1/validate/token', { token })
    assert.deepEqual([status, body.userId], [200, verified.response.userId])
  })

  test('the npm package otpless-headless-js signs a person in after its URL is changed', async (t, browser) => {
    const { service, app, otp } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await serveHtml(t, '<script src="/script.js"></script>', {}, await packageScript()))
    const place = { url: `${service.url}/sdk/headless.js`, appId: app.id }
    const sent = await page.evaluate(async ({ url, appId }) => {
      SDK_CONFIG.URL = url
      await otpless.init(appId)
      const number = { channel: 'PHONE', phone: '7020141726', countryCode: '+91' }
      return otpless.initiate({ ...number, metaData: { tid: 't-1' } })
    }, place)
    assert.deepEqual([sent.responseType, sent.success], ['INITIATE', true], JSON.stringify(sent))
    const verifyIn = (code: string) => otpless.verify({ channel: 'PHONE', phone: '7020141726', otp: code })
    assert.equal((await page.evaluate(verifyIn, otherThan(otp()))).success, false)
    assert.equal((await page.evaluate(verifyIn, otp())).success, true)
    const seen = await page.evaluate(() => events, null)
    assert.deepEqual(
      seen.map(({ responseType }) => responseType),
      ['FAILED', 'ONETAP'],
    )
    const { token, metaData } = seen[1]!.response
    assert.equal(metaData, '{"tid":"t-1"}')
    const { status, body } = await service.post('/auth/v1/validate/token', { token })
    assert.deepEqual([status, body.identities[0].identityValue], [200, '917020141726'])
  })

  test('on takes an event or a map of events, and off or the returned function removes them', async (t, browser) => {
    const { page: start, otp } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await start())
    await page.evaluate(initiate, { channel: 'EMAIL', email: 'asha@example.com' })
    const heard = await page.evaluate(async (code) => {
      const calls: string[] = []
      const note = (name: string) => () => void calls.push(name)
      const removed = note('off')
      OTPlessSignin.on('ONETAP', note('on'))
      OTPlessSignin.on({ ONETAP: note('map'), FAILED: note('failed') })
      OTPlessSignin.on('ONETAP', removed)
      OTPlessSignin.off('ONETAP', removed)
      OTPlessSignin.on({ ONETAP: note('returned') })()
      OTPlessSignin.on('ONETAP', () => {
        throw new Error('of the page')
      })
      await OTPlessSignin.verify({ channel: 'EMAIL', otp: code })
      return calls
    }, otp())
    assert.deepEqual(heard, ['on', 'map'])
    assert.equal((await page.evaluate(() => events, null)).at(-1)?.responseType, 'ONETAP')
  })

  test('OAUTH leaves for the identity provider, and the page that the person returns to emits ONETAP', async (t, browser) => {
    const { service, app, page: start } = await scene(t)
    const page = await browser.open(t)
    const url = await start()
    const redirectUrls = [`${new URL(url).href}?returned=1`]
    await service.parts.apps.update({ ...app, settings: { ...app.settings, redirectUrls } })
    await page.goto(url)
    await page.evaluate(() => {
      const redirectUrl = `${location.href}?returned=1`
      void OTPlessSignin.initiate({ channel: 'OAUTH', channelType: 'GMAIL', redirectUrl })
    }, null)
    // The SDK removes its own parameters from the URL at once.
    await page.isAt('returned')
    const user = await page.evaluate(async () => {
      while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      return events[0]!
    }, null)
    assert.deepEqual([user.responseType, user.success], ['ONETAP', true], JSON.stringify(user))
    assert.equal((user.response.identities as { identityValue: string }[])[0]?.identityValue, 'asha@example.com')
  })

  test('a page finishes an OTP that the telecom gate stepped up to an identity provider', async (t, browser) => {
    const { service, app, page: start } = await scene(t)
    const page = await browser.open(t)
    const url = await start()
    const redirectUrls = [`${new URL(url).href}?returned=1`]
    const stepUp = { channel: 'OAUTH', method: 'GOOGLE' } as const
    const gate = { simSwap: { onFound: 'stepUp' }, stepUp } as const
    await service.parts.apps.update({ ...app, settings: { ...app.settings, redirectUrls, gate } })
    await page.goto(url)
    await page.evaluate(() => {
      const number = { channel: 'PHONE', phone: '491570110', countryCode: '+61' }
      void OTPlessSignin.initiate({ ...number, redirectUrl: `${location.href}?returned=1` })
    }, null)
    await page.isAt('returned')
    const user = await page.evaluate(async () => {
      while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      return events[0]!
    }, null)
    assert.deepEqual([user.responseType, user.success], ['ONETAP', true], JSON.stringify(user))
  })

  test('a wrong app id is a FAILED event, and a refused call returns success false', async (t, browser) => {
    const { page: start } = await scene(t)
    const page = await browser.open(t)
    await page.goto(await start())
    const refused = await page.evaluate(initiate, { ...phone, phone: '12' })
    assert.deepEqual([refused.success, refused.statusCode], [false, 400])
    assert.match(String(refused.response.errorMessage), /phone number/)
    await page.goto(await start('rfa_none'))
    const failed = await page.evaluate(initiate, phone)
    assert.deepEqual([failed.success, failed.response.errorCode], [false, 'notConfigured'])
    const [event] = await page.evaluate(() => events, null)
    assert.deepEqual([event?.responseType, event?.response.errorMessage], ['FAILED', 'SDK not initialised'])
  })
})
