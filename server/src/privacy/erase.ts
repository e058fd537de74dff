// How is a person or device erased? Row by row, in small transactions that can be repeated, with a signed receipt at the end.

import type { ErasureReceipt, PrivacySubject } from '@ringfence/contract'
import { ofHash } from '../device/history/seen-values.ts'
import { deviceHashOf } from '../device/history/subject-hashes.ts'
import { forgetDevice } from '../device/store/device-record.ts'
import type { Platform } from '../platform.ts'
import type { Database } from '../storage/database.ts'
import { insertErasure } from '../storage/privacy/erasures.ts'
import { forgetAdminAnswers } from '../storage/privacy/person-rows.ts'
import {
  deleteDecisions,
  deleteEvents,
  deleteLabels,
  deleteReport,
  eventsOfSubject,
  reportsOfDevice,
  rowsAtOnce,
  type SeenHashes,
  someDecisions,
} from '../storage/privacy/records-of-subject.ts'
import { newUuidAt, uuidBytes } from '../storage/uuid.ts'
import { eraseAuditLines } from './audit-lines.ts'
import { eventData } from './event-data.ts'
import { ledgerFileName, ledgerOf, noteErasure } from './ledger.ts'
import { entriesOf } from './list-entries.ts'
import { type Add, eraseAccounts, eraseChecks, eraseSignIns, eraseUsers, forgetSeen, type Subject } from './person.ts'
import { hiddenSubject, signedReceipt } from './receipt.ts'
import { erasureContext } from './receipts.ts'
import { checkSubject, keysOfSubject, markOf } from './subject.ts'

export type PrivacyResources = Pick<
  Platform,
  'database' | 'tenantKeyring' | 'compression' | 'clock' | 'settings' | 'lists'
>

export interface Erasure {
  readonly tenantId: string
  readonly subject: PrivacySubject
  /** Who erases, and why. */
  readonly by: string
  readonly reason: string
  readonly keepListEntries: boolean
}

/** Reports and devices that the erased events and decisions were about. */
interface Linked {
  readonly reports: Set<string>
  readonly devices: Map<string, Uint8Array>
  /** What these devices saw in them: the person may have several numbers and users. */
  readonly seen: { readonly accounts: Set<string>; readonly numbers: Set<string> }
}

function noteSeen({ devices, seen }: Linked, { deviceHash, userHash, numberHash }: SeenHashes): void {
  if (deviceHash) devices.set(hexOf(deviceHash), deviceHash)
  if (userHash) seen.accounts.add(ofHash(userHash))
  if (numberHash) seen.numbers.add(ofHash(numberHash))
}

/**
 * Deletes what the store has about a subject. Refuses with `fieldInvalid`. A failure leaves a part: repeat it. Rows of older versions
 * without the hash of the subject are not found and expire (`remains` of the receipt).
 */
