import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { endpoints, type IntelligenceRequest } from '@ringfence/contract'
import type { App } from '../../apps/app.ts'
import type { Database } from '../../core/storage/database.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { createApp, type SdkClient, sdkClient, shopBundleId } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { bodyDigest, signedText } from '../identity/signed-text.ts'
import { analysisOf } from '../store/find-analysis.ts'
import { iphone } from '../testdata/phones.ts'
import { type AttestationParts, type AttestingDevice, makeTestRoot } from './testing/attesting-device.ts'

const { path } = endpoints.intelligence
const appleTeamId = 'A1B2C3D4E5'
const appId = `${appleTeamId}.${shopBundleId}`
const { facts } = iphone()
const { keychainId: _, vendorId: __, ...withoutIds } = facts

/** `attestation` of a body. */
type Proof = (body: IntelligenceRequest) => Promise<object | undefined> | object | undefined

/** A service that trusts a root of the test, and the calls of phones to it. */
async function start(t: TestContext, database: Database) {
  const service = await startTestService(t, database, { settings: { overloadDelayMs: 60_000 } })
  const root = await makeTestRoot(service.clock.now())
  service.parts.device.appAttestRoot = root.pem
  const clientData = (body: IntelligenceRequest) => Buffer.from(signedText({ ...body, bodyDigest: bodyDigest(body) }))
  const newApp = (settings: object = {}) => createApp(service, { settings: { appleTeamId, ...settings } })
  const begin = (app: App) => sdkClient(service, { platform: 'IOS', app })

  /** The attestation of a new key; `changes.clientData` in place of the right one. */
  const attest =
    (device: AttestingDevice, changes: Partial<AttestationParts> = {}): Proof =>
    async (body) => {
      const parts = {
        appId,
        clientData: clientData(body),
        aaguid: 'appattest',
        counter: 0,
        madeAt: service.clock.now(),
      }
      const made = await device.attest({ ...parts, format: 'apple-appattest', ...changes })
      return { keyId: device.keyId, attestation: Buffer.from(made).toString('base64') }
    }
  const assertion =
    (device: AttestingDevice, counter: number, ofApp = appId): Proof =>
    (body) => {
      const made = device.assert({ appId: ofApp, clientData: clientData(body), counter })
      return { keyId: device.keyId, assertion: Buffer.from(made).toString('base64') }
    }

  /** What the analysis of a body says. Sends the body as it is. */
  async function send(client: SdkClient, body: IntelligenceRequest) {
    const { status, body: answer } = await client.post(path, body)
    assert.equal(status, 200, JSON.stringify(answer))
    const analysis = await analysisOf({ requestId: body.requestId }, service, service.parts)
    const { attestation } = analysis!.evidence
    const { appTampering, clonedApp, unattested } = analysis!.judgement.verdicts
    return {
      attestation,
      state: attestation?.state,
      because: attestation && 'because' in attestation ? attestation.because : undefined,
      tampered: appTampering?.result,
      cloned: clonedApp?.result,
      unattested,
      deviceId: analysis?.deviceId,
      installationId: analysis?.installationId,
      identification: analysis?.identification,
      nextChallenge: answer.nextChallenge as string,
    }
  }
  /** Engine calls of one phone, one after the other. `changes` are made to the body after it was signed. */
  async function phone(settings: object | App = {}) {
    const client = await begin('id' in settings ? (settings as App) : await newApp(settings))
    let { challenge } = client
    return async (proofOf: Proof, ofFacts: object = facts, changes: object = {}) => {
      const signed = client.engineBody(ofFacts, { requestId: randomUUID(), challenge })
      const attestation = await proofOf(signed)
      const sent = await send(client, {
        ...signed,
        ...changes,
        ...(attestation && { attestation }),
      } as IntelligenceRequest)
      challenge = sent.nextChallenge
      return sent
    }
  }
  return { service, root, newApp, begin, attest, assertion, phone, send }
}

