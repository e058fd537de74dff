// Do audit lines say who was let in, refused, and what was changed, and nothing personal?

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { atEnd } from '../../testing/at-end.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'

interface AuditLine {
  audit: true
  path: string
  status: number
  clientId?: string
  failure?: string
  more?: number
}

test('writes audit lines into their own file: issued and revoked tokens and refused credentials, but no checks', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-audit-'))
  atEnd(t, () => rm(folder, { recursive: true }))
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

test('strangers from any number of IP addresses cause a bounded number of lines, and no line of a client is left out', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-audit-'))
  atEnd(t, () => rm(folder, { recursive: true }))
  const auditLog = join(folder, 'audit.log')
  const settings = { auditLog, trustedProxies: '127.0.0.1' }
  const service = await startTestService(t, await sqliteDatabases.open(t), { settings })
  const { post, clock, parts: needs } = service
  const guess = (index: number, path = '/v1/telecom/sim-swap-check') => {
    const headers = { clientSecret: 'rfs_wrong', 'x-forwarded-for': `198.51.${index >> 8}.${index & 255}` }
    return post(path, { phoneNumber: '917020141726' }, headers)
  }
  for (let index = 0; index < 300; index++) assert.equal((await guess(index)).status, 401)
  for (let index = 0; index < 70; index++) assert.equal((await guess(index, '/auth/v1/tokens')).status, 401)
  for (let index = 0; index < 80; index++) assert.equal((await post('/auth/v1/tokens/revoke', {})).status, 400)
  clock.advance({ seconds: 60 })
  await guess(1)
  const first = await written(auditLog, 60 + 60 + 80 + 2 + 1)
  const count = (path: string) => first.filter((line) => line.path === path && line.status !== undefined).length
  assert.deepEqual(['/auth/v1/tokens', '/auth/v1/tokens/revoke'].map(count), [60, 80])
  assert.equal(count('/v1/telecom/sim-swap-check'), 60 + 1, 'of two minutes')
  const summaries = first.filter(({ more }) => more !== undefined)
  assert.deepEqual(
    summaries.map(({ path, failure, more }) => [path, failure, more]),
    [
      ['/v1/telecom/sim-swap-check', 'credentialsInvalid', 240],
      ['/auth/v1/tokens', 'credentialsInvalid', 10],
    ],
  )
  for (let index = 0; index < 61; index++) await guess(index)
  await needs.close()
  assert.equal((await written(auditLog, first.length + 60)).at(-1)?.more, 2, 'counted until the end')
})

/** The lines once there are so many: they are written together, a tenth of a second later. */
async function written(file: string, count: number): Promise<AuditLine[]> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const lines = text.split('\n').slice(0, -1) // the last may still be written
    if (lines.length >= count) return lines.map((line) => JSON.parse(line))
    await after(20)
  }
}
