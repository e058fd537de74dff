import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { decisionCalls } from '@ringfence/server/decisions/testing.ts'
import type { WrittenRule } from '@ringfence/server/rules/rule-set.ts'
import { outboxChannels } from '@ringfence/server/sign-in/authentication/testing/sign-in-service.ts'
import { sqliteDatabases } from '@ringfence/server/testing/databases.ts'
import { createApp } from '@ringfence/server/testing/sdk-client.ts'
import { startTestService } from '@ringfence/server/testing/test-service.ts'
import { inEachBrowser, type TestPage } from '../../browser/src/testing/browser-tests.ts'
import { loginServer } from './login-server.ts'

/** The part of the DOM that functions in the page use. */
declare const document: {
  querySelector(selector: string): {
    value: string
    textContent: string
    readonly hidden: boolean
    readonly form: { requestSubmit(): void }
  }
  readonly body: { readonly dataset: { readonly fingerprinted?: string } }
}

const letsBrowsersIn = [{ id: 'none', name: 'None', when: 'score > 99', action: 'BLOCK', score: 1 }] as const

/** Starts the service and the backend. `verified` has what the backend received. */
async function start(t: TestContext, rules?: readonly WrittenRule[]) {
  const service = await startTestService(t, await sqliteDatabases.open(t), {
    edit: (parts) => ({ ...parts, channels: outboxChannels }),
  })
  const app = await createApp(service, { origins: ['http://127.0.0.1:*'] })
  if (rules) await decisionCalls(service).publish(rules)
  const verified: object[] = []
  const backend = loginServer({
    ringfenceUrl: service.url,
    appId: app.id,
    ...service.credentials,
    log: (answer) => verified.push(answer as object),
  }).listen(0, '127.0.0.1')
  await once(backend, 'listening')
  t.after(() => backend.close())
  const otp = () => /\b\d{6}\b/.exec(service.parts.signIn.outbox.messages().at(-1)?.text ?? '')?.[0] ?? ''
  return { url: `http://127.0.0.1:${(backend.address() as AddressInfo).port}`, verified, otp }
}

/** Fills a field, submits its form, and waits for the next part of the page, or for an error message. */
function fill(page: TestPage, field: string, text: string, next: string): Promise<string> {
  return page.evaluate(
    ({ field, text, next }) => {
      const input = document.querySelector(field)
      input.value = text
      const notice = document.querySelector('#notice')
      notice.textContent = ''
      input.form!.requestSubmit()
      return new Promise<string>((resolve) => {
        const look = () => {
          const shown = document.querySelector(next)
          if (!shown.hidden || notice.textContent !== '') resolve(notice.textContent)
          else setTimeout(look, 20)
        }
        look()
      })
    },
    { field, text, next },
  )
}

/** The example collects the fingerprint while the message is on its way (ASYNC). Frames that the SDK opens run this, too. */
const noteFingerprint = `if (self === top) addEventListener('load', () =>
  Ringfence.on('fingerprinted', () => { document.body.dataset.fingerprinted = 'yes' }))`

function fingerprinted(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => (document.body.dataset.fingerprinted ? resolve() : setTimeout(look, 20))
    look()
  })
}

inEachBrowser((test) => {
  test('a person signs in with the OTP from the outbox, and the backend gets the object of section 2.4', async (t, browser) => {
    const { url, verified, otp } = await start(t, letsBrowsersIn)
    const page = await browser.open(t)
    await page.prepare(noteFingerprint)
    await page.goto(url)
    assert.equal(await fill(page, '#phone-number', '+91 70201 41726', '#code'), 'A code is on its way.')

    assert.match(await fill(page, '#otp', otp() === '000000' ? '111111' : '000000', '#signed-in'), /code|OTP/i)
    assert.deepEqual(verified, [], 'a wrong code signs nobody in')

    await page.evaluate(fingerprinted, null) // a person takes longer to read the code
    assert.equal(await fill(page, '#otp', otp(), '#signed-in'), '')
    assert.equal(await page.evaluate(() => document.querySelector('#who').textContent, null), '917020141726')
    assert.equal(verified.length, 1)
    const { identities, deviceInfo, secureInfo, network, ...rest } = verified[0] as unknown as Record<string, unknown>
    assert.deepEqual(Object.keys(rest).toSorted(), ['status', 'timestamp', 'token', 'userId'])
    assert.deepEqual(
      (identities as { identityType: string; channel: string; methods: string[] }[]).map((identity) => [
        identity.identityType,
        identity.channel,
        identity.methods,
      ]),
      [['MOBILE', 'OTP', ['SMS']]],
    )
    assert.deepEqual(network, { ip: '127.0.0.1', ipLocation: {} })
    for (const field of deviceFields) {
      assert.notEqual((deviceInfo as Record<string, unknown>)[field], undefined, `deviceInfo.${field}`)
    }
    assert.equal((secureInfo as { bot: { result: string } }).bot.result, 'bad', 'a driven browser is a bot')
    assert.deepEqual(
      page.complaints.filter((text) => !/400/.test(text)),
      [],
    )
  })

  test('the default rules refuse a driven browser, and the page shows why', async (t, browser) => {
    const { url, otp } = await start(t)
    const page = await browser.open(t)
    await page.prepare(noteFingerprint)
    await page.goto(url)
    await fill(page, '#phone-number', '+91 70201 41726', '#code')
    await page.evaluate(fingerprinted, null)
    assert.match(await fill(page, '#otp', otp(), '#signed-in'), /could not confirm this device/)
  })
})

/** Fields of section 2.4 that both browsers send: Firefox has no connection, and an empty vendor. */
const deviceFields = [
  'userAgent',
  'platform',
  'browser',
  'language',
  'cookieEnabled',
  'screenWidth',
  'screenHeight',
  'screenColorDepth',
  'devicePixelRatio',
  'timezoneOffset',
  'cpuArchitecture',
  'fontFamily',
  'deviceId',
  'browserInfo',
]
