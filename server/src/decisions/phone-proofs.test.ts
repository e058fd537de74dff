// What does whoever copies the ids of a phone gain, by each proof and by each set of ids? Played over HTTP, on both engines.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Decision, type DevicePlatform, endpoints } from '@ringfence/contract'
import { adminClient } from '../admin/testing.ts'
import type { Database } from '../core/storage/database.ts'
import { type Addition, attestingCalls } from '../device/attestation/testing/attesting-calls.ts'
import { makeTestRoot } from '../device/attestation/testing/attesting-device.ts'
import { newPhoneKey } from '../device/attestation/testing/attesting-phone.ts'
import { appCertificates } from '../device/attestation/testing/key-description.ts'
import { bodyDigest, signedText } from '../device/identity/signed-text.ts'
import { androidPhone, iphone } from '../device/testdata/phones.ts'
import { eachDatabase } from '../testing/databases.ts'
import { createApp, sdkClient, shopBundleId } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

/** The sandbox operator says that its SIM was swapped. */
const swappedNumber = '917020140110'
const ordinaryNumber = '917020141726'
const appleTeamId = 'A1B2C3D4E5'

const proofs = ['none', 'own key', 'attested key', 'wrong'] as const
type Proof = (typeof proofs)[number]
const idSets = ['all', 'first', 'none'] as const

/** Facts of a phone with its own ids, and of one that leaves some of them out. */
function factsOf(platform: DevicePlatform, phone: string, ids: (typeof idSets)[number]): object {
  const { facts } = platform === 'IOS' ? iphone() : androidPhone()
  const [first, second] = platform === 'IOS' ? ['keychainId', 'vendorId'] : ['drmId', 'androidId']
  const { [first as 'drmId']: _, [second as 'androidId']: __, ...others } = facts
  const own = platform === 'IOS' ? { keychainId: { id: phone } } : { drmId: phone }
  return { ...others, ...(ids !== 'none' && own), ...(ids === 'all' && { [second!]: `${phone} 2` }) }
}

/** What a phone adds to each of its calls; the first call of an attested key attests it. */
async function provers(service: TestService) {
  const { signed, attested } = await attestingCalls(service)
  const root = await makeTestRoot(service.clock.now())
  service.parts.device.appAttestRoot = root.pem
  const wrong: Addition = () => ({ proof: { publicKey: 'x', signature: 'y' }, attestation: { keyId: 'x' } })
  return async (platform: DevicePlatform, proof: Proof): Promise<() => Addition> => {
    let calls = 0
    if (proof === 'none') return () => () => ({})
    if (proof === 'wrong') return () => wrong
    if (platform === 'ANDROID') {
      const key = newPhoneKey()
      return () => (proof === 'attested key' && calls++ === 0 ? attested(key) : signed(key))
    }
    const device = await root.newDevice()
    const appId = `${appleTeamId}.${shopBundleId}`
    return () => async (body) => {
      const clientData = Buffer.from(signedText({ ...body, bodyDigest: bodyDigest(body) }))
      const parts = { appId, clientData, counter: calls++ }
      const first = { ...parts, aaguid: 'appattest', madeAt: service.clock.now(), format: 'apple-appattest' }
      const made =
        parts.counter === 0 ? { attestation: await device.attest(first) } : { assertion: device.assert(parts) }
      const [[kind, bytes]] = Object.entries(made) as [[string, Uint8Array]]
      return { attestation: { keyId: device.keyId, [kind]: Buffer.from(bytes).toString('base64') } }
    }
  }
}

