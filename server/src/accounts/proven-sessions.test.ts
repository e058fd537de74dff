// Does an account learn from proven sessions only, and does it unlearn what a bad one taught?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { forgetDevice } from '../admin/privacy/device-record.ts'
import { dropExpired } from '../device/history/retention.ts'
import { laptop } from '../device/testdata/devices.ts'
import { accountHashOf } from '../events/subject-hashes.ts'
import { writeVelocities } from '../rules/store/velocity-counts.ts'
import { keyHashOf } from '../rules/velocities/forget.ts'
import { anotherOtp, mobile, outboxChannels } from '../sign-in/authentication/testing/sign-in-service.ts'
import { eachDatabase } from '../testing/databases.ts'
import { createApp, sdkClient } from '../testing/sdk-client.ts'
import type { TestService } from '../testing/test-service.ts'
import { mostSources, mostValues } from './knowledge.ts'
import { learnIn, withdrawIn } from './learn.ts'
import { addressIn, browserIn, decide, type NetworkName, startWorld } from './testing/world.ts'

const { deviceFingerprint, issueToken, labelReports, updateAccountDevice, deleteAccountDevices } = endpoints
const phoneNumber = '917020141726'
const blocked = { action: 'BLOCK' } as const

/** What the account knows, without teaching it. */
const known = async (service: TestService, network: NetworkName = 'paris', more = {}) =>
  (await decide(service, network, { ...blocked, ...more })).input

