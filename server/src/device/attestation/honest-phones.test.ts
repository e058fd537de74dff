// Is an honest phone ever called tampered with? Each way in which a chain, or its answer, can be missing, odd or late.

import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endpoints, type IntelligenceRequest } from '@ringfence/contract'
import { StorageUnavailable } from '../../core/storage/database.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { signedTextOf } from '../../testing/installation-key.ts'
import { type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { bodyDigest } from '../identity/signed-text.ts'
import { androidPhone } from '../testdata/phones.ts'
import type { Addition } from './testing/attesting-calls.ts'
import { attestationAuthority, type ChainParts, newPhoneKey } from './testing/attesting-phone.ts'
import { attestingPhones } from './testing/attesting-phones.ts'

const { path } = endpoints.intelligence
const { facts } = androidPhone()

interface Attested {
  readonly attestation: { readonly chain: readonly string[] }
}

interface Token {
  readonly attestation: object
}

/** What was signed in the call of this body. */
const madeForOf = (body: IntelligenceRequest) => {
  const { tsId, challenge, requestId } = body
  return { tsId, challenge, requestId, bodyDigest: bodyDigest(body) }
}

eachDatabase(({ engine, open }) => {
  test(`no chain, and one of fewer than three certificates, is none (${engine})`, async (t) => {
    const { signed, attested, phone, newApp } = await attestingPhones(t, await open(t))
    const call = await phone(await newApp({ attestation: { ANDROID: 'report' } }))
    const key = newPhoneKey()
    const rows: [change: (chain: readonly string[]) => object, because: string][] = [
      [() => ({}), 'no chain of certificates'],
      [() => ({ attestation: {} }), 'no chain of certificates'],
      [() => ({ attestation: { chain: [] } }), 'it has 0 certificates, not 3 to 5'],
      [([leaf]) => ({ attestation: { chain: [leaf] } }), 'it has 1 certificates, not 3 to 5'],
      [(chain) => ({ attestation: { chain: chain.slice(0, 2) } }), 'it has 2 certificates, not 3 to 5'],
    ]
    for (const [change, because] of rows) {
      const found = await call(async (body) => {
        const { attestation } = (await attested(key)(body)) as Attested
        return { ...(await signed(key)(body)), ...change(attestation.chain) }
      })
      assert.deepEqual([found.level, found.reasons?.[0], found.tampered], ['none', because, false])
      assert.deepEqual(found.identification, { by: 'key', confidence: 0.98 }, 'the key is recognised all the same')
    }
  })

  test(`a root that nobody knows proves nothing, and is no tampering (${engine})`, async (t) => {
    const { service, signed, phone, newApp } = await attestingPhones(t, await open(t))
    const own = await attestationAuthority({ now: service.clock.now() })
    const key = newPhoneKey()
    const call = await phone(await newApp({ attestation: { ANDROID: 'required' } }))
    const ofMaker: Addition = async (body) => {
      const challenge = createHash('sha256').update(signedTextOf(body)).digest()
      const chain = await own.attest(key.publicKey, { description: { challenge } })
      return { ...(await signed(key)(body)), attestation: { chain: chain.map((each) => each.toString('base64')) } }
    }
    const found = await call(ofMaker)
    assert.deepEqual([found.level, found.reasons?.[0], found.tampered], ['unknown', 'its root is not known', false])
    assert.deepEqual(found.unattested, { result: true, isRequired: true })
    assert.deepEqual(found.identification, { by: 'key', confidence: 0.98 })
    service.parts.device.keyAttestation.roots = { hardware: [own.root], software: [] }
    assert.equal((await call(signed(key))).level, 'none', 'nothing was stored of it')
  })

  test(`the chain of a key that is sent again has the stored result (${engine})`, async (t) => {
    const { signed, attested, phone } = await attestingPhones(t, await open(t))
    const key = newPhoneKey()
    const call = await phone()
    let taken: object = {}
    assert.equal((await call(async (body) => (taken = await attested(key)(body)))).level, 'hardware')
    // The answer was lost, so that the phone sends its chain with the next call.
    const again = await call(async (body) => ({ ...taken, ...(await signed(key)(body)) }))
    assert.deepEqual([again.level, again.tampered], ['hardware', false])
    assert.equal(again.reasons?.[0], 'attested by an earlier call of the key')
    assert.deepEqual(again.identification, { by: 'key', confidence: 0.99 })
    const other = newPhoneKey()
    const stolen = await call(async (body) => ({ ...taken, ...(await signed(other)(body)) }))
    assert.deepEqual([stolen.level, stolen.tampered], ['unknown', false], 'under another key it says nothing')
  })

  test(`a key stays attested when the push of its first call is lost (${engine})`, async (t) => {
    const { service, signed, attested, newApp, found, phone } = await attestingPhones(t, await open(t))
    const key = newPhoneKey()
    const app = await newApp()
    const client = await sdkClient(service, { platform: 'ANDROID', app })
    const body = client.engineBody(facts, { carry: true })
    const { status } = await client.post(path, { ...body, ...(await attested(key)(body)) })
    assert.deepEqual([status, (await found(body.requestId)).level], [200, 'hardware'])
    assert.equal((await (await phone(app))(signed(key))).level, 'hardware')
  })

  test(`a key whose chain never arrived sends it with what was signed then (${engine})`, async (t) => {
    const { service, signed, attested, newApp, phone } = await attestingPhones(t, await open(t))
    const key = newPhoneKey()
    const app = await newApp()
    const lost = await sdkClient(service, { platform: 'ANDROID', app })
    const body = lost.engineBody(facts)
    const sent = (await attested(key)(body)) as Attested
    const { database } = service.parts
    const batch = database.batch.bind(database)
    database.batch = () => Promise.reject(new StorageUnavailable('the disk is full'))
    assert.equal((await lost.post(path, { ...body, ...sent })).status, 503)
    database.batch = batch
    service.clock.advance({ hours: 30 })

    const call = await phone(app)
    assert.equal((await call(signed(key))).level, undefined, 'the key alone')
    const { chain } = sent.attestation
    const again =
      (madeFor: object): Addition =>
      async (next) => ({
        ...(await signed(key)(next)),
        attestation: { chain, madeFor },
      })
    const made = madeForOf(body)
    const wrong: object[] = [
      {},
      { ...made, requestId: 'another' },
      { ...made, tsId: `${made.tsId}1` },
      { ...made, challenge: 'A'.repeat(32) },
      { ...made, bodyDigest: 7 },
    ]
    for (const madeFor of wrong) {
      const refused = await call(again(madeFor))
      assert.deepEqual(
        [refused.level, refused.reasons?.[0]],
        ['refused', 'its challenge is of another call'],
        JSON.stringify(madeFor),
      )
    }
    const attests = await call(again(made))
    assert.deepEqual([attests.level, attests.tampered], ['hardware', false])
    assert.equal((await call(signed(key))).level, 'hardware')
  })
})

eachDatabase(({ engine, open }) => {
  test(`a phone that does not say which app made its key, or where, is not tampered with (${engine})`, async (t) => {
    const { signed, attested, phone, newApp } = await attestingPhones(t, await open(t))
    const call = await phone(await newApp({ attestation: { ANDROID: 'required' } }))
    const nowhere = 'the hardware does not say where the key was made, or what for'
    const rows: [description: NonNullable<ChainParts['description']>, because: string][] = [
      [{ packageName: 'UnknownPackage', certificates: [] }, 'it does not say which app made the key'],
      [{ origin: 3 }, nowhere],
      [{ hardwareEnforced: (all) => all.toSpliced(3, 1) }, nowhere],
    ]
    for (const [description, because] of rows) {
      const key = newPhoneKey()
      const first = await call(attested(key, { description }))
      assert.deepEqual([first.level, first.reasons?.[0], first.tampered], ['unknown', because, false])
      assert.deepEqual(first.unattested, { result: true, isRequired: true }, 'it proves nothing either')
      assert.equal((await call(signed(key))).tampered, false)
    }
  })

  test(`a new phone that restores what its predecessor had not sent is not tampered with (${engine})`, async (t) => {
    const { service, signed, attested, newApp, phone } = await attestingPhones(t, await open(t))
    const app = await newApp()
    const before = (await sdkClient(service, { platform: 'ANDROID', app })).engineBody(facts)
    const { chain } = ((await attested(newPhoneKey())(before)) as Attested).attestation
    const key = newPhoneKey()
    const call = await phone(app)
    for (const attestation of [{ chain, madeFor: madeForOf(before) }, { chain }]) {
      const found = await call(async (body) => ({ ...(await signed(key)(body)), attestation }))
      assert.deepEqual(
        [found.level, found.reasons?.[0], found.tampered],
        ['unknown', 'its key is not the one of the proof', false],
      )
      assert.deepEqual(found.identification, { by: 'key', confidence: 0.98 })
    }
    assert.equal((await call(attested(newPhoneKey()))).level, 'hardware', 'its own certificates count')
  })

  test(`a token of a call that was lost counts once, for the call in its place (${engine})`, async (t) => {
    const { service, signed, attested, played, newApp, found } = await attestingPhones(t, await open(t))
    const app = await newApp({ attestation: { ANDROID: 'required' } })
    const client = await sdkClient(service, { platform: 'ANDROID', app })
    const key = newPhoneKey()
    const lost = client.engineBody(facts)
    let { challenge } = lost
    let token = ((await played()(lost)) as Token).attestation
    const sent = async (from: SdkClient, madeFor: object | undefined, more: Addition = signed(key), of = facts) => {
      const body = from.engineBody(of, { requestId: randomUUID(), ...(from === client && { challenge }) })
      const { attestation = {}, ...rest } = (await more(body)) as Partial<Attested>
      const addition = { ...rest, attestation: { ...attestation, ...token, ...(madeFor && { madeFor }) } }
      const { status, body: answer } = await from.post(path, { ...body, ...addition })
      assert.equal(status, 200)
      if (from === client) challenge = answer.nextChallenge
      return found(body.requestId)
    }
    const { drmId: _, ...oneLess } = facts
    for (const changed of [{ ...facts, drmId: 'x', androidId: 'x' }, { ...facts, language: 'xx' }, oneLess]) {
      const next = await sdkClient(service, { platform: 'ANDROID', app })
      const before = next.engineBody(facts)
      const { attestation } = (await played()(before)) as Token
      const body = next.engineBody(changed, { requestId: randomUUID() })
      await next.post(path, { ...body, attestation: { ...attestation, madeFor: madeForOf(before) } })
      const { play, tampered, unattested } = await found(body.requestId)
      assert.deepEqual([play?.state, tampered, unattested?.result], ['unknown', false, true], 'other facts')
    }
    const counts = await sent(client, madeForOf(lost))
    assert.deepEqual([counts.play?.state, counts.tampered, counts.unattested?.result], ['read', false, false])
    const beside = await sent(client, madeForOf(lost), attested(newPhoneKey()))
    assert.deepEqual([beside.level, beside.play?.state], ['hardware', 'unknown'], 'the key was made for this call')
    for (const id of ['second', 'third', 'fourth']) {
      const again = await sent(client, madeForOf(lost), undefined, { ...facts, drmId: id, androidId: id })
      assert.deepEqual([again.play?.state, again.unattested], ['unknown', { result: true, isRequired: true }], id)
      assert.ok(again.reasons?.includes('Play Integrity: another call took the place of its call'))
    }
    const other = await sdkClient(service, { platform: 'ANDROID', app })
    const elsewhere = await sent(other, madeForOf(lost))
    assert.deepEqual([elsewhere.play?.state, elsewhere.tampered], ['unknown', false])
    assert.ok(elsewhere.reasons?.includes('Play Integrity: another call took the place of its call'))
    assert.deepEqual(elsewhere.unattested, { result: true, isRequired: true })
    for (const madeFor of [undefined, { ...madeForOf(lost), challenge: 'A'.repeat(32) }]) {
      const replayed = await sent(client, madeFor)
      assert.deepEqual([replayed.play?.state, replayed.tampered], ['refused', true], JSON.stringify(madeFor))
    }
    const slow = await sdkClient(service, { platform: 'ANDROID', app })
    const lostLong = slow.engineBody(facts)
    token = ((await played()(lostLong)) as Token).attestation
    service.clock.advance({ seconds: 601 })
    const late = await sent(slow, madeForOf(lostLong))
    assert.deepEqual([late.play?.state, late.tampered, late.unattested?.result], ['unknown', false, true])
    assert.ok(late.reasons?.includes('Play Integrity: it is older than ten minutes'))
  })

  test(`of calls that carry one token, one is stored (${engine})`, async (t) => {
    const { service, played, newApp, found } = await attestingPhones(t, await open(t))
    const app = await newApp({ attestation: { ANDROID: 'required' } })
    const client = await sdkClient(service, { platform: 'ANDROID', app })
    const lost = client.engineBody(facts, { carry: true })
    const { attestation: token } = (await played()(lost)) as Token
    const pushes = await Promise.all(
      ['first', 'second', 'third'].map(async () => {
        const body = client.engineBody(facts, { carry: true })
        const answer = await client.post(path, { ...body, attestation: { ...token, madeFor: madeForOf(lost) } })
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        const push = client.pushBody(body.requestId)
        return { ...push, data: { ...push.data, analysis: answer.body.analysis } }
      }),
    )
    const stored = await Promise.all(pushes.map((push) => client.post(endpoints.pushFingerprint.path, push)))
    const [only, ...others] = pushes.filter((_, at) => stored[at]?.status === 200)
    assert.deepEqual(others, [])
    assert.equal((await found(only!.requestId)).unattested?.result, false)
  })
})

test('a key that was made for a text of nobody’s session attests no call', async (t) => {
  const { signed, attested, phone } = await attestingPhones(t, await sqliteDatabases.open(t))
  const key = newPhoneKey()
  // Whoever lets the app make a key for his own challenge has no challenge of ours.
  const madeFor = { tsId: 'x-1772366400', challenge: 'B'.repeat(32), requestId: 'r', bodyDigest: 'd' }
  const text = `ringfence-proof-v1\n${Object.values(madeFor).join('\n')}`
  const challenge = createHash('sha256').update(text).digest()
  const found = await (await phone())(async (body) => {
    const { attestation } = (await attested(key, { description: { challenge } })(body)) as Attested
    return { ...(await signed(key)(body)), attestation: { ...attestation, madeFor } }
  })
  assert.deepEqual([found.level, found.reasons?.[0]], ['refused', 'its challenge is of another call'])
})

test('a phone with keys of ML-DSA is not tampered with', async (t) => {
  const { phone, signed, attested } = await attestingPhones(t, await sqliteDatabases.open(t))
  const key = newPhoneKey()
  const { publicKey } = generateKeyPairSync('ml-dsa-44')
  const found = await (await phone())(async (body) => {
    const { attestation } = (await attested({ publicKey, privateKey: key.privateKey })(body)) as Attested
    return { ...(await signed(key)(body)), attestation }
  })
  assert.deepEqual([found.level, found.tampered], ['unknown', false])
})
