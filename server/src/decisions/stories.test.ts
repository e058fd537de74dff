// What does a decision say in each story of the sandbox? With the default rules, as a backend asks over HTTP.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { browserIn, type NetworkName, startWorld } from '../accounts/testing/world.ts'
import { headersOf } from '../device/testdata/ordinary-report.ts'
import { recorded } from '../device/testdata/recordings.ts'
import { tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase } from '../testing/databases.ts'
import { createApp } from '../testing/sdk-client.ts'
import type { TestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const ordinaryNumber = '917020141726'
const swappedNumber = '917020140110'
const forwardedNumber = '917020140120'

const { facts: ordinaryFacts } = recorded('chromium-at-home')
const otherBrowser = recorded('firefox-day-before')
const drivenFacts = { ...ordinaryFacts, automation: { webdriver: true } }

type Told = Pick<Decision, 'action'> & { fired: readonly string[]; reasons: readonly string[] }
const told = ({ action, rules, reasons }: Decision): Told => ({
  action,
  fired: rules.fired,
  reasons: reasons.map(({ code }) => code),
})

/** A person signs in with a code to a number, and the backend asks about the session. */
async function newPerson(service: TestService, { facts = ordinaryFacts, userId = 'asha' } = {}) {
  const { decide } = decisionCalls(service)
  const app = await createApp(service)
  const browser = browserIn(service, app, facts)
  const signInToken = ({
    phoneNumber = ordinaryNumber,
    email,
    requestId,
    userVerified,
  }: {
    phoneNumber?: string
    /** Received the code instead. */
    email?: string
    requestId?: string
    userVerified?: false
  } = {}) =>
    tokenCalls(service).issue({
      userId,
      identities: [
        {
          identityType: email === undefined ? 'MOBILE' : 'EMAIL',
          identityValue: email ?? phoneNumber,
          channel: 'OTP',
          methods: [email === undefined ? 'SMS' : 'EMAIL'],
          verified: true,
          verifiedAt: new Date(service.clock.now()).toISOString(),
        },
      ],
      ...(requestId !== undefined && { requestId }),
      ...(userVerified !== undefined && { userVerified }),
    })
  const decisionAbout = async (session: { action?: string; phoneNumber: string; token?: string; dfrId: string }) => {
    const { status, body } = await decide({ action: 'LOGIN', userId, email: 'asha@shop.example', ...session })
    assert.equal(status, 200, JSON.stringify(body))
    return body as Decision
  }
  return {
    async signsIn({
      phoneNumber = ordinaryNumber,
      from = 'home' as NetworkName,
      on = browser,
      ...more
    }: {
      phoneNumber?: string
      from?: NetworkName
      on?: typeof browser
      email?: string
      userVerified?: false
    } = {}) {
      const { dfrId, requestId } = await on.visits(from)
      return decisionAbout({ phoneNumber, token: await signInToken({ phoneNumber, requestId, ...more }), dfrId })
    },
    /** Which devices of the account are trusted, last seen first. */
    async devices(): Promise<boolean[]> {
      const { body } = await service.post(endpoints.listAccountDevices.path, { userId })
      return (body.devices as { trusted: boolean }[]).map(({ trusted }) => trusted)
    },
    signInToken,
    /** Signs in, and pays on the page that is open, or on the next one. The backend does not send the token again. */
    async paysAfterSignIn({ withDevice = true, isNextPage = false } = {}) {
      const visit = await browser.visits('home')
      const token = await signInToken(withDevice ? { requestId: visit.requestId } : {})
      await decisionAbout({ phoneNumber: ordinaryNumber, token, dfrId: visit.dfrId })
      service.clock.advance({ seconds: 60 })
      const { dfrId } = isNextPage ? await browser.visits('home') : visit
      return decisionAbout({ action: 'PAYMENT', phoneNumber: ordinaryNumber, dfrId })
    },
    /** Whoever has the token sends it with this browser's report. */
    async sends(token: string, { from, on = browser }: { from: NetworkName; on?: typeof browser }) {
      return decisionAbout({ phoneNumber: ordinaryNumber, token, dfrId: (await on.visits(from)).dfrId })
    },
    otherDevice: browserIn(service, app, otherBrowser.facts, headersOf(otherBrowser)),
  }
}

eachDatabase(({ engine, open }) => {
  const story = (name: string, play: (service: TestService) => Promise<void>) =>
    test(`${name} (${engine})`, async (t) => play(await startWorld(t, await open(t))))

  story('an ordinary person on the usual device continues', async (service) => {
    const { signsIn } = await newPerson(service)
    for (let day = 0; day < 3; day++) {
      const decision = await signsIn()
      assert.deepEqual(told(decision), { action: 'ALLOW', fired: [], reasons: day === 0 ? ['NEW_DEVICE'] : [] })
      assert.equal(decision.account?.sessions, day)
      service.clock.advance({ hours: 24 })
    }
  })

  for (const withDevice of [true, false]) {
    for (const isNextPage of [true, false]) {
      const names = [withDevice ? 'with' : 'without', isNextPage ? 'the next' : 'the same'] as const
      story(`a new customer, who signs in ${names[0]} the device, pays on ${names[1]} page`, async (service) => {
        const { paysAfterSignIn } = await newPerson(service)
        const { action, fired } = told(await paysAfterSignIn({ withDevice, isNextPage }))
        assert.deepEqual([action, fired], ['ALLOW', []])
      })
    }
  }

  story('a swapped SIM is a challenge, and a block on a new device', async (service) => {
    const person = await newPerson(service)
    await person.signsIn()
    service.clock.advance({ hours: 24 })
    const own = await person.signsIn({ phoneNumber: swappedNumber })
    assert.equal(own.action, 'CHALLENGE')
    assert.deepEqual([own.rules.fired, own.rules.decisive], [['raised-score', 'swapped-sim'], 'swapped-sim'])
    assert.equal(own.reasons[0]?.code, 'SIM_SWAPPED')
    assert.deepEqual(own.challenge?.identityTypes, ['EMAIL'])
    service.clock.advance({ hours: 1 })
    const thief = await person.signsIn({ phoneNumber: swappedNumber, on: person.otherDevice })
    const { action, fired, reasons } = told(thief)
    assert.deepEqual([action, thief.rules.decisive], ['BLOCK', 'swapped-sim-new-device'])
    assert.deepEqual(fired, ['high-score', 'swapped-sim-new-device', 'swapped-sim', 'new-device-for-account'])
    assert.deepEqual(reasons.slice(0, 2), ['SIM_SWAPPED', 'NEW_DEVICE_FOR_ACCOUNT'])
  })

  story(
    'a thief with the swapped SIM teaches the account nothing, however often the code is entered',
    async (service) => {
      const person = await newPerson(service)
      await person.signsIn()
      const attempt = (phoneNumber: string) => person.signsIn({ phoneNumber, on: person.otherDevice })
      for (let again = 0; again < 3; again++) {
        service.clock.advance({ hours: 1 })
        const { action, account } = await attempt(swappedNumber)
        assert.deepEqual([action, account?.knownDevice, account?.sessions], ['BLOCK', 'no', 1])
        assert.deepEqual(await person.devices(), [false, true])
      }
      // The customer has the number again, and the thief the password.
      service.clock.advance({ hours: 12 * 24 })
      const { action, account } = await person.signsIn({ on: person.otherDevice, userVerified: false })
      assert.deepEqual([action, account?.knownDevice], ['CHALLENGE', 'no'])
      assert.equal((await person.signsIn({ phoneNumber: swappedNumber })).account?.knownDevice, 'yes')
      assert.deepEqual(await person.devices(), [true, false], 'a device that was known before stays known')
    },
  )

  story('whoever has a new SIM and a new phone gets in by email', async (service) => {
    const person = await newPerson(service)
    await person.signsIn()
    const attempt = (email?: string) =>
      person.signsIn({ phoneNumber: swappedNumber, on: person.otherDevice, ...(email !== undefined && { email }) })
    service.clock.advance({ hours: 1 })
    assert.equal((await attempt()).action, 'BLOCK')
    service.clock.advance({ hours: 1 })
    assert.equal((await attempt('asha@shop.example')).action, 'BLOCK')
    service.clock.advance({ hours: 1 })
    const { action, challenge, account } = await attempt()
    assert.deepEqual([action, challenge?.identityTypes, account?.knownDevice], ['CHALLENGE', ['EMAIL'], 'yes'])
    assert.deepEqual(await person.devices(), [true, true])
  })

  story('a thief who forwards the calls is challenged again, until a challenge is passed by email', async (service) => {
    const person = await newPerson(service)
    await person.signsIn()
    const attempt = () => person.signsIn({ phoneNumber: forwardedNumber, on: person.otherDevice })
    for (let again = 0; again < 2; again++) {
      service.clock.advance({ hours: 1 })
      const { action, challenge } = await attempt()
      assert.deepEqual([action, challenge?.identityTypes], ['CHALLENGE', ['EMAIL']])
    }
    const { decisionId } = await attempt()
    service.clock.advance({ seconds: 30 })
    const token = await person.signInToken({ email: 'asha@shop.example' })
    const { status } = await decisionCalls(service).passChallenge(decisionId, token)
    assert.equal(status, 200)
    assert.deepEqual(await person.devices(), [true, true])
    service.clock.advance({ hours: 1 })
    const { action, account } = await attempt()
    assert.deepEqual([action, account?.knownDevice], ['WARN', 'yes'])
  })

  story('forwarded calls are a warning', async (service) => {
    const { signsIn } = await newPerson(service)
    const { action, fired, reasons } = told(await signsIn({ phoneNumber: forwardedNumber }))
    assert.deepEqual([action, fired, reasons[0]], ['WARN', ['raised-score', 'calls-forwarded'], 'CALLS_FORWARDED'])
  })

  story('a device that was used for fraud is blocked, for every user', async (service) => {
    const thief = await newPerson(service, { userId: 'thief' })
    const { decisionId } = await thief.signsIn()
    const { body } = await service.post(endpoints.labelReports.path, { labels: [{ decisionId, outcome: 'fraud' }] })
    assert.equal(body.accepted, 1)
    service.clock.advance({ hours: 1 })
    const { action, fired, reasons } = told(await thief.signsIn())
    assert.equal(action, 'BLOCK')
    assert.ok(fired.includes('known-bad-device'), fired.join())
    assert.equal(reasons[0], 'KNOWN_BAD_DEVICE')
  })

  story('a program that drives a browser is blocked', async (service) => {
    const { signsIn } = await newPerson(service, { facts: drivenFacts })
    const { action, fired, reasons } = told(await signsIn())
    assert.equal(action, 'BLOCK')
    assert.ok(fired.includes('bad-bot'), fired.join())
    assert.equal(reasons[0], 'BOT')
  })

  story('a new device for the account is a challenge', async (service) => {
    const person = await newPerson(service)
    await person.signsIn()
    service.clock.advance({ hours: 24 })
    const decision = await person.signsIn({ on: person.otherDevice })
    const { action, fired, reasons } = told(decision)
    assert.deepEqual(
      [action, fired, reasons[0]],
      ['CHALLENGE', ['new-device-for-account'], 'NEW_DEVICE_FOR_ACCOUNT'],
      reasons.join(),
    )
    assert.equal(decision.challenge?.state, 'open')
  })

  story('nobody is in Mumbai and in Paris within an hour', async (service) => {
    const person = await newPerson(service)
    await person.signsIn()
    service.clock.advance({ hours: 1 })
    const { action, fired, reasons } = told(await person.signsIn({ from: 'paris' }))
    assert.deepEqual([action, fired], ['CHALLENGE', ['raised-score', 'impossible-travel']])
    assert.equal(reasons[0], 'IMPOSSIBLE_TRAVEL')
  })

  story('a session of minutes ago on the usual device counts against a thief elsewhere', async (service) => {
    const person = await newPerson(service)
    await person.signsIn()
    service.clock.advance({ seconds: 600 })
    const { action, fired } = told(await person.signsIn({ from: 'paris', on: person.otherDevice }))
    assert.deepEqual([action, fired], ['BLOCK', ['high-score', 'new-device-for-account', 'impossible-travel']])
  })

  story('a copied token does not hide the session of its owner', async (service) => {
    const person = await newPerson(service)
    const token = await person.signInToken()
    service.clock.advance({ seconds: 60 })
    assert.equal((await person.sends(token, { from: 'home' })).action, 'ALLOW')
    service.clock.advance({ seconds: 120 })
    const thief = await person.sends(token, { from: 'paris', on: person.otherDevice })
    const fired = ['high-score', 'unknown-parts', 'new-device-for-account', 'impossible-travel']
    assert.deepEqual(thief.rules.fired, fired)
  })
})
