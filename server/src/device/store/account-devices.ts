// Which devices did a backend confirm for an account?

import type { Queryable } from '../../core/storage/database.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'

export interface AccountDevice {
  /** 16 bytes. */
  readonly deviceId: Uint8Array
  readonly installations: Uint8Array
  /** Epoch milliseconds. */
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** Null: the device is trusted. */
  readonly revokedAt: number | null
  readonly sealed: Uint8Array
}

/** An account has at most this many devices; the one seen longest ago is deleted for another one, those without trust first. */
export const mostDevicesOfAccount = 64

const columns = `device_id as "deviceId", installations, first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt",
  revoked_at as "revokedAt", sealed`

/** The devices of an account, last seen first. The hash is keyed, so other tenants have none. */
export async function devicesOfAccount(
  database: Queryable,
  accountHash: Uint8Array,
  since: number,
): Promise<AccountDevice[]> {
  return database.query<AccountDevice>(
    `select ${columns} from account_device where account_hash = $1 and last_seen_at >= $2
      order by last_seen_at desc, device_id limit ${mostDevicesOfAccount}`,
    [accountHash, since],
  )
}

export async function findAccountDevice(
  database: Queryable,
  accountHash: Uint8Array,
  deviceId: Uint8Array,
): Promise<AccountDevice | undefined> {
  const [device] = await database.query<AccountDevice>(
    `select ${columns} from account_device where account_hash = $1 and device_id = $2`,
    [accountHash, deviceId],
  )
  return device
}

/** When each trusted device of an account was last seen. A revoked one may be an attacker's, which says nothing about the user. */
export async function visitsOfAccount(
  database: Queryable,
  accountHash: Uint8Array,
  since: number,
): Promise<Pick<AccountDevice, 'deviceId' | 'lastSeenAt'>[]> {
  return database.query<Pick<AccountDevice, 'deviceId' | 'lastSeenAt'>>(
    `select device_id as "deviceId", last_seen_at as "lastSeenAt"
       from account_device where account_hash = $1 and last_seen_at > $2 and revoked_at is null`,
    [accountHash, since],
  )
}

/** Accounts that trust a device, as hex of their hashes; at most 20. A revoked device may be an attacker's. */
export async function accountsOfDevice(database: Queryable, deviceId: Uint8Array): Promise<ReadonlySet<string>> {
  const trusting = await database.query<{ accountHash: Uint8Array }>(
    `select account_hash as "accountHash" from account_device
      where device_id = $1 and revoked_at is null order by account_hash limit 20`,
    [deviceId],
  )
  return new Set(trusting.map(({ accountHash }) => Buffer.from(accountHash).toString('hex')))
}

/**
 * What each account confirmed of two devices that it trusts both; of those that came to `older` first, which nobody later can push out.
 */
export async function trustedOfBoth(
  database: Queryable,
  { older, younger }: { older: Uint8Array; younger: Uint8Array },
): Promise<{ ofOlder: Uint8Array; ofYounger: Uint8Array }[]> {
  return database.query(
    `select its.installations as "ofOlder", own.installations as "ofYounger"
       from account_device its join account_device own on own.account_hash = its.account_hash and own.device_id = $2
      where its.device_id = $1 and its.revoked_at is null and own.revoked_at is null
      order by its.first_seen_at, its.account_hash limit 100`,
    [older, younger],
  )
}

/** All accounts that have a device, trusted or not. */
export async function accountsWithDevice(database: Queryable, deviceId: Uint8Array): Promise<Uint8Array[]> {
  const having = await database.query<{ accountHash: Uint8Array }>(
    'select account_hash as "accountHash" from account_device where device_id = $1',
    [deviceId],
  )
  return having.map(({ accountHash }) => accountHash)
}

/** Stores a device of an account, which loses those beyond the limit. */
export async function putAccountDevice(tx: Queryable, accountHash: Uint8Array, device: AccountDevice): Promise<void> {
  await tx.query(
    `insert into account_device (account_hash, device_id, installations, first_seen_at, last_seen_at, revoked_at, sealed)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_hash, device_id) do update
        set installations = excluded.installations, first_seen_at = excluded.first_seen_at,
            last_seen_at = excluded.last_seen_at, revoked_at = excluded.revoked_at, sealed = excluded.sealed`,
    [
      accountHash,
      device.deviceId,
      device.installations,
      device.firstSeenAt,
      device.lastSeenAt,
      device.revokedAt,
      device.sealed,
    ],
  )
  await tx.query(
    `delete from account_device where account_hash = $1 and device_id in
       (select device_id from account_device where account_hash = $1
         order by case when revoked_at is null then 0 else 1 end, last_seen_at desc, device_id
         limit ${mostDevicesOfAccount} offset ${mostDevicesOfAccount})`,
    [accountHash],
  )
}

/** Deletes one device of an account, or all. @returns how many */
export async function deleteAccountDevices(
  database: Queryable,
  accountHash: Uint8Array,
  deviceId?: Uint8Array,
): Promise<number> {
  const deleted = await database.query(
    'delete from account_device where account_hash = $1 and (cast($2 as bytea) is null or device_id = $2) returning device_id',
    [accountHash, deviceId ?? null],
  )
  return deleted.length
}

/** Deletes at most `limit` devices that were not seen since this time. @returns how many */
export async function dropAccountDevicesBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from account_device where (account_hash, device_id) in
       (select account_hash, device_id from account_device where last_seen_at < $1 limit ${limit})
     returning last_seen_at`,
    [before],
  )
  return dropped.length
}

export interface ConfirmedInstallation {
  readonly id: string
  /** Epoch milliseconds. */
  readonly confirmedAt: number
  /** 8 bytes of the session that was confirmed first. */
  readonly confirmedBy: Uint8Array
  /** Its key proved it, or the account knew a key of the device before it was revoked. */
  readonly knowsKey: boolean
}

/** A browser whose storage is cleared at each visit makes new ones; the newest are stored. */
const mostInstallations = 8
const idBytes = 16
const timeBytes = 6
const proofAt = idBytes + timeBytes + 8
const entryBytes = proofAt + 1

/** For each installation, newest first: id, time, session, and 1 for a key. */
export function packedInstallations(installations: readonly ConfirmedInstallation[]): Uint8Array {
  return Buffer.concat(
    installations.slice(0, mostInstallations).map(({ id, confirmedAt, confirmedBy, knowsKey }) => {
      const bytes = Buffer.alloc(entryBytes)
      uuidBytes(id).copy(bytes)
      bytes.set(confirmedBy, idBytes + timeBytes)
      bytes.writeUIntBE(Math.max(0, confirmedAt), idBytes, timeBytes)
      bytes[proofAt] = knowsKey ? 1 : 0
      return bytes
    }),
  )
}

export function installationsIn({ installations }: Pick<AccountDevice, 'installations'>): ConfirmedInstallation[] {
  const bytes = Buffer.from(installations)
  return Array.from({ length: bytes.length / entryBytes }, (_, index) => {
    const from = index * entryBytes
    return {
      id: uuidText(bytes.subarray(from, from + idBytes)),
      confirmedAt: bytes.readUIntBE(from + idBytes, timeBytes),
      confirmedBy: bytes.subarray(from + idBytes + timeBytes, from + proofAt),
      knowsKey: bytes[from + proofAt] === 1,
    }
  })
}
