// Which device belongs to which account, and what does the session show of the account? A backend or a completed sign-in says so; what a
// page sends is only a hint.

import type { Network } from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { ConditionFailed, type Queryable } from '../../core/storage/database.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import type { Evidence } from '../../device/analysis/evidence.ts'
import { historyStatements, readHistory } from '../../device/history/history-change.ts'
import { type Named, namedOnDevice, seenOf } from '../../device/history/named-on-device.ts'
import { historySince } from '../../device/history/retention.ts'
import { rewriteMs } from '../../device/history/seen-values.ts'
import { accountHashOf, hashesOfDevice } from '../../device/history/visit.ts'
import {
  type AccountDevice,
  type ConfirmedInstallation,
  findAccountDevice,
  installationsIn,
  packedInstallations,
  putAccountDevice,
} from '../../device/store/account-devices.ts'
import { findHistory, wholeDevice } from '../../device/store/device-history.ts'
import { learnIn, withdrawIn } from '../learn.ts'
import { shownBy } from '../session.ts'
import {
  confirmationOf,
  decisionOf,
  descriptionOf,
  isByKey,
  isConfirmedBy,
  openDescription,
  sealDescription,
  trustedAgain,
} from './confirmed-device.ts'

/** A visit that a backend assigns to a user. */
export interface Confirmation {
  readonly tenantId: string
  readonly userId: string
  readonly analysis: Analysis
  /** False: the session was bad, so the device is the account's but is not trusted. */
  readonly isTrusted: boolean
  /** A decision proved the session: a later decision about the same visit knows the device. */
  readonly byDecision?: boolean
  /** Digits of the phone number that the session proved. */
  readonly phoneNumber?: string | undefined
  /** The user signed in here, under this id. Default: a backend named the user. */
  readonly personId?: string
}

/** A proven session; of one without a device, the IP address is known. */
export type ProvenSession = Omit<Confirmation, 'analysis' | 'isTrusted'> & {
  readonly analysis?: Analysis | undefined
  readonly address?: Pick<Evidence, 'network' | 'anonymity'> | undefined
}

type Services = Pick<Core, 'database' | 'clock' | 'tenantKeyring' | 'settings'>

/** Stores that a device belongs to an account. A device without an id, and a repeated confirmation, store nothing. */
export async function confirmDevice(confirmation: Confirmation, needs: Services): Promise<void> {
  const { database, clock, tenantKeyring, settings } = needs
  const { tenantId, userId, analysis, isTrusted } = confirmation
  const keys = await tenantKeyring.keysOf(tenantId)
  const now = clock.now()
  // Most reads of a report repeat a confirmation: they need no transaction.
  if (isTrusted && !(await changeOf(database, confirmation, keys, now))) return
  await database.transaction(async (tx) => {
    if (isTrusted) return confirmIn(tx, confirmation, { keys, now, settings })
    await storeDevice(tx, confirmation, keys, now)
    const account = { tenantId, accountHash: accountHashOf(userId, keys) }
    await withdrawIn(tx, account, shownBy({ at: now, analysis }, keys), keys, now)
  })
}

/** Confirms the device of a proven session, from which the account learns. */
export async function confirmIn(
  tx: Queryable,
  session: ProvenSession,
  { keys, now, settings }: { keys: TenantKeys; now: number } & Pick<Core, 'settings'>,
): Promise<void> {
  const { analysis, address, byDecision = false, ...person } = session
  const { tenantId, userId, phoneNumber } = person
  if (analysis?.deviceId !== undefined) {
    const isStored = await storeDevice(tx, { ...person, analysis, isTrusted: true, byDecision }, keys, now)
    if (!isStored) return
  }
  const { network, evidence } = analysis ?? {}
  const { anonymity } = evidence ?? {}
  const shown = { at: evidence?.now ?? now, network, anonymity, ...(!network && address), analysis, phoneNumber }
  const account = { tenantId, accountHash: accountHashOf(userId, keys) }
  await learnIn(tx, account, { shown: shownBy(shown, keys), since: historySince(now, settings) }, keys)
}

/** A sign-in whose code may have reached somebody else. */
export type DoubtedSignIn = Pick<Confirmation, 'tenantId' | 'userId'> &
  (
    | { readonly analysis: Analysis }
    /** Of one without a device, the network is the source of what it taught. `at`: when it was made, epoch milliseconds. */
    | { readonly network: Network; readonly at: number }
  )

/**
 * Takes back what the sign-in of a visit confirmed and taught: whoever diverted the code may have signed in. What another session, or a
 * decision about this one, proved stays. A proof that comes later, such as a passed challenge, confirms the visit again.
 */
export async function takeBackSignIn(
  { tenantId, userId, ...signIn }: DoubtedSignIn,
  { database, tenantKeyring }: Pick<Services, 'database' | 'tenantKeyring'>,
): Promise<void> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const account = { tenantId, accountHash: accountHashOf(userId, keys) }
  if ('network' in signIn) {
    const { network, at } = signIn
    const { source } = shownBy({ at, network }, keys)
    return database.transaction((tx) => withdrawIn(tx, account, { source }, keys, at))
  }
  const { analysis } = signIn
  const { deviceId, installationId = deviceId } = analysis
  if (deviceId === undefined) return
  const visitedAt = analysis.evidence.now
  const ofVisit = confirmationOf(analysis)
  await database.transaction(async (tx) => {
    const stored = await findAccountDevice(tx, account.accountHash, uuidBytes(deviceId))
    if (!stored || stored.revokedAt !== null) return
    const before = installationsIn(stored)
    const installations = before.filter((each) => each.id !== installationId || !isConfirmedBy(each, ofVisit))
    if (installations.length === before.length) return
    const revokedAt = installations.length === 0 ? visitedAt : null
    const device = { ...stored, installations: packedInstallations(installations), revokedAt }
    await putAccountDevice(tx, account.accountHash, device)
    const { source } = shownBy({ at: visitedAt, analysis }, keys)
    await withdrawIn(tx, account, { source }, keys, visitedAt)
  })
}

