// Does an answer that the ENUM source has in memory say how old it is? Against nsd.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { naptr, startNsd, whyWithoutNsd } from '../portability-sources/enum/testing.ts'

const phoneNumber = '41791234567'

suite('with nsd', { skip: await whyWithoutNsd() }, () => {
  eachDatabase(({ engine, open }) => {
    test(`an answer of ENUM within its time to live has an age, and a new one has none (${engine})`, async (t) => {
      const server = await startNsd(t, [naptr(phoneNumber, 'tel:\\1;npdi;spn=41077')])
      const portabilitySources = {
        swiss: {
          type: 'enum',
          zone: 'e164.test',
          servers: [server],
          timeoutMs: 10_000,
          spn: { 41077: '228-02' },
          home: { 4179: '228-01' },
        },
      } as Record<string, { type: string }>
      const { post, clock } = await startTestService(t, await open(t), {
        edit: (parts) => ({ ...parts, portabilitySources }),
      })
      const ages = async (headers: Record<string, string> = {}) => {
        const one = await post(endpoints.portability.path, { phoneNumber }, headers)
        const several = await post(endpoints.telecomChecks.path, { phoneNumber, checks: { portability: {} } }, headers)
        assert.equal(one.body.phoneDetail?.isPorted, true, JSON.stringify(one.body))
        assert.equal(several.body.checks.portability.ported, true, JSON.stringify(several.body))
        return [one.headers.get('age'), several.body.checks.portability.ageSeconds]
      }
      assert.deepEqual(await ages(), [null, 0])
      clock.advance({ seconds: 200 })
      assert.deepEqual(await ages(), ['200', 200])
      assert.deepEqual(await ages({ 'cache-control': 'no-cache' }), [null, 0])
      clock.advance({ seconds: 299 })
      assert.deepEqual(await ages(), ['299', 299])
      clock.advance({ seconds: 1 })
      assert.deepEqual(await ages(), [null, 0])
    })
  })
})
