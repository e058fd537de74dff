import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CheckedRules, RuleDifferences, RuleShadowComparison, RuleVocabulary } from '@ringfence/contract'
import Value from 'typebox/value'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { personWith } from '../people/test-person.ts'
import { adminClient } from '../testing.ts'

const rulesFile = (...rules: [id: string, when: string, action: string][]) =>
  `rules:\n${rules.map(([id, when, action]) => `  - { id: ${id}, name: ${id}, when: ${when}, action: ${action}, score: 1 }\n`).join('')}`

eachDatabase(({ engine, open }) => {
  test(`two people edit one rule set, and nothing is lost (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const [maya, ravi] = [await personWith(service, 'analyst', 'Maya'), await personWith(service, 'analyst', 'Ravi')]
    const text = rulesFile(['vpn', 'vpn', 'WARN'])

    const first = await maya.call('saveRuleDraft', { text, basedOn: 0, note: 'a first rule' })
    assert.deepEqual([first.status, first.body], [200, { version: 1 }])
    const stale = await ravi.call('saveRuleDraft', { text: rulesFile(['proxy', 'proxy', 'WARN']), basedOn: 0 })
    assert.equal(stale.status, 409)
    assert.equal(stale.body.type, '/problems/rules-changed-meanwhile')
    assert.match(stale.body.detail, /version 1 was stored after version 0/)
    assert.equal((await ravi.call('listRuleVersions')).body.versions.length, 2, 'nothing was stored')

    const both = rulesFile(['vpn', 'vpn', 'WARN'], ['proxy', 'proxy', 'REVIEW'])
    assert.equal((await ravi.call('saveRuleDraft', { text: both, basedOn: 1 })).body.version, 2)
    const { body } = await maya.call('compareRules', { from: '1', to: '2' })
    assert.deepEqual([...Value.Errors(RuleDifferences, body)], [])
    assert.deepEqual(
      body.differences.map(({ id, change }: { id: string; change: string }) => `${id} ${change}`),
      ['proxy added'],
    )
    const { changes } = (await maya.call('readRuleHistory')).body
    assert.deepEqual(
      changes.map(({ changedBy, note }: { changedBy: string; note: string }) => `${changedBy}: ${note}`),
      ['Ravi: ', 'Maya: a first rule'],
    )
    assert.equal((await maya.call('compareRules', { from: '1', to: '9' })).body.type, '/problems/rule-version-unknown')
  })

  test(`two drafts at once are a draft and a conflict (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { call } = await personWith(service, 'analyst', 'Maya')
    const answers = await Promise.all(
      ['vpn', 'proxy', 'tor'].map((each) =>
        call('saveRuleDraft', { text: rulesFile([each, 'vpn', 'WARN']), basedOn: 0 }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
  })

  test(`refuses a draft with a mistake or a case that does not hold, and says where (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { call } = await personWith(service, 'analyst', 'Maya')
    const wrong = await call('saveRuleDraft', { text: rulesFile(['vpn', 'vpm', 'WARN']), basedOn: 0 })
    assert.match(wrong.body.detail, /text, line 2, column \d+: there is no "vpm"; did you mean vpn\?/)
    const text = `rules:\n  - { id: a, name: A, when: vpn, action: WARN, score: 1, cases: [{ fires: { vpn: false } }] }\n`
    const failing = await call('saveRuleDraft', { text, basedOn: 0 })
    assert.match(failing.body.detail, /text, rule a, case 1: it should fire and stays silent/)
    const { body } = await call('checkRules', { text })
    assert.deepEqual([...Value.Errors(CheckedRules, body)], [])
    assert.deepEqual(body.failedCases, [{ rule: 'a', number: 1, expected: 'fires', input: { vpn: false } }])
    assert.deepEqual(body.rules[0].tree, { op: '==', path: 'vpn', value: true })
    const none = await call('checkRules', {})
    assert.match(none.body.detail, /send text, or rules/)
  })

  test(`knows the lists of the tenant, and the words of rules (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { call } = await personWith(service, 'analyst', 'Maya')
    await call('createList', { name: 'stolen', kind: 'emailDomain', purpose: 'block' })
    const prepared = t.mock.method(service.parts.rules.checks, 'prepare')
    await (await personWith(service, 'viewer', 'Uma')).call('readRuleVocabulary')
    assert.equal(prepared.mock.callCount(), 0)
    const { body } = await call('readRuleVocabulary')
    assert.equal(prepared.mock.callCount(), 1)
    assert.deepEqual([...Value.Errors(RuleVocabulary, body)], [])
    assert.deepEqual(body.lists, [{ name: 'stolen', kind: 'emailDomain', paths: ['email.address', 'email.domain'] }])
    const when = (list: string) => rulesFile(['a', `'inList("${list}", email.domain)'`, 'BLOCK'])
    assert.deepEqual((await call('checkRules', { text: when('stolen') })).body.mistakes, [])
    assert.match((await call('checkRules', { text: when('stolem') })).body.mistakes[0].reason, /did you mean stolen/)
  })

  test(`runs a version in shadow, and compares it with what was decided (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { call } = await personWith(service, 'analyst', 'Maya')
    const { decide } = decisionCalls(service)
    const body = (amount: number) => ({ action: 'PAYMENT', userId: 'u1', params: { amount } })
    assert.deepEqual((await call('compareRuleShadow')).body, { decisions: 0, same: 0, changes: [] })
    await call('saveRuleDraft', { text: rulesFile(['large', 'params.amount > 100', 'BLOCK']), basedOn: 0 })
    await decide(body(500))
    assert.deepEqual((await call('startRuleShadow', { version: 1 })).body, { version: 1 })
    service.clock.advance({ seconds: 2 })
    const large = await decide(body(200))
    await decide(body(5))
    const { body: compared } = await call('compareRuleShadow')
    assert.deepEqual([...Value.Errors(RuleShadowComparison, compared)], [])
    assert.deepEqual(compared, {
      ...{ version: 1, decisions: 2, same: 1 },
      changes: [{ live: large.body.action, shadow: 'BLOCK', decisions: 1, examples: [large.body.decisionId] }],
    })
    assert.deepEqual((await call('endRuleShadow', {})).body, { version: 1 })
    assert.equal((await call('endRuleShadow', {})).body.type, '/problems/rule-change-refused')
    assert.equal((await call('startRuleShadow', { version: 9 })).body.type, '/problems/rule-version-unknown')
  })

  test(`a client key may draft rules and not publish them, and an analyst may ask only (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const key = await adminClient(service, 'admin')
    assert.equal((await key('saveRuleDraft', { text: rulesFile(['vpn', 'vpn', 'WARN']), basedOn: 0 })).status, 200)
    for (const [name, fields] of [
      ['previewPublication', { version: 1 }],
      ['requestPublication', { version: 1, note: 'now', alone: true }],
      ['approvePublication', { number: '1' }],
      ['rejectPublication', { number: '1' }],
    ] as const) {
      assert.equal((await key(name, fields)).body.type, '/problems/person-required', name)
    }
  })
})
