// What does the token of a decision bring along? What is bad about the device of its sign-in, and seldom the device.

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { type Decision, endpoints, type IntelligenceRequest } from '@ringfence/contract'
import { makeTestRoot } from '../../device/attestation/testing/attesting-device.ts'
import { browserClient, headersOf, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { androidPhone, iphone as ordinaryIphone } from '../../device/testdata/phones.ts'
import { recorded } from '../../device/testdata/recordings.ts'
import { identity, tokenCalls } from '../../sign-in/tokens/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import {
  type InstallationKey,
  installationKey,
  newInstallationKey,
  signedTextOf,
} from '../../testing/installation-key.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { decisionCalls } from '../testing.ts'

const codesOf = ({ reasons }: Decision) => reasons.map(({ code }) => code)
const whyMissing = ({ missing }: Decision) => Object.fromEntries(missing.map(({ what, why }) => [what, why]))

const automated = { ...ordinaryFacts, automation: { ...ordinaryFacts.automation, webdriver: true } }
const otherBrowser = recorded('firefox-day-before')
const home = '49.36.128.1'
const homeLater = '49.36.128.77'
const elsewhere = '81.2.69.142'

/** A person whose browsers make reports and sign in. */
async function person(service: TestService, userId: string) {
  const app = await createApp(service)
  const { decide } = decisionCalls(service)
  const visit = async (
    facts: object,
    { ip = home, key, as = {} }: { ip?: string; key?: InstallationKey; as?: object } = {},
  ) => {
    const headers = { 'x-forwarded-for': ip, ...as }
    return (await browserClient(service, { app, headers, ...(key && { key }) })).fingerprint(facts)
  }
  return {
    visit,
    token: (requestId: string, as = userId) =>
      tokenCalls(service).issue({ userId: as, identities: [identity], requestId, userVerified: false }),
    decide: async (body: object, headers = {}): Promise<Decision> => {
      const { status, body: decision } = await decide({ action: 'LOGIN', userId, ...body }, headers)
      assert.equal(status, 200, JSON.stringify(decision))
      return decision
    },
  }
}

type AddKey = (body: IntelligenceRequest) => Promise<object> | object

