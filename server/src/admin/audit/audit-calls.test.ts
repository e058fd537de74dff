import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { adminClient } from '../testing.ts'

const list = { kind: 'phoneNumber', purpose: 'block' }
interface Line {
  number: number
  action: string
  actor: string
  details?: { sent: { name: string } }
  erased: boolean
  hash: string
}

/** So many changes, a minute apart. */
async function fill(service: TestService, count: number) {
  const call = await adminClient(service, 'admin')
  for (let i = 1; i <= count; i++) {
    assert.equal((await call('createList', { ...list, name: `list-${i}` })).status, 200)
    service.clock.advance({ seconds: 60 })
  }
  return call
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('the audit log is read in pages, by actor, action and time, and only by who may'), async (t) => {
    const service = await startTestService(t, await open(t))
    const begin = service.clock.now()
    const call = await fill(service, 5)
    const other = await adminClient(service, 'analyst')
    await other('deleteList', { name: 'list-1' })
    const read = async (filter: object) => {
      const { status, body } = await call('listAudit', filter)
      assert.equal(status, 200, JSON.stringify(body))
      return body as { lines: Line[]; next?: string }
    }
    const all = await read({})
    assert.deepEqual(
      all.lines.map(({ number }) => number),
      [6, 5, 4, 3, 2, 1],
    )
    assert.equal(all.next, undefined)
    assert.equal(all.lines[1]!.details!.sent.name, 'list-5')
    const first = await read({ limit: 4 })
    const second = await read({ limit: 4, cursor: first.next! })
    assert.deepEqual([...first.lines, ...second.lines], all.lines)
    assert.equal(second.next, undefined)
    assert.deepEqual(
      (await read({ action: 'deleteList' })).lines.map(({ number }) => number),
      [6],
    )
    assert.deepEqual(
      (await read({ actor: all.lines[0]!.actor })).lines.map(({ number }) => number),
      [6],
    )
    assert.deepEqual((await read({ action: 'nothing' })).lines, [])
    const minute = (i: number) => new Date(begin + i * 60_000).toISOString()
    assert.deepEqual(
      (await read({ from: minute(1), to: minute(3) })).lines.map(({ number }) => number),
      [3, 2],
    )
    for (const wrong of [
      { from: 'yesterday' },
      { from: '2026-99-99T00:00Z' },
      { cursor: 'x' },
      { actor: 'maya' },
      { limit: 101 },
    ])
      assert.equal((await call('listAudit', wrong)).status, 400, JSON.stringify(wrong))
    assert.equal((await other('listAudit')).status, 403)

    const foreign = await adminClient(service, 'owner', {
      tenantId: (await service.parts.tenantKeyring.createTenant('b')).id,
    })
    assert.deepEqual((await foreign('listAudit')).body, { lines: [] })
    assert.deepEqual((await foreign('exportAudit')).body, { lines: [] })
    assert.deepEqual((await foreign('verifyAudit')).body, { lines: 0, erased: 0 })
  })

  test(it('an export in slices has every line once, oldest first'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await fill(service, 5)
    const lines: Line[] = []
    for (let after: number | undefined = 0; after !== undefined; ) {
      const { body } = await call('exportAudit', { after, limit: 2 })
      lines.push(...body.lines)
      after = body.next
    }
    assert.deepEqual(
      lines.map(({ number }) => number),
      [1, 2, 3, 4, 5],
    )
    assert.deepEqual(lines.toReversed(), (await call('listAudit')).body.lines)
  })

  test(it('verifying finds a changed line, and a log that is shorter than the one whose head was noted'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const call = await fill(service, 4)
    const verify = async (from: object = {}) => (await call('verifyAudit', from)).body
    const whole = await verify()
    const { lines } = (await call('listAudit')).body as { lines: Line[] }
    assert.deepEqual(whole, { lines: 4, erased: 0, head: lines[0]!.hash })
    const noted = lines.find(({ number }) => number === 2)!.hash
    assert.deepEqual(await verify({ after: 2, head: noted }), whole)
    assert.equal((await verify({ after: 2, head: '0'.repeat(64) })).broken.number, 3)
    assert.equal((await call('verifyAudit', { after: 2 })).status, 400)
    await database.query("update audit_line set actor = 'person:nobody' where number = 3")
    const { broken, head } = await verify()
    assert.deepEqual([broken.number, head], [3, noted])
  })

  test(it('a line whose details somebody removed from the store is broken'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const call = await fill(service, 3)
    await database.query('update audit_line set sealed = null where number = 2')
    const { lines } = (await call('listAudit')).body as { lines: Line[] }
    assert.deepEqual(
      lines.map(({ number, erased, details }) => [number, erased, details?.sent.name]),
      [
        [3, false, 'list-3'],
        [2, true, undefined],
        [1, false, 'list-1'],
      ],
    )
    assert.match((await call('verifyAudit')).body.broken.reason, /removed/)
    await database.query("update audit_line set action = 'other' where number = 2")
    assert.equal((await call('verifyAudit')).body.broken.number, 2)
  })
})
