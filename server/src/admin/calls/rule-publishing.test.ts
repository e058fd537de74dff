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
    const other = await draft(maya, 'params.amount > 200', version)
    const strict = await maya.call('requestPublication', { version: other, note: 'more', alone: true })
    assert.match(strict.body.detail, /nobody else may publish rules; invite a second person/)
    assert.equal(await live(service), version)
  })

  test(`rolling back to the version that was live before is one person's act, for seven days (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'admin', 'Maya')
    const ravi = await personWith(service, 'owner', 'Ravi')
    const ana = await personWith(service, 'analyst', 'Ana')
    const publish = async (version: number) => {
      const { body } = await maya.call('requestPublication', { version, note: 'publish' })
      assert.equal((await ravi.call('approvePublication', { number: String(body.number) })).status, 200)
      assert.equal(await live(service), version)
    }
    const agreement = async (version: number, person = maya) =>
      (await person.call('previewPublication', { version })).body.agreement
    const first = await draft(ana, 'params.amount > 100')
    const second = await draft(ana, 'params.amount > 200', first)
    await publish(first)
    await publish(second)
    assert.equal((await maya.call('setPublishPolicy', { secondPerson: 'always' })).status, 200)

    assert.deepEqual([await agreement(first), await agreement(0)], ['rollBack', 'anotherPerson'])
    const { rollBack } = (await ana.call('listRuleVersions')).body
    assert.equal(rollBack.version, first)
    const asked = await ana.call('requestPublication', { version: first, note: 'too many', alone: true })
    assert.equal(asked.body.type, '/problems/second-person-needed', 'only who may publish')
    const older = await maya.call('requestPublication', { version: 0, note: 'further back', alone: true })
    assert.equal(older.body.type, '/problems/second-person-needed', 'only to the version that was live before')

    const { status, body } = await maya.call('requestPublication', { version: first, note: 'too many', alone: true })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.state, body.isAlone, body.insteadOf], ['published', true, second])
    assert.equal(await live(service), first)
    const [change] = (await maya.call('readRuleHistory')).body.changes
    assert.deepEqual([change.changedBy, change.note], ['Maya (rolled back)', 'too many'])
    const line = (await audited(service)).findLast(({ action }) => action === 'requestPublication')
    const { name, sent } = line!.details as { name: string; sent: { alone: boolean; version: number } }
    assert.deepEqual([name, sent.alone, sent.version], ['Maya', true, first])

    assert.equal((await ana.call('listRuleVersions')).body.rollBack, undefined)
    assert.equal(await agreement(second, ravi), 'anotherPerson', 'a roll back is not undone by one person')
    await publish(second)
    service.clock.advance({ hours: 7 * 24 - 1 })
    // A session ends before that.
    const inTime = await personWith(service, 'admin', 'Ann')
    assert.equal(await agreement(first, inTime), 'rollBack', 'published again, it may be rolled back again')
    service.clock.advance({ hours: 1 })
    const late = await personWith(service, 'admin', 'Tim')
    assert.equal(await agreement(first, late), 'anotherPerson', 'seven days have passed')
  })

  test(`one person does not roll back to rules that would block everybody (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'admin', 'Maya')
    const ravi = await personWith(service, 'owner', 'Ravi')
    for (const when of ['newDevice or not newDevice', 'params.amount > 200']) {
      const newest = (await maya.call('listRuleVersions')).body.versions[0].version
      const version = await draft(maya, when, newest)
      const { body } = await maya.call('requestPublication', { version, note: 'now' })
      assert.equal((await ravi.call('approvePublication', { number: String(body.number) })).status, 200)
      await live(service)
    }
    const preview = await maya.call('previewPublication', { version: 1 })
    assert.equal(preview.body.agreement, 'anotherPerson')
    const alone = await maya.call('requestPublication', { version: 1, note: 'back', alone: true })
    assert.equal(alone.body.type, '/problems/second-person-needed')
    assert.equal(await live(service), 2)
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

  test(`a rule made from the first decision is published by the only person there is (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const maya = await personWith(service, 'owner', 'Maya')
    const { decide } = decisionCalls(service)
    await decide({ action: 'PAYMENT', userId: 'asha', params: { amount: 500 } })
    const version = await draft(maya, 'params.amount > 400')
    const { body } = await maya.call('previewPublication', { version })
    assert.deepEqual([body.decisions, body.newlyBlocked, body.agreement], [1, 1, 'alone'])
    assert.deepEqual(
      body.warnings.map(({ kind }: { kind: string }) => kind),
      ['notMeasured', 'untried'],
    )
    assert.equal((await maya.call('requestPublication', { version, note: 'first', alone: true })).status, 200)
    assert.equal(await live(service), version)
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
