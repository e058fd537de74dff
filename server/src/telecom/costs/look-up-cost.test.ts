// Do the costs of answers and of events add up to what was spent, with the look-ups of the number's operator?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cost, endpoints, TelecomChecksResult } from '@ringfence/contract'
import Value from 'typebox/value'
import { contextOf } from '../../events/sealed-event.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { ordinary } from '../routing/testing.ts'

/** Its operator offers no checks. */
const withoutChecks = '917020140140'
const euros = (micros: number) => ({ currency: 'EUR', micros })

interface Costly {
  cost?: Cost
  lookUpCost?: Cost
}
const sumOf = (costs: readonly (Costly | undefined)[]) =>
  costs.reduce((sum, each) => sum + (each?.cost?.micros ?? 0) + (each?.lookUpCost?.micros ?? 0), 0)

async function checkEvents({ parts: needs, tenantId }: TestService): Promise<(Costly & { check: string })[]> {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const events = await needs.database.query<{ id: Uint8Array; sealed: Uint8Array }>(
    "select id, sealed from event where type = 'telecom.check.completed' order by id",
  )
  return events.map(({ id, sealed }) => JSON.parse(keys.open(sealed, contextOf(id))))
}

eachDatabase(({ engine, open }) => {
  test(`what answers and events say of costs adds up to what was spent (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), {
      settings: { recordedEvents: 'all' },
      edit: (parts) => ({
        ...parts,
        costs: { currency: 'EUR', prices: { sandbox: { otherwise: 10, portability: 500 } } },
      }),
    })
    const { post, parts: needs, tenantId } = service
    let said = 0
    const ask = async (checks: object, phoneNumber = ordinary) => {
      const { body } = await post(endpoints.telecomChecks.path, { phoneNumber, checks })
      assert.deepEqual([...Value.Errors(TelecomChecksResult, body)], [])
      said += sumOf([body, ...Object.values(body.checks as Record<string, Costly>)])
      return body
    }
    const one = await ask({ simSwap: {} })
    assert.deepEqual([one.checks.simSwap.cost, one.lookUpCost], [euros(10), euros(500)])
    const several = await ask({ simSwap: {}, deviceSwap: {}, roaming: {} })
    assert.deepEqual(several.lookUpCost, euros(500))
    const ported = await ask({ simSwap: {}, portability: {} })
    assert.deepEqual([ported.checks.portability.cost, ported.lookUpCost], [euros(500), undefined])
    const refused = await ask({ simSwap: {} }, withoutChecks)
    assert.deepEqual([refused.checks.simSwap.success, refused.lookUpCost], [false, euros(500)])
    assert.equal(said, 510 + 530 + 510 + 500)

    // The three endpoints say nothing of costs; their events do.
    await post(endpoints.simSwapCheck.path, { phoneNumber: ordinary })
    await post(endpoints.simSwapCheck.path, { phoneNumber: withoutChecks })
    const events = await checkEvents(service)
    assert.deepEqual(events.at(-2)?.lookUpCost, euros(500))
    const spent = (await needs.telecom.costs.spent(tenantId)).reduce((sum, { micros }) => sum + micros, 0)
    assert.deepEqual([sumOf(events), said + 510 + 500], [spent, spent])
  })
})
