// Does a page sign in a phone by Number Verification, against the real service and the sandbox operator, and with an OTP otherwise?

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Ringfence as Sdk } from '@ringfence/browser'
import { endpoints } from '@ringfence/contract'
import type { App } from '@ringfence/server/apps/app.ts'
import { outboxChannels } from '@ringfence/server/sign-in/authentication/testing/sign-in-service.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { createApp, sdkClientOf } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService, type TestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser, serveHtml, type TestBrowser, type TestPage } from './testing/browser-tests.ts'

declare const Ringfence: Sdk
declare const addEventListener: (name: 'message', listener: (event: { data: unknown }) => void) => void
declare const document: {
  createElement(name: 'iframe'): { src: string }
  readonly body: { append(element: object): void }
}

type StartedSignIn = Awaited<ReturnType<Sdk['signIn']['start']>>

interface Scene {
  readonly service: TestService
  readonly app: App
  /** The page of the app, with the SDK initialised. */
  open(browser: TestBrowser, changes?: { csp?: string; silentLimitMs?: number }): Promise<TestPage>
  /** The OTP of the last message. */
  otp(): string
}

async function scene(t: TestContext, settings: object = {}): Promise<Scene> {
  const service = await startTestService(t, await sqliteDatabases.open(t), {
    edit: (parts) => ({ ...parts, channels: outboxChannels }),
  })
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const { file } = (await (await fetch(`${service.url}/sdk/browser.json`)).json()) as { file: string }
  const app = await createApp(service, { origins: ['http://127.0.0.1:*'], settings })
  return {
    service,
    app,
    async open(browser, { csp = `frame-src ${service.sandbox.url} ${service.url}`, silentLimitMs = 20_000 } = {}) {
      const page = await browser.open(t)
      const policy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; ${csp}`
      const script = `<script src="${service.url}/sdk/${file}"></script>`
      await page.goto(await serveHtml(t, script, { 'content-security-policy': policy }))
      const isOpen = await page.evaluate(
        ([id, limit]) => Ringfence.initialize(id as string, { silentLimitMs: limit as number }),
        [app.id, silentLimitMs],
      )
      assert.equal(isOpen, true)
      return page
    },
    otp: () => /\b\d{6}\b/.exec(service.parts.signIn.outbox.messages().at(-1)?.text ?? '')?.[0] ?? '',
  }
}

const [ordinary, onWifi, otherSim, unsupported] = ['1726', '0170', '0171', '0140'].map((end) => `91702014${end}`) as [
  string,
  string,
  string,
  string,
]

const startSilent = (page: TestPage, value: string = ordinary): Promise<StartedSignIn> =>
  page.evaluate(
    (value) => Ringfence.signIn.start({ channel: 'SILENT', identity: { type: 'MOBILE', value: value as string } }),
    value,
  )

const channelOf = async ({ service }: Scene, token = ''): Promise<string> => {
  const { body } = await service.post(endpoints.validateToken.path, { token })
  return body.identities[0].channel
}

inEachBrowser((test) => {
  test('a phone on mobile data signs in without a message', async (t, browser) => {
    const place = await scene(t)
    const page = await place.open(browser)
    const started = await startSilent(page)
    assert.equal(started.channel, 'SILENT')
    assert.equal(await channelOf(place, started.user?.token), 'SILENT_AUTH')
    assert.equal(await page.evaluate(() => Ringfence.getToken(), null), started.user?.token)
    assert.deepEqual(place.service.parts.signIn.outbox.messages(), [])
  })

  test('a phone on Wi-Fi gets an OTP, and signs in without one when it is back on mobile data', async (t, browser) => {
    const place = await scene(t)
    const { phones } = place.service.sandbox
    phones.set('127.0.0.1', { number: ordinary, connection: 'wifi' })
    const page = await place.open(browser)
    const { channel, method, silentError, user } = await startSilent(page)
    assert.deepEqual([channel, method, silentError, user], ['OTP', 'SMS', 'not_on_mobile_network', undefined])
    const byOtp = await page.evaluate((otp) => Ringfence.signIn.verify({ otp }), place.otp())
    assert.equal(await channelOf(place, byOtp.token), 'OTP')

    phones.set('127.0.0.1', { number: ordinary, connection: 'mobile' })
    const again = await startSilent(page)
    assert.equal(again.user?.userId, byOtp.userId)
    assert.equal(await channelOf(place, again.user?.token), 'SILENT_AUTH')
  })

  test('another SIM, an operator that verifies no phones, or a page that may embed nothing: an OTP', async (t, browser) => {
    const place = await scene(t)
    const page = await place.open(browser)
    for (const [value, silentError] of [
      [otherSim, 'number_not_verified'],
      [onWifi, 'not_on_mobile_network'],
      [unsupported, undefined],
    ] as const) {
      const started = await startSilent(page, value)
      assert.deepEqual([started.channel, started.silentError, started.user], ['OTP', silentError, undefined], value)
      assert.ok((await page.evaluate((otp) => Ringfence.signIn.verify({ otp }), place.otp())).token)
    }
    const closed = await place.open(browser, { csp: '', silentLimitMs: 1_000 })
    const { channel, silentError } = await startSilent(closed)
    assert.deepEqual([channel, silentError], ['OTP', 'timeout'])
  })

  test('without a fallback, the page learns why and no message is sent', async (t, browser) => {
    const place = await scene(t, { silentFallback: 'NONE' })
    const page = await place.open(browser)
    const failure = (value: string) =>
      page.evaluate(
        (value) =>
          Ringfence.signIn
            .start({ channel: 'SILENT', identity: { type: 'MOBILE', value: value as string } })
            .then(() => ['no failure'])
            .catch((error) => [error.code, error.errorCode]),
        value,
      )
    assert.deepEqual(await failure(onWifi), ['refused', 'not_on_mobile_network'])
    assert.deepEqual(await failure(unsupported), ['refused', '7369'])
    assert.deepEqual(place.service.parts.signIn.outbox.messages(), [])
  })

  test('a page of another origin that embeds the URL on the phone of the victim gets no code', async (t, browser) => {
    const place = await scene(t)
    const { service, app } = place
    // The attacker calls from a server, as a page of the app would, and has the URL of the victim's number.
    const attacker = await sdkClientOf(app, service, { packageName: 'http://127.0.0.1:1' })
    const identity = { type: 'MOBILE', value: ordinary }
    const { body } = await attacker.post(endpoints.signInStart.path, { channel: 'SILENT', identity })
    const page = await browser.open(t)
    await page.goto(await serveHtml(t, '<p>A game</p>'))
    const messages = () =>
      page.evaluate(() => (Reflect.get(globalThis, 'seen') as unknown[] | undefined)?.length ?? 0, null)
    await page.evaluate((url) => {
      const seen: unknown[] = []
      Reflect.set(globalThis, 'seen', seen)
      addEventListener('message', ({ data }: { data: unknown }) => seen.push(data))
      const frame = document.createElement('iframe')
      frame.src = url as string
      document.body.append(frame)
    }, body.authorizationUrl)
    const isVerified = () =>
      service.sandbox.calls.last(99).some(({ path }) => path === '/number-verification/v2/verify')
    while (!isVerified()) await new Promise((resolve) => setTimeout(resolve, 20))
    // The phone is verified. Give the page time for a message that must not come.
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.equal(await messages(), 0)
    const status = await attacker.post(endpoints.signInStatus.path, { transactionId: body.transactionId })
    assert.deepEqual(status.body, { status: 'PENDING' })
  })
})
