import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { endpoints, type IntelligenceRequest } from '@ringfence/contract'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { androidPhone } from '../testdata/phones.ts'
import { revocationFile } from './android/revocation-list.ts'
import type { Addition } from './testing/attesting-calls.ts'
import { type ChainParts, newPhoneKey } from './testing/attesting-phone.ts'
import { attestingPhones } from './testing/attesting-phones.ts'

const { path } = endpoints.intelligence
const { facts } = androidPhone()

const none: Addition = () => ({})
interface Attested {
  readonly attestation: object
}

eachDatabase(({ engine, open }) => {
  test(`a key that hardware attests stays so in later calls, without its chain (${engine})`, async (t) => {
    const { signed, attested, phone, newApp } = await attestingPhones(t, await open(t))
    const key = newPhoneKey()
    const app = await newApp({ attestation: { ANDROID: 'required' } })
    const call = await phone(app)
    const before = await call(none)
    assert.deepEqual([before.level, before.unattested], ['none', { result: true, isRequired: true }])
    assert.deepEqual((await call(signed(newPhoneKey()))).unattested, { result: true, isRequired: true })
    const first = await call(attested(key))
    assert.deepEqual([first.level, first.tampered, first.rooted], ['hardware', false, false])
    assert.deepEqual(first.unattested, { result: false, isRequired: false })
    assert.deepEqual(first.identification, { by: 'key', confidence: 0.99 })
    assert.deepEqual(first.reasons, ['there is no list of revoked certificates'])
    const later = await (await phone(app))(signed(key))
    assert.deepEqual([later.level, later.deviceId, later.unattested?.result], ['hardware', first.deviceId, false])
    assert.equal(later.reasons?.[0], 'attested by an earlier call of the key')
    assert.deepEqual(later.identification, { by: 'key', confidence: 0.99 })
    assert.equal((await call(signed(newPhoneKey()))).level, 'none', 'another key of the same phone')
  })

  test(`a chain of another call is refused, and lowers what the ids say (${engine})`, async (t) => {
    const { signed, attested, phone } = await attestingPhones(t, await open(t))
    const key = newPhoneKey()
    const call = await phone()
    const earlier = newPhoneKey()
    let taken: object = {}
    await call(async (body) => {
      taken = await attested(earlier)(body)
      return {}
    })
    assert.equal((await call(attested(key))).level, 'hardware')
    const replayed = await call(async (body) => ({ ...taken, ...(await signed(earlier)(body)) }))
    assert.deepEqual([replayed.level, replayed.tampered], ['refused', true])
    assert.equal(replayed.reasons?.[0], 'its challenge is of another call')
    assert.deepEqual(replayed.identification, { by: 'key', confidence: 0.5 })
    assert.equal((await call(signed(key))).level, 'hardware', 'what was attested before stays')
    const stolen = await call(async (body) => ({
      ...(await attested(key)(body)),
      ...(await signed(newPhoneKey())(body)),
    }))
    assert.equal(stolen.reasons?.[0], 'its key is not the one of the proof')
    const changed = await call(async (body) => attested(newPhoneKey())({ ...body, facts: {} }))
    assert.deepEqual([changed.tampered, changed.identification?.confidence], [true, 0.5])
    const alone = await call(async (body) => {
      const { proof: _, ...rest } = (await attested(key)(body)) as { proof: object }
      return rest
    })
    assert.deepEqual([alone.level, alone.reasons?.[0]], ['unknown', 'it came without a proof of its key'])
  })

  test(`a certificate that is revoked later counts no more (${engine})`, async (t) => {
    const { service, signed, attested, phone, publish, issuerSerial } = await attestingPhones(t, await open(t))
    const key = newPhoneKey()
    const call = await phone()
    const serial = await issuerSerial(key)
    await publish({ ff: { status: 'REVOKED' } })
    const first = await call(attested(key))
    assert.deepEqual([first.level, first.revocations, first.reasons], ['hardware', 'current', []])
    await publish({ [serial]: { status: 'REVOKED', reason: 'KEY_COMPROMISE' } }, service.clock.now() - 2 * 86_400_000)
    const later = await call(signed(key))
    assert.deepEqual([later.level, later.revocations], ['revoked', 'stale'])
    assert.deepEqual(later.reasons, [
      'certificate 1 of the chain is revoked, KEY_COMPROMISE',
      'attested by an earlier call of the key',
      'the list of revoked certificates is older than a day',
    ])
    assert.equal((await call(attested(newPhoneKey()))).level, 'revoked')
    await writeFile(revocationFile(service.parts.settings.dataFolder), '{')
    service.clock.advance({ seconds: 6 })
    assert.equal((await call(signed(key))).level, 'revoked', 'a damaged file changes nothing')
  })
})

