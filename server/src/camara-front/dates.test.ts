// Does our own CAMARA API refuse dates that cannot be, in CAMARA's words?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqliteDatabases } from '../testing/databases.ts'
import { frontAndSandbox } from './testing/apis.ts'

const phoneNumber = '+917020141726'
// It is 2026-03-01.
const calls = [
  ['/kyc-tenure/v0.2/check-tenure', 'kyc-tenure:check-tenure', 'tenureDate'],
  ['/number-recycling/v0.3/check', 'number-recycling:check', 'specifiedDate'],
  ['/kyc-match/v0.5/match', 'kyc-match:match', 'birthdate'],
] as const

for (const [path, scope, field] of calls) {
  test(`${path} refuses a date that does not exist, and one in the future`, async (t) => {
    const { 'our own API': front } = await frontAndSandbox(t, await sqliteDatabases.open(t))
    const headers = { authorization: `Bearer ${await front.token(`dpv:FraudPreventionAndDetection ${scope}`)}` }
    const ask = (date: string) => front.post(path, { phoneNumber, [field]: date }, headers)
    for (const date of ['2026-02-31', '2025-02-29', '01-02-2025', '2025-1-1', '2025-01-01T00:00:00Z', '']) {
      const { status, body } = await ask(date)
      assert.deepEqual([status, body.code], [400, 'INVALID_ARGUMENT'], date)
      assert.match(String(body.message), new RegExp(`${field} must be a date that exists, as YYYY-MM-DD`))
    }
    for (const date of ['2026-03-03', '2099-01-01']) {
      const { status, body } = await ask(date)
      assert.deepEqual([status, body.code], [400, 'OUT_OF_RANGE'], date)
      assert.match(String(body.message), new RegExp(`${field} must not be in the future: .*YYYY-MM-DD`))
    }
    for (const date of ['2026-03-02', '2024-02-29']) assert.equal((await ask(date)).status, 200, date)
  })
}
