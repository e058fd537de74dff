import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import type { App } from '../../apps/app.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { dropExpired } from '../../device/history/retention.ts'
import { accountHashOf } from '../../device/history/visit.ts'
import { devicesOfAccount, mostDevicesOfAccount, putAccountDevice } from '../../device/store/account-devices.ts'
import { iphone, laptop } from '../../device/testdata/devices.ts'
import { browserClient, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { androidPhone } from '../../device/testdata/phones.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { type InstallationKey, newInstallationKey } from '../../testing/installation-key.ts'
import { createApp, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'

const { deviceFingerprint, issueToken, labelReports, listAccountDevices, updateAccountDevice, deleteAccountDevices } =
  endpoints

/** A browser of a customer, which stores its key and device token unless its storage is cleared. */
function browserOf(service: TestService, app: App, facts: object = ordinaryFacts, address?: string) {
  let deviceToken: string | undefined
  let key = newInstallationKey()
  return {
    facts,
    clearStorage: () => {
      deviceToken = undefined
      key = newInstallationKey()
    },
    /** A session some minutes after the last one. */
    async visits(updateInfo = {}) {
      service.clock.advance({ seconds: 660 })
      const client = await browserClient(service, {
        app,
        key,
        ...(address && { headers: { 'x-forwarded-for': address } }),
      })
      const answer = await client.analyse({ ...this.facts, ...(deviceToken && { deviceToken }) }, { updateInfo })
      deviceToken = answer.deviceToken
      const { requestId } = answer
      const { status, body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
      assert.equal(status, 200)
      return { requestId, dfrId: body.dfrId as string }
    },
  }
}

/** What the backend learns when it names the user of a session. */
async function asked(service: TestService, dfrId: string, userId: string, more: object = {}) {
  const body = { dfrId, deviceType: 'WEB', userId, include: ['identification'], ...more }
  const answer = await service.post(deviceFingerprint.path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.identification
}

const asking = { userVerified: false }

async function devicesOf(service: TestService, userId: string) {
  const { status, body } = await service.post(listAccountDevices.path, { userId })
  assert.equal(status, 200)
  return body.devices
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('knows a device of a user from its second confirmed session on, and says the same at each read'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const app = await createApp(service)
      const home = browserOf(service, app)
      const first = await home.visits()
      const unknown = { knownForAccount: 'no', account: { probability: 0 } }
      for (const more of [asking, {}, {}, asking]) {
        const { knownForAccount, account } = await asked(service, first.dfrId, 'asha', more)
        assert.deepEqual({ knownForAccount, account }, unknown)
      }
      const second = await home.visits()
      const { by, knownForAccount, account } = await asked(service, second.dfrId, 'asha', asking)
      assert.deepEqual([by, knownForAccount], ['key', 'yes'])
      const [device] = await devicesOf(service, 'asha')
      assert.deepEqual(account.device.deviceId, device.deviceId)
      assert.ok(account.probability > 0.99)
      assert.equal((await asked(service, second.dfrId, 'ben', asking)).knownForAccount, 'no')
      const other = await browserOf(service, app, laptop()).visits()
      assert.equal((await asked(service, other.dfrId, 'asha', asking)).knownForAccount, 'no')
    },
  )

  test(it('confirms nothing when the user has not signed in yet, or when only the page names a user'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    const home = browserOf(service, app)
    for (let visit = 0; visit < 3; visit++) {
      const { dfrId } = await home.visits({ userId: 'asha' })
      assert.equal((await asked(service, dfrId, 'asha', asking)).knownForAccount, 'no')
      await service.post(deviceFingerprint.path, { dfrId, deviceType: 'WEB' })
    }
    assert.deepEqual(await devicesOf(service, 'asha'), [])
  })

  test(it('takes no two user ids for one, also not those that UTF-8 cannot write'), async (t) => {
    const service = await startTestService(t, await open(t))
    const home = browserOf(service, await createApp(service))
    await asked(service, (await home.visits()).dfrId, 'user \ud800')
    const { dfrId } = await home.visits()
    for (const [userId, word] of Object.entries({ 'user \ud800': 'yes', 'user \ud801': 'no', 'user \ufffd': 'no' })) {
      assert.equal((await asked(service, dfrId, userId, asking)).knownForAccount, word)
    }
  })

  test(it('likely knows a device whose storage was cleared'), async (t) => {
    const service = await startTestService(t, await open(t))
    const home = browserOf(service, await createApp(service))
    await asked(service, (await home.visits()).dfrId, 'asha')
    home.clearStorage()
    const { by, knownForAccount, account } = await asked(service, (await home.visits()).dfrId, 'asha', asking)
    assert.deepEqual([by, knownForAccount], ['similarity', 'likely'])
    assert.ok(account.probability > 0.5 && account.probability < 1)
  })

  test(it('never answers yes to an installation that was not confirmed, however it returns'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    await asked(service, (await browserOf(service, app).visits()).dfrId, 'asha')
    const thief = browserOf(service, app)
    for (const by of ['similarity', 'key']) {
      const answer = await asked(service, (await thief.visits()).dfrId, 'asha', asking)
      assert.deepEqual([answer.by, answer.knownForAccount], [by, 'likely'])
    }
  })

  test(it('does not know a revoked device, though it resembles another one of the user'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    // Two devices: the version of a browser does not decrease.
    const [revoked, other] = [150, 149].map((version) => browserOf(service, app, laptop({}, version)))
    for (const browser of [revoked!, other!]) await asked(service, (await browser.visits()).dfrId, 'asha')
    const answer = async () => asked(service, (await revoked!.visits()).dfrId, 'asha', asking)
    const { knownForAccount, account } = await answer()
    assert.equal(knownForAccount, 'yes')
    const revoke = { userId: 'asha', deviceId: account.device.deviceId, trusted: false }
    assert.equal((await service.post(updateAccountDevice.path, revoke)).status, 200)
    assert.equal((await answer()).knownForAccount, 'no')
  })

  test(it('confirms a device by an issued token and by a label, and a bad label ends its trust'), async (t) => {
    const service = await startTestService(t, await open(t))
    const home = browserOf(service, await createApp(service))
    const identities = [{ identityType: 'X', identityValue: 'x', channel: 'X', methods: ['X'], verified: false }]
    const { requestId } = await home.visits()
    assert.equal((await service.post(issueToken.path, { userId: 'asha', identities, requestId })).status, 200)
    const label = async (dfrId: string, userId: string, outcome: string) => {
      const { body } = await service.post(labelReports.path, { labels: [{ dfrId, userId, outcome }] })
      assert.deepEqual(body, { accepted: 1, unknown: [] })
    }
    const second = await home.visits()
    await label(second.dfrId, 'ben', 'legitimate')
    const third = await home.visits()
    for (const userId of ['asha', 'ben']) {
      assert.equal((await asked(service, third.dfrId, userId, asking)).knownForAccount, 'yes', userId)
    }
    await label(third.dfrId, 'asha', 'accountTakeover')
    await label(third.dfrId, 'cleo', 'fraud')
    const fourth = await home.visits()
    const words = await Promise.all(
      ['asha', 'ben', 'cleo'].map(
        async (userId) => (await asked(service, fourth.dfrId, userId, asking)).knownForAccount,
      ),
    )
    assert.deepEqual(words, ['no', 'yes', 'no'])
  })

  test(it('lists, names, revokes and deletes the devices of a user'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    const [home, work] = [browserOf(service, app), browserOf(service, app, laptop())]
    const first = await home.visits()
    await asked(service, first.dfrId, 'asha')
    await asked(service, (await work.visits()).dfrId, 'asha')
    const [atWork, atHome] = await devicesOf(service, 'asha')
    assert.equal(atHome.platform, 'WEB')
    assert.match(atHome.browser, /Chrom/)
    const device = { userId: 'asha', deviceId: atHome.deviceId }
    const named = await service.post(updateAccountDevice.path, { ...device, name: 'Laptop of Asha' })
    assert.deepEqual(named.body, { ...atHome, name: 'Laptop of Asha' })
    assert.equal((await asked(service, (await home.visits()).dfrId, 'asha')).account.device.name, 'Laptop of Asha')

    const { body: revoked } = await service.post(updateAccountDevice.path, { ...device, trusted: false })
    assert.deepEqual([revoked.trusted, revoked.name], [false, 'Laptop of Asha'])
    const next = await home.visits()
    assert.equal((await asked(service, first.dfrId, 'asha')).knownForAccount, 'no')
    assert.equal(
      (await asked(service, next.dfrId, 'asha', asking)).knownForAccount,
      'no',
      'an old report trusts nothing',
    )
    home.clearStorage()
    assert.equal((await asked(service, (await home.visits()).dfrId, 'asha', asking)).knownForAccount, 'no')
    await asked(service, (await home.visits()).dfrId, 'asha')
    assert.equal((await asked(service, (await home.visits()).dfrId, 'asha', asking)).knownForAccount, 'yes')

    const unknown = { userId: 'asha', deviceId: '00000000-0000-4000-8000-000000000000', name: 'x' }
    assert.equal((await service.post(updateAccountDevice.path, unknown)).status, 404)
    const deleted = async (body: object) => (await service.post(deleteAccountDevices.path, body)).body
    assert.deepEqual(await deleted({ userId: 'asha', deviceId: atWork.deviceId }), { deleted: 1 })
    assert.deepEqual(
      [await deleted({ userId: 'asha' }), await deleted({ userId: 'asha' })],
      [{ deleted: 1 }, { deleted: 0 }],
    )
    assert.deepEqual(await devicesOf(service, 'asha'), [])
  })

  test(
    it('counts only trusted devices for an account: neither sessions nor bad labels that name a user raise it'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const app = await createApp(service, { settings: { revealReport: true } })
      const victim = browserOf(service, app)
      await asked(service, (await victim.visits()).dfrId, 'asha')
      const scoreOf = async (dfrId: string) =>
        (await service.post(deviceFingerprint.path, { dfrId, deviceType: 'WEB' })).body.deviceRiskScore
      const before = await scoreOf((await victim.visits({ userId: 'asha' })).dfrId)
      const thieves: string[] = []
      for (let session = 0; session < 11; session++) {
        // Never two of one device: the version of a browser does not decrease.
        const facts = laptop({}, 200 - session)
        thieves.push((await browserOf(service, app, facts).visits({ userId: 'asha' })).dfrId)
      }
      const after = await victim.visits({ userId: 'asha' })
      assert.equal(await scoreOf(after.dfrId), before)
      assert.equal((await devicesOf(service, 'asha')).length, 1)
      const labels = thieves.map((dfrId) => ({ dfrId, outcome: 'accountTakeover', userId: 'asha' }))
      assert.equal((await service.post(labelReports.path, { labels })).body.accepted, 11)
      assert.equal((await devicesOf(service, 'asha')).length, 12)
      const later = await victim.visits({ userId: 'asha' })
      assert.equal(await scoreOf(later.dfrId), before, 'devices of attackers are not devices of the user')
    },
  )

  test(it('forgets no trusted device of an account for those of bad sessions'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { tenantId, parts: needs } = service
    const app = await createApp(service)
    const victim = browserOf(service, app)
    await asked(service, (await victim.visits()).dfrId, 'asha')
    const { dfrId } = await browserOf(service, app, iphone()).visits()
    await service.post(labelReports.path, { labels: [{ dfrId, userId: 'asha', outcome: 'accountTakeover' }] })
    const accountHash = accountHashOf('asha', await needs.tenantKeyring.keysOf(tenantId))
    const [ofThief] = await devicesOfAccount(needs.database, accountHash, 0)
    for (let more = 0; more < mostDevicesOfAccount; more++) {
      await putAccountDevice(needs.database, accountHash, { ...ofThief!, deviceId: uuidBytes(randomUUID()) })
    }
    const after = await victim.visits()
    assert.equal((await asked(service, after.dfrId, 'asha', asking)).knownForAccount, 'yes')
  })

  test(it('is no surer of a device because whoever copied its facts came back with a key'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    await asked(service, (await browserOf(service, app).visits()).dfrId, 'asha')
    const thief = browserOf(service, app, ordinaryFacts, '198.18.44.5')
    const first = await asked(service, (await thief.visits()).dfrId, 'asha', asking)
    thief.facts = {
      ...ordinaryFacts,
      timezone: 'Asia/Tokyo',
      languages: ['ja'],
      locale: 'ja',
      screen: { width: 1, height: 1 },
      fonts: ['Meiryo'],
      mediaQueries: { pointer: 'none' },
    }
    const second = await asked(service, (await thief.visits()).dfrId, 'asha', asking)
    assert.deepEqual([first.by, second.by], ['similarity', 'key'])
    assert.equal(first.knownForAccount, 'likely')
    assert.ok(second.account.probability < first.account.probability, String(second.account.probability))
  })

  test(it('is not surer than a half of a phone whose ids come without the key that was confirmed'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    const visit = async (key?: InstallationKey, tamper = {}) => {
      service.clock.advance({ seconds: 660 })
      const client = await sdkClient(service, { app, platform: 'ANDROID', ...(key && { key }) })
      const { requestId } = await client.analyse(androidPhone().facts, tamper)
      const { body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
      return body.dfrId as string
    }
    const ofPhone = { ...asking, deviceType: 'ANDROID' }
    const [own, other] = [newInstallationKey(), newInstallationKey()]
    await asked(service, await visit(own), 'asha', { deviceType: 'ANDROID' })
    assert.equal((await asked(service, await visit(own), 'asha', ofPhone)).knownForAccount, 'yes')
    const wrongProof = { proof: { publicKey: 'x', signature: 'y' } }
    for (const [key, tamper] of [[undefined], [other], [other], [undefined, wrongProof]] as const) {
      const { knownForAccount, account } = await asked(service, await visit(key, tamper), 'asha', ofPhone)
      assert.deepEqual([knownForAccount, account.probability], ['likely', 0.5])
    }
  })

  test(it('answers no yes to a phone that was confirmed by its ids and now sends a wrong proof'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    const visit = async (changes = {}) => {
      service.clock.advance({ seconds: 660 })
      const client = await sdkClient(service, { app, platform: 'ANDROID' })
      const { requestId } = await client.analyse(androidPhone().facts, changes)
      const { body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
      return body.dfrId as string
    }
    await asked(service, await visit(), 'asha', { deviceType: 'ANDROID' })
    const answerTo = async (changes?: object) =>
      (await asked(service, await visit(changes), 'asha', { ...asking, deviceType: 'ANDROID' })).knownForAccount
    assert.equal(await answerTo(), 'yes')
    assert.equal(await answerTo({ proof: { publicKey: 'x', signature: 'y' } }), 'likely')
  })

  test(it('stores names and users unreadable, and deletes them with the history'), async (t) => {
    const service = await startTestService(t, await open(t))
    const home = browserOf(service, await createApp(service))
    await asked(service, (await home.visits()).dfrId, 'customer-in-clear')
    const [{ deviceId }] = await devicesOf(service, 'customer-in-clear')
    await service.post(updateAccountDevice.path, { userId: 'customer-in-clear', deviceId, name: 'name-in-clear' })
    const { database } = service.parts
    const rows = await database.query<{ sealed: Uint8Array }>('select account_hash, sealed from account_device')
    assert.equal(rows.length, 1)
    assert.doesNotMatch(Buffer.concat(rows.flatMap((row) => Object.values(row))).toString('latin1'), /in-clear/)
    service.clock.advance({ hours: 180 * 24 - 1 })
    await dropExpired(service.parts)
    assert.equal((await devicesOf(service, 'customer-in-clear')).length, 1)
    service.clock.advance({ hours: 2 })
    assert.deepEqual(await devicesOf(service, 'customer-in-clear'), [], 'at once, before it is deleted')
    await dropExpired(service.parts)
    for (const table of ['account_device', 'device_history']) {
      assert.deepEqual(await database.query(`select 1 as one from ${table}`), [], table)
    }
  })

  test(it('adds the members that a backend asks for, and leaves the report as it is'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { dfrId } = await browserOf(service, await createApp(service)).visits()
    const read = async (more: object) =>
      (await service.post(deviceFingerprint.path, { dfrId, deviceType: 'WEB', ...more })).body
    const plain = await read({})
    assert.deepEqual(await read({ include: [] }), plain)
    assert.deepEqual(await read({ userId: 'asha' }), plain)
    const { identification, reasons, signals, ...rest } = await read({
      include: ['signals', 'identification', 'reasons', 'reasons'],
    })
    assert.deepEqual(rest, plain)
    assert.equal(identification.by, 'none')
    assert.equal(identification.knownForAccount, undefined)
    assert.ok(reasons.deviceRiskScore && signals.bot)
    const { status, body } = await service.post(deviceFingerprint.path, { dfrId, deviceType: 'WEB', include: ['all'] })
    assert.equal(status, 400)
    assert.match(body.errorMessage, /identification, reasons, signals/)
  })
})
