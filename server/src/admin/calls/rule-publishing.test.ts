import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Publication, PublicationPreview, Publications } from '@ringfence/contract'
import Value from 'typebox/value'
import { decisionCalls } from '../../decisions/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { personWith, type TestPerson } from '../people/test-person.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'

const rulesFile = (when: string, action = 'BLOCK') =>
  `rules:\n  - { id: a, name: A, when: '${when}', action: ${action}, score: 1 }\n`

async function draft({ call }: TestPerson, when: string, basedOn = 0): Promise<number> {
  const { body } = await call('saveRuleDraft', { text: rulesFile(when), basedOn })
  return body.version
}

async function audited({ parts: needs, tenantId }: TestService) {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const rows = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 100 })
  return rows.map((row) => openAuditLine(row, keys))
}

const live = async ({ parts: needs, tenantId, clock }: TestService) => {
  clock.advance({ seconds: 2 })
  return (await needs.rules.current(tenantId)).live.version
}

eachDatabase(({ engine, open }) => {
  test(`a second person makes rules live, and the history says who (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'admin', 'Maya')
    const ravi = await personWith(service, 'owner', 'Ravi')
    const ana = await personWith(service, 'analyst', 'Ana')
    const version = await draft(ana, 'params.amount > 100')
    const preview = await maya.call('previewPublication', { version })
    assert.deepEqual([...Value.Errors(PublicationPreview, preview.body)], [])
    assert.equal(preview.body.agreement, 'anotherPerson')

    const alone = await maya.call('requestPublication', { version, note: 'large payments', alone: true })
    assert.equal(alone.body.type, '/problems/second-person-needed')
    const asked = await maya.call('requestPublication', { version, note: 'large payments' })
    assert.deepEqual([...Value.Errors(Publication, asked.body)], [])
    assert.deepEqual([asked.body.state, asked.body.isYours], ['open', true])
    assert.equal(await live(service), 0, 'asking changes nothing')

    const own = await maya.call('approvePublication', { number: '1' })
    assert.equal(own.body.type, '/problems/second-person-needed')
    assert.equal((await ana.call('approvePublication', { number: '1' })).body.type, '/problems/permission-missing')
    assert.equal(await live(service), 0)

    const approved = await ravi.call('approvePublication', { number: '1', note: 'agreed' })
    assert.equal(approved.status, 200, JSON.stringify(approved.body))
    const { state, requestedBy, decidedBy, isAlone } = approved.body
    assert.deepEqual([state, requestedBy, decidedBy, isAlone], ['published', 'Maya', 'Ravi', false])
    assert.equal(await live(service), version)
    const [change] = (await maya.call('readRuleHistory')).body.changes
    assert.deepEqual([change.changedBy, change.note], ['Maya, approved by Ravi', 'large payments'])
    assert.equal((await ravi.call('approvePublication', { number: '1' })).body.type, '/problems/publication-unknown')
    const listed = await maya.call('listPublications')
    assert.deepEqual([...Value.Errors(Publications, listed.body)], [])
    assert.equal(listed.body.publishers, 2)
  })

  test(`the same person does not become a second one by another role or session (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'analyst', 'Maya')
    await personWith(service, 'admin', 'Ravi')
    const version = await draft(maya, 'params.amount > 100')
    await maya.call('requestPublication', { version, note: 'please' })
    const { database } = service.parts
    await database.query('update person_role set role = $1 where person_id = $2', ['owner', maya.personId])
    const again = await maya.call('approvePublication', { number: '1' })
    assert.equal(again.body.type, '/problems/second-person-needed')
    assert.match(again.body.detail, /you asked for it/)
  })

  test(`the only publisher may publish alone by confirming, and history and audit log say so (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'owner', 'Maya')
    const version = await draft(maya, 'params.amount > 100')
    assert.equal((await maya.call('previewPublication', { version })).body.agreement, 'alone')
    const unconfirmed = await maya.call('requestPublication', { version, note: 'now' })
    assert.match(unconfirmed.body.detail, /alone: true/)
    assert.equal(await live(service), 0)
    const { body } = await maya.call('requestPublication', { version, note: 'now', alone: true })
    assert.deepEqual([body.state, body.isAlone], ['published', true])
    assert.equal(await live(service), version)
    assert.equal((await maya.call('readRuleHistory')).body.changes[0].changedBy, 'Maya (alone)')
    const line = (await audited(service)).findLast(({ action }) => action === 'requestPublication')
    assert.deepEqual([line?.details.name, Reflect.get(line?.details.sent as object, 'alone')], ['Maya', true])

    assert.equal((await maya.call('setPublishPolicy', { secondPerson: 'always' })).status, 200)
    const strict = await maya.call('requestPublication', { version: 0, note: 'back', alone: true })
    assert.match(strict.body.detail, /nobody else may publish rules; invite a second person/)
    assert.equal(await live(service), version)
  })

  test(`rules that would block everybody need a second person, also of the only publisher (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'owner', 'Maya')
    const { decide } = decisionCalls(service)
    for (let i = 0; i < 30; i++) await decide({ action: 'PAYMENT', userId: `u${i}`, params: { amount: i } })

    const always = await draft(maya, 'newDevice or not newDevice')
    const most = await draft(maya, 'params.amount > 2', 1)
    const few = await draft(maya, 'params.amount > 28', 2)
    for (const [version, kinds, newlyBlocked, agreement] of [
      [always, ['blocksEverybody', 'blocksMany', 'untried'], 30, 'nobody'],
      [most, ['blocksMany', 'untried'], 27, 'nobody'],
      [few, ['untried'], 1, 'alone'],
    ] as const) {
      const { body } = await maya.call('previewPublication', { version })
      assert.deepEqual(
        body.warnings.map(({ kind }: { kind: string }) => kind),
        kinds,
      )
      assert.deepEqual([body.decisions, body.newlyBlocked, body.agreement], [30, newlyBlocked, agreement])
      const { status } = await maya.call('requestPublication', { version, note: 'now', alone: true })
      assert.equal(status, agreement === 'alone' ? 200 : 409)
    }
    assert.equal(await live(service), few)

    const ravi = await personWith(service, 'admin', 'Ravi')
    const { body } = await maya.call('requestPublication', { version: always, note: 'an attack' })
    assert.equal(body.warnings[0].kind, 'blocksEverybody')
    assert.equal((await ravi.call('approvePublication', { number: String(body.number) })).status, 200)
    assert.equal(await live(service), always)
    const { body: back } = await ravi.call('requestPublication', { version: 0, note: 'over' })
    assert.equal((await maya.call('approvePublication', { number: String(back.number) })).status, 200)
    assert.equal(await live(service), 0, 'an earlier version rolls back')
  })

  test(`refuses a request that is stale, withdrawn, or decided at the same moment (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'admin', 'Maya')
    const [ravi, ann] = [await personWith(service, 'admin', 'Ravi'), await personWith(service, 'admin', 'Ann')]
    const first = await draft(maya, 'params.amount > 100')
    const second = await draft(maya, 'params.amount > 200', 1)
    for (const version of [first, second, first]) await maya.call('requestPublication', { version, note: 'please' })

    const answers = await Promise.all([ravi, ann].map(({ call }) => call('approvePublication', { number: '2' })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted()[0], 200)
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const stale = await ravi.call('approvePublication', { number: '1' })
    assert.equal(stale.body.type, '/problems/rules-changed-meanwhile')
    assert.equal((await maya.call('rejectPublication', { number: '1' })).body.state, 'withdrawn')
    assert.equal((await ravi.call('rejectPublication', { number: '3', note: 'no' })).body.state, 'rejected')
    assert.equal((await ravi.call('approvePublication', { number: '3' })).body.type, '/problems/publication-unknown')
    assert.equal(await live(service), second)
  })
})
