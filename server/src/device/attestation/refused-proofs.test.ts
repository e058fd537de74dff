// Does anything attest a phone that proved the opposite? One key under many ids, and Google Play beside an unlocked phone.

import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { signedTextOf } from '../../testing/installation-key.ts'
import { sdkClient, shopPackageName } from '../../testing/sdk-client.ts'
import { bodyDigest } from '../identity/signed-text.ts'
import { androidPhone } from '../testdata/phones.ts'
import type { Addition } from './testing/attesting-calls.ts'
import { attestationAuthority, newPhoneKey } from './testing/attesting-phone.ts'
import { attestingPhones } from './testing/attesting-phones.ts'
import { integer, octets, sequence, set, tagged } from './testing/der-writer.ts'
import { appCertificates } from './testing/key-description.ts'

const { path } = endpoints.intelligence
const { facts } = androidPhone()
const required = { result: true, isRequired: true }

const together =
  (...additions: readonly Addition[]): Addition =>
  async (body) => {
    const parts = await Promise.all(additions.map((each) => each(body) as Promise<{ attestation?: object }>))
    const attestation = Object.assign({}, ...parts.map((part) => part.attestation))
    return { ...Object.assign({}, ...parts), attestation }
  }

eachDatabase(({ engine, open }) => {
  test(`an attested key attests one device, and none under other ids (${engine})`, async (t) => {
    const { service, signed, attested, played, newApp, found } = await attestingPhones(t, await open(t))
    const app = await newApp({ attestation: { ANDROID: 'required' } })
    const key = newPhoneKey()
    const visit = async (id: string, additionOf: Addition) => {
      service.clock.advance({ seconds: 60 })
      const client = await sdkClient(service, { platform: 'ANDROID', app })
      const body = client.engineBody({ ...facts, drmId: id, androidId: id }, { requestId: randomUUID() })
      const { status } = await client.post(path, { ...body, ...(await additionOf(body)) })
      assert.equal(status, 200)
      return found(body.requestId)
    }
    const own = await visit('own', attested(key))
    assert.deepEqual([own.level, own.unattested?.result], ['hardware', false])
    const additions = { signed: signed(key), attested: attested(key), played: together(signed(key), played()) }
    for (const [name, additionOf] of Object.entries(additions)) {
      for (let count = 0; count < 4; count++) {
        const { deviceId } = await visit(`${name} ${count}`, () => ({}))
        const other = await visit(`${name} ${count}`, additionOf)
        assert.equal(other.deviceId, deviceId)
        assert.deepEqual([other.level, other.play, other.tampered], ['none', undefined, true], name)
        assert.deepEqual(other.unattested, required)
        assert.deepEqual(other.unattestedBy, ['the proof of its key is wrong: its key is of another device'])
        assert.deepEqual(other.reasons, ['the proof of its key is wrong'])
        assert.notEqual(other.deviceId, own.deviceId)
      }
    }
    assert.equal((await visit('own', signed(key))).level, 'hardware', 'it stays so for its own device')
  })

  test(`a chain of a call of one app attests nothing in another one (${engine})`, async (t) => {
    const { service, signed, attested, newApp, found } = await attestingPhones(t, await open(t))
    const [own, other] = [await newApp(), await newApp()]
    const key = newPhoneKey()
    const lost = (await sdkClient(service, { platform: 'ANDROID', app: own })).engineBody(facts)
    const { attestation } = (await attested(key)(lost)) as { attestation: object }
    const { tsId, challenge, requestId } = lost
    const madeFor = { tsId, challenge, requestId, bodyDigest: bodyDigest(lost) }
    const levels: unknown[] = []
    for (const app of [own, other]) {
      const client = await sdkClient(service, { platform: 'ANDROID', app })
      const body = client.engineBody({ ...facts, drmId: app.id, androidId: app.id })
      await client.post(path, { ...body, ...(await signed(key)(body)), attestation: { ...attestation, madeFor } })
      const { level, tampered, identification } = await found(body.requestId)
      levels.push([level, tampered, identification?.confidence])
    }
    assert.deepEqual(levels, [
      ['hardware', false, 0.99],
      ['refused', true, 0.5],
    ])
  })

  test(`a chain that anybody can make fills a small row (${engine})`, async (t) => {
    const { service, signed, newApp } = await attestingPhones(t, await open(t))
    const { keyAttestation } = service.parts.device
    const authority = await attestationAuthority({ now: service.clock.now(), provisioning: 'software' })
    keyAttestation.roots = { hardware: [], software: [authority.root] }
    const names = [shopPackageName, ...Array.from({ length: 16 }, (_, at) => String(at).padStart(255, '\u0001'))]
    const client = await sdkClient(service, { platform: 'ANDROID', app: await newApp() })
    let { challenge } = client
    for (const packages of [names, names.slice(1)]) {
      const key = newPhoneKey()
      const body = client.engineBody(facts, { challenge })
      const signers = Array.from({ length: 64 }, () => octets(Buffer.from(appCertificates[0]!, 'hex')))
      const application = sequence(set(...packages.map((name) => sequence(octets(name), integer(7)))), set(...signers))
      const chain = await authority.attest(key.publicKey, {
        serialNumber: '7f'.repeat(32),
        description: {
          challenge: hash('sha256', signedTextOf(body), 'buffer'),
          ...{ attestationLevel: 0, keyLevel: 0 },
          softwareEnforced: () => [tagged(709, octets(application))],
        },
      })
      const attestation = { chain: chain.map((each) => each.toString('base64')) }
      const answer = await client.post(path, { ...body, ...(await signed(key)(body)), attestation })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      challenge = answer.body.nextChallenge
    }
    const rows = await service.parts.database.query<{ attested: string }>('select attested from keystore_key')
    const lengths = rows.map(({ attested }) => attested.length)
    assert.ok(lengths.length === 2 && lengths.every((length) => length < 1_200), String(lengths))
  })

  test(`Google Play attests no phone whose hardware or proof says the opposite (${engine})`, async (t) => {
    const { service, signed, attested, played, phone, newApp, publish, issuerSerial } = await attestingPhones(
      t,
      await open(t),
    )
    const call = await phone(await newApp({ attestation: { ANDROID: 'required' } }))
    const chain = (description: object) => attested(newPhoneKey(), { description })
    const rows: [level: string, additionOf: Addition][] = [
      ['unlocked', chain({ locked: 0, bootState: 2 })],
      ['selfSigned', chain({ bootState: 1 })],
      ['unverified', chain({ bootState: 2 })],
      ['refused', chain({ packageName: 'com.thief' })],
    ]
    for (const [level, additionOf] of rows) {
      const found = await call(together(additionOf, played()))
      assert.deepEqual([found.level, found.play?.state, found.unattested], [level, 'read', required])
      assert.equal(found.unattestedBy?.[0], `hardware does not attest the app: ${level}`)
    }
    const wrong = await call(async (body) => ({
      ...(await together(signed(newPhoneKey()), played())(body)),
      ...(await signed(newPhoneKey())({ ...body, requestId: randomUUID() })),
    }))
    assert.deepEqual([wrong.play, wrong.tampered, wrong.unattested], [undefined, true, required])
    for (const level of ['hardware', 'software'] as const) {
      const parts = level === 'software' ? { description: { keyLevel: 0, attestationLevel: 0 } } : {}
      const found = await call(together(attested(newPhoneKey(), parts), played()))
      assert.deepEqual([found.level, found.unattested?.result], [level, false], 'where hardware does not contradict')
    }
    const elsewhere = await call(together(attested(newPhoneKey()), played({ packageName: 'com.thief' })))
    assert.deepEqual([elsewhere.level, elsewhere.tampered, elsewhere.unattested], ['hardware', true, required])
    const key = newPhoneKey()
    await publish({ [await issuerSerial(key)]: { status: 'REVOKED' } }, service.clock.now())
    const revoked = await call(together(attested(key), played()))
    assert.deepEqual([revoked.level, revoked.unattested], ['revoked', required])
  })
})