async function ok(service: TestService, path: string, body: object) {
  const answer = await service.post(path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const read = (service: TestService, dfrId: string, more: object = {}) =>
  ok(service, deviceFingerprint.path, { dfrId, deviceType: 'WEB', userId: 'asha', ...more })

const label = (service: TestService, dfrId: string, outcome: string) =>
  ok(service, labelReports.path, { labels: [{ dfrId, outcome, userId: 'asha' }] })

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('learns from a report that is read for a user, an issued token and a good label, once for each'),
    async (t) => {
      const service = await startWorld(t, await open(t))
      const own = browserIn(service, await createApp(service))
      const visits = async () => {
        service.clock.advance({ hours: 24 })
        return own.visits('home')
      }
      const first = await visits()
      for (const more of [{ userVerified: false }, { userId: undefined }]) {
        await read(service, first.dfrId, more)
        assert.deepEqual(await known(service), { sessions: 0 })
      }
      for (let again = 0; again < 3; again++) await read(service, first.dfrId)
      assert.equal((await known(service)).sessions, 1)

      const { requestId } = await visits()
      const identity = { identityType: 'MOBILE', identityValue: phoneNumber, channel: 'SMS', methods: ['OTP'] }
      const verifiedAt = new Date(service.clock.now()).toISOString()
      const identities = [{ ...identity, verified: true, verifiedAt }]
      for (let again = 0; again < 2; again++)
        await ok(service, issueToken.path, { userId: 'asha', identities, requestId })
      assert.equal((await known(service)).sessions, 2)
      assert.equal((await known(service, 'paris', { userId: 'ben', phoneNumber })).linkedAccounts, 1)

      const third = await visits()
      for (let again = 0; again < 2; again++) await label(service, third.dfrId, 'legitimate')
      const { sessions, newCountry, newNetwork, travel } = await known(service)
      assert.deepEqual([sessions, newCountry, newNetwork, travel?.impossible], [3, true, true, true])
      assert.deepEqual(
        [(await known(service, 'home')).newNetwork, (await known(service, 'office')).newNetwork],
        [false, true],
      )
    },
  )

  test(it('learns from a completed sign-in, with or without a device, and from no failed one'), async (t) => {
    const service = await startWorld(t, await open(t), { channels: outboxChannels })
    const app = await createApp(service)
    const at = (network: NetworkName) => sdkClient(service, { app, headers: { 'x-forwarded-for': addressIn(network) } })
    const otp = () => /^(\d{4,10})\b/.exec(service.parts.signIn.outbox.messages().at(-1)!.text)![1]!
    const start = { channel: 'OTP', identity: mobile }
    const client = await at('paris')
    const { body: failed } = await client.post(endpoints.signInStart.path, start)
    await client.post(endpoints.signInVerify.path, { transactionId: failed.transactionId, otp: anotherOtp(otp()) })
    const signIn = async (network: NetworkName, mode: object = {}) => {
      service.clock.advance({ hours: 24 })
      const person = await at(network)
      const { body } = await person.post(endpoints.signInStart.path, { ...start, ...mode })
      if ('deviceFingerprintMode' in mode) await person.fingerprint()
      const done = await person.post(endpoints.signInVerify.path, { transactionId: body.transactionId, otp: otp() })
      assert.equal(done.status, 200, JSON.stringify(done.body))
      return done.body.userId as string
    }
    const userId = await signIn('home')
    const more = { userId, phoneNumber: mobile.value }
    assert.equal((await known(service, 'home', more)).sessions, 1)
    await signIn('home', { deviceFingerprintMode: 'SYNC' })
    await signIn('home')
    const { sessions, newCountry, newNumber, linkedAccounts, travel } = await known(service, 'paris', more)
    assert.deepEqual([sessions, newCountry, newNumber, linkedAccounts], [3, true, false, 0])
    assert.equal(travel?.impossible, true)
    assert.equal((await known(service, 'home', more)).newCountry, false)
  })

  test(it('a doubted sign-in without a device teaches no country and no network'), async (t) => {
    const service = await startWorld(t, await open(t), { channels: outboxChannels })
    const app = await createApp(service)
    const identity = { type: 'MOBILE', value: '917020140110' }
    const signIn = async (network: NetworkName) => {
      service.clock.advance({ hours: 24 })
      const person = await sdkClient(service, { app, headers: { 'x-forwarded-for': addressIn(network) } })
      const { body } = await person.post(endpoints.signInStart.path, { channel: 'OTP', identity })
      const otp = /^(\d{4,10})\b/.exec(service.parts.signIn.outbox.messages().at(-1)!.text)![1]!
      return (await person.post(endpoints.signInVerify.path, { transactionId: body.transactionId, otp })).body
    }
    const { userId } = await signIn('home')
    // The SIM was swapped since. The thief's page shows no device.
    const { token } = await signIn('paris')
    assert.equal((await known(service, 'paris', { userId })).sessions, 2)
    const { action } = await ok(service, endpoints.decide.path, { action: 'LOGIN', userId, token, deadlineMs: 10_000 })
    assert.notEqual(action, 'ALLOW')
    const { sessions, travel } = await known(service, 'paris', { userId })
    assert.deepEqual([sessions, travel?.impossible], [1, false], 'that of the person is what the account knows')
    assert.equal((await known(service, 'home', { userId })).travel?.distanceKm, 0)
  })

  test(it('a decision teaches by a sign-in or a known device only, and never when a rule doubts it'), async (t) => {
    const service = await startWorld(t, await open(t))
    const own = browserIn(service, await createApp(service))
    for (const action of ['REVIEW', 'CHALLENGE', 'BLOCK'] as const) {
      assert.deepEqual((await decide(service, 'paris', { action })).input, { sessions: 0 })
    }
    await decide(service, 'paris', { hasLogin: false })
    const visit = await own.visits('home')
    await decide(service, 'home', { hasLogin: false, analysis: visit.analysis })
    assert.deepEqual(
      await known(service),
      { sessions: 0 },
      'a password may be guessed, and the backend asks before it is checked',
    )
    await read(service, visit.dfrId)
    service.clock.advance({ hours: 1 })
    const { analysis } = await own.visits('home')
    await decide(service, 'home', { hasLogin: false, analysis, action: 'WARN' })
    assert.equal((await known(service)).sessions, 2, 'a known device proves it')
    await decide(service, 'home', { hasLogin: true, analysis })
    assert.equal((await known(service)).sessions, 2)
  })

  test(it('forgets everything that an attacker taught in quiet sessions, once one of them is labelled'), async (t) => {
    const service = await startWorld(t, await open(t))
    const app = await createApp(service)
    const [own, thief] = [browserIn(service, app), browserIn(service, app, laptop())]
    const teach = async (browser: typeof own, network: NetworkName, number: string) => {
      const visit = await browser.visits(network)
      await decide(service, network, { analysis: visit.analysis, phoneNumber: number })
      await read(service, visit.dfrId)
      return visit.dfrId
    }
    const quiet: string[] = []
    for (let day = 0; day < 5; day++) {
      service.clock.advance({ hours: 24 })
      await teach(own, 'home', phoneNumber)
      quiet.push(await teach(thief, 'paris', '33612345678'))
    }
    const before = await known(service, 'paris', { phoneNumber: '33612345678' })
    assert.deepEqual([before.sessions, before.newCountry, before.newNumber], [10, false, false])
    service.clock.advance({ hours: 1 })
    await label(service, quiet.at(-1)!, 'accountTakeover')
    const forgotten = async () => {
      const { sessions, newCountry, newNumber, ageDays } = await known(service, 'paris', { phoneNumber: '33612345678' })
      assert.deepEqual([sessions, newCountry, newNumber, Math.round(ageDays!)], [5, true, true, 4])
      const ofOther = { userId: 'ben', phoneNumber: '33612345678' }
      assert.equal((await known(service, 'paris', ofOther)).linkedAccounts, 0)
    }
    await forgotten()
    // Old reports that are read again, and a good label of one.
    for (const dfrId of quiet) await read(service, dfrId)
    await label(service, quiet[0]!, 'legitimate')
    await forgotten()
    assert.equal((await known(service, 'home')).newNetwork, false)
    service.clock.advance({ hours: 1 })
    const { analysis } = await thief.visits('paris')
    assert.equal((await known(service, 'paris', { analysis })).knownDevice, 'no')
    await decide(service, 'paris', { hasLogin: false, analysis })
    await forgotten()
  })

  test(it('whoever copies the facts of a device cannot make the account forget what that device taught'), async (t) => {
    const service = await startWorld(t, await open(t))
    const app = await createApp(service)
    const [own, thief] = [browserIn(service, app), browserIn(service, app)]
    for (let day = 0; day < 4; day++) {
      service.clock.advance({ hours: 24 })
      await read(service, (await own.visits('home')).dfrId)
    }
    const copy = await thief.visits('paris')
    await label(service, copy.dfrId, 'fraud')
    const { sessions, newCountry } = await known(service)
    assert.deepEqual([sessions, newCountry], [4, true])
  })

  test(it('unlearns a device that the user disowns, and deletes all of it with the account'), async (t) => {
    const service = await startWorld(t, await open(t))
    const { database } = service.parts
    const app = await createApp(service)
    const [own, other] = [browserIn(service, app), browserIn(service, app, laptop())]
    const teach = async (browser: typeof own, network: NetworkName) => {
      service.clock.advance({ hours: 1 })
      const { analysis, dfrId } = await browser.visits(network)
      await decide(service, network, { analysis, phoneNumber })
      await read(service, dfrId)
      return analysis.deviceId!
    }
    const deviceId = await teach(other, 'paris')
    for (let session = 0; session < 3; session++) await teach(own, 'home')
    assert.equal((await known(service)).newCountry, false)
    await ok(service, updateAccountDevice.path, { userId: 'asha', deviceId, trusted: false })
    const { newCountry, sessions, ageDays } = await known(service)
    assert.deepEqual([newCountry, sessions, ageDays], [true, 3, 2 / 24], 'its first session does not count either')
    await teach(other, 'paris')
    assert.equal((await known(service)).newCountry, false, 'a later proven session')
    await ok(service, deleteAccountDevices.path, { userId: 'asha', deviceId })
    assert.deepEqual([(await known(service)).newCountry, (await known(service)).sessions], [true, 3])
    const { analysis } = await own.visits('home')
    const keys = await service.parts.tenantKeyring.keysOf(service.tenantId)
    const counted = [`device ${analysis.deviceId}`, `installation ${analysis.installationId}`, 'user asha']
    const leavesAt = service.clock.now() + 1
    const rows = counted.map((key) => ({
      ...{ keyHash: keyHashOf(keys, key), part: 0, folded: 0 },
      leavesAt,
      content: '',
    }))
    await database.batch([writeVelocities(rows, service.clock.now())])
    await forgetDevice({ tenantId: service.tenantId, deviceId: analysis.deviceId! }, service.parts)
    assert.equal((await known(service)).sessions, 0, 'ringfence devices forget')
    const left = await database.query<{ keyHash: Uint8Array }>('select key_hash as "keyHash" from velocity_count')
    assert.deepEqual(
      left.map(({ keyHash }) => Buffer.from(keyHash)),
      [Buffer.from(keyHashOf(keys, 'user asha'))],
    )
    await teach(own, 'home')
    await ok(service, deleteAccountDevices.path, { userId: 'asha' })
    assert.deepEqual(await known(service, 'paris', { phoneNumber }), { sessions: 0, linkedAccounts: 0 })
    for (const table of ['account_knowledge', 'account_number']) {
      assert.deepEqual(await database.query(`select 1 as one from ${table}`), [], table)
    }
  })

  test(it('forgets what is older than the retention of visits, and the row with its last session'), async (t) => {
    const service = await startWorld(t, await open(t))
    const { database } = service.parts
    for (let session = 0; session < 3; session++) {
      await decide(service, 'paris', { phoneNumber })
      await decide(service, 'home', { operator: 'VI' })
      service.clock.advance({ hours: 1 })
    }
    const days = service.parts.settings.deviceHistoryDays
    service.clock.advance({ hours: (days - 1) * 24 })
    for (let session = 0; session < 3; session++) {
      await decide(service, 'home', { operator: 'JIO' })
      service.clock.advance({ hours: 1 })
    }
    const old = { operator: 'VI' }
    const { newCountry: isNewBefore, newOperator } = await known(service, 'paris', old)
    assert.deepEqual([isNewBefore, newOperator], [false, false])
    service.clock.advance({ hours: 48 })
    await dropExpired(service.parts)
    const after = await known(service, 'paris', old)
    assert.deepEqual([after.newCountry, after.newOperator], [true, true], 'also of a source that goes on')
    assert.deepEqual(await database.query('select 1 as one from account_number'), [])
    service.clock.advance({ hours: days * 24 })
    assert.deepEqual(await known(service, 'paris'), { sessions: 0 }, 'at once, before it is deleted')
    await decide(service, 'home')
    assert.deepEqual([(await known(service)).sessions, (await known(service)).ageDays], [1, 0])
    service.clock.advance({ hours: days * 24 + 1 })
    await dropExpired(service.parts)
    assert.deepEqual(await database.query('select 1 as one from account_knowledge'), [])
  })

  test(
    it('no decision of many at once fails, and what a race leaves out is learned at the next session'),
    async (t) => {
      const service = await startWorld(t, await open(t))
      const places: NetworkName[] = ['home', 'office', 'hotelInDelhi', 'paris', 'neighbour']
      const atOnce = () => Promise.all(Array.from({ length: 25 }, (_, i) => decide(service, places[i % places.length])))
      await atOnce()
      assert.ok((await known(service)).sessions! >= 1)
      for (let round = 0; round < places.length; round++) {
        service.clock.advance({ hours: 1 })
        await atOnce()
        await decide(service, places[round])
      }
      for (const place of places) assert.equal((await known(service, place)).newNetwork, false, place)
    },
  )

  test(it('a label wins against a decision that read the account before it'), async (t) => {
    const service = await startWorld(t, await open(t))
    const { database, tenantKeyring, clock } = service.parts
    const keys = await tenantKeyring.keysOf(service.tenantId)
    const account = { tenantId: service.tenantId, accountHash: accountHashOf('asha', keys) }
    const { shown } = await decide(service, 'paris')
    service.clock.advance({ hours: 1 })
    const withdraw = () => database.transaction((tx) => withdrawIn(tx, account, shown, keys, clock.now()))
    const batch = database.batch.bind(database)
    let isLabelled = false
    const slow = {
      ...service,
      parts: {
        ...service.parts,
        database: new Proxy(database, {
          get(target, name) {
            if (name !== 'batch') return Reflect.get(target, name, target)
            return async (statements: Parameters<typeof batch>[0]) => {
              await withdraw()
              isLabelled = true
              return batch(statements)
            }
          },
        }),
      },
    }
    await decide(slow, 'paris')
    assert.ok(isLabelled)
    assert.deepEqual(await known(service), { sessions: 0 })
    await database.transaction((tx) => learnIn(tx, account, { shown, since: 0 }, keys))
    assert.deepEqual(await known(service), { sessions: 0 }, 'a session from before the label')
  })

  test(it('stores nothing readable, and a bounded amount however much an account shows'), async (t) => {
    const service = await startWorld(t, await open(t))
    const { database, tenantKeyring } = service.parts
    const keys = await tenantKeyring.keysOf(service.tenantId)
    const account = { tenantId: service.tenantId, accountHash: accountHashOf('asha', keys) }
    for (let session = 0; session < 30; session++) {
      await decide(service, 'home', { operator: 'OPERATOR-IN-CLEAR', phoneNumber })
      service.clock.advance({ hours: 1 })
    }
    const size = async () => {
      const [row] = await database.query<{ sealed: Uint8Array }>('select sealed from account_knowledge')
      return row!.sealed.length
    }
    assert.ok((await size()) < 1000, `${await size()}`)
    const text = JSON.stringify(
      [
        ...(await database.query('select * from account_knowledge')),
        ...(await database.query('select * from account_number')),
      ],
      (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
    )
    assert.doesNotMatch(text, /CLEAR|17488|"IN"|asha|7020141726/)

    const place = { latitude: 51.2, longitude: -170.1, radiusKm: 1008 }
    await database.transaction(async (tx) => {
      for (let value = 0; value < 3 * mostSources * mostValues; value++) {
        const at = service.clock.now() + value * 3_600_000
        const id = value.toString(16).padStart(16, '0')
        const source = `${value % (3 * mostSources)}`.padStart(16, '0')
        const ofValue = { country: `X${value}`, network: `${4e9 + value}`, operator: `OPERATOR-${value}`, number: id }
        await learnIn(tx, account, { shown: { at, source, device: id, ...ofValue, place }, since: 0 }, keys)
      }
    })
    assert.ok((await size()) < 60_000, `${await size()}`)
    const { sessions, newNetwork } = await known(service, 'home')
    assert.ok(sessions! >= 30)
    assert.equal(newNetwork, false, 'a flood displaces no habit')
  })
})
