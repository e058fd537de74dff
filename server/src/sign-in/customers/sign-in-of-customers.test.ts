import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, type PrivacySubject } from '@ringfence/contract'
import { personOf } from '../../accounts/person.ts'
import { keyRotations } from '../../admin/key-rotation/key-rotations.ts'
import { startTenantRotation } from '../../admin/key-rotation/tenant-key.ts'
import { eraseSubject } from '../../admin/privacy/erase.ts'
import { exportSubject } from '../../admin/privacy/export.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { email, mobile, type SignInService, startSignInService } from '../authentication/testing/sign-in-service.ts'
import { tokenCalls } from '../tokens/testing.ts'
import { ImportRefused } from './import-claim.ts'
import { address, customersOf, importFolder, number } from './testing.ts'

const signedIn = async (service: SignInService, start: object = {}) => {
  service.clock.advance({ seconds: 61 })
  const { body } = await service.start(start)
  return (await service.verify(body.transactionId, { otp: service.otp() })).body
}
const byEmail = { method: 'EMAIL', identity: email }

/** The `userId` that a backend gets for the token of a sign-in. */
async function userIdFor(service: SignInService, start: object = {}): Promise<{ userId: string; personId: string }> {
  const { token, userId: personId } = await signedIn(service, start)
  return { userId: (await tokenCalls(service).validate(token)).body.userId, personId }
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('the first sign-in by an imported number is that of the customer, and the page sees a minted id'),
    async (t) => {
      const service = await startSignInService(t, await open(t))
      const customers = customersOf(service, await importFolder(t))
      await customers.import([`wallet-1,+${mobile.value},${email.value.toUpperCase()}`])
      const one = await userIdFor(service)
      assert.equal(one.userId, 'wallet-1')
      assert.notEqual(one.personId, 'wallet-1')
      const other = await userIdFor(service, byEmail)
      assert.equal(other.userId, 'wallet-1', 'another identity of the same customer')
      assert.notEqual(other.personId, one.personId)
      // A later import does not move a person: the backend does.
      await customers.import([`wallet-1,,`, `wallet-2,${mobile.value},`])
      assert.equal((await userIdFor(service)).userId, 'wallet-1')
    },
  )

  test(it('a user who signed in before the import is linked at the next sign-in'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const before = await userIdFor(service)
    assert.equal(before.userId, before.personId)
    await customersOf(service, await importFolder(t)).import([`wallet-1,${mobile.value},`])
    assert.deepEqual(await userIdFor(service), { userId: 'wallet-1', personId: before.personId })
  })

  test(it('a number of two customers, of another tenant or of nobody links nobody'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const folder = await importFolder(t)
    const { id } = await service.parts.tenantKeyring.createTenant('another')
    await customersOf({ ...service, tenantId: id }, folder).import([`theirs,${mobile.value},`])
    const first = await userIdFor(service)
    assert.equal(first.userId, first.personId)
    await customersOf(service, folder).import([`a,${mobile.value},`, `b,${mobile.value},${email.value}`])
    const second = await userIdFor(service)
    assert.deepEqual(second, first)
    assert.equal(
      await personOf(service.tenantId, first.personId, service.parts).then((one) => one?.customerId),
      undefined,
    )
  })

  test(it('a link by an import is an event, and what the backend unlinks or merges stays so'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const customers = customersOf(service, await importFolder(t))
    await customers.import([`wallet-1,${mobile.value},${email.value}`])
    const { personId } = await userIdFor(service)
    const { body } = await service.post(endpoints.searchEvents.path, { userId: 'wallet-1', types: ['user.linked'] })
    assert.deepEqual(
      body.events.map(({ data }: { data: object }) => data),
      [{ userId: 'wallet-1', personId, by: 'IMPORT' }],
    )
    const identity = { type: 'MOBILE', value: mobile.value }
    const unlinked = await service.post(endpoints.unlinkUser.path, { userId: 'wallet-1', identity })
    assert.equal(unlinked.status, 200)
    assert.deepEqual(await userIdFor(service), { userId: personId, personId })
    assert.equal(await customers.with(address(email.value)), 'wallet-1')

    const merged = await service.post(endpoints.mergeUsers.path, { userId: 'wallet-1', into: 'wallet-2' })
    assert.equal(merged.status, 200)
    assert.equal((await userIdFor(service, byEmail)).userId, 'wallet-2')
    await customers.import([`wallet-2,${mobile.value},${email.value}`])
    assert.deepEqual(await userIdFor(service), { userId: 'wallet-2', personId })
  })

  test(it('export and erasure find an imported customer by id, number and email address'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { tenantId, parts } = service
    const folder = await importFolder(t)
    const customers = customersOf(service, folder)
    const lines = ['a,917020141726,ada@shop.example', 'b,917020141727,', 'c,917020141727,carl@shop.example']
    await customers.import(lines)
    const exported = async (subject: PrivacySubject) => {
      const found: unknown[] = []
      for await (const { kind, record } of exportSubject(tenantId, subject, parts))
        if (kind === 'importedCustomer') found.push(record)
      return found
    }
    assert.deepEqual(await exported({ kind: 'userId', value: 'a' }), [{ userId: 'a', contacts: 2 }])
    assert.deepEqual(await exported({ kind: 'email', value: 'Ada@Shop.example' }), [{ userId: 'a', contacts: 2 }])
    assert.equal((await exported({ kind: 'phoneNumber', value: '917020141727' })).length, 2)
    assert.deepEqual(await exported({ kind: 'userId', value: 'nobody' }), [])
    const erase = async (subject: PrivacySubject) => {
      const erasure = { tenantId, subject, by: 'test', reason: 'asked', keepListEntries: false }
      const { erased } = await eraseSubject(erasure, parts)
      return [erased.importedCustomer, erased.importedContact]
    }
    assert.deepEqual(await erase({ kind: 'userId', value: 'a' }), [1, 2])
    assert.equal(await customers.with(number('917020141726')), undefined)
    assert.equal(await customers.with(address('ada@shop.example')), undefined)
    assert.deepEqual(await erase({ kind: 'phoneNumber', value: '917020141727' }), [1, 2])
    assert.equal(await customers.with(address('carl@shop.example')), 'c')
    assert.deepEqual(await exported({ kind: 'userId', value: 'c' }), [{ userId: 'c', contacts: 1 }])
    assert.deepEqual(await erase({ kind: 'email', value: 'carl@shop.example' }), [1, 1])
    for (const table of ['customer', 'customer_contact'])
      assert.deepEqual(await parts.database.query(`select * from ${table}`), [])
    assert.deepEqual(await erase({ kind: 'email', value: 'carl@shop.example' }), [undefined, undefined])
  })

  test(it('an erasure stops an import that could store the person again'), async (t) => {
    const service = await startSignInService(t, await open(t))
    const { tenantId, parts } = service
    const folder = await importFolder(t)
    const customers = customersOf(service, folder)
    const lines = Array.from({ length: 200 }, (_, i) => `c${i},${917_020_100_000 + i},`)
    let erasing: Promise<unknown> | undefined
    // The import writes on when the erasure has ended, not before.
    const { database } = parts
    const transaction: typeof database.transaction = async (work, ms) => {
      await erasing
      return database.transaction(work, ms)
    }
    const slow = { ...parts, database: Object.create(database, { transaction: { value: transaction } }) }
    const subject = { kind: 'userId', value: 'c7' } as const
    const erasure = { tenantId, subject, by: 'test', reason: 'asked', keepListEntries: false }
    await customers.import(['c7,917020100007,'])
    const interrupted = customersOf({ ...service, parts: slow }, folder).import(lines, {
      sliceRows: 1,
      onProgress: ({ phase }) => {
        if (phase === 'customers') erasing ??= eraseSubject(erasure, parts)
      },
    })
    await assert.rejects(interrupted, (error) => error instanceof ImportRefused && /was erased/.test(error.message))
    await erasing
    await customers.import(lines.filter((line) => !line.startsWith('c7,')))
    assert.equal(await customers.with(number('917020100007')), undefined)
    assert.equal(await customers.with(number('917020100008')), 'c8')
  })

  test(
    it('a rotated key opens what was imported before, and seals what is imported while it is rotated'),
    async (t) => {
      const service = await startSignInService(t, await open(t))
      const { tenantId, parts } = service
      const customers = customersOf(service, await importFolder(t))
      await customers.import(['a,917020141726,'])
      await startTenantRotation({ id: tenantId, name: 'test' }, parts)
      const versions = async () => {
        const rows = await parts.database.query<{ sealed: Uint8Array }>('select sealed from customer_contact')
        return rows.map(({ sealed }) => sealed[0])
      }
      const rotate = async () => {
        const rounds = keyRotations(parts)
        for (let round = 0; round < 8; round++) {
          await rounds.advance()
          service.clock.advance({ seconds: 60 })
        }
      }
      await customers.import([], {
        source: (async function* () {
          yield Buffer.from('id,number\nb,917020141727\n')
          await rotate()
        })(),
      })
      assert.deepEqual(await versions(), [2, 2])
      await rotate()
      assert.equal(await customers.with(number('917020141726')), 'a')
      assert.equal(await customers.with(number('917020141727')), 'b')
    },
  )
})