/** Phones of one app, with ids of three phones. */
async function phonesWithKeys(service: TestService, platform: 'ANDROID' | 'IOS') {
  const app = await createApp(service, { settings: { appleTeamId: 'A1B2C3D4E5' } })
  const root = await makeTestRoot(service.clock.now())
  service.parts.device.appAttestRoot = root.pem
  const android = (): AddKey => {
    const key = installationKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
    return (body) => ({ proof: key.proofOf(body, 'der') })
  }
  const iphone = (): AddKey => {
    const appId = `A1B2C3D4E5.${app.bundleIds[0]}`
    const device = root.newDevice()
    let counter = 0
    return async (body) => {
      const { keyId, attest, assert: proof } = await device
      const parts = { appId, clientData: Buffer.from(signedTextOf(body)), counter: counter++ }
      const first = { ...parts, aaguid: 'appattest', madeAt: service.clock.now(), format: 'apple-appattest' }
      const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
      const isFirst = parts.counter === 0
      const sent = isFirst ? { attestation: base64(await attest(first)) } : { assertion: base64(proof(parts)) }
      return { attestation: { keyId, ...sent } }
    }
  }
  const isAndroid = platform === 'ANDROID'
  const idsOf = (phone: string) =>
    isAndroid
      ? { drmId: `drm ${phone}`, androidId: `android ${phone}` }
      : { keychainId: { id: `keychain-${phone}`, isNew: false }, vendorId: `vendor ${phone}` }
  return {
    facts: { ...(isAndroid ? androidPhone() : ordinaryIphone()).facts, ...idsOf('first') },
    secondIds: idsOf('second'),
    thirdIds: idsOf('third'),
    newKey: isAndroid ? android : iphone,
    async visit(facts: object, addKey: AddKey = () => ({})) {
      const client = await sdkClient(service, { app, platform, headers: { 'x-forwarded-for': home } })
      const body = client.engineBody(facts)
      const { status } = await client.post(endpoints.intelligence.path, { ...body, ...(await addKey(body)) })
      assert.equal(status, 200)
      const pushed = await client.post(endpoints.pushFingerprint.path, client.pushBody(body.requestId))
      return { requestId: body.requestId, dfrId: String(pushed.body.dfrId) }
    },
  }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`
  const started = async (t: Parameters<typeof startTestService>[0]) =>
    startTestService(t, await open(t), { settings: { trustedProxies: '127.0.0.1' } })

  test(it('an automated browser signs in: no other report, and no missing one, hides it'), async (t) => {
    const service = await started(t)
    const { visit, token, decide } = await person(service, 'asha')
    const ownReport = await visit(automated)
    const clean = await visit(otherBrowser.facts, { as: headersOf(otherBrowser) })
    for (const reports of [
      { dfrId: ownReport.dfrId },
      { dfrId: clean.dfrId },
      {},
      { ip: homeLater },
      { dfrId: null },
    ]) {
      const decision = await decide({ token: await token(ownReport.requestId), ...reports })
      assert.deepEqual([decision.action, codesOf(decision).includes('BOT')], ['BLOCK', true], JSON.stringify(reports))
    }
  })

  test(it('the device of the sign-in replaces a report at its first decision, seen from its network'), async (t) => {
    const service = await started(t)
    const { visit, token, decide } = await person(service, 'asha')
    const { requestId, dfrId } = await visit(ordinaryFacts)
    const is = async (body: object, expected: boolean, why: string) => {
      const decision = await decide(body)
      assert.equal(decision.device !== undefined, expected, why)
      assert.deepEqual(whyMissing(decision), expected ? {} : { device: 'not-given' }, why)
      assert.equal(decision.account?.knownDevice !== undefined, expected, why)
      return decision
    }
    const first = await is({ token: await token(requestId), ip: homeLater }, true, 'the same network')
    assert.equal(first.device?.requestId, requestId)
    await is({ token: await token(requestId), ip: elsewhere }, false, 'another network')
    await is({ token: await token(requestId) }, false, 'the backend does not say from where')
    const nobodys = await decide({ token: await token(requestId), ip: homeLater, dfrId: null })
    assert.deepEqual([nobodys.device, whyMissing(nobodys)], [undefined, { device: 'unknown' }], 'the page owes one')
    const payment = await decide({ token: await token(requestId), ip: homeLater, action: 'PAYMENT' })
    assert.equal(payment.device, undefined)
    service.clock.advance({ hours: 2 })
    assert.equal((await decide({ token: await token(requestId).catch(() => ''), ip: home, dfrId })).device, undefined)
  })

  test(it('a token is for one decision, and the same request again is the same one'), async (t) => {
    const service = await started(t)
    const { visit, token, decide } = await person(service, 'asha')
    const { requestId, dfrId } = await visit(ordinaryFacts)
    const once = await token(requestId)
    const key = { 'idempotency-key': 'login-1' }
    const first = await decide({ token: once, dfrId }, key)
    assert.deepEqual([first.action, first.login?.userId], ['ALLOW', 'asha'])
    assert.equal((await decide({ token: once, dfrId }, key)).decisionId, first.decisionId)
    const second = await decide({ token: once, dfrId, phoneNumber: identity.identityValue })
    assert.deepEqual([second.action, whyMissing(second)], ['CHALLENGE', { login: 'unknown' }])
    assert.equal((await tokenCalls(service).validate(once)).status, 200, 'token verification is another endpoint')
    const payment = await decide({ action: 'PAYMENT', dfrId, phoneNumber: identity.identityValue })
    assert.deepEqual([payment.action, payment.missing], ['ALLOW', []], 'the payment needs no token')
  })

  test(it('of many decisions at once with one token, one gets the sign-in'), async (t) => {
    const service = await started(t)
    const { visit, token, decide } = await person(service, 'asha')
    const { requestId } = await visit(ordinaryFacts)
    const once = await token(requestId)
    const decisions = await Promise.all(Array.from({ length: 12 }, () => decide({ token: once, ip: home })))
    assert.equal(decisions.filter(({ login }) => login).length, 1)
    assert.equal(decisions.filter(({ device }) => device).length, 1)
  })

  test(it('a used token still counts against the session'), async (t) => {
    const service = await started(t)
    const { visit, token, decide } = await person(service, 'asha')
    const once = await token((await visit(automated)).requestId)
    const { dfrId } = await visit(otherBrowser.facts, { as: headersOf(otherBrowser) })
    for (const _ of ['first', 'second']) assert.equal((await decide({ token: once, dfrId })).action, 'BLOCK')
    const other = await token((await visit(automated)).requestId, 'ben')
    assert.ok(codesOf(await decide({ token: other, dfrId })).includes('BOT'), 'so does the token of somebody else')
  })

  test(it('two devices that prove their keys are not one: a challenge, but not for a magic link'), async (t) => {
    const service = await started(t)
    const { visit, token, decide } = await person(service, 'asha')
    const [key, thiefs] = [newInstallationKey(), newInstallationKey()]
    const own = await visit(ordinaryFacts, { key })
    const ownAgain = await visit(ordinaryFacts, { key })
    const other = await visit(otherBrowser.facts, { key: thiefs, as: headersOf(otherBrowser) })
    const unsigned = await visit(recorded('firefox-ordinary').facts, { as: headersOf(recorded('firefox-ordinary')) })
    const codes = async (dfrId: string, signIn?: string) => {
      const decision = await decide({ token: signIn ?? (await token(own.requestId)), dfrId })
      return [codesOf(decision).includes('SIGNED_IN_ON_ANOTHER_DEVICE'), decision.rules.fired.includes('other-device')]
    }
    assert.deepEqual(await codes(own.dfrId), [false, false])
    assert.deepEqual(await codes(ownAgain.dfrId), [false, false])
    assert.deepEqual(await codes(other.dfrId), [true, true])
    assert.equal((await codes(unsigned.dfrId))[0], false, 'without a key nothing is known')
    const linked = await tokenCalls(service).issueDirectly({
      login: {
        userId: 'asha',
        timestamp: new Date(service.clock.now()).toISOString(),
        identities: [identity as never],
      },
      basis: { analysis: { requestId: own.requestId }, isMagicLink: true },
    })
    assert.equal((await codes(other.dfrId, linked.token))[0], false, 'a link is opened anywhere')
  })

  for (const platform of ['ANDROID', 'IOS'] as const) {
    test(it(`a phone that signed in with its key is known by this key alone: ${platform}`), async (t) => {
      const service = await started(t)
      const phones = await phonesWithKeys(service, platform)
      const { token, decide } = await person(service, 'asha')
      const [victims, thiefs] = [phones.newKey(), phones.newKey()]
      const first = await phones.visit(phones.facts, victims)
      const stolen = async (dfrId: string, requestId = first.requestId) => {
        const { reasons, rules, action } = await decide({ token: await token(requestId), dfrId })
        const isOther = reasons.some(({ code }) => code === 'SIGNED_IN_ON_ANOTHER_DEVICE')
        assert.deepEqual([rules.fired.includes('other-device'), action !== 'ALLOW'], [isOther, isOther])
        return isOther
      }
      const others = { ...phones.facts, ...phones.secondIds }
      const withoutIds = Object.fromEntries(
        Object.entries(phones.facts).filter(([name]) => !(name in phones.secondIds)),
      )
      for (const [what, facts, key, expected] of [
        ['its own key', phones.facts, victims, false],
        ['its own key, with renewed ids', others, victims, false],
        ['its ids, with another key', phones.facts, thiefs, true],
        ['its ids, with a new key', phones.facts, phones.newKey(), true],
        ['its ids, without a key', phones.facts, undefined, true],
        ['other ids, without a key', { ...others, ...phones.thirdIds }, undefined, true],
        ['no ids, without a key', withoutIds, undefined, true],
      ] as const)
        assert.equal(await stolen((await phones.visit(facts, key)).dfrId), expected, what)
      const inBrowser = await (await person(service, 'asha')).visit(ordinaryFacts)
      assert.equal(await stolen(inBrowser.dfrId), true, 'a browser without a key')

      const keyless = await phones.visit(phones.facts)
      const again = await phones.visit(phones.facts, victims)
      assert.equal(await stolen(again.dfrId, keyless.requestId), false, 'the sign-in proved no key: nothing is known')
    })
  }

  test(it('a browser with the looks of another one has another key, at one origin'), async (t) => {
    const service = await started(t)
    const { visit, token, decide } = await person(service, 'asha')
    const own = await visit(ordinaryFacts, { key: newInstallationKey() })
    await visit(ordinaryFacts, { key: newInstallationKey() })
    const copied = await visit(ordinaryFacts, { key: newInstallationKey() })
    const decision = await decide({ token: await token(own.requestId), dfrId: copied.dfrId })
    assert.ok(codesOf(decision).includes('SIGNED_IN_ON_ANOTHER_DEVICE'))
    const elsewhereOnIt = await (await person(service, 'asha')).visit(ordinaryFacts, { key: newInstallationKey() })
    const other = await decide({ token: await token(own.requestId), dfrId: elsewhereOnIt.dfrId })
    assert.ok(!codesOf(other).includes('SIGNED_IN_ON_ANOTHER_DEVICE'), 'another app, and so another key')
  })

  test(it('a stolen token does not make the device of the thief one of the user'), async (t) => {
    const service = await started(t)
    const { publish } = decisionCalls(service)
    await publish([{ id: 'r', name: 'R', when: 'params.x == 1', action: 'WARN', score: 1 }])
    const { visit, token, decide } = await person(service, 'asha')
    const own = await visit(ordinaryFacts, { key: newInstallationKey() })
    const as = headersOf(otherBrowser)
    const key = newInstallationKey()
    const other = await visit(otherBrowser.facts, { key, as })
    const stolen = await decide({ token: await token(own.requestId), dfrId: other.dfrId })
    assert.equal(stolen.action, 'ALLOW', 'these rules do not look')
    service.clock.advance({ seconds: 60 })
    const later = await visit(otherBrowser.facts, { key, as })
    assert.equal((await decide({ dfrId: later.dfrId })).account?.knownDevice, 'no')
  })
})
