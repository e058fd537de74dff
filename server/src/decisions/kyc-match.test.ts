// Can a rule use what the operator says of a subscriber? The backend passes the result of a KYC match as a param, as its answer is not stored.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

const phoneNumber = '917020141726'

eachDatabase(({ engine, open }) => {
  test(`a rule blocks a person whose birth date is not that of the subscriber (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    service.sandbox.lines.change(phoneNumber, { subscriber: { birthdate: '1988-07-06' } })
    const { decide, publish } = decisionCalls(service)
    await publish([
      {
        ...{ id: 'other-person', name: 'Not the subscriber', action: 'BLOCK', score: 10 },
        when: 'params.birthdateMatches == false',
      },
    ])
    const signUp = async (birthdate: string) => {
      const asked = { phoneNumber, checks: { kycMatch: { birthdate } } }
      const { body } = await service.post(endpoints.telecomChecks.path, asked)
      const birthdateMatches = body.checks.kycMatch.fields.birthdate.match
      const decision = await decide({ action: 'SIGN_UP', userId: 'u', phoneNumber, params: { birthdateMatches } })
      return [decision.body.action, decision.body.rules.decisive]
    }
    assert.deepEqual(await signUp('1978-08-22'), ['BLOCK', 'other-person'])
    assert.deepEqual(await signUp('1988-07-06'), ['ALLOW', undefined])
  })
})