export async function eraseSubject(erasure: Erasure, resources: PrivacyResources): Promise<ErasureReceipt> {
  const { tenantId, keepListEntries } = erasure
  const { database, tenantKeyring, clock, settings, lists } = resources
  const subject = checkSubject(erasure.subject)
  const keys = await tenantKeyring.keysOf(tenantId)
  const id = newUuidAt(clock.now())
  const about: Subject = { tenantId, subject, keys }
  const erased: Record<string, number> = {}
  const add: Add = (kind, rows) => {
    if (rows > 0) erased[kind] = (erased[kind] ?? 0) + rows
  }
  const linked: Linked = {
    reports: new Set(),
    devices: new Map(),
    seen: { accounts: new Set(), numbers: new Set() },
  }

  await eraseEvents(database, about, add, linked)
  await eraseDecisions(database, about, add, linked)
  if (subject.kind === 'deviceId') await findReportsOfDevice(database, about, linked)
  for (const dfrId of linked.reports) {
    await database.transaction(async (tx) => {
      const report = await deleteReport(tx, tenantId, dfrId)
      add('label', (await deleteLabels(tx, tenantId, [dfrId])) + (report?.labels ?? 0))
      if (report) add('deviceReport', 1)
      if (report?.deviceHash) linked.devices.set(hexOf(report.deviceHash), report.deviceHash)
    })
  }
  const ofAccounts = await database.transaction((tx) => eraseAccounts(tx, about, add))
  for (const hash of ofAccounts) linked.devices.set(hexOf(hash), hash)
  for (const hash of linked.devices.values())
    await database.transaction((tx) => forgetSeen(tx, hash, { ...about, seen: linked.seen }, add))
  if (subject.kind === 'deviceId') {
    const { installations, visits, labels, accounts } = await forgetDevice(
      { tenantId, deviceId: subject.value },
      resources,
    )
    for (const [kind, rows] of Object.entries({ device: installations, visit: visits, label: labels })) add(kind, rows)
    add('accountDevice', accounts)
  }
  await database.transaction(async (tx) => {
    await eraseUsers(tx, about, add)
    await eraseChecks(tx, about, add)
    add('answerOfAChange', await forgetAdminAnswers(tx, tenantId))
  })
  await eraseSignIns(database, about, add)
  add('auditLine', await eraseAuditLines(database, about, id))
  const kept: Record<string, number> = {}
  for (const { name, value } of await entriesOf(about, lists)) {
    if (keepListEntries) kept.listEntry = (kept.listEntry ?? 0) + 1
    else add('listEntry', await lists.remove(tenantId, name, [value], erasure.by))
  }

  const erasedAt = clock.now()
  const mark = markOf(subject, keys)
  const receiptWith = (remains: readonly string[]) =>
    signedReceipt(
      {
        id,
        erasedAt: new Date(erasedAt).toISOString(),
        by: erasure.by,
        reason: erasure.reason,
        subject: hiddenSubject(subject),
        erased,
        kept,
        remains: [
          ...remainsOf(
            { eventDays: settings.eventDays, decisionDays: settings.decisionDays },
            keepListEntries,
            database,
          ),
          ...remains,
        ],
      },
      keys,
    )
  const noted = receiptWith([])
  const entry = { tenantId, mark: Buffer.from(mark).toString('base64url'), keepListEntries, receipt: noted }
  const isNoted = await noteErasure(ledgerOf(settings), entry)
  const receipt = isNoted ? noted : receiptWith([notNoted])
  const row = { tenantId, id: uuidBytes(id), erasedAt, subjectKind: subject.kind, mark }
  const sealed = keys.seal(JSON.stringify(receipt), erasureContext(tenantId, row.id))
  await database.transaction((tx) => insertErasure(tx, { ...row, sealed }))
  await database.overwriteDeleted?.()
  return receipt
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

async function eraseEvents(database: Database, about: Subject, add: Add, linked: Linked): Promise<void> {
  const { tenantId, subject, keys } = about
  for (const key of keysOfSubject(subject, keys)) {
    for (;;) {
      const events = await eventsOfSubject(database, { tenantId, ...key, after: new Uint8Array(0) })
      if (events.length === 0) break
      for (const event of events) {
        const { dfrId } = eventData(event, keys)
        if (typeof dfrId === 'string') linked.reports.add(dfrId)
        noteSeen(linked, event)
      }
      const ids = events.map(({ id }) => id)
      const deleted = await database.transaction((tx) => deleteEvents(tx, tenantId, ids))
      add('event', deleted.events)
      add('delivery', deleted.deliveries)
      add('deliveryAttempt', deleted.attempts)
      if (events.length < rowsAtOnce) break
    }
  }
}

async function eraseDecisions(database: Database, about: Subject, add: Add, linked: Linked): Promise<void> {
  const { tenantId, subject, keys } = about
  for (const key of keysOfSubject(subject, keys)) {
    for (;;) {
      const decisions = await someDecisions(database, { tenantId, ...key })
      if (decisions.length === 0) break
      for (const { dfrId, ...row } of decisions) {
        if (dfrId !== undefined) linked.reports.add(dfrId)
        noteSeen(linked, row)
      }
      await database.transaction(async (tx) => {
        const labels = await deleteLabels(
          tx,
          tenantId,
          decisions.map(({ decisionId }) => decisionId),
        )
        const ids = decisions.map(({ id }) => id)
        const rows = await deleteDecisions(tx, tenantId, ids)
        add('label', labels)
        add('decision', rows)
      })
      if (decisions.length < rowsAtOnce) break
    }
  }
}

async function findReportsOfDevice(database: Database, { tenantId, subject, keys }: Subject, { reports }: Linked) {
  for (const dfrId of await reportsOfDevice(database, tenantId, deviceHashOf(subject.value, keys))) reports.add(dfrId)
}

const notNoted = `${ledgerFileName} of the data folder could not be written: after a restore, erase again by hand`

function remainsOf(
  { eventDays, decisionDays }: { eventDays: number; decisionDays: number },
  keepListEntries: boolean,
  { engine }: Pick<Database, 'engine'>,
): string[] {
  return [
    `Rows that a version before the look-up by this subject wrote: events at most ${eventDays} days, decisions ${decisionDays}`,
    'Tokens, sealed under keys that only their bearers have: at most a day after they expire',
    'Keyed hashes of the value among the distinct values of velocities: at most 30 days',
    ...(keepListEntries ? [] : ['A removed list entry, sealed: an hour']),
    'Backups, exports, webhooks and streams made before',
    engine === 'sqlite'
      ? 'Nothing of it in the file and its log'
      : 'Deleted rows in files of PostgreSQL until vacuum reuses their space, in its log and in its replicas',
  ]
}
