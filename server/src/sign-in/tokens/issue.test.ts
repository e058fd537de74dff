import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { identity, login, tokenCalls } from './testing.ts'

const { open } = sqliteDatabases

test('refuses a malformed request with 400 7102 and names the field', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const { path } = endpoints.issueToken
  const { verifiedAt: _, ...unverified } = { ...identity, verified: false }
  for (const [body, words] of [
    [{ identities: [identity] }, /userId/],
    [{ ...login, userId: '' }, /userId/],
    [{ ...login, userId: 7 }, /userId/],
    [{ ...login, userId: 'x'.repeat(257) }, /userId/],
    [[], /userId/],
    [{ userId: 'u' }, /identities must/],
    [{ userId: 'u', identities: [] }, /identities must/],
    [{ userId: 'u', identities: [{}] }, /identities must/],
    [{ userId: '', identities: [{}] }, /userId must/],
    [{ userId: 'u', identities: Array(17).fill(identity) }, /identities must/],
    [{ userId: 'u', identities: [{ ...identity, methods: [] }] }, /identities must/],
    [{ userId: 'u', identities: [{ ...identity, verified: 'yes' }] }, /identities must/],
    [{ userId: 'u', identities: [{ ...identity, verifiedat: '' }] }, /identities must/],
    [{ userId: 'u', identities: [{ ...identity, verifiedAt: '2026-02-30T00:00:00Z' }] }, /identities must/],
    [{ userId: 'u', identities: [{ ...identity, verifiedAt: '2026-03-01T12:00:00+05:30' }] }, /identities must/],
    [{ userId: 'u', identities: [{ ...identity, identityValue: '+917020141726' }] }, /without a plus sign/],
    [{ userId: 'u', identities: [{ ...identity, verified: false }] }, /must have verifiedAt when verified is true/],
    [{ userId: 'u', identities: [{ ...unverified, verified: true }] }, /must have verifiedAt when verified is true/],
  ] as const) {
    const answer = await post(path, body)
    assert.deepEqual([answer.status, answer.body.errorCode], [400, '7102'], JSON.stringify(body).slice(0, 200))
    assert.match(answer.body.description, words)
  }
  assert.equal((await post(path, { userId: 'u', identities: [unverified] })).status, 200)
})

test('refuses a requestId without a device analysis with 400 7115', async (t) => {
  const { post } = await startTestService(t, await open(t))
  for (const requestId of ['6c0a1f34-2f0e-4a41-9a5f-4c4b1f0b6c1d', '', 7, null]) {
    const answer = await post(endpoints.issueToken.path, { ...login, requestId })
    assert.deepEqual([answer.status, answer.body.errorCode], [400, '7115'])
    assert.match(answer.body.description, /Unknown device analysis/)
  }
})

test('returns any text of a user unchanged', async (t) => {
  const { issue, validate } = tokenCalls(await startTestService(t, await open(t)))
  for (const userId of ['"\\', '</script>', 'नमस्ते 👩‍👩‍👧', 'a\0b', '\u2028', '__proto__', '$&']) {
    const { body } = await validate(await issue({ ...login, userId }))
    assert.equal(body.userId, userId)
  }
})
