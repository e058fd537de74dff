// Which rotations of data keys are in progress? One row for each tenant, with its step and position.

import type { Queryable } from '../database.ts'

/** In this order. `published`: servers learn the new key; `sealing`: it seals; then rows are sealed again, and checked. */
export type RotationStep = 'published' | 'sealing' | 'resealing' | 'checking'

export interface KeyRotation {
  readonly tenantId: string
  readonly fromVersion: number
  readonly toVersion: number
  readonly step: RotationStep
  /** JSON. */
  readonly position: string
  readonly rowsRead: number
  readonly rowsResealed: number
  readonly startedAt: number
}

export async function listKeyRotations(database: Queryable): Promise<KeyRotation[]> {
  return database.query<KeyRotation>(
    `select tenant_id as "tenantId", from_version as "fromVersion", to_version as "toVersion", step, position,
            rows_read as "rowsRead", rows_resealed as "rowsResealed", started_at as "startedAt"
       from key_rotation order by tenant_id`,
  )
}

/** False when the tenant has a rotation already. */
export async function insertKeyRotation(database: Queryable, rotation: KeyRotation): Promise<boolean> {
  const inserted = await database.query(
    `insert into key_rotation (tenant_id, from_version, to_version, step, position, rows_read, rows_resealed, started_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (tenant_id) do nothing returning 1 as inserted`,
    [
      rotation.tenantId,
      rotation.fromVersion,
      rotation.toVersion,
      rotation.step,
      rotation.position,
      rotation.rowsRead,
      rotation.rowsResealed,
      rotation.startedAt,
    ],
  )
  return inserted.length > 0
}

/** False when another server has moved it on: one of several servers does each slice. */
export async function moveKeyRotation(database: Queryable, before: KeyRotation, after: KeyRotation): Promise<boolean> {
  const moved = await database.query(
    `update key_rotation set step = $1, position = $2, rows_read = $3, rows_resealed = $4
      where tenant_id = $5 and to_version = $6 and step = $7 and position = $8 returning 1 as moved`,
    [
      after.step,
      after.position,
      after.rowsRead,
      after.rowsResealed,
      before.tenantId,
      before.toVersion,
      before.step,
      before.position,
    ],
  )
  return moved.length > 0
}

/** False when another server has ended it, or has sealed more rows again. */
export async function deleteKeyRotation(
  database: Queryable,
  { tenantId, toVersion, rowsResealed }: KeyRotation,
): Promise<boolean> {
  const deleted = await database.query(
    'delete from key_rotation where tenant_id = $1 and to_version = $2 and rows_resealed = $3 returning 1 as deleted',
    [tenantId, toVersion, rowsResealed],
  )
  return deleted.length > 0
}
