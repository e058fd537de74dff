import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Identification } from '../../device/identity/identification.ts'
import { identificationOf } from './identification.ts'
import type { IncludeInput } from './include-input.ts'

/** Without a user, nothing is read from the store. */
const memberOf = (identification: Identification | undefined, deviceId = '0e1f') => {
  const analysis = { deviceId, identification } as IncludeInput['analysis']
  return identificationOf({ tenantId: 't', analysis } as IncludeInput, {} as never)
}

test('the report says why a device token was not followed', async () => {
  for (const token of ['copied', 'expired', 'forged', 'foreign'] as const) {
    assert.deepEqual(await memberOf({ by: 'similarity', confidence: 0.9, token }), {
      by: 'similarity',
      confidence: 0.9,
      token,
    })
  }
})

test('the report lists missing facts with their reasons', async () => {
  const factsMissing = { webgl: 'timedOut', fonts: 'refused' } as const
  assert.deepEqual((await memberOf({ by: 'none', confidence: 0.4, factsMissing }))?.factsMissing, [
    { fact: 'webgl', because: 'timedOut' },
    { fact: 'fonts', because: 'refused' },
  ])
})

test('an analysis of an older version, which did not record it, has no identification', async () => {
  assert.equal(await memberOf(undefined), undefined)
})
