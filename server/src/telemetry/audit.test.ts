// Do audit lines say who was let in, refused, and what was changed, and nothing personal?

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { sqliteDatabases } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'

interface AuditLine {
  audit: true
  path: string
  status: number
  clientId?: string
  failure?: string
}

test('writes audit lines into their own file: issued and revoked tokens and refused credentials, but no checks', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-audit-'))
  t.after(() => rm(folder, { recursive: true }))
  const auditLog = join(folder, 'log', 'audit.log')
  const { post, credentials } = await startTestService(t, await sqliteDatabases.open(t), { settings: { auditLog } })

  await post('/v1/telecom/sim-swap-check', { phoneNumber: '917020141726' })
  const identities = [
    {
      identityType: 'MOBILE',
      identityValue: '917020141726',
      channel: 'OTP',
      methods: ['SMS'],
      verified: true,
      verifiedAt: '2026-01-01T00:00:00Z',
    },
  ]
  const { body } = await post('/auth/v1/tokens', { userId: 'customer-8812', identities })
  await post('/auth/v1/tokens/revoke', { token: body.token })
  await post('/auth/v1/validate/token', { token: body.token }, { clientsecret: 'rfs_wrong' })

  const lines = await written(auditLog, 3)
  assert.deepEqual(
    lines.map(({ path, status, failure, clientId }) => [path, status, failure, clientId === credentials.clientId]),
    [
      ['/auth/v1/tokens', 200, undefined, true],
      ['/auth/v1/tokens/revoke', 200, undefined, true],
      ['/auth/v1/validate/token', 401, 'credentialsInvalid', true],
    ],
  )
  const text = await readFile(auditLog, 'utf8')
  for (const secret of ['917020141726', 'customer-8812', body.token, 'rfs_wrong']) assert.ok(!text.includes(secret))
})

/** The lines once there are so many: they are written together, a tenth of a second later. */
async function written(file: string, count: number): Promise<AuditLine[]> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const lines = text.split('\n').filter(Boolean)
    if (lines.length >= count) return lines.map((line) => JSON.parse(line))
    await after(20)
  }
}
