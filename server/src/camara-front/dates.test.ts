// Does our own CAMARA API refuse dates that cannot be, in CAMARA's words?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteDatabases } from '../testing/databases.ts'
import { frontAndSandbox } from './testing/apis.ts'

const phoneNumber = '+917020141726'
// It is 2026-03-01.
const calls = [
  ['/kyc-tenure/v0.2/check-tenure', 'kyc-tenure:check-tenure', 'tenureDate', 'OUT_OF_RANGE'],
  ['/number-recycling/v0.3/check', 'number-recycling:check', 'specifiedDate', 'OUT_OF_RANGE'],
  // KYC match has no OUT_OF_RANGE.
  ['/kyc-match/v0.5/match', 'kyc-match:match', 'birthdate', 'INVALID_ARGUMENT'],
] as const

for (const [path, scope, field, future] of calls) {
  test(`${path} refuses a date that does not exist, and one in the future`, async (t) => {
    const { 'our own API': front, 'the sandbox operator': sandbox } = await frontAndSandbox(
      t,
      await sqliteDatabases.open(t),
    )
    const authorized = async (api: typeof front) => ({
      authorization: `Bearer ${await api.token(`dpv:FraudPreventionAndDetection ${scope}`)}`,
    })
    const headers = await authorized(front)
    const ask = (date: string) => front.post(path, { phoneNumber, [field]: date }, headers)
    for (const date of ['2026-02-31', '2025-02-29', '01-02-2025', '2025-1-1', '2025-01-01T00:00:00Z', '']) {
      const { status, body } = await ask(date)
      assert.deepEqual([status, body.code], [400, 'INVALID_ARGUMENT'], date)
      assert.match(String(body.message), new RegExp(`${field} must be a date that exists, as YYYY-MM-DD`))
    }
    for (const date of ['2026-03-03', '2099-01-01']) {
      const { status, body } = await ask(date)
      assert.deepEqual([status, body.code], [400, future], date)
      assert.match(String(body.message), new RegExp(`${field} must not be in the future: .*YYYY-MM-DD`))
    }
    for (const date of ['2026-03-02', '2024-02-29']) assert.equal((await ask(date)).status, 200, date)
    const theirs = await sandbox.post(path, { phoneNumber, [field]: '2099-01-01' }, await authorized(sandbox))
    assert.deepEqual([theirs.status, theirs.body.code], [400, future])
  })
}
