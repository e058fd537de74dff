// What happens to trusted devices and habits when a user gets another id? They move to it, and join what is stored under it.

import type { Core } from '../core/core.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { Queryable } from '../core/storage/database.ts'
import { accountKinds, ofHash, packed, unpacked } from '../device/history/seen-values.ts'
import {
  deleteAccountDevices,
  devicesOfAccount,
  findAccountDevice,
  putAccountDevice,
} from '../device/store/account-devices.ts'
import {
  accountNumberStatement,
  deleteKnowledge,
  knowledgeStatement,
  numbersOfAccount,
} from '../device/store/account-knowledge.ts'
import { historiesOf, replaceSeen } from '../device/store/device-history.ts'
import { accountHashOf, deviceHashOf } from '../events/subject-hashes.ts'
import { deviceIdOf } from './devices/confirmed-device.ts'
import { joinedDevice } from './devices/joined-device.ts'
import { joined } from './joined-knowledge.ts'
import { readKnowledge } from './learn.ts'
import { type Account, sealKnowledge } from './stored-knowledge.ts'

export interface AccountMove {
  readonly tenantId: string
  readonly from: string
  readonly to: string
}

/** Repeating it changes nothing. @returns how many devices moved */
export async function moveAccount(
  move: AccountMove,
  { database, tenantKeyring }: Pick<Core, 'database' | 'tenantKeyring'>,
): Promise<number> {
  const keys = await tenantKeyring.keysOf(move.tenantId)
  return database.transaction((tx) => moveAccountIn(tx, move, keys))
}

export async function moveAccountIn(
  tx: Queryable,
  { tenantId, from: fromId, to: toId }: AccountMove,
  keys: TenantKeys,
): Promise<number> {
  if (fromId === toId) return 0
  const from = { tenantId, accountHash: accountHashOf(fromId, keys) }
  const to = { tenantId, accountHash: accountHashOf(toId, keys) }
  const devices = await devicesOfAccount(tx, from.accountHash, 0)
  for (const device of devices) {
    const stored = await findAccountDevice(tx, to.accountHash, device.deviceId)
    await putAccountDevice(
      tx,
      to.accountHash,
      joinedDevice(device, stored, { from, to: { ...to, deviceId: deviceIdOf(device) } }, keys),
    )
    await renameOnDevice(tx, deviceHashOf(deviceIdOf(device), keys), { from, to })
  }
  await deleteAccountDevices(tx, from.accountHash)
  await moveKnowledge(tx, from, to, keys)
  return devices.length
}

/** One person is one account of the device. */
async function renameOnDevice(tx: Queryable, deviceHash: Uint8Array, { from, to }: { from: Account; to: Account }) {
  const [before, after] = [ofHash(from.accountHash), ofHash(to.accountHash)]
  for (const { installationHash, seen } of await historiesOf(tx, deviceHash)) {
    const values = unpacked(seen)
    const renamed = accountKinds.flatMap((kind) => {
      const { [kind]: all } = values
      const seenAt = all.get(before)
      if (seenAt === undefined) return []
      const others = [...all].filter(([value]) => value !== before)
      return [[kind, new Map([...others, [after, Math.max(seenAt, all.get(after) ?? 0)]])] as const]
    })
    if (renamed.length === 0) continue
    const seenAfter = packed({ ...values, ...Object.fromEntries(renamed) })
    await replaceSeen(tx, { deviceHash, installationHash, seen: seenAfter })
  }
}

async function moveKnowledge(tx: Queryable, from: Account, to: Account, keys: TenantKeys): Promise<void> {
  const { row: moved, knowledge } = await readKnowledge(tx, from, keys)
  if (moved) {
    const { row, knowledge: own } = await readKnowledge(tx, to, keys)
    const { sql, params } = knowledgeStatement({
      accountHash: to.accountHash,
      lastAt: Math.max(moved.lastAt, row?.lastAt ?? 0),
      version: (row?.version ?? 0) + 1,
      sealed: sealKnowledge(joined(own, knowledge), to, keys),
    })
    await tx.query(sql, params)
  }
  for (const number of await numbersOfAccount(tx, from.accountHash)) {
    const { sql, params } = accountNumberStatement({ ...number, accountHash: to.accountHash })
    await tx.query(sql, params)
  }
  await deleteKnowledge(tx, from.accountHash)
}
