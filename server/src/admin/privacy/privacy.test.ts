import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, type ErasureReceipt, endpoints, type SubjectExport } from '@ringfence/contract'
import { decisionCalls } from '../../decisions/testing.ts'
import { tokenCalls } from '../../sign-in/tokens/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { verifyAuditLog } from '../audit/chain.ts'
import { type AdminCaller, adminClient } from '../testing.ts'
import { eraseSubject } from './erase.ts'
import { subjectFinder } from './find-subject.ts'
import { isAbout, isSigned, receiptKeyOf } from './receipt.ts'

interface Person {
  readonly userId: string
  readonly phoneNumber: string
  readonly email: string
}
const asha: Person = { userId: 'asha', phoneNumber: '917020141726', email: 'asha@example.com' }
const ben: Person = { userId: 'ben', phoneNumber: '917020142848', email: 'ben@example.com' }
const reason = 'Ticket 4711'

/** Each has a computer of another make. */
const factsOf = (userId: string) => ({
  ...ordinaryFacts,
  vendor: userId,
  hardwareConcurrency: 4 + userId.length,
  deviceMemory: userId.startsWith('asha') ? 8 : 4,
})

/** Sign-in, device, decision, label, list entry and a change by the console. */
async function recordPerson(service: TestService, { userId, phoneNumber, email }: Person) {
  const { post, clock } = service
  const sdk = await sdkClient(service)
  const updateInfo = { userId, phoneNumber }
  const { requestId } = await sdk.analyse(factsOf(userId), { updateInfo })
  const { dfrId } = (await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(requestId))).body
  const verifiedAt = new Date(clock.now()).toISOString()
  const identity = { identityType: 'MOBILE', identityValue: phoneNumber, channel: 'OTP', methods: ['SMS'] }
  const identities = [{ ...identity, verified: true, verifiedAt }]
  const token = await tokenCalls(service).issue({ userId, identities, requestId })
  const { body } = await decisionCalls(service).decide({ userId, phoneNumber, email, token, dfrId })
  const { decisionId, device } = body as Decision
  await post(endpoints.labelReports.path, { labels: [{ decisionId, outcome: 'legitimate' }] })
  const admin = await adminClient(service, 'admin')
  await admin('addListEntries', { name: 'numbers', entries: [{ value: phoneNumber }] })
  return { decisionId, dfrId, deviceId: device!.deviceId }
}

async function startWithTwo(
  t: Parameters<typeof startTestService>[0],
  database: Parameters<typeof startTestService>[1],
) {
  const service = await startTestService(t, database)
  await service.parts.rules.lists.create(
    service.tenantId,
    { name: 'numbers', kind: 'phoneNumber', purpose: 'watch' },
    'test',
  )
  return { service, ofAsha: await recordPerson(service, asha), ofBen: await recordPerson(service, ben) }
}

