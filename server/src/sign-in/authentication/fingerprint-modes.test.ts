import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase, sqliteDatabases, type TestDatabases } from '../../testing/databases.ts'
import { type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import type { TestAnswer } from '../../testing/test-service.ts'
import { tokenCalls } from '../tokens/testing.ts'
import { testBrowser } from './testing/browser.ts'
import { startIdentityProvider } from './testing/identity-provider.ts'
import {
  email,
  mobile,
  outboxChannels,
  pressButton,
  redirectUrl,
  type SignInService,
  startSignInService,
} from './testing/sign-in-service.ts'

type Mode = 'NONE' | 'ASYNC' | 'SYNC'
type Scene = Awaited<ReturnType<typeof scene>>

interface Flow {
  readonly start: object
  /** The person proves who they are; `client` makes the call that returns the user. */
  complete(scene: Scene, started: TestAnswer, client: SdkClient): Promise<TestAnswer>
}

const authUrl = 'https://login.shop.example'
const callbackUrl = `${authUrl}/auth/v1/oauth/callback/google`

async function scene(t: Parameters<typeof startSignInService>[0], open: TestDatabases['open']) {
  const { issuer, clientId, person } = await startIdentityProvider(t, [callbackUrl])
  Object.assign(person, { email: 'asha@example.com', email_verified: true })
  const secret = { clientSecret: { env: 'SANDBOX_SECRET' } }
  const google = {
    type: 'oidc',
    issuer,
    clientId,
    ...secret,
    method: 'GOOGLE',
    scopes: ['email'],
    authoritativeFor: { emailDomains: ['*'] },
  }
  const service = await startSignInService(t, await open(t), {
    channels: { ...outboxChannels, google },
    settings: { authUrl },
    app: { signInElsewhere: true },
  })
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const validate = async (token: string) => (await tokenCalls(service).validate(token)).body
  return { service, validate, client: await sdkClient(service, { app: service.app }) }
}

const backFrom = async ({ service }: Scene, location: string) => {
  const { pathname, search } = new URL(location)
  const response = await testBrowser().open(service.url + pathname + search)
  return new URL(response.headers.get('location')!)
}

const withOtp: Flow['complete'] = ({ service }, { body }, client) =>
  service.verify(body.transactionId, { otp: service.otp() }, client)

const ofCode = (service: SignInService, back: URL, client: SdkClient) =>
  service.verify(
    back.searchParams.get('ringfence_transaction')!,
    { code: back.searchParams.get('ringfence_code') },
    client,
  )

/** The public URL leads to a load balancer, which this test has not. */
const linkOf = (service: SignInService) => new URL(service.link().pathname + service.link().search, service.url)

/** A link or an identity provider leads back to a new page of the same browser: another session. */
const flows: Readonly<Record<string, Flow & { readonly isOnNewPage?: true }>> = {
  'OTP by SMS': { start: { channel: 'OTP', identity: mobile }, complete: withOtp },
  'OTP by email': { start: { channel: 'OTP', identity: email }, complete: withOtp },
  'magic link in the same browser': {
    start: { channel: 'MAGIC_LINK', identity: email, redirectUrl },
    isOnNewPage: true,
    async complete({ service }, _, client) {
      const { response } = await pressButton(linkOf(service))
      return ofCode(service, new URL(response.headers.get('location')!), client)
    },
  },
  'magic link on another device': {
    start: { channel: 'MAGIC_LINK', identity: email },
    async complete({ service }, { body }, client) {
      await pressButton(linkOf(service))
      const { status, headers, body: answer } = await service.status(body.transactionId, client)
      assert.equal(answer.status, 'SUCCESS')
      return { status, headers, body: answer.user }
    },
  },
  'redirect to a provider': {
    start: { channel: 'OAUTH', method: 'GOOGLE', redirectUrl },
    isOnNewPage: true,
    async complete(scene, { body }, client) {
      const called = await testBrowser().follow(body.authorizationUrl, callbackUrl)
      return ofCode(scene.service, await backFrom(scene, called.href), client)
    },
  },
  'provider in a pop-up': {
    start: { channel: 'OAUTH', method: 'GOOGLE', redirectUrl },
    async complete(scene, { body }, client) {
      const called = await testBrowser().follow(body.authorizationUrl, callbackUrl)
      return ofCode(scene.service, await backFrom(scene, called.href), client)
    },
  },
}

/** When the fingerprint finishes: before the start, after its answer, or never. */
const timings: Readonly<Record<Mode, 'before' | 'after' | 'never'>> = { NONE: 'never', ASYNC: 'after', SYNC: 'before' }

eachDatabase(({ engine, open }) => {
  for (const [name, flow] of Object.entries(flows)) {
    test(`4.7 rule 5: ${name} has secureInfo with ASYNC and SYNC, and none with NONE (${engine})`, async (t) => {
      const place = await scene(t, open)
      const { service, validate } = place
      for (const mode of ['NONE', 'ASYNC', 'SYNC'] as const) {
        const client = await sdkClient(service, { app: service.app })
        const before = timings[mode] === 'before' ? await client.fingerprint() : undefined
        const dfrId = before && { dfrId: before.dfrId }
        const started = await service.start({ ...flow.start, deviceFingerprintMode: mode, ...dfrId }, client)
        assert.equal(started.status, 200, JSON.stringify(started.body))
        const after = timings[mode] === 'after' ? await client.fingerprint() : undefined
        const completing = flow.isOnNewPage ? await sdkClient(service, { app: service.app }) : client
        const { status, body: user } = await flow.complete(place, started, completing)
        assert.equal(status, 200, JSON.stringify(user))
        const { secureInfo } = await validate(user.token)
        assert.equal(secureInfo?.bot.result, mode === 'NONE' ? undefined : 'bad', mode)
        assert.equal(user.dfrId, (before ?? after)?.dfrId, mode)
        const { body } = await service.post(endpoints.listAccountDevices.path, { userId: user.userId })
        const confirmed = body.devices.length
        assert.equal(
          confirmed > 0,
          mode !== 'NONE',
          `${mode}: a completed sign-in confirms the device that it analysed`,
        )
      }
    })
  }
})

const { open } = sqliteDatabases

test('4.7 rule 5: a sign-in with NONE has no secureInfo, even if the page analyses the device meanwhile', async (t) => {
  const { service, validate, client } = await scene(t, open)
  const started = await service.start({ channel: 'OTP', identity: mobile }, client)
  await client.fingerprint()
  const { body: user } = await service.verify(started.body.transactionId, { otp: service.otp() }, client)
  assert.equal(user.dfrId, undefined)
  assert.equal((await validate(user.token)).secureInfo, undefined)
})

test('4.7 rule 5 ASYNC: an engine call without its push gives secureInfo, but no dfrId', async (t) => {
  const { service, validate, client } = await scene(t, open)
  const started = await service.start({ channel: 'OTP', identity: mobile, deviceFingerprintMode: 'ASYNC' }, client)
  await client.analyse()
  const { body: user } = await service.verify(started.body.transactionId, { otp: service.otp() }, client)
  assert.equal(user.dfrId, undefined)
  assert.equal((await validate(user.token)).secureInfo.bot.result, 'bad', 'the user agent of a program')
})

test('4.7 rule 5 ASYNC: of several fingerprints in the session, the latest belongs to the sign-in', async (t) => {
  const { service, client } = await scene(t, open)
  await client.fingerprint()
  const started = await service.start({ channel: 'OTP', identity: mobile, deviceFingerprintMode: 'ASYNC' }, client)
  await client.fingerprint()
  const { dfrId } = await client.fingerprint()
  const { body: user } = await service.verify(started.body.transactionId, { otp: service.otp() }, client)
  assert.equal(user.dfrId, dfrId)
})

test('4.7 rule 5 ASYNC: a fingerprint of another session or app never belongs to the sign-in', async (t) => {
  const { service, validate, client } = await scene(t, open)
  const [other, elsewhere] = [await sdkClient(service, { app: service.app }), await sdkClient(service)]
  await elsewhere.fingerprint()
  const { dfrId } = await other.fingerprint()
  const start = { channel: 'OTP', identity: mobile, deviceFingerprintMode: 'ASYNC', dfrId }
  const started = await service.start(start, client)
  const proof = { otp: service.otp(), dfrId }
  const { status, body: user } = await service.verify(started.body.transactionId, proof, client)
  assert.equal(status, 200)
  assert.equal(user.dfrId, undefined)
  assert.equal((await validate(user.token)).secureInfo, undefined)
})

test('4.7 rule 5 ASYNC: status accepts the dfrId of the page that polls', async (t) => {
  const { service, validate, client } = await scene(t, open)
  const start = { channel: 'MAGIC_LINK', identity: email }
  const { transactionId } = (await service.start(start, client)).body
  const { dfrId } = await client.fingerprint()
  await pressButton(linkOf(service))
  const { body } = await client.post(endpoints.signInStatus.path, { transactionId, dfrId })
  assert.equal(body.user.dfrId, dfrId)
  assert.ok((await validate(body.user.token)).secureInfo)
})
