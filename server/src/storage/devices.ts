// Which devices are known, and which of them could this one be? Candidates are found by a few hashed keys, never by a scan.

import type { Queryable } from './database.ts'

export interface DeviceRecord {
  /** 16 bytes. */
  id: Uint8Array
  fingerprint: Uint8Array
  firstSeenAt: number
  lastSeenAt: number
}

/** A device that shares keys with the query. */
export interface FoundDevice extends Omit<DeviceRecord, 'firstSeenAt'> {
  readonly shared: readonly KeySize[]
}

export interface KeySize {
  /** Index of the key in the query. */
  readonly place: number
  /** How many devices have the key. */
  readonly devices: number
}

export interface FoundDevices {
  /** Best first: those with the rarest shared keys. */
  readonly devices: readonly FoundDevice[]
  /** Places of keys that too many devices have, which were ignored; empty when no device was found. */
  readonly full: readonly number[]
}

/** A statement has this many keys; unused ones are null, so that few statement texts are prepared. */
const keySlots = 8
/** 99.9 % of the returning desktops and 99.7 % of the phones that are found at all are among the first eight. */
export const mostCandidates = 8

const columns = 'id, fingerprint, first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"'

export async function findDevice(
  database: Queryable,
  tenantId: string,
  id: Uint8Array,
): Promise<DeviceRecord | undefined> {
  const [device] = await database.query<DeviceRecord>(
    `select ${columns} from device where tenant_id = $1 and id = $2`,
    [tenantId, id],
  )
  return device
}

const hits = Array.from(
  { length: keySlots },
  (_, place) => `select ${place} as place, device_id from
      (select device_id from device_key where key = cast($${place + 3} as bigint) limit cast($2 as integer) + 1) holder`,
).join(' union all ')

const candidates = `
  with hit as (${hits}),
  size as (select place, count(*) as devices from hit group by place),
  best as (
    select hit.device_id, sum(ln(2.0 * $2 / size.devices)) as rarity,
           string_agg(hit.place || ':' || size.devices, ' ') as shared
      from hit join size on size.place = hit.place
     where size.devices <= $2
     group by hit.device_id
     order by 2 desc, 1
     limit ${mostCandidates})
  select id, fingerprint, last_seen_at as "lastSeenAt", best.shared,
         (select string_agg(cast(place as text), ' ') from size where devices > $2) as "full"
    from best join device on device.tenant_id = $1 and device.id = best.device_id
   order by best.rarity desc, best.device_id`

/**
 * The devices that share the rarest of these keys, at most eight. A key that more than `mostOfAKey` devices have is ignored, and at
 * most one more row than that is read for it. One statement, since each costs a round trip on PostgreSQL.
 */
export async function findCandidates(
  database: Queryable,
  tenantId: string,
  keys: readonly number[],
  mostOfAKey: number,
): Promise<FoundDevices> {
  if (keys.length === 0) return { devices: [], full: [] }
  const found = await database.query<Omit<FoundDevice, 'shared'> & { shared: string; full: string | null }>(
    candidates,
    [tenantId, mostOfAKey, ...inSlots(keys)],
  )
  return {
    devices: found.map(({ id, fingerprint, lastSeenAt, shared }) => ({
      id,
      fingerprint,
      lastSeenAt,
      shared: shared.split(' ').map(sizeOf),
    })),
    full: found[0]?.full?.split(' ').map(Number) ?? [],
  }
}

/** Parses `place:devices`; the place has one digit. */
const sizeOf = (pair: string): KeySize => ({ place: Number(pair[0]), devices: Number(pair.slice(2)) })

/**
 * Which of several simultaneous first visits creates the device: returns the id that has the claim. A claim older than `staleBefore`
 * is replaced.
 */
export async function claimDevice(
  database: Queryable,
  { key, id, now, staleBefore }: { key: number; id: Uint8Array; now: number; staleBefore: number },
): Promise<Uint8Array> {
  const [holder] = await database.query<{ id: Uint8Array }>(
    `insert into device_claim (key, device_id, claimed_at) values ($1, $2, $3)
     on conflict (key) do update
        set device_id = case when device_claim.claimed_at < $4 then excluded.device_id else device_claim.device_id end,
            claimed_at = case when device_claim.claimed_at < $4 then excluded.claimed_at else device_claim.claimed_at end
     returning device_id as id`,
    [key, id, now, staleBefore],
  )
  return holder!.id
}

