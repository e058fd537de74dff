import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { type AuditLineRow, auditLinesAfter } from '../store/audit-lines.ts'
import { adminClient } from '../testing.ts'
import { openAuditLine, verifyAuditLog } from './chain.ts'

const list = { name: 'mules', kind: 'phoneNumber', purpose: 'block' }

const rowsOf = ({ parts: needs, tenantId }: TestService) =>
  auditLinesAfter(needs.database, { tenantId, after: 0, limit: 100 })

async function linesOf(service: TestService) {
  const keys = await service.parts.tenantKeyring.keysOf(service.tenantId)
  return (await rowsOf(service)).map((row) => openAuditLine(row, keys))
}

async function verified({ parts: needs, tenantId }: TestService) {
  return verifyAuditLog(needs.database, tenantId, await needs.tenantKeyring.keysOf(tenantId))
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('each change has one line with who, what and from where; reads and refusals have none'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'analyst')
    const me = (await call('me')).body
    assert.equal((await call('createList', list)).status, 200)
    assert.equal((await call('createList', list)).status, 409)
    assert.equal((await call('addListEntries', { name: 'none', entries: [{ value: '917020141726' }] })).status, 404)
    assert.equal((await call('addListEntries', { name: 'mules', entries: [{ value: '917020141726' }] })).status, 200)
    assert.equal((await call('readList', { name: 'mules' })).status, 200)
    const { body } = await service.post('/v1/decisions', { action: 'LOGIN', phoneNumber: '917020141726' })
    const { decisionId } = body
    const labels = [{ decisionId, outcome: 'fraud' }]
    assert.equal((await call('label', { labels }, { 'x-request-id': 'label-1' })).status, 200)

    const lines = await linesOf(service)
    assert.deepEqual(
      lines.map(({ number, actor, action, at }) => [number, actor, action, at]),
      ['createList', 'addListEntries', 'label'].map((action, i) => [
        i + 1,
        `client:${me.clientId}`,
        action,
        service.clock.now(),
      ]),
    )
    assert.deepEqual(lines.at(-1)!.details, {
      name: me.clientId,
      role: 'analyst',
      requestId: 'label-1',
      ipAddress: '127.0.0.1',
      sent: { labels },
    })
    const { head, ...rest } = await verified(service)
    assert.deepEqual(rest, { lines: 3, erased: 0 })
    assert.match(head!, /^[0-9a-f]{64}$/)
  })

  test(it('changes at the same time make a chain without gaps'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'admin')
    const names = Array.from({ length: 8 }, (_, i) => `list-${i}`)
    const answers = await Promise.all(names.map((name) => call('createList', { ...list, name })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.deepEqual((await verified(service)).lines, names.length)
  })

  test(it('a change of which the line cannot be stored does not happen'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const call = await adminClient(service, 'admin')
    await call('createList', list)
    await database.query('alter table audit_line rename to audit_line_away')
    assert.equal((await call('createList', { ...list, name: 'other' })).status, 500)
    await database.query('alter table audit_line_away rename to audit_line')
    const described = (await call('describeLists')).body.lists as { name: string }[]
    assert.deepEqual(
      described.map(({ name }) => name),
      ['mules'],
    )
  })

  test(it('a line that was changed, moved or deleted breaks the chain at its number'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const call = await adminClient(service, 'admin')
    for (const name of ['a', 'b', 'c', 'd']) await call('createList', { ...list, name })
    const rows = await rowsOf(service)
    const restore = async () => {
      await database.query('delete from audit_line')
      for (const row of rows) await insertAt(database, row)
    }
    const intact = await verified(service)
    assert.equal(intact.broken, undefined)
    for (const [sql, number, reason] of [
      ["update audit_line set actor = 'person:nobody' where number = 2", 2, /changed/],
      ['update audit_line set at = at + 1 where number = 3', 3, /changed/],
      [
        'update audit_line set sealed = (select sealed from audit_line where number = 1) where number = 2',
        2,
        /details/,
      ],
      ['delete from audit_line where number = 2', 2, /missing; the next one is 3/],
      ['delete from audit_line where number = 1', 1, /missing/],
    ] as const) {
      await database.query(sql)
      const { broken } = await verified(service)
      assert.equal(broken?.number, number, sql)
      assert.match(broken.reason, reason)
      await restore()
    }
    const head = await database.query<{ number: number; hash: Uint8Array }>('select number, hash from audit_head')
    const putBack = async () => {
      await database.query('delete from audit_head')
      await database.query('insert into audit_head (tenant_id, number, hash) values ($1, $2, $3)', [
        service.tenantId,
        head[0]!.number,
        head[0]!.hash,
      ])
      await restore()
    }
    for (const [statements, number, reason] of [
      [['delete from audit_line where number = 4'], 4, /missing, and all to the last one, 4/],
      [['delete from audit_line'], 1, /missing, and all to the last one, 4/],
      [['delete from audit_line where number > 2', 'update audit_head set number = 2'], 3, /the end was changed/],
      [['delete from audit_line where number > 2', 'delete from audit_head'], 3, /record of the end is gone/],
      [['update audit_head set number = 3'], 5, /the end was changed/],
    ] as const) {
      for (const sql of statements) await database.query(sql)
      const { broken } = await verified(service)
      assert.equal(broken?.number, number, statements.join())
      assert.match(broken.reason, reason)
      await putBack()
    }
    assert.deepEqual(await verified(service), intact)
    const late = await call('verifyAudit')
    assert.equal(late.body.broken, undefined)
  })

  test(it('lines that come while the log is verified are nothing wrong'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'admin')
    await call('createList', list)
    const results = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const made = call('createList', { ...list, name: `list-${i}` })
        const { broken } = await verified(service)
        await made
        return broken
      }),
    )
    assert.deepEqual(new Set(results), new Set([undefined]))
  })
})

async function insertAt(database: Database, row: AuditLineRow): Promise<void> {
  await database.query(
    'insert into audit_line (tenant_id, number, at, actor, action, content_hash, sealed, hash) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    [row.tenantId, row.number, row.at, row.actor, row.action, row.contentHash, row.sealed, row.hash],
  )
}
