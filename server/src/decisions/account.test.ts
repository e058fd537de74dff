// Does a decision know the account, and does the account learn from decisions that are proven at once, later, or never?

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { addressIn, browserIn, type NetworkName, startWorld } from '../accounts/testing/world.ts'
import { laptop } from '../device/testdata/devices.ts'
import { eachDatabase, type TestDatabases } from '../testing/databases.ts'
import { createApp } from '../testing/sdk-client.ts'
import { decisionCalls } from './testing.ts'

const impossible = {
  id: 'impossible-travel',
  name: 'Nobody travels this fast',
  when: 'account.travel.impossible or account.newCountry',
  action: 'CHALLENGE',
  score: 60,
} as const

type Visit = Awaited<ReturnType<ReturnType<typeof browserIn>['visits']>>

async function shop(t: TestContext, open: TestDatabases['open']) {
  const service = await startWorld(t, await open(t))
  const app = await createApp(service)
  const calls = decisionCalls(service)
  await calls.publish([impossible])
  const signedIn = async (
    userId = 'asha',
    { requestId, userVerified }: Partial<Visit> & { userVerified?: false } = {},
  ) => {
    const verifiedAt = new Date(service.clock.now()).toISOString()
    const identity = { identityType: 'EMAIL', identityValue: 'asha@shop.example', channel: 'EMAIL', methods: ['OTP'] }
    const identities = [{ ...identity, verified: true, verifiedAt }]
    const { status, body } = await service.post(endpoints.issueToken.path, {
      ...{ userId, identities },
      ...(requestId !== undefined && { requestId }),
      ...(userVerified !== undefined && { userVerified }),
    })
    assert.equal(status, 200, JSON.stringify(body))
    return body.token as string
  }
  return {
    service,
    calls,
    signedIn,
    own: browserIn(service, app),
    other: browserIn(service, app, laptop()),
    label: async (decisionId: string, outcome: string, more: object = {}) => {
      const { body } = await service.post(endpoints.labelReports.path, { labels: [{ decisionId, outcome, ...more }] })
      assert.deepEqual(body, { accepted: 1, unknown: [] })
    },
    /** A decision about a session of Asha; `login`: the page also sends the token of a sign-in. */
    async session(
      browser: ReturnType<typeof browserIn> | undefined,
      network: NetworkName,
      { login = false, email = 'asha@shop.example', visit = undefined as Visit | undefined } = {},
    ) {
      const { dfrId } = visit ?? (await browser?.visits(network)) ?? {}
      const device = dfrId !== undefined && { dfrId }
      const token = login && { token: await signedIn() }
      const { status, body } = await calls.decide({
        userId: 'asha',
        email,
        ip: addressIn(network),
        ...device,
        ...token,
      })
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.device?.identification.knownForAccount, body.account?.knownDevice)
      return {
        id: body.decisionId as string,
        action: body.action as string,
        known: body.device?.identification.knownForAccount as string | undefined,
        codes: (body.reasons as { code: string }[]).map(({ code }) => code),
      }
    },
  }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('a decision with a sign-in confirms its device, and the next one knows it without'), async (t) => {
    const { service, own, session } = await shop(t, open)
    for (let day = 0; day < 3; day++) {
      const { known, action } = await session(own, 'home')
      assert.deepEqual([known, action], ['no', 'ALLOW'], 'naming a user proves nothing')
      service.clock.advance({ hours: 24 })
    }
    assert.equal((await session(own, 'home', { login: true })).known, 'no')
    for (let day = 0; day < 3; day++) {
      service.clock.advance({ hours: 24 })
      assert.equal((await session(own, 'home')).known, 'yes')
    }
    const { action } = await session(own, 'paris')
    assert.equal(action, 'CHALLENGE')
  })

  test(it('a token after a password alone makes no device known, however often a thief tries'), async (t) => {
    const { service, calls, own, other, signedIn } = await shop(t, open)
    await calls.publish([
      {
        id: 'new',
        name: 'New',
        when: 'account.sessions > 0 and account.knownDevice == "no"',
        action: 'CHALLENGE',
        score: 9,
      },
    ])
    const attempt = async (browser: ReturnType<typeof browserIn>) => {
      service.clock.advance({ hours: 24 })
      const visit = await browser.visits('home')
      const token = await signedIn('asha', { ...visit, userVerified: false })
      const { body } = await calls.decide({ userId: 'asha', token, dfrId: visit.dfrId })
      return [body.action, body.account.knownDevice]
    }
    assert.deepEqual(await attempt(own), ['ALLOW', 'no'])
    assert.deepEqual(await attempt(own), ['ALLOW', 'yes'], 'the decision allowed the session, and so confirmed it')
    for (let again = 0; again < 3; again++) assert.deepEqual(await attempt(other), ['CHALLENGE', 'no'])
  })

  test(it('challenges a stolen password from far away, again and again, and learns nothing from it'), async (t) => {
    const { service, own, other, session } = await shop(t, open)
    for (let day = 0; day < 4; day++) {
      service.clock.advance({ hours: 24 })
      await session(own, 'home', { login: true })
    }
    for (let attempt = 0; attempt < 4; attempt++) {
      service.clock.advance({ hours: 1 })
      const { action, known, codes } = await session(other, 'paris')
      assert.deepEqual([action, known], ['CHALLENGE', 'no'])
      assert.ok(codes.some((code) => /TRAVEL/.test(code)) && codes.some((code) => /DEVICE/.test(code)), codes.join())
    }
    service.clock.advance({ hours: 1 })
    assert.equal((await session(own, 'home')).action, 'ALLOW')
  })

  test(it('a traveller with a new phone is challenged once: passing proves the session and its device'), async (t) => {
    const { service, calls, own, other, session, signedIn } = await shop(t, open)
    for (let day = 0; day < 4; day++) {
      service.clock.advance({ hours: 24 })
      await session(own, 'home', { login: true })
    }
    service.clock.advance({ hours: 12 })
    const first = await session(other, 'paris')
    assert.equal(first.action, 'CHALLENGE')
    service.clock.advance({ seconds: 30 })
    assert.equal((await session(other, 'paris')).action, 'CHALLENGE')
    const token = await signedIn()
    for (let again = 0; again < 2; again++) {
      const { status, body } = await calls.passChallenge(first.id, token)
      assert.deepEqual([status, body.challenge?.state], [200, 'passed'], JSON.stringify(body))
    }
    service.clock.advance({ hours: 1 })
    const { action, known } = await session(other, 'paris')
    assert.deepEqual([action, known], ['ALLOW', 'yes'])
  })

  test(it('a payment knows the device of its visit once a decision proved it, not by the sign-in alone'), async (t) => {
    const { service, calls, own, other, session, signedIn } = await shop(t, open)
    const atHome = await own.visits('home')
    await signedIn('asha', atHome)
    service.clock.advance({ seconds: 20 })
    assert.equal((await session(undefined, 'home', { visit: atHome })).known, 'no')
    assert.equal((await session(undefined, 'home', { visit: atHome, login: true })).known, 'no')
    service.clock.advance({ seconds: 20 })
    assert.equal((await session(undefined, 'home', { visit: atHome })).known, 'yes')

    service.clock.advance({ hours: 1 })
    const visit = await other.visits('paris')
    const first = await session(undefined, 'paris', { visit })
    assert.deepEqual([first.action, first.known], ['CHALLENGE', 'no'])
    service.clock.advance({ seconds: 30 })
    await calls.passChallenge(first.id, await signedIn())
    service.clock.advance({ seconds: 30 })
    const then = await session(undefined, 'paris', { visit })
    assert.deepEqual([then.action, then.known], ['ALLOW', 'yes'])
  })

  test(it('whoever signs in as another user passes no challenge and teaches the account nothing'), async (t) => {
    const { service, calls, own, other, session, signedIn } = await shop(t, open)
    for (let day = 0; day < 4; day++) {
      service.clock.advance({ hours: 24 })
      await session(own, 'home', { login: true })
    }
    for (let attempt = 0; attempt < 2; attempt++) {
      service.clock.advance({ hours: 1 })
      const { id, action, known } = await session(other, 'paris', { email: 'asha@shop.example' })
      assert.deepEqual([action, known], ['CHALLENGE', 'no'])
      service.clock.advance({ seconds: 30 })
      const { status } = await calls.passChallenge(id, await signedIn('somebody'))
      assert.equal(status, 400)
    }
  })

  test(
    it('a bad label of a decision ends the trust in its device; a good one teaches also without a device'),
    async (t) => {
      const { service, own, other, session, label } = await shop(t, open)
      const quiet: string[] = []
      for (let day = 0; day < 4; day++) {
        service.clock.advance({ hours: 24 })
        await session(own, 'home', { login: true })
        service.clock.advance({ hours: 24 })
        quiet.push((await session(other, 'neighbour', { login: true })).id)
      }
      service.clock.advance({ hours: 1 })
      assert.equal((await session(other, 'neighbour')).known, 'yes')
      await label(quiet.at(-1)!, 'accountTakeover')
      service.clock.advance({ hours: 1 })
      const after = await session(other, 'neighbour')
      assert.equal(after.known, 'no')
      assert.ok(
        after.codes.some((code) => /NETWORK/.test(code)),
        after.codes.join(),
      )

      service.clock.advance({ hours: 24 })
      const abroad = await session(undefined, 'paris')
      assert.equal(abroad.action, 'CHALLENGE')
      await label(abroad.id, 'legitimate')
      service.clock.advance({ hours: 1 })
      assert.equal((await session(undefined, 'paris')).action, 'ALLOW')
    },
  )

  test(it('a good label that is older than the bad one restores no trust, nor does a repeated one'), async (t) => {
    const { service, own, other, session, label } = await shop(t, open)
    for (let day = 0; day < 4; day++) {
      service.clock.advance({ hours: 24 })
      await session(own, 'home', { login: true })
    }
    service.clock.advance({ hours: 24 })
    const theft = await session(other, 'neighbour', { login: true })
    const before = new Date(service.clock.now()).toISOString()
    service.clock.advance({ hours: 1 })
    assert.equal((await session(other, 'neighbour')).known, 'yes')
    await label(theft.id, 'accountTakeover')
    service.clock.advance({ hours: 1 })
    assert.equal((await session(other, 'neighbour')).known, 'no')
    for (const more of [{}, { userId: 'asha' }]) {
      await label(theft.id, 'legitimate', { knownAt: before, ...more })
      service.clock.advance({ hours: 1 })
      assert.equal((await session(other, 'neighbour')).known, 'no', JSON.stringify(more))
    }
    await label(theft.id, 'legitimate')
    service.clock.advance({ hours: 1 })
    assert.equal((await session(other, 'neighbour')).known, 'no', 'nor does one that takes the bad one back')
  })
})
