// Does a phone learn that the service no longer knows what attests its key?

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endpoints, type IntelligenceRequest } from '@ringfence/contract'
import { forgetDevice } from '../../admin/privacy/device-record.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { dropExpired } from '../history/retention.ts'
import { bodyDigest, signedText } from '../identity/signed-text.ts'
import { analysisOf } from '../store/find-analysis.ts'
import { androidPhone, iphone } from '../testdata/phones.ts'
import type { Addition } from './testing/attesting-calls.ts'
import { makeTestRoot } from './testing/attesting-device.ts'
import { newPhoneKey } from './testing/attesting-phone.ts'
import { attestingPhones } from './testing/attesting-phones.ts'

const { path } = endpoints.intelligence

/** How a service forgets a key that its phone still has. */
const losses = ({ parts, clock, tenantId }: TestService, table: string, deviceId: string) =>
  [
    ['restored from an older backup', () => parts.database.query(`delete from ${table}`)],
    [
      'retention',
      () => {
        clock.advance({ seconds: 181 * 86_400 })
        return dropExpired(parts)
      },
    ],
    ['its device was erased', () => forgetDevice({ tenantId, deviceId }, parts)],
  ] as const

eachDatabase(({ engine, open }) => {
  test(`asks an Android phone for the certificates of a key that it does not know, and gets them (${engine})`, async (t) => {
    const { service, signed, attested, newApp, found } = await attestingPhones(t, await open(t))
    const app = await newApp()
    const key = newPhoneKey()
    const call = async (additionOf: Addition, changes: object = {}) => {
      const client = await sdkClient(service, { platform: 'ANDROID', app })
      const body = client.engineBody(androidPhone().facts, changes)
      const sent = { ...body, ...(await additionOf(body)) }
      const [first, repeated] = [await client.post(path, sent), await client.post(path, sent)]
      assert.deepEqual([first.status, repeated.status], [200, 200])
      assert.equal(first.body.attest, repeated.body.attest, 'also when the first answer was lost')
      return { body: sent as IntelligenceRequest, attest: first.body.attest, requestId: body.requestId }
    }
    const first = await call(attested(key))
    const { tsId, challenge, requestId } = first.body
    const madeFor = { tsId, challenge, requestId, bodyDigest: bodyDigest(first.body) }
    assert.deepEqual([first.attest, (await call(signed(key))).attest], [undefined, undefined])

    const { deviceId } = await found(first.requestId)
    for (const [how, lose] of losses(service, 'keystore_key', deviceId!)) {
      await lose()
      assert.equal((await call(signed(key), { carry: true })).attest, true, how)
      const lacking = await call(signed(key))
      assert.deepEqual([lacking.attest, (await found(lacking.requestId)).level], [true, undefined], how)
      const again = await call(async (body) => ({
        ...(await signed(key)(body)),
        attestation: { ...first.body.attestation, madeFor },
      }))
      const { level, tampered } = await found(again.requestId)
      assert.deepEqual([again.attest, level, tampered], [undefined, 'hardware', false], how)
      assert.equal((await call(signed(key))).attest, undefined, how)
    }
    assert.equal((await call(() => ({}))).attest, undefined, 'no key')
    const wrong = await call(async () => signed(key)({ ...first.body, requestId: randomUUID() }))
    assert.equal(wrong.attest, undefined, 'a wrong proof')
    const short = await call(async (body) => ({
      ...(await signed(newPhoneKey())(body)),
      attestation: { chain: [] },
    }))
    assert.equal(short.attest, undefined, 'the phone has none')
  })

  test(`asks an iPhone for another key when it does not know the one of an assertion (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const root = await makeTestRoot(service.clock.now())
    service.parts.device.appAttestRoot = root.pem
    const app = await createApp(service, { settings: { appleTeamId: 'A1B2C3D4E5' } })
    const appId = `A1B2C3D4E5.${app.bundleIds[0]}`
    const device = await root.newDevice()
    let deviceId = ''
    const call = async (attestationOf: (clientData: Buffer) => Promise<object> | object | undefined) => {
      const client = await sdkClient(service, { platform: 'IOS', app })
      const body = client.engineBody(iphone().facts)
      const attestation = await attestationOf(Buffer.from(signedText({ ...body, bodyDigest: bodyDigest(body) })))
      const { status, body: answer } = await client.post(path, { ...body, attestation })
      assert.equal(status, 200)
      deviceId = (await analysisOf({ requestId: body.requestId }, service, service.parts))!.deviceId!
      return answer.attest
    }
    const assertion = (counter: number) => (clientData: Buffer) => {
      const made = device.assert({ appId, clientData, counter })
      return { keyId: device.keyId, assertion: Buffer.from(made).toString('base64') }
    }
    assert.equal(await call(assertion(1)), true)
    const attested = async (clientData: Buffer) => {
      const parts = { appId, clientData, aaguid: 'appattest', counter: 0, madeAt: service.clock.now() }
      const made = await device.attest({ ...parts, format: 'apple-appattest' })
      return { keyId: device.keyId, attestation: Buffer.from(made).toString('base64') }
    }
    assert.equal(await call(attested), undefined)
    assert.equal(await call(assertion(1)), undefined)
    assert.equal(await call(assertion(1)), undefined, 'a counter that repeats is refused, not unknown')
    assert.equal(await call(() => undefined), undefined, 'no proof')
    for (const [how, lose] of losses(service, 'attested_key', deviceId)) {
      await lose()
      assert.equal(await call(assertion(2)), true, how)
      assert.equal(await call(attested), undefined, how)
    }
    service.clock.advance({ seconds: 170 * 86_400 })
    assert.equal(await call(assertion(1)), undefined)
    service.clock.advance({ seconds: 170 * 86_400 })
    await dropExpired(service.parts)
    assert.equal(await call(assertion(2)), undefined, 'it was used in between')
  })
})
