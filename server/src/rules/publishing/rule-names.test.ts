import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RuleNames } from '@ringfence/contract'
import Value from 'typebox/value'
import { adminClient } from '../../admin/testing.ts'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { defaultRules } from '../defaults/default-rules.ts'
import { ruleSetOf } from '../rule-set.ts'

const rule = (id: string, name: string) => ({ id, name, when: 'newDevice', action: 'WARN', score: 1 })

eachDatabase(({ engine, open }) => {
  test(`a rule is called as the latest version says that has it, the live one first (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts, tenantId } = service
    const publish = (...rules: object[]) => decisionCalls(service).publish(rules as never)
    const draft = (...rules: object[]) => parts.rules.draft(tenantId, ruleSetOf({ rules }), { by: 'Maya' })
    const support = await adminClient(service, 'support')
    const names = async (...rules: string[]): Promise<RuleNames['names']> => {
      const { status, body } = await support('readRuleNames', { rules })
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([...Value.Errors(RuleNames, body)], [])
      return body.names
    }
    const [first] = defaultRules.rules
    assert.deepEqual(
      await names(first!.id, 'gone'),
      { [first!.id]: first!.name },
      'without a change, the default rules',
    )

    await publish(rule('gone', 'At first'), rule('stays', 'Stays'))
    await publish(rule('gone', 'At last'), rule('stays', 'Stays'))
    await publish(rule('stays', 'Stays, renamed'))
    await draft(rule('gone', 'Only a draft says so'), rule('stays', 'Not live'), rule('tried', 'Tried'))
    const all = [first!.id, 'gone', 'never', 'stays', 'tried']
    assert.deepEqual(await names(...all), {
      ...{ [first!.id]: first!.name, gone: 'At last', stays: 'Stays, renamed' },
    })
    const stored = (await parts.rules.versions(tenantId)).map(({ version }) => version)
    await parts.rules.shadow(tenantId, Math.max(...stored), { by: 'Maya' })
    assert.deepEqual(await names('tried', 'stays'), { tried: 'Tried', stays: 'Stays, renamed' }, 'in shadow')

    await parts.rules.live(tenantId, 1, { by: 'Ravi' })
    assert.deepEqual(await names('gone'), { gone: 'At first' }, 'what decides again')

    const other = await parts.tenantKeyring.createTenant('other')
    const elsewhere = await adminClient(service, 'support', { tenantId: other.id })
    assert.deepEqual((await elsewhere('readRuleNames', { rules: ['stays'] })).body.names, {})
  })
})