eachDatabase(({ engine, open }) => {
  test(`records App Attest proofs as evidence, and never refuses the call (${engine})`, async (t) => {
    const { root, attest, assertion, phone } = await start(t, await open(t))
    const device = await root.newDevice()
    const call = await phone()

    const unknown = await call(assertion(device, 1))
    assert.deepEqual(unknown.attestation, { state: 'absent', because: 'its key is unknown' })
    assert.equal(unknown.tampered, false)
    const first = await call(attest(device))
    assert.deepEqual(first.attestation, { state: 'proved', keyId: device.keyId })
    assert.equal(first.tampered, false)
    assert.equal((await call(assertion(device, 1))).state, 'proved')
    assert.equal((await call(assertion(device, 5))).state, 'proved')
    const foreign = await call(assertion(device, 6, `${appleTeamId}.com.thief`))
    assert.deepEqual([foreign.state, foreign.because, foreign.tampered], ['refused', 'another app made it', true])
    assert.equal((await call(assertion(device, 6))).state, 'proved', 'what was refused counted nothing')
    assert.equal((await call(attest(device))).state, 'proved', 'the answer to the first time may have been lost')
    assert.equal((await call(assertion(device, 6))).state, 'refused', 'and the counter stays')
    assert.equal((await call(() => undefined)).state, 'absent')

    const strict = await phone({ attestation: { IOS: 'required' } })
    const none = await strict(() => undefined)
    assert.deepEqual(
      [none.state, none.tampered, none.unattested],
      ['absent', false, { result: true, isRequired: true }],
    )
    assert.equal((await strict(attest(await root.newDevice()))).unattested?.result, false)
    const relaxed = await phone({ appleTeamId: undefined })
    assert.equal((await relaxed(() => undefined)).attestation, undefined, 'not asked for')
    const building = await phone({ appAttest: 'development' })
    const made = await root.newDevice()
    assert.equal((await building(attest(made, { aaguid: 'appattestdevelop' }))).state, 'proved')
  })

  test(`refuses a proof over another body, session, challenge or request (${engine})`, async (t) => {
    const { root, attest, assertion, phone } = await start(t, await open(t))
    const device = await root.newDevice()
    const call = await phone()
    assert.equal((await call(attest(device))).state, 'proved')
    let counter = 0
    /** The signature covers the body before these changes. */
    const swapped = async (changes: object) => {
      const { because, tampered } = await call(assertion(device, ++counter), facts, changes)
      return [because, tampered]
    }
    const wrong = ['the signature is not of this key', true]
    for (const changes of [
      { facts: { ...facts, keychainId: { id: 'of-the-victim' } } },
      { facts: { ...facts, deviceModel: { identifier: 'iPhone1,1' } } },
      { facts: {} },
      { updateInfo: { userId: 'another' } },
      { inId: `${randomUUID()}-1770000000` },
      { unknown: 'member' },
    ]) {
      assert.deepEqual(await swapped(changes), wrong, JSON.stringify(changes))
    }
    const over =
      (change: (body: IntelligenceRequest) => object): Proof =>
      (body) =>
        assertion(device, ++counter)({ ...body, ...change(body) })
    for (const change of [
      ({ tsId }: IntelligenceRequest) => ({ tsId: `${tsId}0` }),
      () => ({ challenge: 'another' }),
      () => ({ requestId: randomUUID() }),
    ]) {
      assert.equal((await call(over(change))).because, 'the signature is not of this key', String(change))
    }
    const stale = await call(async (body) => ({
      ...(await assertion(device, ++counter)(body)),
      assertion: Buffer.from(
        device.assert({ appId, clientData: Buffer.from(body.challenge + body.requestId), counter }),
      ).toString('base64'),
    }))
    assert.deepEqual([stale.because, stale.tampered], wrong, 'a proof of challenge and request id alone')
    const fresh = await root.newDevice()
    const attested = await call(attest(fresh), facts, { facts: { ...facts, keychainId: { id: 'of-the-victim' } } })
    assert.deepEqual([attested.because, attested.tampered], ['the certificate is not for this challenge', true])
    assert.equal((await call(assertion(device, ++counter))).state, 'proved')
  })

  test(`refuses a key with the ids of another device, or with none (${engine})`, async (t) => {
    const { root, newApp, attest, assertion, phone } = await start(t, await open(t))
    const [device, victim] = [await root.newDevice(), await root.newDevice()]
    const app = await newApp()
    const call = await phone(app)
    const ofVictim = { ...facts, keychainId: { id: 'of-the-victim' } }
    const victims = await (await phone(app))(attest(victim), ofVictim)
    assert.deepEqual([victims.state, victims.identification], ['proved', { by: 'key', confidence: 0.999 }])

    assert.deepEqual((await call(attest(device), withoutIds)).because, 'no id of the device came with it')
    const own = await call(attest(device))
    assert.deepEqual([own.state, own.identification?.by], ['proved', 'key'])
    const replay = await call(assertion(device, 1), ofVictim)
    assert.deepEqual([replay.because, replay.tampered], ['its key is of another device', true])
    assert.deepEqual(replay.identification, { by: 'token', confidence: 0.5 })
    assert.notEqual(replay.installationId, victims.installationId)
    let counter = 0
    for (const less of [withoutIds, { ...facts, keychainId: undefined }, {}]) {
      const stripped = await call(assertion(device, ++counter), less)
      assert.deepEqual([stripped.state, stripped.deviceId], ['proved', own.deviceId])
      assert.notEqual(stripped.tampered, true)
    }
    const again = await call(assertion(device, ++counter), { ...facts, vendorId: 'another' })
    assert.deepEqual([again.state, again.deviceId, again.installationId], ['proved', own.deviceId, own.installationId])
  })

  test(`a counter that repeats or falls back is a clone (${engine})`, async (t) => {
    const { root, attest, assertion, phone } = await start(t, await open(t))
    const device = await root.newDevice()
    const call = await phone()
    await call(attest(device))
    assert.equal((await call(assertion(device, 7))).cloned, false)
    for (const counter of [7, 3, 0]) {
      const clone = await call(assertion(device, counter))
      assert.deepEqual(clone.attestation, {
        state: 'refused',
        because: `the counter is ${counter}, and was 7 before`,
        isClone: true,
      })
      assert.deepEqual([clone.cloned, clone.tampered], [true, true])
    }
    const other = await call(assertion(device, 8, `${appleTeamId}.com.thief`))
    assert.deepEqual([other.cloned, other.tampered], [false, true], 'another app is no clone of the key')
  })

  test(`stored ids without the key are another installation than the key's (${engine})`, async (t) => {
    const { root, newApp, attest, assertion, phone } = await start(t, await open(t))
    const device = await root.newDevice()
    const app = await newApp()
    const call = await phone(app)
    const before = await call(() => undefined)
    assert.deepEqual(before.identification, { by: 'token', confidence: 0.999 })
    const proved = await call(attest(device))
    const replay = await (await phone(app))(() => undefined)
    assert.deepEqual([proved.deviceId, replay.deviceId], [before.deviceId, before.deviceId])
    assert.equal(replay.installationId, before.installationId, 'unproven visits share one installation')
    assert.notEqual(proved.installationId, before.installationId)
    assert.equal((await call(assertion(device, 1))).installationId, proved.installationId)
    const reinstalled = await call(attest(await root.newDevice()))
    assert.equal(reinstalled.deviceId, proved.deviceId)
    assert.notEqual(reinstalled.installationId, proved.installationId)
    const none = await call(() => undefined, withoutIds)
    assert.deepEqual([none.deviceId, none.identification], [undefined, { by: 'none', confidence: 0 }])
  })

  test(`an app may switch the ids off, and a key from before the change is bound by its next proof (${engine})`, async (t) => {
    const { service, root, newApp, attest, assertion, phone } = await start(t, await open(t))
    const device = await root.newDevice()
    const app = await newApp({ collect: { keychainId: false, vendorId: false } })
    const call = await phone(app)
    const proved = await call(attest(device), withoutIds)
    assert.deepEqual([proved.state, proved.deviceId], ['proved', undefined])
    assert.equal((await call(assertion(device, 1), withoutIds)).state, 'proved')
    await service.parts.apps.update({ ...app, settings: { ...app.settings, collect: {} } })
    const later = await phone({ ...app })
    const bound = await later(assertion(device, 2))
    assert.deepEqual([bound.state, bound.identification], ['proved', { by: 'key', confidence: 0.999 }])
    const others = { ...facts, keychainId: { id: 'another' }, vendorId: 'another' }
    await (await phone(app))(() => undefined, others)
    const swapped = await later(assertion(device, 3), { ...facts, keychainId: { id: 'another' } })
    assert.equal(swapped.because, 'its key is of another device')
    await service.parts.apps.update({ ...app, settings: { ...app.settings, collect: { keychainId: false } } })
    const byVendor = await later(assertion(device, 3), { ...facts, keychainId: undefined })
    assert.equal(byVendor.state, 'proved', 'the app no longer collects the id that the key was bound to')
    const another = await later(assertion(device, 4), { keychainId: undefined, vendorId: 'another' })
    assert.deepEqual([another.state, another.deviceId], ['proved', bound.deviceId])
  })

  test(`accepts one of several concurrent first proofs, and one of several assertions with one counter (${engine})`, async (t) => {
    const { root, newApp, begin, attest, assertion, send } = await start(t, await open(t))
    const device = await root.newDevice()
    const app = await newApp()
    const signed = async (proofOf: Proof, ofFacts: object = facts) => {
      const client = await begin(app)
      const body = client.engineBody(ofFacts)
      return async () => send(client, { ...body, attestation: { ...(await proofOf(body)) } })
    }
    const ofDevice = (id: number) => ({ ...facts, keychainId: { id: `device-${id}` }, vendorId: `device-${id}` })
    for (const id of [1, 2, 3, 4]) {
      const client = await begin(app)
      await send(client, client.engineBody(ofDevice(id)))
    }
    const firsts = await Promise.all([1, 2, 3, 4].map((id) => signed(attest(device), ofDevice(id))))
    const first = await Promise.all(firsts.map((call) => call()))
    assert.deepEqual(first.map(({ state }) => state).toSorted(), ['proved', 'refused', 'refused', 'refused'])
    const id = first.findIndex(({ state }) => state === 'proved') + 1
    const same = await Promise.all(
      [3, 3, 3, 3, 3, 3].map((counter) => signed(assertion(device, counter), ofDevice(id))),
    )
    const states = await Promise.all(same.map((call) => call()))
    assert.deepEqual(states.map(({ state }) => state).toSorted(), ['proved', ...Array(5).fill('refused')])
    assert.equal(states.filter(({ cloned }) => cloned).length, 5)
  })
})

