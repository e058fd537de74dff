import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { type AdminCaller, adminClient } from '../testing.ts'

const reason = 'Ticket 4711'
const deviceId = '0d5f7b9b-1c3e-4a6f-8a7b-6c5d4e3f2a1b'

const listed = async (admin: AdminCaller) => (await admin('listAudit')).body.lines.toReversed()
const found = async (call: AdminCaller, kind: string, value: string) => {
  const { status, body } = await call('exportSubject', { subject: { kind, value }, reason })
  assert.equal(status, 200, JSON.stringify(body))
  return body.records as { kind: string; record: Record<string, unknown> }[]
}
const erase = async (call: AdminCaller, kind: string, value: string, fields = {}) => {
  const { status, body } = await call('eraseSubject', { subject: { kind, value }, reason, ...fields })
  assert.equal(status, 200, JSON.stringify(body))
  return body.erased
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('names of fields, roles, lists, staff and reasons name nobody: the audit log stays'), async (t) => {
    const service = await startTestService(t, await open(t))
    const admin = await adminClient(service, 'admin')
    const support = await adminClient(service, 'support')
    await admin('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'block' })
    await admin('addListEntries', { name: 'mules', entries: [{ value: '917020141726' }] })
    await admin('invite', { role: 'viewer', email: 'tim@shop.example' })
    await support('reveal', { kind: 'user', id: 'asha', reason })
    const before = await listed(admin)
    const { clientId } = (await admin('me')).body
    for (const value of ['role', 'sent', 'mules', 'admin', 'block', 'phoneNumber', 'user', reason, clientId]) {
      assert.deepEqual(await found(support, 'userId', value), [], value)
      assert.equal((await erase(support, 'userId', value)).auditLine, undefined, value)
    }
    assert.equal((await erase(support, 'email', 'tim@shop.example')).auditLine, undefined, 'nor does an invitation')
    assert.deepEqual((await listed(admin)).slice(0, before.length), before)
  })

  test(
    it('only the values of the subject go, also a number with spaces; who did what, when and why stays'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const admin = await adminClient(service, 'admin')
      const support = await adminClient(service, 'support')
      await admin('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'block' })
      await admin('createList', {
        name: 'who',
        kind: 'userId',
        purpose: 'block',
        description: 'asks for +91 70201-41726.',
      })
      const entries = [
        { value: '+91 70201 41726', note: 'Asha of Pune' },
        { value: '919820098200', note: 'Ben' },
      ]
      assert.equal((await admin('addListEntries', { name: 'mules', entries })).status, 200)
      await admin('addListEntries', { name: 'who', entries: [{ value: 'asha' }, { value: 'asha2' }] })
      await support('reveal', { kind: 'user', id: 'asha', reason })
      await service.post(endpoints.updateAccountDevice.path, { userId: 'asha', deviceId, name: 'x' })

      const lines = (await found(support, 'phoneNumber', '917020141726')).filter(({ kind }) => kind === 'auditLine')
      assert.deepEqual(
        lines.map(({ record }) => [record.action, record.sent]),
        [
          ['createList', [{ field: 'description', value: '+91 70201-41726' }]],
          ['addListEntries', [{ field: 'entries.0.value', value: '+91 70201 41726' }]],
        ],
      )
      assert.equal((await erase(support, 'phoneNumber', '917020141726')).auditLine, 2)
      assert.equal((await erase(support, 'userId', 'asha')).auditLine, 2)
      const log = await listed(admin)
      const of = (action: string, list?: string) =>
        log.find(
          (line: { action: string; details: { sent: { name?: string } } }) =>
            line.action === action && (list === undefined || line.details.sent.name === list),
        )
      const added = of('addListEntries', 'mules')
      assert.deepEqual(added.details.sent, {
        name: 'mules',
        entries: [{ value: '[erased]', note: '[erased]' }, entries[1]],
      })
      assert.deepEqual([added.erased, added.details.role], [true, 'admin'])
      assert.equal(of('createList', 'who').details.sent.description, 'asks for [erased].')
      assert.deepEqual(of('addListEntries', 'who').details.sent.entries, [{ value: '[erased]' }, { value: 'asha2' }])
      assert.deepEqual(of('reveal').details.sent, { kind: 'user', id: '[erased]', reason })
      const { erased, broken } = (await admin('verifyAudit')).body
      assert.deepEqual([erased, broken], [4, undefined])
      assert.equal((await erase(support, 'userId', 'asha')).auditLine, undefined, 'nothing of it is left')
    },
  )

  test(it('part of a number or address is somebody else; so is a longer one'), async (t) => {
    const channels = { mail: { type: 'outbox', recipient: 'EMAIL' } } as never
    const service = await startTestService(t, await open(t), { edit: (parts) => ({ ...parts, channels }) })
    const admin = await adminClient(service, 'admin')
    const support = await adminClient(service, 'support')
    const mail = { orderId: 'o1', email: 'sasha@example.com', channel: 'EMAIL', expiry: 300, otpLength: 6 }
    assert.equal((await service.post(endpoints.sendOtp.path, mail)).status, 200)
    const description = 'sasha@example.com, amount > 41726, 9917020141726, asha@example.com.au'
    await admin('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'block', description })
    await admin('addListEntries', { name: 'mules', entries: [{ value: '917020141726' }] })
    const others = [
      ['email', 'asha@example.com'],
      ['email', 'a@e'],
      ['userId', 'recipient'],
      ['userId', 'EMAIL'],
      ['phoneNumber', '41726'],
      ['phoneNumber', '70201417'],
    ] as const
    for (const [kind, value] of others) {
      assert.deepEqual(await found(support, kind, value), [], value)
      const erased = await erase(support, kind, value)
      assert.deepEqual([erased.signIn, erased.auditLine], [undefined, undefined], value)
    }
    const kinds = (await found(support, 'email', 'Sasha@Example.com')).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['event', 'event', 'signIn', 'auditLine'])
    const erased = await erase(support, 'email', 'Sasha@Example.com')
    assert.deepEqual([erased.signIn, erased.auditLine], [1, 1])
  })

  test(
    it("details that are missing or another line's are broken, unless an erasure sealed them for this line"),
    async (t) => {
      const database = await open(t)
      const service = await startTestService(t, database)
      const admin = await adminClient(service, 'admin')
      await admin('createList', { name: 'mules', kind: 'phoneNumber', purpose: 'block' })
      await admin('addListEntries', { name: 'mules', entries: [{ value: '917020141726' }] })
      await admin('addListEntries', { name: 'mules', entries: [{ value: '919820098200' }] })
      await erase(admin, 'phoneNumber', '917020141726')
      const verified = async () => (await admin('verifyAudit')).body
      assert.deepEqual([(await verified()).erased, (await verified()).broken], [1, undefined])
      await database.query(
        'update audit_line set sealed = (select sealed from audit_line where number = 2) where number = 3',
      )
      assert.equal((await verified()).broken?.number, 3)
      await database.query('update audit_line set sealed = null where number = 3')
      const { broken } = await verified()
      assert.equal(broken?.number, 3)
      assert.match(broken.reason, /removed/)
    },
  )
})
