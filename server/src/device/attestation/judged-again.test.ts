// Does what was stored of a key count under the settings, roots and lists of today?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../apps/app.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { newPhoneKey } from './testing/attesting-phone.ts'
import { attestingPhones } from './testing/attesting-phones.ts'
import { appCertificates } from './testing/key-description.ts'

const other = 'AB'.repeat(32)

eachDatabase(({ engine, open }) => {
  test(`the certificates of the app count as they are now (${engine})`, async (t) => {
    const { signed, attested, phone, newApp, change } = await attestingPhones(t, await open(t))
    const key = newPhoneKey()
    const app = await newApp({ androidCertificates: [], attestation: { ANDROID: 'required' } })
    const later = async (androidCertificates: readonly string[]) => {
      await change(app, { androidCertificates })
      const { level, reasons, unattested } = await (await phone(app))(signed(key))
      return [level, reasons?.[0], unattested?.isRequired]
    }
    const first = await (await phone(app))(attested(key))
    const anybody = 'the app lists no androidCertificates: anybody may have signed it'
    assert.deepEqual([first.level, first.reasons?.[0], first.unattested?.isRequired], ['unknown', anybody, true])
    assert.deepEqual(first.identification, { by: 'key', confidence: 0.98 })
    const earlier = 'attested by an earlier call of the key'
    assert.deepEqual(await later(appCertificates), ['hardware', earlier, false])
    const foreign = `made by an app that another key signed: ${appCertificates[0]}`
    assert.deepEqual(await later([other]), ['refused', foreign, true])
    assert.deepEqual(await later([other, ...appCertificates]), ['hardware', earlier, false])
    assert.deepEqual(await later([]), ['unknown', anybody, true])
  })

  test(`roots and withdrawn certificates count as they are now (${engine})`, async (t) => {
    const { service, signed, attested, phone, publish, issuerSerial } = await attestingPhones(t, await open(t))
    const { keyAttestation } = service.parts.device
    const { roots } = keyAttestation
    const key = newPhoneKey()
    const call = await phone()
    await publish({ [await issuerSerial(key)]: { status: 'REVOKED' } })
    assert.equal((await call(attested(key))).level, 'revoked')
    assert.equal((await call(signed(key))).level, 'revoked', 'later calls without the chain, too')
    await publish({ ff: { status: 'REVOKED' } })
    assert.equal((await call(signed(key))).level, 'hardware', 'it was taken from the list')
    keyAttestation.roots = { hardware: [], software: [] }
    const unknown = await call(signed(key))
    assert.deepEqual(
      [unknown.level, unknown.reasons?.[0], unknown.tampered],
      ['unknown', 'its root is not known', false],
    )
    keyAttestation.roots = { hardware: [], software: roots.hardware }
    assert.equal((await call(signed(key))).level, 'software')
    keyAttestation.roots = roots
    assert.equal((await call(signed(key))).level, 'hardware')
  })
})

test('a key of one package does not attest another one of the same app', async (t) => {
  const { signed, attested, phone, newApp } = await attestingPhones(t, await sqliteDatabases.open(t))
  const key = newPhoneKey()
  const packages = ['com.example.shop.android', 'com.example.shop.wallet']
  const app: App = await newApp({}, packages)
  assert.equal((await (await phone(app))(attested(key))).level, 'hardware')
  const elsewhere = await (await phone(app, 'com.example.shop.wallet'))(signed(key))
  assert.deepEqual(
    [elsewhere.level, elsewhere.reasons?.[0]],
    ['refused', 'made by another app: com.example.shop.android'],
  )
})

test('without a list of certificates, the hardware still says how the phone booted', async (t) => {
  const { attested, phone, newApp } = await attestingPhones(t, await sqliteDatabases.open(t))
  const call = await phone(await newApp({ androidCertificates: [] }))
  const unlocked = await call(attested(newPhoneKey(), { description: { locked: 0 } }))
  assert.deepEqual([unlocked.level, unlocked.rooted], ['unlocked', true])
  const resigned = await call(attested(newPhoneKey(), { description: { certificates: [Buffer.alloc(32, 0xee)] } }))
  assert.deepEqual([resigned.level, resigned.tampered], ['unknown', false])
})
