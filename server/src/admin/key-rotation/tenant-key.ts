// How does a tenant get a new data key while several servers run? In steps, each of which all servers have seen before the next.

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../core/clock.ts'
import { type KeySet, withNewDataKey, withoutOldDataKeys } from '../../core/crypto/key-set.ts'
import type { Keyring } from '../../core/crypto/keyring.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Database, Queryable } from '../../core/storage/database.ts'
import {
  deleteKeyRotation,
  insertKeyRotation,
  type KeyRotation,
  listKeyRotations,
  moveKeyRotation,
} from '../../core/storage/keys/key-rotations.ts'
import { findTenant, replaceTenantKeys, type Tenant } from '../../core/storage/tenants.ts'
import { firstPosition, type Position, positionOf, positionText, resealSlice, type Slice } from './reseal.ts'

/**
 * A server moves a rotation on when it has itself seen the step for this long, so no clocks are compared. Servers read keys every 10
 * seconds (tenant-keyring.ts), and use them for at most 30 when the store does not answer.
 */
export const stepMs = 60_000
/** The old key stays for this long after the last row was sealed again: an SDK may carry an analysis for ten minutes. */
const retireMs = 15 * 60_000
/** Maintenance runs every minute. */
const workMs = 30_000

export interface RotationResources {
  database: Database
  keyring: Pick<Keyring, 'openTenantKeySet' | 'sealTenantKeySet'>
  clock: Clock
  log: Logger
}

/** Publishes a new data key. The servers do the rest. @throws Error when a rotation of this tenant is in progress */
export async function startTenantRotation(
  { id, name }: Pick<Tenant, 'id' | 'name'>,
  { database, keyring, clock }: Omit<RotationResources, 'log'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    let versions = { fromVersion: 0, toVersion: 0 }
    await changeKeys(tx, id, keyring, (set) => {
      const { set: next, version } = withNewDataKey(set)
      versions = { fromVersion: set.sealsWith, toVersion: version }
      return next
    })
    const at = { step: 'published', position: positionText(firstPosition), rowsRead: 0, rowsResealed: 0 } as const
    if (await insertKeyRotation(tx, { tenantId: id, ...versions, ...at, startedAt: clock.now() })) return
    throw new Error(`a rotation of tenant ${name} is in progress: ringfence keys status shows how far it is`)
  })
}

async function changeKeys(
  tx: Queryable,
  tenantId: string,
  keyring: RotationResources['keyring'],
  change: (set: KeySet) => KeySet,
): Promise<void> {
  const tenant = (await findTenant(tx, tenantId))!
  const sealed = keyring.sealTenantKeySet(tenantId, change(keyring.openTenantKeySet(tenantId, tenant.sealedKeys)))
  await replaceTenantKeys(tx, tenant, sealed)
}

export class TenantRotations {
  readonly #resources: RotationResources & { tenantKeyring: TenantKeyring }
  /** Since when this server has seen the step of a tenant's rotation. */
  readonly #seen = new Map<string, { step: string; since: number }>()

  constructor(resources: RotationResources & { tenantKeyring: TenantKeyring }) {
    this.#resources = resources
  }

  /** Moves each rotation on, for at most half a minute. `isStopping` ends it after the current slice. */
  async advance(isStopping: () => boolean = () => false): Promise<void> {
    const rotations = await listKeyRotations(this.#resources.database)
    for (const tenantId of this.#seen.keys()) {
      if (!rotations.some((rotation) => rotation.tenantId === tenantId)) this.#seen.delete(tenantId)
    }
    for (const rotation of rotations) await this.#advanceOne(rotation, isStopping)
  }

  #seenFor({ tenantId, step, toVersion, rowsResealed }: KeyRotation): number {
    const now = this.#resources.clock.now()
    // A row that was found while checking makes every server wait again.
    const name = `${toVersion} ${step} ${rowsResealed}`
    const known = this.#seen.get(tenantId)
    if (known?.step === name && now >= known.since) return now - known.since
    this.#seen.set(tenantId, { step: name, since: now })
    return 0
  }

  async #advanceOne(rotation: KeyRotation, isStopping: () => boolean): Promise<void> {
    const { database, keyring } = this.#resources
    const { tenantId, step } = rotation
    const waited = this.#seenFor(rotation)
    if (step === 'published' && waited >= stepMs) {
      await database.transaction(async (tx) => {
        if (!(await moveKeyRotation(tx, rotation, { ...rotation, step: 'sealing' }))) return
        await changeKeys(tx, tenantId, keyring, (set) => ({ ...set, sealsWith: rotation.toVersion }))
      })
    } else if (step === 'sealing' && waited >= stepMs) {
      await moveKeyRotation(database, rotation, { ...rotation, step: 'resealing' })
    } else if (step === 'resealing') {
      await this.#reseal(rotation, isStopping)
    } else if (step === 'checking' && waited >= retireMs) {
      await this.#check(rotation, isStopping)
    }
  }

  async #reseal(rotation: KeyRotation, isStopping: () => boolean): Promise<void> {
    const endsAt = performance.now() + workMs
    let at = rotation
    while (!isStopping() && performance.now() < endsAt) {
      const slice = await this.#sliceAt(at, positionOf(at.position))
      const next: KeyRotation = {
        ...at,
        rowsRead: at.rowsRead + slice.rowsRead,
        rowsResealed: at.rowsResealed + slice.rowsResealed,
        step: slice.next ? 'resealing' : 'checking',
        position: positionText(slice.next ?? firstPosition),
      }
      if (!(await moveKeyRotation(this.#resources.database, at, next)) || !slice.next) return
      at = next
    }
  }

  /** Deletes the old key when a whole pass finds no row that uses it; otherwise the rows it found are sealed again by now. */
  async #check(rotation: KeyRotation, isStopping: () => boolean): Promise<void> {
    const { database, keyring, log } = this.#resources
    let found = 0
    for (let position = positionOf(rotation.position); ; ) {
      if (isStopping()) return
      const slice = await this.#sliceAt(rotation, position)
      found += slice.rowsResealed
      if (!slice.next) break
      position = slice.next
    }
    if (found > 0) {
      log.info(
        { tenantId: rotation.tenantId, rows: found },
        'rows were still sealed with the old data key, and are not any more',
      )
      await moveKeyRotation(database, rotation, { ...rotation, rowsResealed: rotation.rowsResealed + found })
      return
    }
    const isDeleted = await database.transaction(async (tx) => {
      // During the pass, another server may have found a row, or ended this rotation, and the next one may have begun.
      if (!(await deleteKeyRotation(tx, rotation))) return false
      await changeKeys(tx, rotation.tenantId, keyring, withoutOldDataKeys)
      return true
    })
    if (!isDeleted) return
    log.info({ tenantId: rotation.tenantId, version: rotation.fromVersion }, 'deleted a data key that no row uses')
  }

  /** As long as a slice takes, other work has the store for itself. */
  async #sliceAt({ tenantId, fromVersion: version }: KeyRotation, position: Position): Promise<Slice> {
    const { database, log, tenantKeyring } = this.#resources
    const startedAt = performance.now()
    const keys = await tenantKeyring.keysOf(tenantId)
    const slice = await resealSlice(position, { tenantId, version, keys }, { database, log })
    await pause(Math.min(1_000, performance.now() - startedAt))
    return slice
  }
}
