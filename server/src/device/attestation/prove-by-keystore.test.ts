import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { endpoints, type IntelligenceRequest } from '@ringfence/contract'
import type { App } from '../../apps/app.ts'
import type { Database } from '../../core/storage/database.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { dropExpired } from '../history/retention.ts'
import { bodyDigest, signedText } from '../identity/signed-text.ts'
import { analysisOf } from '../store/find-analysis.ts'
import { androidPhone } from '../testdata/phones.ts'

const { path } = endpoints.intelligence
const { facts } = androidPhone()
const { drmId: _, androidId: __, ...withoutIds } = facts

interface Key {
  readonly publicKey: string
  readonly privateKey: KeyObject
}

function newKey(namedCurve = 'P-256'): Key {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { publicKey: point.toString('base64url'), privateKey }
}

/** `proof` as Android writes it: the signature is DER. */
const proofBy =
  ({ publicKey, privateKey }: Key) =>
  (body: IntelligenceRequest) => ({
    publicKey,
    signature: sign('sha256', Buffer.from(signedText({ ...body, bodyDigest: bodyDigest(body) })), privateKey).toString(
      'base64url',
    ),
  })

async function start(t: TestContext, database: Database) {
  const service = await startTestService(t, database)
  const app = await createApp(service)

  /** Engine calls of one phone. `changes` are made to the body after it was signed. */
  async function phone(ofApp: App = app) {
    const client = await sdkClient(service, { platform: 'ANDROID', app: ofApp })
    let { challenge } = client
    return async (
      proofOf: ((body: IntelligenceRequest) => object) | undefined,
      ofFacts: object = facts,
      changes: object = {},
    ) => {
      const signed = client.engineBody(ofFacts, { requestId: randomUUID(), challenge })
      const body = { ...signed, ...changes, ...(proofOf && { proof: proofOf(signed) }) }
      const { status, body: answer } = await client.post(path, body)
      assert.equal(status, 200, JSON.stringify(answer))
      challenge = answer.nextChallenge
      const analysis = await analysisOf({ requestId: body.requestId }, service, service.parts)
      const { attestation } = analysis!.evidence
      return {
        state: attestation?.state,
        because: attestation && 'because' in attestation ? attestation.because : undefined,
        tampered: analysis!.judgement.verdicts.appTampering?.result,
        deviceId: analysis?.deviceId,
        installationId: analysis?.installationId,
        identification: analysis?.identification,
      }
    }
  }
  return { service, app, phone }
}

