// Does a person add an identity only on the page or installation where they just signed in, and never one of somebody else?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { androidPhone } from '../../../device/testdata/phones.ts'
import { eachDatabase } from '../../../testing/databases.ts'
import { newInstallationKey, type SignedCall } from '../../../testing/installation-key.ts'
import { type SdkClient, sdkClient } from '../../../testing/sdk-client.ts'
import { customersOf, importFolder } from '../../customers/testing.ts'
import { tokenCalls } from '../../tokens/testing.ts'
import { testBrowser } from '../testing/browser.ts'
import { startIdentityProvider } from '../testing/identity-provider.ts'
import {
  email,
  mobile,
  outboxChannels,
  pressButton,
  redirectUrl,
  type SignInService,
  startSignInService,
} from '../testing/sign-in-service.ts'

const byEmail = { method: 'EMAIL', identity: email }

async function signedIn(service: SignInService, start: object = {}, client = service.client) {
  service.clock.advance({ seconds: 31 })
  const { body } = await service.start(start, client)
  return (await service.verify(body.transactionId, { otp: service.otp() }, client)).body
}

/** The error code, or the user who signed in. */
async function adds(service: SignInService, start: object, client: SdkClient = service.client, verify = client) {
  const started = await service.start(start, client)
  if (started.status !== 200) return `${started.status} ${started.body.errorCode}`
  const { status, body } = await service.verify(started.body.transactionId, { otp: service.otp() }, verify)
  return status === 200 ? body.userId : `${status} ${body.errorCode}`
}

const identitiesOf = async (service: SignInService, userId: string) =>
  (await service.post(endpoints.listIdentities.path, { userId })).body.identities

const valuesOf = async (service: SignInService, userId: string): Promise<string[]> =>
  (await identitiesOf(service, userId)).map(({ value }: { value: string }) => value).sort()

