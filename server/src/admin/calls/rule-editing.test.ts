import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ChangesOfRule,
  CheckedRules,
  RuleDifferences,
  RuleShadowComparison,
  RuleVersions,
  RuleVocabulary,
} from '@ringfence/contract'
import fc from 'fast-check'
import Value from 'typebox/value'
import { decisionCalls } from '../../decisions/testing.ts'
import { actions } from '../../rules/language/rule.ts'
import { conditions } from '../../rules/testing/arbitrary.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { personWith } from '../people/test-person.ts'
import { adminClient } from '../testing.ts'

const rulesFile = (...rules: [id: string, when: string, action: string][]) =>
  `rules:\n${rules.map(([id, when, action]) => `  - { id: ${id}, name: ${id}, when: ${when}, action: ${action}, score: 1 }\n`).join('')}`

const words = fc.constantFrom('Large amounts', 'a: b', '"', "it's", '#', 'é 🙂')
const caseValues = fc.dictionary(
  fc.constantFrom('params.amount', 'params.payee', 'params.a b'),
  fc.oneof(words, fc.constantFrom('5', 'true', ''), fc.integer(), fc.boolean()),
  { minKeys: 1 },
)
const caseName = fc.record({ name: words }, { requiredKeys: [] })
const cases = fc.array(
  fc
    .tuple(caseName, fc.constantFrom('fires', 'silent'), caseValues)
    .map(([name, kind, values]) => ({ ...name, [kind]: values })),
  { minLength: 1, maxLength: 3 },
)
/** All that a rule may have, in any combination. */
const anyRule = fc.record(
  {
    ...{ name: words, when: conditions, action: fc.constantFrom(...actions), score: fc.integer({ min: 0, max: 1000 }) },
    ...{ description: words, message: words, acceptNumber: fc.boolean() },
    ...{ reviewHours: fc.integer({ min: 1, max: 720 }), cases },
  },
  { requiredKeys: ['name', 'when', 'action', 'score'] },
)

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

  test(`the history of a rule names who wrote and published each change, with its fields (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'analyst', 'Maya')
    const { rules, admin } = { rules: service.parts.rules, admin: await adminClient(service, 'analyst') }
    const save = async (text: string, basedOn: number, note: string) => {
      const { status, body } = await maya.call('saveRuleDraft', { text, basedOn, note })
      assert.equal(status, 200, JSON.stringify(body))
      await rules.live(service.tenantId, body.version, { by: 'Ravi' }, { untried: true })
      service.clock.advance({ seconds: 1 })
    }
    await save(rulesFile(['vpn', 'vpn', 'WARN']), 0, 'a first rule')
    await save(rulesFile(['vpn', 'vpn', 'WARN'], ['proxy', 'proxy', 'REVIEW']), 1, 'another rule')
    await save(rulesFile(['vpn', 'vpn and newDevice', 'BLOCK'], ['proxy', 'proxy', 'REVIEW']), 2, 'stricter')
    await save(rulesFile(['proxy', 'proxy', 'REVIEW'], ['vpn', 'vpn and newDevice', 'BLOCK']), 3, 'another order')
    await rules.live(service.tenantId, 0, { by: 'Ravi', note: 'back' }, { untried: true })
    const { status, body } = await admin('readChangesOfRule', { rule: 'vpn' })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(ChangesOfRule, body)], [])
    const { changes } = body as ChangesOfRule
    assert.deepEqual(
      changes.map(({ version, versionBefore, change, liveBy, storedBy, note }) => [
        ...[version, versionBefore, change, liveBy, storedBy, note],
      ]),
      [
        [0, 4, 'removed', 'Ravi', undefined, 'back'],
        [3, 2, 'changed', 'Ravi', 'Maya', 'stricter'],
        [1, 0, 'added', 'Ravi', 'Maya', 'a first rule'],
      ],
    )
    assert.deepEqual(changes[1]!.fields, [
      { field: 'when', before: 'vpn', after: 'vpn and newDevice' },
      { field: 'action', before: 'WARN', after: 'BLOCK' },
    ])
    assert.deepEqual((await admin('readChangesOfRule', { rule: 'no-such-rule' })).body.changes, [])
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

  test(`drafts with names stand side by side, each with its owner and base (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const [maya, ravi] = [await personWith(service, 'analyst', 'Maya'), await personWith(service, 'analyst', 'Ravi')]
    const admin = await personWith(service, 'admin', 'Ann')
    const [vpn, proxy] = ['vpn', 'proxy'].map((each) => rulesFile([each, each, 'WARN']))
    const save = async ({ call }: typeof maya, text: string | undefined, basedOn: number, name: string) =>
      call('saveRuleDraft', { text, basedOn, name })
    const draftsOf = async ({ call }: typeof maya) => {
      const { body } = await call('listRuleVersions')
      assert.deepEqual([...Value.Errors(RuleVersions, body)], [])
      return (body as RuleVersions).versions.flatMap(({ version, draft }) => (draft ? [{ version, ...draft }] : []))
    }
    const answers = await Promise.all([save(maya, vpn, 0, 'VPNs'), save(ravi, proxy, 0, 'Proxies')])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
      'neither is in the way of the other',
    )
    const [vpns, proxies] = answers.map(({ body }) => body.version as number)
    const found = await draftsOf(maya)
    assert.deepEqual(
      found.toSorted((one, other) => one.name.localeCompare(other.name)),
      [
        { version: proxies, name: 'Proxies', owner: 'Ravi', isYours: false, basedOn: 0 },
        { version: vpns, name: 'VPNs', owner: 'Maya', isYours: true, basedOn: 0 },
      ],
    )

    const next = await save(ravi, rulesFile(['vpn', 'vpn', 'REVIEW']), vpns!, 'VPNs')
    assert.equal(next.body.version, 3, 'somebody else may continue a draft that they chose')
    const stale = await save(maya, rulesFile(['tor', 'vpn', 'BLOCK']), vpns!, 'VPNs')
    assert.equal(stale.body.type, '/problems/rules-changed-meanwhile')
    assert.match(
      stale.body.detail,
      /the draft “VPNs” of Maya is version 3 now, not version \d; save under another name/,
    )
    const taken = await save(maya, vpn, 0, 'Proxies')
    assert.match(taken.body.detail, /the draft “Proxies” of Ravi is version/)
    assert.equal((await save(maya, vpn, vpns!, 'VPNs, mine')).body.version, 4, 'under another name nothing is lost')
    assert.equal((await save(maya, vpn, 77, 'Later')).body.type, '/problems/rule-change-refused')
    assert.deepEqual(
      (await draftsOf(maya)).map(({ name, owner, basedOn }) => [name, owner, basedOn]),
      [
        ['VPNs, mine', 'Maya', vpns],
        ['VPNs', 'Maya', 0],
        ['Proxies', 'Ravi', 0],
      ],
    )

    const foreign = await maya.call('discardRuleDraft', { version: proxies })
    assert.equal(foreign.body.type, '/problems/permission-missing')
    assert.equal((await admin.call('discardRuleDraft', { version: proxies })).status, 200)
    assert.equal((await admin.call('discardRuleDraft', { version: proxies })).status, 404)
    assert.equal((await maya.call('discardRuleDraft', { version: 4 })).status, 200)
    assert.equal((await maya.call('readRules', { version: '4' })).status, 200, 'its versions stay')
    const { parts, tenantId } = service
    await parts.rules.live(tenantId, 3, { by: 'test' }, { untried: true })
    assert.deepEqual(await draftsOf(maya), [], 'what is live is no draft')
  })

  test(`a version in shadow ends for another one only by its number, and its starter is named (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const [maya, ravi] = [await personWith(service, 'analyst', 'Maya'), await personWith(service, 'analyst', 'Ravi')]
    for (const basedOn of [0, 1]) await maya.call('saveRuleDraft', { text: rulesFile(['vpn', 'vpn', 'WARN']), basedOn })
    const shadow = async () => (await maya.call('listRuleVersions')).body.shadow
    assert.equal(await shadow(), undefined)
    assert.equal((await ravi.call('startRuleShadow', { version: 1 })).status, 200)
    const startedAt = new Date(service.clock.now()).toISOString()
    assert.deepEqual(await shadow(), { version: 1, startedBy: 'Ravi', startedAt })
    const silent = await maya.call('startRuleShadow', { version: 2 })
    assert.equal(silent.body.type, '/problems/rules-changed-meanwhile')
    assert.match(silent.body.detail, /version 1 runs in shadow, started by Ravi; send ends: 1/)
    assert.equal((await maya.call('startRuleShadow', { version: 2, ends: 9 })).status, 409)
    assert.equal((await shadow()).version, 1)
    assert.equal((await maya.call('startRuleShadow', { version: 2, ends: 1 })).status, 200)
    assert.equal((await shadow()).startedBy, 'Maya')
    assert.equal((await maya.call('startRuleShadow', { version: 2 })).status, 200, 'the same one again ends nothing')
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

  test(`a form that sends back any rules as they were read loses nothing (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { call } = await personWith(service, 'analyst', 'Maya')
    const others = {
      ...{ require: { PAYMENT: ['device', 'login'] }, otherwise: 'REVIEW', warnBelow: 20 },
      velocity: { logins: { per: 'user', within: '24h', count: 'decisions' } },
    }
    const read = async (sent: object) => (await call('checkRules', sent)).body as CheckedRules
    let compared = 0
    const sets = fc.array(anyRule, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(sets, async (set) => {
        const rules = set.map((rule, index) => ({ id: `r${index}`, ...rule }))
        const found = await read({ ...others, rules })
        // A form does not open what has a mistake.
        if (found.mistakes.length > 0) return
        compared++
        const formed = found.rules.map(({ tree, ...rule }) => ({ ...rule, when: tree }))
        const again = await read({ ...others, rules: formed })
        assert.deepEqual([again.text, again.rules, again.mistakes], [found.text, found.rules, []])
        for (const [index, { when: _, ...rule }] of rules.entries())
          assert.partialDeepStrictEqual(found.rules[index], rule)
        for (const word of ['PAYMENT', 'warnBelow: 20', 'logins']) assert.ok(found.text.includes(word), word)
      }),
      { numRuns: 60 },
    )
    assert.ok(compared > 20, `${compared} of 60 rule sets had no mistake`)
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
      rules: [{ rule: 'large', isNew: true, fired: 1, otherwise: 1 }],
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