test('a phone is named by how it booted, and only an unlocked one is rooted', async (t) => {
  const { attested, phone, newApp } = await attestingPhones(t, await sqliteDatabases.open(t))
  const call = await phone(await newApp({ attestation: { ANDROID: 'report' } }))
  const rows: [description: object, level: string, rooted: boolean, because: string][] = [
    [{ locked: 0, bootState: 2 }, 'unlocked', true, 'the bootloader is unlocked'],
    [{ bootState: 1 }, 'selfSigned', false, 'verified boot: selfSigned'],
    [{ bootState: 3 }, 'unverified', true, 'verified boot: failed'],
  ]
  for (const [description, level, rooted, because] of rows) {
    const found = await call(attested(newPhoneKey(), { description }))
    assert.deepEqual([found.level, found.rooted, found.tampered], [level, rooted, false])
    assert.equal(found.reasons?.[0], because)
    assert.deepEqual(found.unattestedBy, [`hardware does not attest the app: ${level}`])
  }
})

test('another app, and one that another key signed, are tampered with', async (t) => {
  const { attested, phone } = await attestingPhones(t, await sqliteDatabases.open(t))
  const call = await phone()
  const level = async (description: NonNullable<ChainParts['description']>) => {
    const { level: found, reasons } = await call(attested(newPhoneKey(), { description }))
    return [found, reasons?.[0]]
  }
  assert.equal((await level({}))[0], 'hardware')
  assert.deepEqual(await level({ certificates: [Buffer.alloc(32)] }), [
    'refused',
    `made by an app that another key signed: ${'00'.repeat(32)}`,
  ])
  assert.deepEqual(await level({ packageName: 'com.thief' }), ['refused', 'made by another app: com.thief'])
})

test('any other value of attestation is evidence, and never refuses the call', async (t) => {
  const { signed, attested, phone } = await attestingPhones(t, await sqliteDatabases.open(t))
  const call = await phone()
  const key = newPhoneKey()
  const chainOf = async (body: IntelligenceRequest) =>
    ((await attested(key)(body)) as { attestation: { chain: string[] } }).attestation.chain
  const rows: [change: (chain: string[]) => unknown, level: string, because: RegExp][] = [
    [() => ({ chain: 7 }), 'unknown', /^it is not of its shape$/],
    [() => ({ chain: [7] }), 'unknown', /^it is not of its shape$/],
    [() => ({ chain: ['???', '???', '???'] }), 'unknown', /^it is not of its shape$/],
    [(chain) => ({ chain: chain.with(0, 'A'.repeat(20_000)) }), 'unknown', /^it is not of its shape$/],
    [(chain) => ({ chain: Array(17).fill(chain[0]) }), 'unknown', /^it is not of its shape$/],
    [(chain) => ({ chain: [...chain, ...chain].slice(0, 6) }), 'unknown', /^it has 6 certificates/],
    [(chain) => ({ chain: chain.toReversed() }), 'unknown', /^its root is not known$/],
    [(chain) => ({ chain: chain.with(-1, 'AAAA') }), 'unknown', /^certificate 3 of the chain cannot be read/],
    [(chain) => ({ chain: chain.with(0, '') }), 'refused', /^certificate 0 of the chain cannot be read/],
    [(chain) => ({ chain: chain.with(1, 'AAAA') }), 'refused', /^certificate 1 of the chain cannot be read/],
    [(chain) => ({ chain: chain.with(0, chain[1]!) }), 'refused', /^certificate 0 of the chain is not signed/],
  ]
  for (const [change, expected, because] of rows) {
    const { level, reasons, tampered } = await call(async (body) => ({
      ...(await signed(key)(body)),
      attestation: change(await chainOf(body)),
    }))
    assert.deepEqual([level, tampered], [expected, expected === 'refused'], String(change))
    assert.match(reasons?.[0] ?? '', because)
  }
  assert.equal((await call(attested(key))).level, 'hardware')
  for (const odd of [{}, { chain: [] }, { chain: 7 }]) {
    const later = await call(async (body) => ({ ...(await signed(key)(body)), attestation: odd }))
    assert.deepEqual([later.level, later.tampered], ['hardware', false], JSON.stringify(odd))
  }
})

test('a chain with a certificate of 1 MB is refused at the door', async (t) => {
  const { service, signed } = await attestingPhones(t, await sqliteDatabases.open(t))
  const client = await sdkClient(service, { platform: 'ANDROID' })
  const body = client.engineBody(facts)
  const large = { chain: ['A'.repeat(1_000_000), 'AAAA', 'AAAA'] }
  const { status } = await client.post(path, { ...body, ...(await signed(newPhoneKey())(body)), attestation: large })
  assert.equal(status, 413)
})

