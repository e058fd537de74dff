// How does a store get a million known devices within minutes? Rows are inserted directly, in key order.

import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { uuidBytes } from '../../../server/src/core/storage/uuid.ts'
import { keysOfDevice, mostDevicesOfAKey } from '../../../server/src/device/identity/blocking-keys.ts'
import { type KnownFingerprint, packed } from '../../../server/src/device/identity/fingerprint.ts'

export interface Filling {
  /** The id of the device, a UUID. */
  add(known: KnownFingerprint): string
  /** The device is unknown before this time. */
  finish(): void
}

/** Inserts into this SQLite file; no other process may write meanwhile. Each device is separate, however similar. */
export function startFilling(file: string, tenantId: string, salt: string, now: number): Filling {
  const database = new DatabaseSync(file)
  for (const pragma of ['synchronous=off', 'cache_size=-1000000', 'wal_autocheckpoint=0']) {
    database.exec(`pragma ${pragma}`)
  }
  database.exec('begin immediate')
  const insertInstallation = database.prepare(
    `insert into installation (tenant_id, id, device_id, fingerprint, stage, by_similarity, first_seen_at, last_seen_at,
                               retention_at)
     values (?1, ?2, ?3, ?4, 2, 0, ?5, ?5, ?5)`,
  )
  const ids: Buffer[] = []
  const keys: number[] = []
  /** For each key, the positions of its devices. */
  const holders: number[] = []
  return {
    add(known) {
      const id = randomUUID()
      const bytes = uuidBytes(id)
      insertInstallation.run(tenantId, bytes, bytes, packed(known), BigInt(now))
      for (const key of keysOfDevice(known, salt)) {
        keys.push(key)
        holders.push(ids.length)
      }
      ids.push(bytes)
      return id
    },
    finish() {
      // In the order of their first visit, since a full key takes no more devices.
      const order = Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b)
      const insertKey = database.prepare('insert into device_key (key, device_id) values (?, ?)')
      let [last, count] = [-1, 0]
      for (const place of order) {
        const key = keys[place]!
        count = key === last ? count + 1 : 1
        last = key
        if (count <= mostDevicesOfAKey + 1) insertKey.run(BigInt(key), ids[holders[place]!]!)
      }
      database.exec('commit')
      database.exec('pragma wal_checkpoint(truncate)')
      database.close()
    },
  }
}