const eventsOf = async (service: SignInService, userId: string, ...types: string[]) =>
  (await service.post(endpoints.searchEvents.path, { userId, types })).body.events.map(
    ({ data }: { data: object }) => data,
  )

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('a person adds an email address to the user of the number, and both lead to the same user'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { token, userId } = await signedIn(service)
    await service.post(endpoints.linkUser.path, { token, userId: 'wallet-1' })
    assert.equal(await adds(service, { ...byEmail, linkTo: token }), userId)
    const identities = await identitiesOf(service, 'wallet-1')
    assert.deepEqual(
      identities.map(({ type, personId, addedAt }: Record<string, string>) => [type, personId, addedAt]).sort(),
      [
        ['EMAIL', userId, new Date(service.clock.now()).toISOString()],
        ['MOBILE', userId, undefined],
      ],
    )
    const [added, ...more] = await eventsOf(service, 'wallet-1', 'user.identity.added')
    const { signInId, ...data } = added
    assert.match(signInId, /^[0-9a-f]{32}$/)
    assert.deepEqual(
      [data, more],
      [
        {
          userId: 'wallet-1',
          personId: userId,
          identities: [{ type: 'EMAIL', value: email.value }],
          appId: service.app.id,
        },
        [],
      ],
    )
    const later = await signedIn(service, byEmail)
    assert.equal(later.userId, userId)
    assert.equal((await tokenCalls(service).validate(later.token)).body.userId, 'wallet-1')
    assert.equal(
      (await identitiesOf(service, 'wallet-1')).filter(({ addedAt }: { addedAt?: string }) => addedAt).length,
      1,
    )
    assert.equal(await adds(service, { ...byEmail, linkTo: later.token }), userId, 'what it has already is no addition')
    assert.equal((await eventsOf(service, 'wallet-1', 'user.identity.added')).length, 1)
  })

  test(it('an identity of another user is refused, unless both are linked to the same id'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const mail = await signedIn(service, byEmail)
    const phone = await signedIn(service)
    assert.equal(await adds(service, { ...byEmail, linkTo: phone.token }), '400 7134')
    assert.deepEqual(await valuesOf(service, phone.userId), [mobile.value])
    await service.post(endpoints.linkUser.path, { token: mail.token, userId: 'wallet-1' })
    service.clock.advance({ seconds: 31 })
    assert.equal(await adds(service, { ...byEmail, linkTo: phone.token }), '400 7134')
    await service.post(endpoints.linkUser.path, { token: phone.token, userId: 'wallet-2' })
    service.clock.advance({ seconds: 31 })
    assert.equal(await adds(service, { ...byEmail, linkTo: phone.token }), '400 7134')
    await service.post(endpoints.mergeUsers.path, { userId: 'wallet-2', into: 'wallet-1' })
    service.clock.advance({ seconds: 31 })
    assert.equal(await adds(service, { ...byEmail, linkTo: phone.token }), mail.userId)
    assert.deepEqual(await valuesOf(service, 'wallet-1'), [mobile.value, email.value])
    assert.deepEqual(await eventsOf(service, 'wallet-1', 'user.identity.added'), [])
  })

  test(it('an imported identity is added to its customer only, and to nobody who is not linked'), async (t) => {
    const service = await startSignInService(t, await open(t))
    await customersOf(service, await importFolder(t)).import([`wallet-1,${mobile.value},`])
    const thief = await signedIn(service, byEmail)
    assert.equal(await adds(service, { linkTo: thief.token }), '400 7134')
    assert.deepEqual(await valuesOf(service, thief.userId), [email.value])
    service.clock.advance({ seconds: 31 })
    await service.post(endpoints.linkUser.path, { token: thief.token, userId: 'wallet-1' })
    assert.equal(await adds(service, { linkTo: thief.token }), thief.userId, 'the backend knows better')
  })

  test(it('a stolen token adds nothing on another page or device'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { app } = service
    const victim = await sdkClient(service, { app, key: newInstallationKey() })
    await victim.fingerprint()
    const { token, userId } = await signedIn(service, { deviceFingerprintMode: 'SYNC' }, victim)
    const linkTo = { ...byEmail, linkTo: token }
    assert.equal(await adds(service, linkTo, await sdkClient(service, { app })), '400 7133')
    const thief = await sdkClient(service, { app, key: newInstallationKey() })
    const { dfrId } = await thief.fingerprint()
    assert.equal(await adds(service, { ...linkTo, dfrId }, thief), '400 7133')
    assert.equal(await adds(service, linkTo, victim, thief), '400 7133', 'completed elsewhere')
    assert.deepEqual(await valuesOf(service, userId), [mobile.value])
    assert.equal(await adds(service, { ...linkTo, otpLength: 8 }, victim), userId)
  })

  test(it('after a page load, the installation is the same by its key'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { app } = service
    const key = newInstallationKey()
    const page = await sdkClient(service, { app, key })
    const { dfrId } = await page.fingerprint()
    const { body } = await service.start({}, page)
    const user = (await service.verify(body.transactionId, { otp: service.otp(), dfrId }, page)).body
    const next = await sdkClient(service, { app, key })
    const here = await next.fingerprint()
    assert.equal(await adds(service, { ...byEmail, linkTo: user.token, dfrId: here.dfrId }, next), user.userId)
    const without = await sdkClient(service, { app })
    const unproved = await without.fingerprint()
    const start = { identity: { type: 'MOBILE', value: '917020142848' }, linkTo: user.token, dfrId: unproved.dfrId }
    assert.equal(await adds(service, start, without), '400 7133', 'it only resembles the installation')
  })

  test(it('on a phone, the installation is known by its key alone: everybody can copy its ids'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { facts } = androidPhone()
    const made = newInstallationKey()
    const key = { ...made, proofOf: (body: SignedCall) => made.proofOf(body, 'der') }
    const visit = async (proved: boolean) => {
      const client = await sdkClient(service, { app: service.app, platform: 'ANDROID', ...(proved && { key }) })
      return { client, dfrId: (await client.fingerprint(facts)).dfrId }
    }
    for (const proved of [false, true]) {
      const own = await visit(proved)
      const { transactionId } = (await service.start({}, own.client)).body
      const verified = await service.verify(transactionId, { otp: service.otp(), dfrId: own.dfrId }, own.client)
      const { token, userId } = verified.body
      const other = await visit(false)
      const start = { ...byEmail, linkTo: token }
      assert.equal(await adds(service, { ...start, dfrId: other.dfrId }, other.client), '400 7133', 'copied ids')
      const later = await visit(true)
      const added = await adds(service, { ...start, dfrId: later.dfrId }, later.client)
      assert.equal(added, proved ? userId : '400 7133')
      service.clock.advance({ seconds: 31 })
    }
  })

  test(it('a magic link adds the address, and not for whoever opens it on another page'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { app } = service
    const { token, userId } = await signedIn(service)
    const started = await service.start({ channel: 'MAGIC_LINK', identity: email, redirectUrl, linkTo: token })
    const { response } = await pressButton(service.link())
    const code = new URL(response.headers.get('location')!).searchParams.get('ringfence_code')
    const { transactionId } = started.body
    const other = await sdkClient(service, { app })
    const refused = await service.verify(transactionId, { code }, other)
    assert.deepEqual([refused.status, refused.body.errorCode], [400, '7133'])
    assert.deepEqual(await valuesOf(service, userId), [mobile.value])
    assert.equal((await service.verify(transactionId, { code })).body.userId, userId)
    assert.deepEqual(await valuesOf(service, userId), [mobile.value, email.value])
  })

  test(it('an account at an identity provider is added with what it vouches for, or not at all'), async (t) => {
    const authUrl = 'https://login.shop.example'
    const callbackUrl = `${authUrl}/auth/v1/oauth/callback/google`
    const { issuer, clientId, person } = await startIdentityProvider(t, [callbackUrl])
    const google = {
      ...{
        type: 'oidc',
        issuer,
        clientId,
        clientSecret: { env: 'SANDBOX_SECRET' },
        method: 'GOOGLE',
        scopes: ['email'],
      },
      authoritativeFor: { emailDomains: ['*'] },
    }
    const channels = { ...outboxChannels, google }
    const service = await startSignInService(t, await open(t), { channels, settings: { authUrl } })
    service.clock.advance({ ms: Date.now() - service.clock.now() })
    const client = await sdkClient(service, { app: service.app })
    const throughGoogle = async (linkTo: string) => {
      const { body } = await service.start({ channel: 'OAUTH', method: 'GOOGLE', redirectUrl, linkTo }, client)
      const { pathname, search } = await testBrowser().follow(body.authorizationUrl, callbackUrl)
      const returned = await testBrowser().open(service.url + pathname + search)
      const code = new URL(returned.headers.get('location')!).searchParams.get('ringfence_code')
      return (await service.verify(body.transactionId, { code }, client)).body
    }
    const start = async (value: string) => {
      const { body } = await service.start({ identity: { type: 'MOBILE', value } }, client)
      return (await service.verify(body.transactionId, { otp: service.otp() }, client)).body
    }
    Object.assign(person, { sub: 'asha', email: 'asha@example.com', email_verified: true })
    const asha = await start(mobile.value)
    assert.equal((await throughGoogle(asha.token)).userId, asha.userId)
    assert.deepEqual(await valuesOf(service, asha.userId), [mobile.value, 'asha@example.com', `${issuer} asha`].sort())
    const ben = await start('917020142848')
    assert.equal((await throughGoogle(ben.token)).errorCode, '7134')
    assert.deepEqual(await valuesOf(service, ben.userId), ['917020142848'])
  })

  test(it('refuses tokens that are old, used up, of nobody here or of another tenant, and wrong types'), async (t) => {
    const settings = { tokenUses: 'once', tokenLifetimeSeconds: 600 } as const
    const service = await startSignInService(t, await open(t), { settings })
    const { issue, validate, revoke } = tokenCalls(service)
    const code = (linkTo: unknown) => adds(service, { ...byEmail, linkTo })
    for (const wrong of [null, '', 7, [], {}, 'x'.repeat(129)])
      assert.equal(await code(wrong), '400 7102', String(wrong))
    assert.equal(await code('rft_nothing'), '400 7133')
    assert.equal(await code(await issue()), '400 7133', 'of a backend')
    const { token, userId } = await signedIn(service)
    const elsewhere = await startSignInService(t, await open(t))
    assert.equal(await adds(elsewhere, { ...byEmail, linkTo: token }), '400 7133')
    const { body } = await service.start({ ...byEmail, channel: 'SILENT', linkTo: token })
    assert.equal(body.errorCode, '7133')
    service.clock.advance({ seconds: 301 })
    assert.equal(await code(token), '400 7133', 'six minutes old')
    const used = await signedIn(service)
    await validate(used.token)
    assert.equal(await code(used.token), '400 7133', 'used up')
    const revoked = await signedIn(service)
    await revoke(revoked.token)
    assert.equal(await code(revoked.token), '400 7133', 'revoked')
    assert.deepEqual(await valuesOf(service, userId), [mobile.value])
  })

  test(it('of two users who add the same address at the same time one gets it'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { app } = service
    const people: { client: SdkClient; user: { token: string } }[] = []
    for (const value of [mobile.value, '917020142848']) {
      const client = await sdkClient(service, { app })
      people.push({ client, user: await signedIn(service, { identity: { type: 'MOBILE', value } }, client) })
    }
    const started: { client: SdkClient; transactionId: string; otp: string }[] = []
    service.clock.advance({ seconds: 31 })
    for (const { client, user } of people) {
      const { body } = await service.start({ ...byEmail, linkTo: user.token }, client)
      started.push({ client, transactionId: body.transactionId, otp: service.otp() })
    }
    const outcomes = await Promise.all(
      started.map(({ transactionId, otp, client }) => service.verify(transactionId, { otp }, client)),
    )
    assert.deepEqual(outcomes.map(({ status, body }) => `${status} ${body.errorCode}`).sort(), [
      '200 undefined',
      '400 7134',
    ])
  })
})