eachDatabase(({ engine, open }) => {
  test(`recognises an Android installation by its Keystore key, trusted on first use (${engine})`, async (t) => {
    const { phone } = await start(t, await open(t))
    const [key, call] = [newKey(), await phone()]
    const unproven = await call(undefined)
    assert.equal(unproven.state, undefined)
    assert.deepEqual(unproven.identification, { by: 'token', confidence: 0.98 })
    const first = await call(proofBy(key))
    assert.deepEqual([first.state, first.tampered], ['proved', false])
    assert.deepEqual(first.identification, { by: 'key', confidence: 0.98 })
    assert.equal(first.deviceId, unproven.deviceId)
    assert.notEqual(first.installationId, unproven.installationId)
    const again = await (await phone())(proofBy(key))
    assert.deepEqual([again.deviceId, again.installationId], [first.deviceId, first.installationId])
    assert.deepEqual(again.identification, { by: 'key', confidence: 0.98 })
  })

  test(`names the facts that the phone says are missing, and no others (${engine})`, async (t) => {
    const { phone } = await start(t, await open(t))
    const call = await phone()
    const said = {
      location: 'refused',
      drmId: 'timedOut',
      canvas: 'refused',
      androidId: 'because',
      __proto__: 'refused',
    }
    const { identification } = await call(undefined, { ...facts, location: undefined }, { factsMissing: said })
    assert.deepEqual(identification, { by: 'token', confidence: 0.98, factsMissing: { location: 'refused' } })
  })

  test(`refuses a Keystore key with the ids of another phone, or with none (${engine})`, async (t) => {
    const { phone } = await start(t, await open(t))
    const [key, call] = [newKey(), await phone()]
    assert.equal((await call(proofBy(key), withoutIds)).because, 'no id of the device came with it')
    const victim = { ...facts, drmId: 'of-the-victim', androidId: 'of-the-victim' }
    await (await phone())(undefined, victim)
    const own = await call(proofBy(key))
    assert.equal(own.state, 'proved')
    for (const ids of [{ drmId: 'of-the-victim' }, victim]) {
      const swapped = await call(proofBy(key), { ...facts, ...ids })
      assert.deepEqual([swapped.because, swapped.tampered], ['its key is of another device', true])
      assert.deepEqual(swapped.identification, { by: 'token', confidence: 0.5 })
    }
    const other = await call(proofBy(newKey()))
    assert.deepEqual([other.state, other.deviceId], ['proved', own.deviceId])
    assert.notEqual(other.installationId, own.installationId, 'another key is another installation')
    assert.equal((await call(proofBy(key))).installationId, own.installationId)
  })

  test(`a phone that proves its key keeps its device when ids are missing or new (${engine})`, async (t) => {
    const { phone } = await start(t, await open(t))
    const [key, call] = [newKey(), await phone()]
    const own = await call(proofBy(key))
    const seen = async (ofFacts: object, proof: ReturnType<typeof proofBy> | undefined = proofBy(key)) => {
      const { state, because, tampered, deviceId, installationId, identification } = await call(proof, ofFacts)
      assert.deepEqual([state, tampered, deviceId], ['proved', false, own.deviceId])
      assert.equal(installationId, own.installationId)
      return [identification!.confidence, because]
    }
    const { drmId, ...withoutDrm } = facts
    assert.ok(drmId)
    for (const less of [withoutDrm, { ...facts, drmId: '' }, { ...facts, deviceModel: {} }, withoutIds]) {
      assert.deepEqual(await seen(less), [0.98, undefined])
    }
    const renamed = { ...facts, deviceModel: { ...facts.deviceModel, identifier: 'Renamed by an update' } }
    const changed = 'the drm id of its device changed'
    assert.deepEqual(await seen(renamed), [0.95, changed])
    assert.deepEqual(await seen(renamed), [0.98, undefined], 'the proof made the id one of the device')
    assert.equal((await call(undefined, renamed)).deviceId, own.deviceId)
    assert.deepEqual(await seen({ ...facts, drmId: 'new', androidId: 'new' }), [0.5, changed], 'no id agrees')
  })

  test(`a renamed phone that was seen without its key first is not refused (${engine})`, async (t) => {
    const { phone } = await start(t, await open(t))
    const [key, call] = [newKey(), await phone()]
    const own = await call(proofBy(key))
    const renamed = { ...facts, deviceModel: { ...facts.deviceModel, identifier: 'Renamed by an update' } }
    const unproven = await call(undefined, renamed)
    assert.notEqual(unproven.deviceId, own.deviceId)
    const { state, tampered, deviceId, identification } = await call(proofBy(key), renamed)
    assert.deepEqual([state, tampered, deviceId], ['proved', false, own.deviceId])
    const likely = { deviceId: unproven.deviceId, confidence: 0.5 }
    assert.deepEqual(identification, { by: 'key', confidence: 0.5, likely })
  })

  test(`binds a key to one device when several first proofs arrive at once (${engine})`, async (t) => {
    const { phone } = await start(t, await open(t))
    const key = newKey()
    const phones = await Promise.all([1, 2, 3, 4].map(() => phone()))
    const ofPhone = (index: number) => ({ ...facts, drmId: `phone-${index}`, androidId: `phone-${index}` })
    for (const [index, call] of phones.entries()) await call(undefined, ofPhone(index))
    const calls = await Promise.all(phones.map((call, index) => call(proofBy(key), ofPhone(index))))
    assert.deepEqual(calls.map(({ state }) => state).toSorted(), ['proved', 'refused', 'refused', 'refused'])
    const fresh = newKey()
    const news = await Promise.all(
      phones.map((call, index) => call(proofBy(fresh), { ...facts, drmId: `new-${index}` })),
    )
    assert.equal(new Set(news.map(({ deviceId }) => deviceId)).size, 1, 'ids of nobody are no copy')
  })

  test(`forgets a key DEVICE_HISTORY_DAYS after its last use (${engine})`, async (t) => {
    const { service, phone } = await start(t, await open(t))
    const keys = [newKey(), newKey()] as const
    const call = await phone()
    for (const key of keys) assert.equal((await call(proofBy(key))).state, 'proved')
    const days = async (count: number) => {
      service.clock.advance({ seconds: count * 86_400 })
      await dropExpired(service.parts)
      return phone()
    }
    const stored = async () => (await service.parts.database.query('select key_hash from keystore_key')).length
    await (await days(150))(proofBy(keys[0]))
    assert.equal(await stored(), 2)
    await days(150)
    assert.equal(await stored(), 1, 'the one that was used in between')
  })
})

test('refuses a signature over another body, session, challenge or request, and any other value, as evidence', async (t) => {
  const { phone } = await start(t, await sqliteDatabases.open(t))
  const [key, call] = [newKey(), await phone()]
  assert.equal((await call(proofBy(key))).state, 'proved')
  const wrong = async (...parts: Parameters<typeof call>) => {
    const { state, tampered } = await call(...parts)
    assert.deepEqual([state, tampered], ['refused', true], String(parts[0]))
  }
  for (const changes of [{ facts: {} }, { facts: { ...facts, drmId: 'x' } }, { updateInfo: {} }, { more: 1 }]) {
    await wrong(proofBy(key), facts, changes)
  }
  for (const changes of [{ tsId: 'another' }, { challenge: 'another' }, { requestId: randomUUID() }]) {
    await wrong((body) => proofBy(key)({ ...body, ...changes }))
  }
  const { publicKey } = newKey()
  await wrong((body) => ({ ...proofBy(key)(body), publicKey }))
  await wrong(proofBy(newKey('secp256k1')))
  await wrong(proofBy(newKey('P-384')))
  for (const odd of [{}, { publicKey }, { publicKey, signature: '' }, { publicKey: 7, signature: [] }]) {
    await wrong(() => odd)
  }
  await wrong((body) => ({ ...proofBy(key)(body), signature: proofBy(key)(body).signature.slice(0, 40) }))
  assert.equal((await call(proofBy(key))).state, 'proved')
})
