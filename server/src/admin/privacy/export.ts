// What does the store have about a person or device? All of it, one record after the other.

import type { PrivacySubject, SubjectExport } from '@ringfence/contract'
import { openDescription } from '../../accounts/devices/confirmed-device.ts'
import { readKnowledge } from '../../accounts/learn.ts'
import { personOf } from '../../accounts/person.ts'
import { type Pause, withoutPause } from '../../core/heavy-work/slices.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import { openDecision } from '../../decisions/record/record.ts'
import { openComments } from '../../decisions/reviews/comments.ts'
import { askedMember } from '../../decisions/reviews/review.ts'
import { decisionsOfSubject } from '../../decisions/store/of-subject.ts'
import { commentsOfDecision } from '../../decisions/store/review-work.ts'
import { devicesOfAccount } from '../../device/store/account-devices.ts'
import { findAnalysis } from '../../device/store/device-analyses.ts'
import { openRecord } from '../../device/store/record.ts'
import { rowsOfDevice } from '../../device/store/rows-of-device.ts'
import { accountHashOf, deviceHashOf } from '../../events/subject-hashes.ts'
import { profileOf, provedBy } from '../../sign-in/authentication/users.ts'
import { importedCustomers } from '../../sign-in/customers/forget.ts'
import { findUser } from '../../sign-in/store/users.ts'
import { openAnswer } from '../../telecom/answers.ts'
import { findWatchOfNumber } from '../../telecom/store/number-watches.ts'
import { telecomAnswersOfNumbers } from '../../telecom/store/telecom-answers.ts'
import { openWatch } from '../../telecom/watching/watch-record.ts'
import { auditLinesOf } from './audit-lines.ts'
import { batchLinesOf } from './batch-lines.ts'
import { recordOfDevice } from './device-record.ts'
import { shownEntities } from './entities.ts'
import type { PrivacyResources } from './erase.ts'
import { eventData } from './event-data.ts'
import { entriesOf } from './list-entries.ts'
import { importedPersonOf, type Subject, signInsOf, usersOfSubject } from './person.ts'
import { eachEvent, rowsAtOnce } from './store/records-of-subject.ts'
import { checkSubject, keysOfSubject, knownSubject, type SubjectKey, userIdsOf } from './subject.ts'

export type ExportedRecord = SubjectExport['records'][number]

type About = Subject & { readonly resources: PrivacyResources }

/** Each record once. Memory does not grow with their number, except by the ids of device reports. Refuses with `fieldInvalid`. */
export async function* exportSubject(
  tenantId: string,
  asked: PrivacySubject,
  resources: PrivacyResources,
  pause: Pause = withoutPause,
): AsyncGenerator<ExportedRecord> {
  for await (const record of recordsOf(tenantId, asked, resources, pause)) {
    yield record
    await pause()
  }
}

async function* recordsOf(
  tenantId: string,
  asked: PrivacySubject,
  resources: PrivacyResources,
  pause: Pause,
): AsyncGenerator<ExportedRecord> {
  const keys = await resources.tenantKeyring.keysOf(tenantId)
  const subject = await knownSubject(resources.database, tenantId, checkSubject(asked), keys)
  const about: About = { tenantId, subject, keys, pause, resources }
  yield* usersIn(about)
  yield* accountsIn(about)
  const reports = new Set<string>()
  for (const key of keysOfSubject(subject, keys)) {
    yield* eventsIn(about, key, reports)
    yield* decisionsIn(about, key, reports)
  }
  for (const entity of await shownEntities(resources.database, about)) yield recordOf('entity', entity)
  yield* devicesIn(about, reports)
  yield* reportsIn(about, reports)
  yield* checksIn(about)
  for await (const { content } of signInsOf(resources.database, about)) yield recordOf('signIn', content)
  for await (const line of batchLinesOf(resources.database, about)) yield recordOf('batchLine', line)
  for (const entry of await entriesOf(about, resources.rules.lists)) yield recordOf('listEntry', entry)
  for await (const line of auditLinesOf(resources.database, about)) yield recordOf('auditLine', line)
}

const recordOf = (kind: string, record: unknown): ExportedRecord => ({ kind, record: { ...(record as object) } })
const iso = (epochMs: number) => new Date(epochMs).toISOString()

async function* usersIn(about: About): AsyncGenerator<ExportedRecord> {
  const { tenantId, resources } = about
  for (const userId of await usersOfSubject(resources.database, about)) {
    const user = await findUser(resources.database, tenantId, userId)
    if (!user) continue
    const profile = await profileOf(tenantId, userId, resources)
    const times = { createdAt: iso(user.createdAt), lastSignInAt: iso(user.lastSignInAt) }
    const linkedTo = (await personOf(tenantId, userId, resources))?.customerId
    yield recordOf('user', {
      userId,
      ...times,
      ...(linkedTo !== undefined && { linkedTo }),
      ...(profile && { profile }),
    })
    for (const { addedAt, ...identity } of await provedBy(tenantId, userId, resources))
      yield recordOf('identity', { userId, ...identity, ...(addedAt !== undefined && { addedAt: iso(addedAt) }) })
  }
  for (const { customerId, contacts } of await importedCustomers(
    resources.database,
    importedPersonOf(about),
    about.keys,
  ))
    yield recordOf('importedCustomer', { userId: customerId, contacts })
}

