// Does anything attest a phone that proved the opposite? One key under many ids, and Google Play beside an unlocked phone.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { sdkClient } from '../../testing/sdk-client.ts'
import { androidPhone } from '../testdata/phones.ts'
import type { Addition } from './testing/attesting-calls.ts'
import { newPhoneKey } from './testing/attesting-phone.ts'
import { attestingPhones } from './testing/attesting-phones.ts'

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
