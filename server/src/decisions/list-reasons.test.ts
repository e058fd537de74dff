import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '@ringfence/contract'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

eachDatabase(({ engine, open }) => {
  test(`a value in a list that blocks or watches is a reason once a rule looks it up, and one that allows is none (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { tenantId, platform, clock } = service
    const { decide, publish } = decisionCalls(service)
    const named = {
      'stolen-cards': 'block',
      'bad-cards': 'block',
      'watched-cards': 'watch',
      'own-cards': 'allow',
    } as const
    for (const [name, purpose] of Object.entries(named)) {
      await platform.lists.create(tenantId, { name, kind: 'text', purpose }, 'ada')
      await platform.lists.add(tenantId, name, [{ value: `in ${name}` }, { value: 'in all' }], 'ada')
    }
    clock.advance({ seconds: 2 })
    const of = async (card: string) => {
      const { action, reasons, score, rules } = (await decide({ userId: 'ada', params: { card } })).body as Decision
      return [action, reasons.map(({ code, source }) => [code, source]), score, rules.fired]
    }
    assert.deepEqual(await of('in stolen-cards'), ['ALLOW', [], 0, []], 'no rule reads a list')
    const look = (list: string) => `inList("${list}", params.card)`
    await publish([
      { id: 'any', name: 'Any', when: Object.keys(named).map(look).join(' or '), action: 'WARN', score: 1 },
      { id: 'again', name: 'Again', when: `${look('stolen-cards')} and score >= 80`, action: 'BLOCK', score: 1 },
    ])
    const onBlockList = ['ON_BLOCK_LIST', 'lists.stolen-cards']
    assert.deepEqual(await of('in stolen-cards'), ['BLOCK', [onBlockList], 80, ['any', 'again']])
    assert.deepEqual(await of('in watched-cards'), ['WARN', [['ON_WATCH_LIST', 'lists.watched-cards']], 30, ['any']])
    assert.deepEqual(await of('in own-cards'), ['WARN', [], 0, ['any']])
    assert.deepEqual(await of('in none'), ['ALLOW', [], 0, []])
    const [, reasons, score] = await of('in all')
    assert.deepEqual(reasons, [onBlockList, ['ON_WATCH_LIST', 'lists.watched-cards']], 'each code once')
    assert.equal(score, 97.2, 'two lists that block, and one that watches')
  })
})
