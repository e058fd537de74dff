// How is a person or device erased? Row by row, in small transactions that can be repeated, with a signed receipt at the end.

import type { ErasureReceipt, PrivacySubject } from '@ringfence/contract'
import { type Pause, withoutPause } from '../../core/heavy-work/slices.ts'
import type { Database } from '../../core/storage/database.ts'
import { dfrIdBytes } from '../../core/storage/short-keys.ts'
import { newUuidAt, uuidBytes } from '../../core/storage/uuid.ts'
import { ofHash } from '../../device/history/seen-values.ts'
import { rowsOfDevice } from '../../device/store/rows-of-device.ts'
import { deviceHashOf, markOf } from '../../events/subject-hashes.ts'
import { forgetAdminAnswers } from '../store/admin-calls.ts'
import type { EntityKey } from '../store/entities.ts'
import { deleteFoldedLabels } from '../store/folded-labels.ts'
import { eraseAuditLines } from './audit-lines.ts'
import { eraseBatchLines } from './batch-lines.ts'
import { forgetDevice } from './device-record.ts'
import { entityKeysOf, eraseEntities } from './entities.ts'
import { eventData } from './event-data.ts'
import { ledgerFileName, ledgerOf, noteErasure } from './ledger.ts'
import { entriesOf } from './list-entries.ts'
import {
  type Add,
  devicesOfPerson,
  eraseAccounts,
  eraseChecks,
  eraseImported,
  eraseSignIns,
  eraseUsers,
  forgetSeen,
  identityHashesOf,
  type Subject,
} from './person.ts'
import { hiddenSubject, signedReceipt } from './receipt.ts'
import { erasureContext } from './receipts.ts'
import type { PrivacyNeeds } from './room.ts'
import { insertErasure } from './store/erasures.ts'
import {
  deleteDecisions,
  deleteEvents,
  deleteLabels,
  deleteReport,
  eachDecision,
  eachEvent,
  type SeenHashes,
  someDecisions,
  someEvents,
} from './store/records-of-subject.ts'
import { checkSubject, keysOfSubject, knownSubject } from './subject.ts'

export type PrivacyResources = Pick<
  PrivacyNeeds,
  'database' | 'tenantKeyring' | 'compression' | 'clock' | 'settings' | 'rules'
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
  /** The subjects of the erased events. */
  readonly named: Map<string, EntityKey>
}

function noteSeen({ devices, seen, named }: Linked, { deviceHash, userHash, numberHash }: SeenHashes): void {
  for (const key of entityKeysOf({ deviceHash, userHash, numberHash })) named.set(`${key.kind} ${hexOf(key.hash)}`, key)
  if (deviceHash) devices.set(hexOf(deviceHash), deviceHash)
  if (userHash) seen.accounts.add(ofHash(userHash))
  if (numberHash) seen.numbers.add(ofHash(numberHash))
}

/**
 * Deletes what the store has about a subject. Refuses with `fieldInvalid`. A failure leaves a part: repeat it. Rows of older versions
 * without the hash of the subject are not found and expire (`remains` of the receipt).
 */
export async function eraseSubject(
  erasure: Erasure,
  resources: PrivacyResources,
  pause: Pause = withoutPause,
): Promise<ErasureReceipt> {
  const { tenantId, keepListEntries } = erasure
  const { database, tenantKeyring, clock, rules } = resources
  const keys = await tenantKeyring.keysOf(tenantId)
  const subject = await knownSubject(database, tenantId, checkSubject(erasure.subject), keys)
  const id = newUuidAt(clock.now())
  const about: Subject = { tenantId, subject, keys, pause }
  const erased: Record<string, number> = {}
  const add: Add = (kind, rows) => {
    if (rows > 0) erased[kind] = (erased[kind] ?? 0) + rows
  }
  const linked: Linked = {
    reports: new Set(),
    devices: new Map(),
    seen: { accounts: new Set(), numbers: new Set() },
    named: new Map(),
  }

  await findLinked(database, about, linked)
  await eraseLinked(database, about, linked, add)
  await database.transaction((tx) => eraseAccounts(tx, about, add))
  if (subject.kind === 'deviceId') {
    const { installations, visits, labels, accounts } = await forgetDevice(
      { tenantId, deviceId: subject.value },
      resources,
    )
    add('device', installations)
    add('visit', visits)
    add('label', labels)
    add('accountDevice', accounts)
  }
  await eraseImported(database, about, add)
  await database.transaction(async (tx) => {
    await eraseChecks(tx, about, add)
    add('answerOfAChange', await forgetAdminAnswers(tx, tenantId))
  })
  await eraseSignIns(database, about, add)
  await eraseBatchLines(database, about, add)
  await eraseDecisions(database, about, add)
  await eraseEvents(database, about, add)
  add('entity', await eraseEntities(database, about, linked.named))
  // Late, as they have the other ids of the person: a repeated erasure finds the same.
  await database.transaction((tx) => eraseUsers(tx, about, add))
  add('auditLine', await eraseAuditLines(database, about, id))
  const kept: Record<string, number> = {}
  for (const { name, value } of await entriesOf(about, rules.lists)) {
    if (keepListEntries) kept.listEntry = (kept.listEntry ?? 0) + 1
    else add('listEntry', (await rules.lists.remove(tenantId, name, [value], erasure.by)).removed)
  }
  return recordErasure(erasure, { id, erased, kept }, about, resources)
}