/** Deletes claims from before this time. @returns how many */
export async function dropDeviceClaims(database: Queryable, before: number): Promise<number> {
  const dropped = await database.query('delete from device_claim where claimed_at < $1 returning key', [before])
  return dropped.length
}

/** Stores a device. @returns false when it exists already; then it stays unchanged */
export async function insertDevice(database: Queryable, tenantId: string, device: DeviceRecord): Promise<boolean> {
  const inserted = await database.query(
    `insert into device (tenant_id, id, fingerprint, first_seen_at, last_seen_at) values ($1, $2, $3, $4, $5)
     on conflict (tenant_id, id) do nothing returning id`,
    [tenantId, device.id, device.fingerprint, device.firstSeenAt, device.lastSeenAt],
  )
  return inserted.length === 1
}

export async function updateDevice(
  database: Queryable,
  tenantId: string,
  { id, fingerprint, lastSeenAt }: Omit<DeviceRecord, 'firstSeenAt'>,
): Promise<void> {
  await database.query('update device set fingerprint = $3, last_seen_at = $4 where tenant_id = $1 and id = $2', [
    tenantId,
    id,
    fingerprint,
    lastSeenAt,
  ])
}

/** At most `limit` devices of any tenant that were last seen before this time. */
export async function devicesNotSeenSince(
  database: Queryable,
  before: number,
  limit: number,
): Promise<(Pick<DeviceRecord, 'id' | 'fingerprint'> & { tenantId: string })[]> {
  return database.query<Pick<DeviceRecord, 'id' | 'fingerprint'> & { tenantId: string }>(
    `select tenant_id as "tenantId", id, fingerprint from device where last_seen_at < $1 limit ${limit}`,
    [before],
  )
}

/** Deletes a device unless it was seen since. Its keys are deleted separately. @returns whether it was deleted */
export async function deleteDevice(
  database: Queryable,
  tenantId: string,
  id: Uint8Array,
  before: number,
): Promise<boolean> {
  const deleted = await database.query(
    'delete from device where tenant_id = $1 and id = $2 and last_seen_at < $3 returning id',
    [tenantId, id, before],
  )
  return deleted.length === 1
}

const slots = Array.from({ length: keySlots }, (_, place) => `select cast($${place + 3} as bigint) as key`).join(
  ' union all ',
)

/** Stores keys of a device, except those that more than `mostOfAKey` devices have. */
export async function insertDeviceKeys(
  database: Queryable,
  id: Uint8Array,
  keys: readonly number[],
  mostOfAKey: number,
): Promise<void> {
  await eachSlots(keys, (slice) =>
    database.query(
      `insert into device_key (key, device_id)
       select fresh.key, $1 from (${slots}) fresh
        where fresh.key is not null
          and (select count(*) from (select 1 from device_key where device_key.key = fresh.key limit $2 + 1) holder) <= $2
       on conflict (key, device_id) do nothing`,
      [id, mostOfAKey, ...slice],
    ),
  )
}

const slotNumbers = Array.from({ length: keySlots }, (_, place) => `$${place + 2}`).join(', ')

export async function deleteDeviceKeys(database: Queryable, id: Uint8Array, keys: readonly number[]): Promise<void> {
  await eachSlots(keys, (slice) =>
    database.query(`delete from device_key where device_id = $1 and key in (${slotNumbers})`, [id, ...slice]),
  )
}

async function eachSlots(keys: readonly number[], run: (slice: (number | null)[]) => Promise<unknown>): Promise<void> {
  const slices = []
  for (let from = 0; from < keys.length; from += keySlots) slices.push(inSlots(keys.slice(from, from + keySlots)))
  await Promise.all(slices.map(run))
}

const inSlots = (keys: readonly number[]) => Array.from({ length: keySlots }, (_, place) => keys[place] ?? null)