test('a carried analysis brings the attestation with the push', async (t) => {
  const { service, attested, signed, found, newApp } = await attestingPhones(t, await sqliteDatabases.open(t))
  const key = newPhoneKey()
  const app = await newApp()
  const carried = async (client: SdkClient, additionOf: Addition) => {
    const body = client.engineBody(facts, { carry: true })
    const { body: answer } = await client.post(path, { ...body, ...(await additionOf(body)) })
    const push = { ...client.pushBody(body.requestId), data: { requestId: body.requestId, analysis: answer.analysis } }
    const { status } = await client.post(endpoints.pushFingerprint.path, push)
    assert.equal(status, 200)
    return (await found(body.requestId)).level
  }
  const begin = () => sdkClient(service, { platform: 'ANDROID', app })
  assert.equal(await carried(await begin(), attested(key)), 'hardware')
  assert.equal(await carried(await begin(), signed(key)), 'hardware')
})

test('the report and rules read what attests the phone', async (t) => {
  const { service, attested, newApp } = await attestingPhones(t, await sqliteDatabases.open(t))
  const client = await sdkClient(service, { platform: 'ANDROID', app: await newApp() })
  const report = async (additionOf: Addition) => {
    const body = client.engineBody(facts, { requestId: randomUUID() })
    await client.post(path, { ...body, ...(await additionOf(body)) })
    const { body: pushed } = await client.post(endpoints.pushFingerprint.path, client.pushBody(body.requestId))
    const asked = { ...pushed, deviceType: 'ANDROID', include: ['signals'] }
    return (await service.post(endpoints.deviceFingerprint.path, asked)).body
  }
  const { signals } = await report(attested(newPhoneKey()))
  assert.deepEqual(signals.appAttestation, {
    verdict: { result: 'hardware', revocations: 'missing' },
    evidence: ['there is no list of revoked certificates'],
  })
})

test('Play Integrity attests the call too, and a token of another call is tampering', async (t) => {
  const { service, attested, played, phone, newApp } = await attestingPhones(t, await sqliteDatabases.open(t))
  const app = await newApp({ attestation: { ANDROID: 'required' } })
  const call = await phone(app)
  const good = await call(played())
  assert.deepEqual(good.play, { state: 'read', app: 'PLAY_RECOGNIZED', device: ['MEETS_DEVICE_INTEGRITY'] })
  assert.deepEqual([good.level, good.unattested?.result, good.tampered], ['none', false, false])
  assert.deepEqual(good.access, { result: false, controlling: false, capturing: false, overlays: false })
  const rows: [changes: Parameters<typeof played>[0], state: 'refused' | 'unknown', because: string][] = [
    [{ challenge: Buffer.alloc(32) }, 'refused', 'its nonce is of another call'],
    [{ packageName: 'com.thief' }, 'refused', 'another app asked for it: com.thief'],
    [{ certificate: Buffer.alloc(32) }, 'refused', 'it is of an app that another key signed'],
    [{ madeAt: service.clock.now() - 3_600_000 }, 'unknown', 'it is older than ten minutes'],
    [{ algorithm: 'none' }, 'unknown', 'its signature is not of the key of the app'],
  ]
  for (const [changes, state, because] of rows) {
    const found = await call(played(changes))
    const { play, tampered, unattested, reasons } = found
    assert.deepEqual([play?.state, tampered, unattested?.isRequired], [state, state === 'refused', true])
    assert.ok(reasons?.includes(`Play Integrity: ${because}`), String(reasons))
    assert.ok(found.unattestedBy?.includes(`Play Integrity: ${because}`), String(found.unattestedBy))
  }
  const weak = await call(played({ payload: { deviceIntegrity: {} } }))
  assert.deepEqual([weak.play?.device, weak.unattested?.isRequired, weak.tampered], [[], true, false])
  const appIntegrity = { appRecognitionVerdict: 'UNRECOGNIZED_VERSION' }
  const elsewhere = await call(played({ payload: { appIntegrity } }))
  assert.deepEqual([elsewhere.tampered, elsewhere.unattested?.isRequired], [false, true], 'an app from another store')
  assert.ok(elsewhere.reasons?.includes('Play Integrity: Google Play does not know this version of the app'))
  const appsDetected = ['KNOWN_INSTALLED', 'UNKNOWN_CONTROLLING']
  const led = await call(played({ payload: { environmentDetails: { appAccessRiskVerdict: { appsDetected } } } }))
  assert.deepEqual([led.access?.controlling, led.access?.capturing], [true, false])
  const both = await call(async (body) => {
    const [ofKey, ofPlay] = (await Promise.all([attested(newPhoneKey())(body), played()(body)])) as Attested[]
    return { ...ofKey, attestation: { ...ofKey?.attestation, ...ofPlay?.attestation } }
  })
  assert.deepEqual([both.level, both.play?.state], ['hardware', 'read'])
  service.parts.device.playIntegrityKeys = new Map()
  const unread = await call(played())
  assert.deepEqual([unread.play, unread.level, unread.tampered], [undefined, 'none', false])
})
