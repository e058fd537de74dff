// Which installations does a device have, and what is known about each? Found by id, or by the device.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'

/** Which table has the keys of an installation's fingerprint. */
export const stages = { unlisted: 0, new: 1, established: 2 } as const
export type Stage = (typeof stages)[keyof typeof stages]

export interface InstallationRow {
  /** 16 bytes, as is `deviceId`. */
  readonly id: Uint8Array
  readonly deviceId: Uint8Array
  /** 16 bytes; null without a key. */
  readonly keyHash: Uint8Array | null
  /** Null while it equals that of another installation of the device, and when too little is known. */
  readonly fingerprint: Uint8Array | null
  readonly stage: Stage
  /** 1: a visit made it that resembled the device. 0: it is the first of its device. */
  readonly bySimilarity: 0 | 1
  /** In thousandths: how sure the visit or network was by which it joined its device. Null for one that is the device's own. */
  readonly confidence: number | null
  /** What its device resembled when it was new, and how much in thousandths; null without one. */
  readonly likelyDeviceId: Uint8Array | null
  readonly likelyConfidence: number | null
  readonly firstSeenAt: number
  readonly lastSeenAt: number
}

/** A device has at most this many installations; a visit by similarity beyond that is recognised, but not stored. */
export const mostInstallations = 32

export const installationColumns = `id, device_id as "deviceId", key_hash as "keyHash", fingerprint, stage,
  by_similarity as "bySimilarity", confidence, likely_device_id as "likelyDeviceId",
  likely_confidence as "likelyConfidence", first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"`

/** Those of one or two ids. */
export function findInstallations(
  database: Queryable,
  tenantId: string,
  [first, second = first]: readonly Uint8Array[],
): Promise<InstallationRow[]> {
  return database.query<InstallationRow>(
    `select ${installationColumns} from installation where tenant_id = $1 and id in ($2, $3)`,
    [tenantId, first!, second!],
  )
}

/** All of a device, the oldest first. */
export function installationsOfDevice(
  database: Queryable,
  tenantId: string,
  deviceId: Uint8Array,
): Promise<InstallationRow[]> {
  return database.query<InstallationRow>(
    `select ${installationColumns} from installation where device_id = $2 and tenant_id = $1 order by first_seen_at, id`,
    [tenantId, deviceId],
  )
}

/** Installations of a tenant with a fingerprint, in order of their id, after this one. */
export function installationsAfter(
  database: Queryable,
  tenantId: string,
  after: Uint8Array,
  limit: number,
): Promise<InstallationRow[]> {
  return database.query<InstallationRow>(
    `select ${installationColumns} from installation
      where tenant_id = $1 and id > $2 and fingerprint is not null order by id limit ${limit}`,
    [tenantId, after],
  )
}

/** New browsers and phones of a network. `network`: a keyed hash; `since` < first seen ≤ `until`; no more than `most` are counted. */
export interface NewDevices {
  readonly network: number
  readonly since: number
  readonly until: number
  readonly most: number
}

const newOf = (table: string) =>
  `(select cast(count(*) as integer)
      from (select 1 from ${table} where network = $1 and first_seen_at > $2 and first_seen_at <= $3
             limit cast($4 as integer)) made)`
const newDevices = `${newOf('installation')} + ${newOf('phone_id')}`

export async function countNewDevices(
  database: Queryable,
  { network, since, until, most }: NewDevices,
): Promise<number> {
  const [counted] = await database.query<{ devices: number }>(`select ${newDevices} as devices`, [
    network,
    since,
    until,
    most,
  ])
  return Math.min(most, counted!.devices)
}

/** A condition: there are fewer than `most`. */
export const unlessNewDevices = ({ network, since, until, most }: NewDevices): BatchStatement => ({
  sql: `select 1 as fewer where ${newDevices} < cast($4 as integer)`,
  params: [network, since, until, most],
  required: true,
  counts: `new devices of ${network}`,
})