async function started(t: TestContext, database: Database, platform: DevicePlatform) {
  const service = await startTestService(t, database, {
    settings: { overloadDelayMs: 60_000, appRateBurst: 10_000 },
  })
  const app = await createApp(service, { settings: { androidCertificates: appCertificates, appleTeamId } })
  const { decide } = decisionCalls(service)
  const visit = async (facts: object, addition: Addition) => {
    service.clock.advance({ seconds: 600 })
    const client = await sdkClient(service, { app, platform })
    const body = client.engineBody(facts)
    const engine = await client.post(endpoints.intelligence.path, { ...body, ...(await addition(body)) })
    assert.equal(engine.status, 200, JSON.stringify(engine.body))
    const pushed = await client.post(endpoints.pushFingerprint.path, client.pushBody(body.requestId))
    return pushed.body.dfrId as string
  }
  const decided = async (dfrId: string, more: object = {}) =>
    (await decide({ dfrId, userId: 'asha', phoneNumber: ordinaryNumber, action: 'PAYMENT', ...more })).body as Decision
  /** As a backend does whose user has signed in. */
  const confirm = (dfrId: string) =>
    service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: platform, userId: 'asha' })
  const deviceOf = async (dfrId: string) => ({
    userId: 'asha',
    deviceId: (await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: platform })).body.deviceId,
  })
  const revoke = async (dfrId: string) => {
    const device = await deviceOf(dfrId)
    assert.equal((await service.post(endpoints.updateAccountDevice.path, { ...device, trusted: false })).status, 200)
  }
  const admin = await adminClient(service, 'analyst')
  /** As an analyst does, who looks at the newest visit. */
  const trust = async (dfrId: string) => {
    const { status, body } = await admin('trustUserDevice', await deviceOf(dfrId))
    assert.equal(status, 200, JSON.stringify(body))
  }
  const label = (dfrId: string) =>
    service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome: 'fraud', userId: 'thief' }] })
  return { visit, decided, confirm, revoke, trust, label, proverOf: await provers(service) }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`
  const kinds = { ANDROID: proofs, IOS: ['none', 'attested key', 'wrong'] } as const

  for (const platform of ['ANDROID', 'IOS'] as const) {
    test(it(`copied ids are a known phone until the account knows a key of it: ${platform}`), async (t) => {
      const { visit, decided, confirm, proverOf } = await started(t, await open(t), platform)
      const paid = async (facts: object, additionOf: () => Addition) => {
        const { action, account } = await decided(await visit(facts, additionOf()))
        const swapped = await decided(await visit(facts, additionOf()), { phoneNumber: swappedNumber })
        return { action, known: account?.knownDevice, blocked: swapped.action === 'BLOCK' }
      }
      for (const proof of kinds[platform].filter((each) => each !== 'wrong')) {
        const phone = `phone ${proof}`
        const facts = factsOf(platform, phone, 'all')
        // Each was confirmed once without a proof, and then with its own.
        const own = await proverOf(platform, proof)
        for (const additionOf of [await proverOf(platform, 'none'), own, own]) {
          await confirm(await visit(facts, additionOf()))
        }
        assert.deepEqual(await paid(facts, own), { action: 'ALLOW', known: 'yes', blocked: false }, phone)
        for (const other of kinds[platform]) {
          for (const ids of idSets) {
            const thief = await paid(factsOf(platform, phone, ids), await proverOf(platform, other))
            const place = `${phone}, ${other}, ids: ${ids}`
            // Nothing distinguishes a phone that never had a key from a copy of its ids.
            const isAsHonest = proof === 'none' && ids !== 'none' && isWithoutProof(platform, other)
            if (isAsHonest) assert.deepEqual(thief, { action: 'ALLOW', known: 'yes', blocked: false }, place)
            else {
              assert.ok(['CHALLENGE', 'BLOCK'].includes(thief.action), `${place}: ${thief.action}`)
              assert.deepEqual([thief.known, thief.blocked], [ids === 'none' ? undefined : 'likely', true], place)
            }
          }
        }
      }
    })

    test(it(`a phone that is trusted again is one whose key is known: ${platform}`), async (t) => {
      const { visit, decided, confirm, revoke, trust, proverOf } = await started(t, await open(t), platform)
      for (const proof of ['none', 'attested key'] as const) {
        for (const again of [confirm, trust]) {
          const facts = factsOf(platform, `phone ${proof} ${again.name}`, 'all')
          const [own, none] = [await proverOf(platform, proof), await proverOf(platform, 'none')]
          await confirm(await visit(facts, own()))
          assert.equal((await decided(await visit(facts, own()))).account?.knownDevice, 'yes')
          await revoke(await visit(facts, own()))
          const { account } = await decided(await visit(facts, own()))
          assert.equal(account?.knownDevice, 'no')
          await again(await visit(facts, none()))
          const known = (await decided(await visit(facts, none()))).account?.knownDevice
          assert.equal(known, proof === 'none' ? 'yes' : 'likely', `${proof}, ${again.name}`)
        }
      }
    })

    test(it(`a label follows copied ids, and never to a phone that its hardware attests: ${platform}`), async (t) => {
      const { visit, decided, label, proverOf } = await started(t, await open(t), platform)
      for (const labelled of kinds[platform]) {
        const phone = `labelled ${labelled}`
        const facts = factsOf(platform, phone, 'all')
        const bad = await proverOf(platform, labelled)
        await visit(facts, bad())
        // Made in advance: a program has as many keys as it likes.
        const made = await Promise.all(
          kinds[platform].map(async (proof) => [proof, await proverOf(platform, proof)] as const),
        )
        for (const [, additionOf] of made) await visit(facts, additionOf())
        assert.equal((await label(await visit(facts, bad()))).status, 200)
        const later = await Promise.all(
          kinds[platform].map(async (proof) => [proof, await proverOf(platform, proof)] as const),
        )
        for (const [proof, additionOf] of [['its own', bad] as const, ...made, ...later]) {
          for (const ids of ['all', 'first'] as const) {
            const dfrId = await visit(factsOf(platform, phone, ids), additionOf())
            const { action, rules } = await decided(dfrId, { userId: 'nobody yet' })
            const isOthers = proof === 'attested key' && labelled !== 'attested key'
            const found = ['known-bad-device', 'linked-bad-device'].filter((id) => rules.fired.includes(id))
            const place = `${phone}, ${proof}, ids: ${ids}`
            assert.deepEqual(found, [isOthers ? 'linked-bad-device' : 'known-bad-device'], place)
            assert.equal(action === 'BLOCK', !isOthers, place)
          }
        }
      }
    })
  }
})

/** A key that Apple never attested proves nothing, and is no tampering: the service may have lost it. */
const isWithoutProof = (platform: DevicePlatform, proof: Proof) =>
  proof === 'none' || (proof === 'wrong' && platform === 'IOS')