/** @returns whether anything changed */
async function storeDevice(tx: Queryable, confirmation: Confirmation, keys: TenantKeys, now: number): Promise<boolean> {
  const change = await changeOf(tx, confirmation, keys, now)
  if (!change) return false
  await putAccountDevice(tx, change.accountHash, change.device)
  await countPerson(tx, confirmation, keys)
  return true
}

/** The row of the device after the confirmation; undefined when nothing changes. */
async function changeOf(
  database: Queryable,
  { tenantId, userId, analysis, isTrusted, byDecision }: Confirmation,
  keys: TenantKeys,
  now: number,
): Promise<{ accountHash: Uint8Array; device: AccountDevice } | undefined> {
  const { deviceId, installationId = deviceId } = analysis
  if (deviceId === undefined || installationId === undefined) return undefined
  const visitedAt = analysis.evidence.now
  const accountHash = accountHashOf(userId, keys)
  const place = { tenantId, accountHash, deviceId }
  const stored = await findAccountDevice(database, accountHash, uuidBytes(deviceId))
  const ofVisit = confirmationOf(analysis)
  const confirmedBy = byDecision ? decisionOf(analysis) : ofVisit
  const confirmed = { id: installationId, confirmedAt: now, confirmedBy, knowsKey: isByKey(analysis) }
  const installations = stored ? confirmedIn(stored, confirmed, { visitedAt, isTrusted, ofVisit }) : undefined
  if (stored && !installations) return undefined
  const name = stored && openDescription(stored, place, keys).name
  return {
    accountHash,
    device: {
      deviceId: uuidBytes(deviceId),
      installations: packedInstallations(installations ?? (isTrusted ? [confirmed] : [])),
      firstSeenAt: Math.min(visitedAt, stored?.firstSeenAt ?? visitedAt),
      lastSeenAt: Math.max(visitedAt, stored?.lastSeenAt ?? visitedAt),
      revokedAt: isTrusted ? null : now,
      sealed: sealDescription({ ...descriptionOf(analysis), ...(name !== undefined && { name }) }, place, keys),
    },
  }
}

/**
 * The confirmed installations of a known device, this one first. Undefined when the confirmation changes nothing: it repeats one, or is
 * about a visit from before the device was revoked.
 */
function confirmedIn(
  stored: AccountDevice,
  confirmed: ConfirmedInstallation,
  { visitedAt, isTrusted, ofVisit }: { visitedAt: number; isTrusted: boolean; ofVisit: Uint8Array },
): ConfirmedInstallation[] | undefined {
  const { revokedAt, lastSeenAt } = stored
  const installations = installationsIn(stored)
  if (!isTrusted) return revokedAt === null ? installations : undefined
  if (revokedAt !== null) return visitedAt >= revokedAt ? [trustedAgain(stored, confirmed)] : undefined
  const before = installations.find(({ id }) => id === confirmed.id)
  const others = installations.filter((each) => each !== before)
  // A decision says more than the sign-in of the same visit.
  if (before && isConfirmedBy(before, ofVisit) && !isConfirmedBy(confirmed, ofVisit)) return [confirmed, ...others]
  if (before && visitedAt < lastSeenAt + rewriteMs) return undefined
  return [before ?? confirmed, ...others]
}

/** User and number count for the device. A device without a visit has no history yet. */
async function countPerson(tx: Queryable, confirmation: Confirmation, keys: TenantKeys) {
  const { userId, personId, phoneNumber: digits, analysis } = confirmation
  const place = hashesOfDevice(analysis, keys)
  const { deviceHash, installationHash } = place
  if (!deviceHash) return
  const rows = await findHistory(tx, deviceHash, installationHash ?? wholeDevice)
  if (rows.length === 0) return
  const named: Named = personId === undefined ? { userId, digits } : { userId: personId, digits, as: 'person' }
  const { change } = readHistory(rows, { deviceHash, installationHash }, seenOf(named, keys), analysis.evidence.now)
  for (const { sql, params } of historyStatements(change)) await tx.query(sql, params)
}

/** A user that a backend names counts for the device, also where nothing confirms it. */
export async function countNamed(
  { tenantId, analysis, ...named }: Pick<Confirmation, 'tenantId' | 'analysis'> & Omit<Named, 'as'>,
  { database, tenantKeyring, settings, clock }: Services,
): Promise<void> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const { deviceHash, installationHash } = hashesOfDevice(analysis, keys)
  if (!deviceHash) return
  const window = { at: analysis.evidence.now, since: historySince(clock.now(), settings) }
  for (;;) {
    const found = await namedOnDevice(database, { deviceHash, installationHash }, seenOf(named, keys), window)
    if (!found || found.statements.length === 0) return
    try {
      return await database.batch(found.statements)
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
    }
  }
}