async function exported(call: AdminCaller, kind: string, value: string): Promise<SubjectExport> {
  const { status, body } = await call('exportSubject', { subject: { kind, value }, reason })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const kindsOf = ({ records }: SubjectExport) => [...new Set(records.map(({ kind }) => kind))].sort()

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('exports everything about a person by user, number and email address, and nothing of others'), async (t) => {
    const { service, ofAsha } = await startWithTwo(t, await open(t))
    const support = await adminClient(service, 'support')
    const byUser = await exported(support, 'userId', asha.userId)
    assert.equal(byUser.complete, true)
    assert.deepEqual(kindsOf(byUser), ['accountDevice', 'decision', 'deviceReport', 'event', 'habits'])
    const byNumber = await exported(support, 'phoneNumber', asha.phoneNumber)
    assert.deepEqual(kindsOf(byNumber), [
      'auditLine',
      'decision',
      'deviceReport',
      'event',
      'listEntry',
      'telecomAnswer',
    ])
    const byEmail = await exported(support, 'email', 'Asha@Example.com')
    assert.deepEqual(kindsOf(byEmail), ['decision', 'deviceReport', 'event'])
    const byDevice = await exported(support, 'deviceId', ofAsha.deviceId)
    assert.deepEqual(kindsOf(byDevice), ['decision', 'device', 'deviceReport', 'event'])
    for (const each of [byUser, byNumber, byEmail, byDevice]) {
      const text = JSON.stringify(each)
      assert.ok(text.includes(asha.phoneNumber))
      assert.ok(!text.includes(ben.phoneNumber) && !text.includes(ben.email))
    }
    for (const subject of [
      { kind: 'phoneNumber', value: '+91 70201' },
      { kind: 'deviceId', value: 'x' },
      { kind: 'email', value: 'asha' },
    ]) {
      assert.equal((await support('exportSubject', { subject, reason })).status, 400)
    }
    const viewer = await adminClient(service, 'viewer')
    assert.equal((await viewer('exportSubject', { subject: { kind: 'userId', value: 'asha' }, reason })).status, 403)
  })

  test(it('erases a person with a signed receipt; what is about others still opens'), async (t) => {
    const { service, ofAsha, ofBen } = await startWithTwo(t, await open(t))
    const { parts: needs, tenantId } = service
    const support = await adminClient(service, 'support')
    const receipts: ErasureReceipt[] = []
    for (const [kind, value] of Object.entries(asha)) {
      const { status, body } = await support('eraseSubject', { subject: { kind, value }, reason })
      assert.equal(status, 200, JSON.stringify(body))
      receipts.push(body)
      service.clock.advance({ seconds: 1 })
      assert.deepEqual(
        (await exported(support, kind, value)).records.map((record) => record.kind),
        kind === 'phoneNumber' ? ['listEntry'] : [],
      )
    }
    const [first] = receipts
    assert.ok(first!.erased.event! > 0 && first!.erased.decision === 1 && first!.erased.deviceReport === 1)
    const keys = await needs.tenantKeyring.keysOf(tenantId)
    for (const receipt of receipts) {
      assert.ok(isSigned(receipt, receiptKeyOf(keys)))
      assert.ok(!isSigned({ ...receipt, erased: { event: 4711 } }, receiptKeyOf(keys)), 'a changed receipt')
      for (const value of Object.values(asha)) assert.ok(!JSON.stringify(receipt).includes(`"${value}"`))
    }
    assert.ok((await isAbout(first!, asha.userId)) && !(await isAbout(first!, ben.userId)))
    assert.equal(receipts.find(({ subject }) => subject.kind === 'phoneNumber')!.kept.listEntry, 1)
    const listed = (await support('listErasures')).body.receipts
    assert.deepEqual(listed, receipts.toReversed())

    const { read } = decisionCalls(service)
    assert.equal((await read(ofAsha.decisionId)).status, 404)
    assert.equal((await read(ofBen.decisionId)).status, 200)
    const analyst = await adminClient(service, 'analyst')
    assert.equal((await analyst('readReport', { dfrId: ofAsha.dfrId, deviceType: 'WEB' })).status, 404)
    assert.equal((await analyst('readReport', { dfrId: ofBen.dfrId, deviceType: 'WEB' })).status, 200)
    assert.ok((await exported(support, 'userId', 'ben')).records.length > 4)
    const log = await verifyAuditLog(needs.database, tenantId, keys)
    assert.equal(log.broken, undefined)
  })

  test(it('removes list entries when asked, and forgets a device'), async (t) => {
    const { service, ofAsha, ofBen } = await startWithTwo(t, await open(t))
    const support = await adminClient(service, 'support')
    const subject = { kind: 'phoneNumber', value: asha.phoneNumber }
    const { erased, kept } = (await support('eraseSubject', { subject, reason, keepListEntries: false })).body
    assert.deepEqual([erased.listEntry, kept], [1, {}])
    const device = { kind: 'deviceId', value: ofBen.deviceId }
    const ofDevice = (await support('eraseSubject', { subject: device, reason })).body
    assert.ok(ofDevice.erased.device >= 1 && ofDevice.erased.decision === 1, JSON.stringify(ofDevice))
    assert.deepEqual((await exported(support, 'deviceId', ofBen.deviceId)).records, [])
    assert.ok((await exported(support, 'userId', 'asha')).records.length >= 0 && ofAsha.deviceId !== ofBen.deviceId)
  })

  test(
    it('finds an email address however it is written, also as older versions stored it, and nobody with a similar one'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { parts: needs, tenantId } = service
      const support = await adminClient(service, 'support')
      await decisionCalls(service).decide({ email: 'Kate@Bücher.example' })
      await decisionCalls(service).decide({ email: '\uFF4Bate@bücher.example' })
      await needs.rules.lists.create(tenantId, { name: 'people', kind: 'email', purpose: 'block' }, 'test')
      const note = 'With kate@bücher.example, KATE@xn--bcher-kva.example and \u212Aate@bücher.example'
      await needs.rules.lists.add(
        tenantId,
        'people',
        [{ value: 'Kate@bücher.example' }, { value: 'x@y.example', note }],
        'test',
      )
      // As an older version did.
      const event = {
        type: 'token.revoked',
        data: { tokenId: 't' },
        subjects: { email: 'kate@bücher.example' },
      } as const
      await needs.database.batch(await needs.events.statements(tenantId, [{ ...event, orderedBy: 't' }]))
      for (const value of ['kate@xn--bcher-kva.example', ' KATE@BÜCHER.example.']) {
        assert.deepEqual(kindsOf(await exported(support, 'email', value)), ['decision', 'event', 'listEntry'], value)
        assert.equal((await exported(support, 'email', value)).records.filter(({ kind }) => kind === 'event').length, 2)
      }
      assert.equal(
        (await exported(support, 'email', '\uFF4Bate@bücher.example')).records.filter(({ kind }) => kind === 'decision')
          .length,
        1,
      )
      const find = subjectFinder({ kind: 'email', value: 'kate@xn--bcher-kva.example' })
      assert.deepEqual(find({ note }).value, { note: 'With [erased], [erased] and \u212Aate@bücher.example' })
      const subject = { kind: 'email', value: 'KATE@bücher.example' }
      const { body } = await support('eraseSubject', { subject, reason, keepListEntries: false })
      assert.deepEqual([body.erased.listEntry, body.erased.decision, body.erased.event], [1, 1, 2])
      assert.deepEqual((await exported(support, 'email', 'kate@bücher.example')).records, [])
    },
  )

  test(it('is whole when it is repeated, wherever it was cut off'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const { database } = needs
    const support = await adminClient(service, 'support')
    const analyst = await adminClient(service, 'analyst')
    await needs.rules.lists.create(tenantId, { name: 'numbers', kind: 'phoneNumber', purpose: 'watch' }, 'test')
    for (let commits = 0, isWhole = false; !isWhole; commits++) {
      const userId = `user-${commits}`
      const person = { userId, phoneNumber: `9170201${50_000 + commits}`, email: `${userId}@example.com` }
      const { dfrId, decisionId } = await recordPerson(service, person)
      let left = commits
      const cutOff: typeof database = {
        ...database,
        async transaction(work, timeoutMs) {
          if (left-- === 0) throw new Error('the power is gone')
          return database.transaction(work, timeoutMs)
        },
      }
      const subject = { kind: 'userId', value: userId } as const
      const erasure = { tenantId, subject, by: 'test', reason, keepListEntries: true }
      isWhole = await eraseSubject(erasure, { ...needs, database: cutOff }).then(
        () => true,
        () => false,
      )
      assert.equal((await support('eraseSubject', { subject, reason })).status, 200)
      assert.equal(
        (await decisionCalls(service).read(decisionId)).status,
        404,
        `the decision, after ${commits} commits`,
      )
      const report = await analyst('readReport', { dfrId, deviceType: 'WEB' })
      assert.equal(report.status, 404, `the device report, after ${commits} commits`)
      assert.ok(isWhole || commits < 40)
    }
  })
})