test('a carried analysis brings its key with the push, and uses up the counter then', async (t) => {
  const { service, root, newApp, begin, attest, assertion, send } = await start(t, await sqliteDatabases.open(t))
  const device = await root.newDevice()
  const app = await newApp()
  /** The engine call with `carry`, and the push that brings its analysis. */
  const carried = async (proofOf: Proof, ofFacts: object = facts) => {
    const client = await begin(app)
    const body = client.engineBody(ofFacts, { carry: true })
    const { body: answer } = await client.post(path, { ...body, attestation: { ...(await proofOf(body)) } })
    return async () => {
      const push = client.pushBody(body.requestId)
      const data = { requestId: body.requestId, analysis: answer.analysis }
      const { status } = await client.post(endpoints.pushFingerprint.path, { ...push, data })
      const found = await analysisOf({ requestId: body.requestId }, service, service.parts)
      return [status, found?.evidence.attestation?.state, found?.identification?.by]
    }
  }
  const proved = [200, 'proved', 'key']
  assert.deepEqual(await (await carried(attest(device)))(), proved)
  const [first, same] = [await carried(assertion(device, 1)), await carried(assertion(device, 1))]
  assert.deepEqual(await first(), proved)
  assert.equal((await same())[0], 401, 'the SDK opens a new session, and its next counter is higher')
  assert.deepEqual(await (await carried(assertion(device, 1)))(), [200, 'refused', 'token'])
  assert.deepEqual(await (await carried(assertion(device, 2)))(), proved)
  const victim = { ...facts, keychainId: { id: 'of-the-victim' } }
  const ofVictim = await begin(app)
  await send(ofVictim, ofVictim.engineBody({ ...victim, vendorId: 'of-the-victim' }))
  const swapped = await carried(assertion(device, 3), victim)
  assert.deepEqual(await swapped(), [200, 'refused', 'token'])
  const client = await begin(app)
  const body = client.engineBody(facts)
  assert.equal(
    (await send(client, { ...body, attestation: { ...(await assertion(device, 3)(body)) } })).state,
    'proved',
  )
})

