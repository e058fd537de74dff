import assert from 'node:assert/strict'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type Decision, type ErasureReceipt, endpoints } from '@ringfence/contract'
import { decisionCalls } from '../../decisions/testing.ts'
import { customersOf, importFolder, number } from '../../sign-in/customers/testing.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { adminClient } from '../testing.ts'
import { ledgerOf, readLedger } from './ledger.ts'
import { pendingErasures, repeatErasures } from './repeat.ts'

const asha = { userId: 'asha-1001', phoneNumber: '917020141726', email: 'asha@example.com' }
const ben = { userId: 'ben-1002', phoneNumber: '917020142848', email: 'ben@example.com' }
const reason = 'Ticket 4711'

/** Each has a computer of another make. */
const factsOf = (userId: string) => ({
  ...ordinaryFacts,
  vendor: userId,
  hardwareConcurrency: 4 + userId.length,
  deviceMemory: userId.startsWith('asha') ? 8 : 4,
})

async function record(service: TestService, person: typeof asha): Promise<string> {
  const sdk = await sdkClient(service)
  const { userId, phoneNumber } = person
  const { requestId } = await sdk.analyse(factsOf(userId), { updateInfo: { userId, phoneNumber } })
  const { dfrId } = (await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(requestId))).body
  const { device } = (await decisionCalls(service).decide({ ...person, dfrId })).body as Decision
  return device!.deviceId
}

/** What a restore brings back: the person, and no row of the erasure. */
async function restored(service: TestService): Promise<string> {
  await service.parts.database.query('delete from erasure')
  return record(service, asha)
}

async function exported(service: TestService, kind: string, value: string): Promise<number> {
  const support = await adminClient(service, 'support')
  return (await support('exportSubject', { subject: { kind, value }, reason })).body.records.length
}

eachDatabase(({ engine, open }) => {
  for (const kind of ['userId', 'phoneNumber', 'email', 'deviceId'] as const) {
    test(`an erasure by ${kind} is repeated in a restored store, without a file that names the person (${engine})`, async (t) => {
      const service = await startTestService(t, await open(t))
      const { parts: needs } = service
      const support = await adminClient(service, 'support')
      await record(service, ben)
      const first = await record(service, asha)
      // A device that returns has its id in the backup; here it gets another one.
      const value = kind === 'deviceId' ? first : asha[kind]
      const { body } = await support('eraseSubject', { subject: { kind, value }, reason })
      const receipt = body as ErasureReceipt
      assert.equal(await exported(service, kind, value), 0)
      const file = ledgerOf(needs.settings)
      const text = await readFile(file, 'utf8')
      for (const clear of [...Object.values(asha), first]) assert.ok(!text.includes(clear), clear)

      const { entries } = await readLedger(file)
      assert.deepEqual(await pendingErasures(entries, needs), [], 'the store knows it')
      if (kind === 'deviceId') {
        await needs.database.query('delete from erasure')
        const list = { name: 'farms', kind: 'deviceId', purpose: 'block' } as const
        await needs.rules.lists.create(service.tenantId, list, 'test')
        await needs.rules.lists.add(service.tenantId, list.name, [{ value: first }], 'test')
      } else {
        await restored(service)
        assert.notEqual(await exported(service, kind, value), 0)
      }
      assert.equal((await pendingErasures(entries, needs)).length, 1)
      const done = await repeatErasures(entries, 'root', needs)
      assert.deepEqual([done.repeated.length, done.nothingFound], [1, 0])
      assert.equal(done.repeated[0]!.reason, `After a restore, again: ${reason}`)
      // The entry of a list is kept, as the first erasure kept them.
      assert.equal(await exported(service, kind, value), kind === 'deviceId' ? 1 : 0)
      assert.notEqual(await exported(service, 'userId', ben.userId), 0, 'others stay')
      const { receipts } = (await support('listErasures')).body as { receipts: ErasureReceipt[] }
      assert.deepEqual(
        receipts.map(({ id }) => id).toSorted(),
        [receipt.id, done.repeated[0]!.id].toSorted(),
        'the first receipt is there again',
      )
      const again = await repeatErasures((await readLedger(file)).entries, 'root', needs)
      assert.deepEqual([again.repeated, again.nothingFound], [[], 0])
    })
  }

  test(`an erasure of an imported customer is repeated, by id, number and email address (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs } = service
    const support = await adminClient(service, 'support')
    const customers = customersOf(service, await importFolder(t))
    const uuid = '0192f0c1-2b3c-4d5e-8f90-123456789abc'
    const lines = [
      `${uuid},917020141726,`,
      '1e5,917020141727,',
      'c,917020141728,',
      'd,,d@shop.example',
      'e,917020141729,',
    ]
    await customers.import(lines)
    const erased = { userId: [uuid, '1e5'], phoneNumber: ['917020141728'], email: ['d@shop.example'] }
    for (const [kind, values] of Object.entries(erased))
      for (const value of values) await support('eraseSubject', { subject: { kind, value }, reason })
    await needs.database.query('delete from erasure')
    await customers.import(lines)
    const { entries } = await readLedger(ledgerOf(needs.settings))
    const { repeated, nothingFound } = await repeatErasures(entries, 'root', needs)
    assert.deepEqual([repeated.length, nothingFound], [2, 0])
    const left = await needs.database.query('select customer_hash from customer')
    assert.equal(left.length, 1)
    assert.equal(await customers.with(number('917020141729')), 'e')
  })

  test(`an erasure of somebody the restore did not bring back is done at once (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs } = service
    const support = await adminClient(service, 'support')
    await record(service, asha)
    await support('eraseSubject', { subject: { kind: 'userId', value: asha.userId }, reason })
    await needs.database.query('delete from erasure')
    await record(service, ben)
    const { entries } = await readLedger(ledgerOf(needs.settings))
    const done = await repeatErasures(entries, 'root', needs)
    assert.deepEqual([done.repeated, done.nothingFound], [[], 1])
    assert.deepEqual(await pendingErasures(entries, needs), [])
  })
})

test('a ledger that was cut off, changed or is of another store erases nobody else', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { parts: needs } = service
  const file = ledgerOf(needs.settings)
  assert.deepEqual(await readLedger(file), { entries: [], damaged: 0 })
  const support = await adminClient(service, 'support')
  await record(service, asha)
  await support('eraseSubject', { subject: { kind: 'userId', value: asha.userId }, reason })
  await appendFile(file, '{"tenantId":"x","ma')
  await support('eraseSubject', { subject: { kind: 'email', value: asha.email }, reason })
  const { entries, damaged } = await readLedger(file)
  assert.deepEqual([entries.length, damaged], [2, 1])
  await restored(service)
  const [entry] = entries
  const changed = { ...entry!, receipt: { ...entry!.receipt, reason: 'other' } }
  const foreign = { ...entry!, tenantId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e' }
  const done = await repeatErasures([changed, foreign], 'root', needs)
  assert.deepEqual([done.repeated, done.nothingFound, done.left], [[], 0, 2])
  assert.notEqual(await exported(service, 'userId', asha.userId), 0)
})

test('an erasure succeeds without a ledger, and its receipt says so', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const file = ledgerOf(service.parts.settings)
  const support = await adminClient(service, 'support')
  const subject = { kind: 'userId', value: asha.userId }
  // Root writes into any file, so a folder is in its place.
  await mkdir(file)
  const { status, body } = await support('eraseSubject', { subject, reason })
  assert.equal(status, 200)
  assert.match((body as ErasureReceipt).remains.join('\n'), /erasures\.ndjson of the data folder could not be written/)
})