/** A condition: apart from this one, at most so many installations of the device are new since each of two moments. */
export const unlessNewInstallations = (
  tenantId: string,
  { id, deviceId }: Pick<InstallationRow, 'id' | 'deviceId'>,
  [first, second]: readonly [NewSince, NewSince],
): BatchStatement => {
  const of = (since: string) =>
    `(select count(*) from installation where device_id = $2 and tenant_id = $1 and id <> $3 and first_seen_at > ${since})`
  return {
    sql: `select 1 as fewer where ${of('$4')} <= cast($5 as integer) and ${of('$6')} <= cast($7 as integer)`,
    params: [tenantId, deviceId, id, first.since, first.most, second.since, second.most],
    required: true,
    counts: `new installations of ${Buffer.from(deviceId).toString('hex')}`,
  }
}

interface NewSince {
  readonly since: number
  readonly most: number
}

/**
 * Stores a new installation unless it exists. A device that has too many gets no more; of those that never returned and equal another
 * one, the oldest make room.
 */
export function installationInserts(tenantId: string, row: InstallationRow, network: number | null): BatchStatement[] {
  const insert = {
    sql: `insert into installation
                 (tenant_id, id, device_id, key_hash, fingerprint, network, stage, by_similarity, confidence, first_seen_at,
                  last_seen_at, retention_at, likely_device_id, likely_confidence, seen_in_doubt_at)
          select $1, $2, $3, $4, $5, cast($6 as bigint), cast($7 as integer), cast($8 as integer), cast($9 as integer),
                 cast($10 as bigint), cast($11 as bigint), cast($11 as bigint), $12, cast($13 as integer), cast($14 as bigint)
           where (select count(*) from installation where device_id = $3) < ${mostInstallations}
          on conflict (tenant_id, id) do nothing`,
    params: [
      tenantId,
      row.id,
      row.deviceId,
      row.keyHash,
      row.fingerprint,
      network,
      row.stage,
      row.bySimilarity,
      row.confidence,
      row.firstSeenAt,
      row.lastSeenAt,
      row.likelyDeviceId,
      row.likelyConfidence,
      row.likelyDeviceId && row.lastSeenAt,
    ],
  }
  if (row.bySimilarity === 0) return [insert]
  const makeRoom = {
    sql: `delete from installation where tenant_id = $1 and id in (
            select id from installation
             where device_id = $2 and by_similarity = 1 and fingerprint is null and first_seen_at = last_seen_at
             order by last_seen_at desc limit ${mostInstallations} offset ${mostInstallations / 2})`,
    params: [tenantId, row.deviceId],
  }
  return [makeRoom, insert]
}

/** Changes an installation, unless it was seen after `wasSeenAt`: then another visit was faster. */
export const installationUpdate = (
  tenantId: string,
  {
    id,
    keyHash,
    fingerprint,
    stage,
    lastSeenAt,
  }: Pick<InstallationRow, 'id' | 'keyHash' | 'fingerprint' | 'stage' | 'lastSeenAt'>,
  wasSeenAt: number,
): BatchStatement => ({
  sql: `update installation set key_hash = $3, fingerprint = $4, stage = $5, last_seen_at = $6,
             seen_in_doubt_at = case when likely_device_id is not null then cast($6 as bigint) end
         where tenant_id = $1 and id = $2 and last_seen_at = $7`,
  params: [tenantId, id, keyHash, fingerprint, stage, lastSeenAt, wasSeenAt],
})

/** Deletes an installation unless it was seen after `wasSeenAt`. Its keys are deleted separately. */
export const installationDelete = (tenantId: string, id: Uint8Array, wasSeenAt: number): BatchStatement => ({
  sql: 'delete from installation where tenant_id = $1 and id = $2 and last_seen_at = $3',
  params: [tenantId, id, wasSeenAt],
})

/** Deletes the fingerprint of an installation unless it was seen after `wasSeenAt`. Its key still identifies it. */
export const fingerprintDelete = (tenantId: string, id: Uint8Array, wasSeenAt: number): BatchStatement => ({
  sql: `update installation set fingerprint = null, stage = ${stages.unlisted}
         where tenant_id = $1 and id = $2 and last_seen_at = $3`,
  params: [tenantId, id, wasSeenAt],
})

