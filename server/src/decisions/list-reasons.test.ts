import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from '@ringfence/contract'
import { ruleSetOf } from '../rules/rule-set.ts'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls } from './testing.ts'

eachDatabase(({ engine, open }) => {
  test(`a value in a list that blocks or watches is a reason once a rule looks it up, and one that allows is none (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { tenantId, parts: needs, clock } = service
    const { decide, publish } = decisionCalls(service)
    const named = {
      'stolen-cards': 'block',
      'bad-cards': 'block',
      'watched-cards': 'watch',
      'own-cards': 'allow',
    } as const
    for (const [name, purpose] of Object.entries(named)) {
      await needs.rules.lists.create(tenantId, { name, kind: 'text', purpose }, 'ada')
      await needs.rules.lists.add(tenantId, name, [{ value: `in ${name}` }, { value: 'in all' }], 'ada')
    }
    clock.advance({ seconds: 2 })
    const of = async (card: string) => {
      const { action, reasons, score, rules } = (await decide({ userId: 'ada', params: { card } })).body as Decision
      const others = reasons.filter(({ code }) => code !== 'RULE')
      return [action, others.map(({ code, source }) => [code, source]), score, rules.fired]
    }
    assert.deepEqual(await of('in stolen-cards'), ['ALLOW', [], 0, []], 'no rule reads a list')
    const look = (list: string) => `inList("${list}", params.card)`
    await publish([
      { id: 'any', name: 'Any', when: Object.keys(named).map(look).join(' or '), action: 'WARN', score: 1 },
      { id: 'again', name: 'Again', when: `${look('stolen-cards')} and score >= 80`, action: 'BLOCK', score: 1 },
    ])
    const onBlockList = ['ON_BLOCK_LIST', 'lists.stolen-cards']
    assert.deepEqual(await of('in stolen-cards'), ['BLOCK', [onBlockList], 80, ['any', 'again']])
    assert.deepEqual(await of('in watched-cards'), ['WARN', [['ON_WATCH_LIST', 'lists.watched-cards']], 31, ['any']])
    assert.deepEqual(await of('in own-cards'), ['WARN', [], 31, ['any']])
    assert.deepEqual(await of('in none'), ['ALLOW', [], 0, []])
    const [, reasons, score] = await of('in all')
    assert.deepEqual(reasons, [onBlockList, ['ON_WATCH_LIST', 'lists.watched-cards']], 'each code once')
    assert.equal(score, 97.2, 'two lists that block, and one that watches')
  })

  test(`a list is a reason only where a rule fires with its value, or would with another score (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { tenantId, parts: needs, clock } = service
    const { decide } = decisionCalls(service)
    for (const [name, purpose] of [
      ['stolen', 'block'],
      ['new', 'watch'],
      ['office', 'block'],
    ] as const) {
      await needs.rules.lists.create(tenantId, { name, kind: 'text', purpose }, 'ada')
      await needs.rules.lists.add(tenantId, name, [{ value: name }], 'ada')
    }
    const written = (when: string, index: number) => ({
      ...{ id: `r${index}`, name: 'R', when, action: 'WARN' as const, score: 1 },
    })
    const set = ruleSetOf({
      require: {},
      velocity: {
        cards: { distinct: 'params.card', per: 'user', within: '24h' },
        stolen: { count: 'decisions', per: 'user', within: '24h', when: 'inList("stolen", params.card)' },
      },
      rules: [
        'action == "PAYMENT" and inList("stolen", params.card)',
        'action == "SIGNUP" and inList("stolen", params.card) and score >= 80',
        'action == "REFUND" and not (not inList("stolen", params.card) or velocity.cards > 5)',
        'action in ("LOGIN", "REFUND") and (params.amount > 10 or inList("new", params.card))',
        'params.amount > 100 and not inList("office", params.place)',
      ].map(written),
    })
    const version = await needs.rules.draft(tenantId, set, { by: 'test' })
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    clock.advance({ seconds: 2 })
    const of = async (action: string, params: object) => {
      const { reasons, score, rules } = (await decide({ action, userId: 'ada', params })).body as Decision
      const sources = reasons.filter(({ code }) => code !== 'RULE').map(({ source }) => source)
      return [sources, score, rules.fired]
    }
    const stolen = ['lists.stolen']
    assert.deepEqual(await of('PAYMENT', { card: 'stolen' }), [stolen, 80, ['r0']])
    assert.deepEqual(await of('LOGIN', { card: 'stolen' }), [[], 0, []], 'the rest of each rule is false')
    assert.deepEqual(await of('SIGNUP', { card: 'stolen' }), [stolen, 80, ['r1']], 'the score is that of the list')
    assert.deepEqual(await of('REFUND', { card: 'stolen' }), [stolen, 80, ['r2']])
    assert.deepEqual(await of('LOGIN', { card: 'new', amount: 11 }), [['lists.new'], 31, ['r3']])
    const elsewhere = await of('LOGIN', { card: 'other', amount: 101, place: 'office' })
    assert.deepEqual(elsewhere, [[], 31, ['r3']], 'what excludes a rule is no reason for it')
  })
})