/** Signs the receipt, and stores it with the mark of the subject: in the ledger, for a store that is restored later, and in the store. */
async function recordErasure(
  { tenantId, by, reason, keepListEntries }: Erasure,
  { id, ...counts }: Pick<ErasureReceipt, 'id' | 'erased' | 'kept'>,
  { subject, keys }: Subject,
  { database, clock, settings }: PrivacyResources,
): Promise<ErasureReceipt> {
  const hidden = await hiddenSubject(subject)
  const erasedAt = clock.now()
  const mark = markOf(subject, keys)
  const facts = { id, erasedAt: new Date(erasedAt).toISOString(), by, reason, subject: hidden, ...counts }
  const remains = remainsOf(settings, keepListEntries, database)
  const noted = signedReceipt({ ...facts, remains }, keys)
  const contacts = identityHashesOf(subject, keys).map((hash) => Buffer.from(hash).toString('base64url'))
  const written = { mark: Buffer.from(mark).toString('base64url'), ...(contacts.length > 0 && { contacts }) }
  const entry = { tenantId, ...written, keepListEntries, receipt: noted }
  const isNoted = await noteErasure(ledgerOf(settings), entry)
  const receipt = isNoted ? noted : signedReceipt({ ...facts, remains: [...remains, notNoted] }, keys)
  const row = { tenantId, id: uuidBytes(id), erasedAt, subjectKind: subject.kind, mark }
  const sealed = keys.seal(JSON.stringify(receipt), erasureContext(tenantId, row.id))
  await database.transaction((tx) => insertErasure(tx, { ...row, sealed }))
  await database.overwriteDeleted?.()
  return receipt
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Read before anything is deleted, and what has the links is deleted last: an erasure that was cut off finds the same when it is repeated. */
async function findLinked(database: Database, about: Subject, linked: Linked): Promise<void> {
  const { tenantId, subject, keys, pause } = about
  const { reports, devices } = linked
  for (const key of keysOfSubject(subject, keys)) {
    for await (const event of eachEvent(database, { tenantId, ...key })) {
      const { dfrId } = eventData(event, keys)
      if (typeof dfrId === 'string') reports.add(dfrId)
      noteSeen(linked, event)
      await pause()
    }
    for await (const { dfrId, ...row } of eachDecision(database, { tenantId, ...key })) {
      if (dfrId !== undefined) reports.add(dfrId)
      noteSeen(linked, row)
      await pause()
    }
  }
  if (subject.kind === 'deviceId')
    for await (const dfrId of rowsOfDevice(database, { tenantId, deviceHash: deviceHashOf(subject.value, keys) })) {
      reports.add(hexOf(dfrId))
      await pause()
    }
  const ofAccounts = await database.transaction((tx) => devicesOfPerson(tx, about))
  for (const hash of ofAccounts) devices.set(hexOf(hash), hash)
}

/** Reports with their labels, and what the devices saw of the subject. */
async function eraseLinked(
  database: Database,
  about: Subject,
  { reports, devices, seen }: Linked,
  add: Add,
): Promise<void> {
  const { tenantId, pause } = about
  for (const dfrId of reports) {
    await pause()
    await database.transaction(async (tx) => {
      const report = await deleteReport(tx, tenantId, dfrId)
      await deleteFoldedLabels(tx, tenantId, [dfrIdBytes(dfrId)])
      add('label', (await deleteLabels(tx, tenantId, [dfrId])) + (report?.labels ?? 0))
      if (report) add('deviceReport', 1)
      const { deviceHash } = report ?? {}
      if (deviceHash && !devices.has(hexOf(deviceHash))) await forgetSeen(tx, deviceHash, { ...about, seen }, add)
    })
  }
  for (const hash of devices.values()) {
    await pause()
    await database.transaction((tx) => forgetSeen(tx, hash, { ...about, seen }, add))
  }
}

async function eraseEvents(database: Database, { tenantId, subject, keys, pause }: Subject, add: Add): Promise<void> {
  for (const key of keysOfSubject(subject, keys)) {
    for (;;) {
      const ids = await someEvents(database, { tenantId, ...key })
      if (ids.length === 0) break
      const deleted = await database.transaction((tx) => deleteEvents(tx, tenantId, ids))
      add('event', deleted.events)
      add('delivery', deleted.deliveries)
      add('deliveryAttempt', deleted.attempts)
      await pause()
    }
  }
}

async function eraseDecisions(
  database: Database,
  { tenantId, subject, keys, pause }: Subject,
  add: Add,
): Promise<void> {
  for (const key of keysOfSubject(subject, keys)) {
    for (;;) {
      const decisions = await someDecisions(database, { tenantId, ...key, after: new Uint8Array(0) })
      if (decisions.length === 0) break
      await database.transaction(async (tx) => {
        const ids = decisions.map(({ decisionId }) => decisionId)
        add('label', await deleteLabels(tx, tenantId, ids))
        await deleteFoldedLabels(
          tx,
          tenantId,
          decisions.map(({ id }) => id),
        )
        const rows = decisions.map(({ id }) => id)
        add('decision', await deleteDecisions(tx, tenantId, rows))
      })
      await pause()
    }
  }
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