/**
 * Moves all installations of a device to another one. What resembled the one resembles the other; neither resembles itself.
 * `most`: how sure it is at most that they are of the other one, in thousandths; 1000 changes nothing
 */
export const installationsMove = (
  tenantId: string,
  { from, into: to, most }: { from: Uint8Array; into: Uint8Array; most: number },
): BatchStatement[] => [
  {
    sql: `update installation
             set device_id = $3, likely_device_id = case when likely_device_id = $3 then null else likely_device_id end,
                 seen_in_doubt_at = case when likely_device_id = $3 then null else seen_in_doubt_at end,
                 confidence = case when coalesce(confidence, 1000) > cast($4 as integer) then cast($4 as integer) else confidence end
           where tenant_id = $1 and device_id = $2`,
    params: [tenantId, from, to, most],
  },
  {
    sql: 'update installation set likely_device_id = $3 where likely_device_id = $2 and tenant_id = $1 and device_id <> $3',
    params: [tenantId, from, to],
  },
]

const mostSeen = 10_000

/**
 * Those whose device resembled another one when it was new, that were seen since, and that something may prove by now: they returned, or
 * an account trusts them. The tenants take turns, so that a flood of one leaves room for the others.
 */
export async function inDoubtSince(
  database: Queryable,
  since: number,
  limit: number,
): Promise<{ tenantId: string; id: Uint8Array }[]> {
  return database.query(
    `select tenant_id as "tenantId", id from
       (select tenant_id, id, row_number() over (partition by tenant_id order by seen_in_doubt_at desc) as turn from
         (select tenant_id, id, seen_in_doubt_at from installation
           where likely_device_id is not null and seen_in_doubt_at > $1
             and (stage = ${stages.established} or exists (
                   select 1 from account_device where device_id = installation.device_id and revoked_at is null))
           order by seen_in_doubt_at desc limit ${mostSeen}) seen) queue
      order by turn, tenant_id limit $2`,
    [since, limit],
  )
}

export type DueInstallation = Pick<InstallationRow, 'id' | 'deviceId' | 'fingerprint' | 'lastSeenAt'> & {
  readonly tenantId: string
  /** Otherwise it was seen since. */
  readonly isExpired: boolean
}

/**
 * At most `limit` installations of any tenant that retention looks at next. Expired: not seen since `before`; or without a key, made by
 * similarity before `madeBefore` and never seen again.
 */
export async function dueInstallations(
  database: Queryable,
  { before, madeBefore }: { before: number; madeBefore: number },
  limit: number,
): Promise<DueInstallation[]> {
  type Due = Omit<DueInstallation, 'isExpired'> & Pick<InstallationRow, 'firstSeenAt'>
  const columns = `tenant_id as "tenantId", id, device_id as "deviceId", fingerprint, first_seen_at as "firstSeenAt",
                   last_seen_at as "lastSeenAt"`
  const all = await database.query<Due>(
    `select ${columns} from installation where retention_at < $1 order by retention_at limit ${limit}`,
    [before],
  )
  const due = all.map((row) => ({ ...row, isExpired: row.lastSeenAt < before }))
  if (due.length === limit) return due
  const once = await database.query<Due>(
    `select ${columns} from installation
      where by_similarity = 1 and first_seen_at = retention_at and key_hash is null
        and first_seen_at < $1 and retention_at >= $2
      limit ${limit - due.length}`,
    [madeBefore, before],
  )
  return [...due, ...once.map((row) => ({ ...row, isExpired: row.lastSeenAt === row.firstSeenAt }))]
}

/** Retention looks at an installation again when this visit is over its time. */
export const retentionRestart = (tenantId: string, id: Uint8Array): BatchStatement => ({
  sql: 'update installation set retention_at = last_seen_at where tenant_id = $1 and id = $2',
  params: [tenantId, id],
})