test('any other value of attestation is refused as evidence', async (t) => {
  const { root, attest, assertion, phone } = await start(t, await sqliteDatabases.open(t))
  const device = await root.newDevice()
  const call = await phone()
  assert.equal((await call(attest(device))).state, 'proved')
  const cut =
    (proof: Proof, bytes: number): Proof =>
    async (body) =>
      Object.fromEntries(
        Object.entries((await proof(body)) as Record<string, string>).map(([name, text]) =>
          name === 'keyId' ? [name, text] : [name, Buffer.from(text, 'base64').subarray(0, bytes).toString('base64')],
        ),
      )
  const odd: Proof[] = [
    () => ({}),
    () => ({ keyId: 7 }),
    () => ({ keyId: '' }),
    () => ({ keyId: device.keyId }),
    () => ({ keyId: device.keyId, assertion: '???' }),
    () => ({ keyId: 'x'.repeat(99), assertion: 'AAAA' }),
    ...[0, 1, 10, 60, 100].map((bytes) => cut(assertion(device, 1), bytes)),
    ...[0, 1, 50, 500].map((bytes) => cut(attest(device), bytes)),
  ]
  for (const [index, proof] of odd.entries()) {
    const { state, tampered } = await call(proof)
    assert.ok(state === 'refused' || state === 'absent', `${index}: ${state}`)
    if (index > 2) assert.deepEqual([state, tampered], ['refused', true], String(index))
  }
  assert.equal((await call(assertion(device, 1))).state, 'proved')
})
