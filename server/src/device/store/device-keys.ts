// Which devices could this one be? Candidates are found by a few hashed keys, never by a scan.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { type InstallationRow, installationColumns } from './installations.ts'

/** An installation of a device that shares keys with the query. It has a fingerprint. */
export interface FoundInstallation extends Omit<InstallationRow, 'fingerprint'> {
  readonly fingerprint: Uint8Array
  /** Of its device. */
  readonly shared: readonly KeySize[]
}

export interface KeySize {
  /** Index of the key in the query. */
  readonly place: number
  /** How many devices have the key: established ones, where this one is established; all of them, where it is new. */
  readonly devices: number
  /** How many devices have the key, with all new ones that were read. */
  readonly all: number
}

export interface FoundDevices {
  /** The devices with the rarest shared keys first. */
  readonly installations: readonly FoundInstallation[]
  /** Places of keys that too many established devices have, which were ignored; empty when no device was found. */
  readonly full: readonly number[]
  /** Places of keys that too many devices have, new ones included; those were ignored for new devices. */
  readonly fullOfNew: readonly number[]
}

/** A statement has this many keys; unused ones are null, so that few statement texts are prepared. */
const keySlots = 8
/** 99.9 % of the returning desktops and 99.7 % of the phones that are found at all are among the first eight. */
export const mostCandidates = 8

export const keyTables = ['device_key', 'new_device_key'] as const
/** `device_key` holds established devices (two visits a day apart), `new_device_key` the others. */
export type KeyTable = (typeof keyTables)[number]

const asked = Array.from({ length: keySlots }, (_, place) => `(${place}, cast($${place + 3} as bigint))`).join(', ')
const holders = (table: KeyTable) =>
  `(select count(*) from (select 1 from ${table} held where held.key = asked.key limit cast($2 as integer) + 1) holder)`

// Established devices are counted alone: however many new ones have the key, they do not hide them.
const candidates = `
  with asked (place, key) as (values ${asked}),
  size as materialized (
    select place, key, ${holders('device_key')} as established, ${holders('new_device_key')} as fresh
      from asked where key is not null),
  hit as (
    select place, established as devices, established + fresh as every, device_id
      from size join device_key on device_key.key = size.key where established <= $2
    union all
    select place, established + fresh, established + fresh, device_id
      from size join new_device_key on new_device_key.key = size.key where established + fresh <= $2),
  best as (
    select device_id, sum(ln(2.0 * $2 / devices)) as rarity, string_agg(place || ':' || devices || ':' || every, ' ') as shared
      from hit
     group by device_id
     order by 2 desc, 1
     limit ${mostCandidates})
  select ${installationColumns.replace(/^id|\bdevice_id as|\bstage\b/g, (name) => `installation.${name}`)}, best.shared,
         (select string_agg(cast(place as text), ' ') from size where established > $2) as "full",
         (select string_agg(cast(place as text), ' ') from size where established + fresh > $2) as "fullOfNew"
    from best join installation on installation.device_id = best.device_id and installation.tenant_id = $1
   where fingerprint is not null
   order by best.rarity desc, best.device_id`

/**
 * The installations of the devices that share the rarest of these keys, at most eight devices. A key that more than `mostOfAKey`
 * established devices have is ignored, and at most one more row than that is read for it. One statement, since each costs a round
 * trip on PostgreSQL.
 */
export async function findCandidates(
  database: Queryable,
  tenantId: string,
  keys: readonly number[],
  mostOfAKey: number,
): Promise<FoundDevices> {
  if (keys.length === 0) return { installations: [], full: [], fullOfNew: [] }
  type Found = Omit<FoundInstallation, 'shared'> & { shared: string; full: string | null; fullOfNew: string | null }
  const found = await database.query<Found>(candidates, [tenantId, mostOfAKey, ...inSlots(keys)])
  return {
    installations: found.map(({ shared, full: _, fullOfNew: __, ...row }) => ({ ...row, shared: sizesOf(shared) })),
    full: placesOf(found[0]?.full),
    fullOfNew: placesOf(found[0]?.fullOfNew),
  }
}

const placesOf = (text: string | null | undefined) => text?.split(' ').map(Number) ?? []

/** Parses `place:devices:all`. A device that is both established and new has a place twice; the established one counts. */
function sizesOf(text: string): KeySize[] {
  const sizes = new Map<number, KeySize>()
  for (const part of text.split(' ')) {
    const [place, devices, all] = part.split(':').map(Number) as [number, number, number]
    if ((sizes.get(place)?.devices ?? Number.POSITIVE_INFINITY) > devices) sizes.set(place, { place, devices, all })
  }
  return [...sizes.values()]
}

/** The installation as it was read. A statement that names it does nothing when another visit has changed it since. */
export interface ReadInstallation {
  readonly tenantId: string
  readonly id: Uint8Array
  /** -1: there was none. */
  readonly lastSeenAt: number
}

const isAsRead = (first: number) =>
  `coalesce((select last_seen_at from installation where tenant_id = $${first} and id = $${first + 1}), -1) = $${first + 2}`

const slots = Array.from({ length: keySlots }, (_, place) => `select cast($${place + 6} as bigint) as key`).join(
  ' union all ',
)

/** Stores keys of a device, except those that more than `mostOfAKey` devices of the table have. */
export const keyInserts = (
  table: KeyTable,
  deviceId: Uint8Array,
  keys: readonly number[],
  { tenantId, id, lastSeenAt }: ReadInstallation,
  mostOfAKey: number,
): BatchStatement[] =>
  inSlices(keys).map((slice) => ({
    sql: `insert into ${table} (key, device_id)
          select fresh.key, $1 from (${slots}) fresh
           where fresh.key is not null and ${isAsRead(3)}
             and (select count(*) from (select 1 from ${table} held where held.key = fresh.key limit $2 + 1) holder) <= $2
          on conflict (key, device_id) do nothing`,
    params: [deviceId, mostOfAKey, tenantId, id, lastSeenAt, ...slice],
  }))

const slotNumbers = Array.from({ length: keySlots }, (_, place) => `$${place + 5}`).join(', ')

/** Deletes keys of a device. */
export const keyDeletes = (
  table: KeyTable,
  deviceId: Uint8Array,
  keys: readonly number[],
  { tenantId, id, lastSeenAt }: ReadInstallation,
): BatchStatement[] =>
  inSlices(keys).map((slice) => ({
    sql: `delete from ${table} where device_id = $1 and key in (${slotNumbers}) and ${isAsRead(2)}`,
    params: [deviceId, tenantId, id, lastSeenAt, ...slice],
  }))

const inSlices = (keys: readonly number[]) =>
  Array.from({ length: Math.ceil(keys.length / keySlots) }, (_, index) => inSlots(keys.slice(index * keySlots)))

const inSlots = (keys: readonly number[]) => Array.from({ length: keySlots }, (_, place) => keys[place] ?? null)
