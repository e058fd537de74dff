// Does an erasure forget who shares a mailbox, and does an export show it?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { eraseSubject } from './erase.ts'
import { exportSubject } from './export.ts'

eachDatabase(({ engine, open }) => {
  test(`the accounts of a mailbox are exact after an erasure, and exported before (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const accounts = async (userId: string, email: string) => {
      const { body } = await service.post(endpoints.decide.path, { action: 'SIGNUP', userId, email })
      return (body as Decision).email!.accountsOfMailbox
    }
    for (const [i, userId] of ['ada', 'ben', 'cleo', 'dan'].entries())
      assert.equal(await accounts(userId, `a.da+${i}@gmail.com`), i + 1)
    const records = await Array.fromAsync(exportSubject(tenantId, { kind: 'userId', value: 'ben' }, needs))
    const exported = JSON.stringify(records.filter(({ kind }) => kind === 'decision'))
    assert.match(exported, /"mailbox":"ada@gmail.com"/)
    assert.match(exported, /"accountsOfMailbox":2/)
    const erasure = { tenantId, by: 'test', reason: 'asked', keepListEntries: false }
    await eraseSubject({ ...erasure, subject: { kind: 'userId', value: 'ben' } }, needs)
    assert.equal(await accounts('dan', 'ada@gmail.com'), 3)
    await eraseSubject({ ...erasure, subject: { kind: 'email', value: 'A.da+2@gmail.com' } }, needs)
    assert.equal(await accounts('dan', 'ada@gmail.com'), 2, 'that of cleo is gone')
    const [row] = await needs.database.query<{ rows: number }>('select count(*) as rows from decision')
    assert.equal(Number(row!.rows), 4)
  })
})