async function* accountsIn({ tenantId, subject, keys, resources }: About): AsyncGenerator<ExportedRecord> {
  const { database } = resources
  for (const userId of userIdsOf(subject)) {
    const accountHash = accountHashOf(userId, keys)
    for (const device of await devicesOfAccount(database, accountHash, 0)) {
      const deviceId = uuidText(device.deviceId)
      const description = openDescription(device, { tenantId, accountHash }, keys)
      const times = { firstSeenAt: iso(device.firstSeenAt), lastSeenAt: iso(device.lastSeenAt) }
      yield recordOf('accountDevice', { userId, deviceId, ...description, ...times })
    }
    const { row, knowledge } = await readKnowledge(database, { tenantId, accountHash }, keys)
    if (!row) continue
    const sources = knowledge.map(({ values, ...source }) => ({
      ...source,
      values: Object.fromEntries(Object.entries(values).map(([kind, counts]) => [kind, Object.fromEntries(counts)])),
    }))
    yield recordOf('habits', { userId, sources })
  }
}

async function* eventsIn(
  { tenantId, keys, resources }: About,
  key: SubjectKey,
  reports: Set<string>,
): AsyncGenerator<ExportedRecord> {
  for await (const event of eachEvent(resources.database, { tenantId, ...key })) {
    const data = eventData(event, keys)
    if (typeof data.dfrId === 'string') reports.add(data.dfrId)
    yield recordOf('event', { id: uuidText(event.id), type: event.type, timestamp: iso(event.occurredAt), data })
  }
}

async function* decisionsIn(
  { tenantId, keys, resources }: About,
  { column, hash }: SubjectKey,
  reports: Set<string>,
): AsyncGenerator<ExportedRecord> {
  const subject = column.replace('_hash', 'Hash') as 'userHash'
  for (let before: string | undefined; ; ) {
    const of = { tenantId, subject, hash, since: 0, ...(before !== undefined && { before }) }
    const rows = await decisionsOfSubject(resources.database, of, rowsAtOnce)
    for (const row of rows) {
      const { answer, input, review, asked } = openDecision(row, keys, resources.compression)
      const decision = JSON.parse(answer.text)
      if (row.dfrId) reports.add(row.dfrId)
      const sealedComments = review ? await commentsOfDecision(resources.database, row) : null
      const comments = openComments(sealedComments, row, keys)
      yield recordOf('decision', {
        decision,
        input,
        ...(review && { review }),
        ...(asked && { challenge: askedMember(asked) }),
        ...(comments.length > 0 && {
          comments: comments.map(({ name, at, comment }) => ({ by: name, at: iso(at), comment })),
        }),
      })
    }
    if (rows.length < rowsAtOnce) return
    before = rows.at(-1)!.decisionId
  }
}

async function* devicesIn({ tenantId, subject, keys, resources }: About, reports: Set<string>) {
  if (subject.kind !== 'deviceId') return
  const device = await recordOfDevice({ tenantId, deviceId: subject.value }, 1000, resources)
  if (device) yield recordOf('device', device)
  const found = rowsOfDevice(resources.database, { tenantId, deviceHash: deviceHashOf(subject.value, keys) })
  for await (const dfrId of found) reports.add(Buffer.from(dfrId).toString('hex'))
}

async function* reportsIn(
  { tenantId, keys, resources }: About,
  reports: ReadonlySet<string>,
): AsyncGenerator<ExportedRecord> {
  for (const dfrId of reports) {
    const row = await findAnalysis(resources.database, { tenantId, dfrId }, 0)
    if (!row) continue
    const { analysis, report } = openRecord(row, keys, resources.compression)
    yield recordOf('deviceReport', { dfrId, analysis, ...(report && { report: JSON.parse(report.answer.text) }) })
  }
}

async function* checksIn({ tenantId, subject, keys, resources }: About): AsyncGenerator<ExportedRecord> {
  if (subject.kind !== 'phoneNumber') return
  const numberHash = keys.hash(subject.value)
  const { database, clock } = resources
  const stored = await telecomAnswersOfNumbers(database, tenantId, [numberHash], clock.now())
  for (const row of stored.toSorted((one, other) => other.answeredAt - one.answeredAt)) {
    const { question, answeredAt } = row
    yield recordOf('telecomAnswer', { question, ...openAnswer(row, keys, numberHash), answeredAt: iso(answeredAt) })
  }
  const watch = await findWatchOfNumber(database, tenantId, numberHash)
  if (watch) {
    const times = { createdAt: iso(watch.createdAt), expiresAt: iso(watch.expiresAt) }
    yield recordOf('watch', { watchId: uuidText(watch.id), ...openWatch(watch, keys), ...times })
  }
}
