// How far are the rotations, and which keys are in use?

import type { Keyring } from '../../core/crypto/keyring.ts'
import type { Database } from '../../core/storage/database.ts'
import { type KeyRotation, listKeyRotations } from '../../core/storage/keys/key-rotations.ts'
import { findStoreKeys } from '../../core/storage/keys/store-keys.ts'
import { findTenant, listTenants } from '../../core/storage/tenants.ts'
import { tableAt } from './reseal.ts'

export interface KeyStatus {
  /** Id of the master key that wraps the key of the store. */
  readonly masterKey: string
  readonly tenants: readonly TenantKeyStatus[]
}

export interface TenantKeyStatus {
  readonly tenant: string
  /** The version that seals, and all that open. */
  readonly sealsWith: number
  readonly versions: readonly number[]
  readonly rotation?: Pick<KeyRotation, 'step' | 'rowsRead' | 'rowsResealed' | 'startedAt'> & {
    readonly table: string
  }
}

/** The data keys of one tenant, and the master key. */
export async function keyStatusOf(
  tenantId: string,
  database: Database,
  keyring: Pick<Keyring, 'openTenantKeySet'>,
): Promise<{
  masterKey: string
  dataKey: number
  otherDataKeys: number[]
  rotation?: { step: string; table: string; rowsResealed: number; startedAt: number }
}> {
  const [record, tenant, rotations] = await Promise.all([
    findStoreKeys(database),
    findTenant(database, tenantId),
    listKeyRotations(database),
  ])
  const { sealsWith, dataKeys } = keyring.openTenantKeySet(tenantId, tenant!.sealedKeys)
  const found = rotations.find((rotation) => rotation.tenantId === tenantId)
  return {
    masterKey: record!.wrappedBy,
    dataKey: sealsWith,
    otherDataKeys: [...dataKeys.keys()].filter((version) => version !== sealsWith),
    ...(found && {
      rotation: {
        step: found.step,
        table: tableAt(found.position),
        rowsResealed: found.rowsResealed,
        startedAt: found.startedAt,
      },
    }),
  }
}

export async function keyStatus(database: Database, keyring: Pick<Keyring, 'openTenantKeySet'>): Promise<KeyStatus> {
  const record = await findStoreKeys(database)
  const rotations = await listKeyRotations(database)
  const tenants = (await listTenants(database)).map(({ id, name, sealedKeys }): TenantKeyStatus => {
    const { sealsWith, dataKeys } = keyring.openTenantKeySet(id, sealedKeys)
    const found = rotations.find(({ tenantId }) => tenantId === id)
    const rotation = found && {
      step: found.step,
      rowsRead: found.rowsRead,
      rowsResealed: found.rowsResealed,
      startedAt: found.startedAt,
      table: tableAt(found.position),
    }
    return { tenant: name, sealsWith, versions: [...dataKeys.keys()], ...(rotation && { rotation }) }
  })
  return { masterKey: record!.wrappedBy, tenants }
}
