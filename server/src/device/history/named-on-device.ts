// Which users does a backend name on a device? Each counts for the history of the device, whatever the page sent.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { accountHashOf, numberHashOf } from '../../events/subject-hashes.ts'
import { findHistory, historyAppended, wholeDevice } from '../store/device-history.ts'
import { readHistory, type SeenPlace } from './history-change.ts'
import { longestPacked, notStored, ofHash, packedAt, type Seen, type SeenKind, unpacked } from './seen-values.ts'
import { type Velocity, velocityOf } from './velocity.ts'

/** A user id, and the digits of a phone number. */
export interface Named {
  readonly userId?: string | undefined
  readonly digits?: string | undefined
  /** Default: a backend named the user. `person`: the user signed in here, under an id of ours. */
  readonly as?: Extract<SeenKind, 'account' | 'person'>
}

export const seenOf = ({ userId, digits, as = 'account' }: Named, keys: Pick<TenantKeys, 'hash'>): Seen[] => [
  ...(userId === undefined ? [] : [{ kind: as, value: ofHash(accountHashOf(userId, keys)) }]),
  ...(digits === undefined ? [] : [{ kind: 'number' as const, value: ofHash(numberHashOf(digits, keys)) }]),
]

export interface NamedOnDevice {
  /** Counts of this moment, with what is named now. */
  readonly velocity: Velocity
  /** Add what is named, in the commit of whatever named it: it fails with ConditionFailed when the history was split or erased meanwhile. */
  readonly statements: readonly BatchStatement[]
}

/** Undefined for a device without a history, which has had no visit. `at`: epoch milliseconds; `since`: older values are not counted. */
export async function namedOnDevice(
  database: Queryable,
  place: SeenPlace,
  seen: readonly Seen[],
  { at, since }: { at: number; since: number },
): Promise<NamedOnDevice | undefined> {
  const { deviceHash, installationHash } = place
  const rows = await findHistory(database, deviceHash, installationHash ?? wholeDevice)
  if (rows.length === 0) return undefined
  const { own } = readHistory(rows, place, seen, at)
  const velocity = velocityOf({ seen: own, devices: [], now: at, since })
  const added = seen.filter((one) => rows.some((row) => notStored(unpacked(row.seen), [one], at).length > 0))
  // Its counts are at their highest. The next visit writes the row again, with the newest values.
  const isFull = rows.some((row) => row.seen.length > longestPacked)
  if (added.length === 0 || isFull) return { velocity, statements: [] }
  const sole = rows.find((row) => row.installationHash.length === 0)?.soleInstallationHash ?? null
  const whose = { deviceHash, installationHash: installationHash ?? wholeDevice, sole }
  return { velocity, statements: [historyAppended(whose, packedAt(added, at))] }
}
