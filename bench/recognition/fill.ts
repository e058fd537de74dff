// How does a store come to know a million devices within minutes? By rows in the order of their keys, past the service.

import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { keysOfDevice, mostDevicesOfAKey } from '../../server/src/device/identity/blocking-keys.ts'
import { type KnownFingerprint, packed } from '../../server/src/device/identity/fingerprint.ts'
import { uuidBytes } from '../../server/src/storage/uuid.ts'

export interface Filling {
  /** The id of a device that is known from now on, a UUID. */
  add(known: KnownFingerprint): string
  /** Until then nothing of it can be seen. */
  finish(): void
}

/** Into this file of SQLite; nobody else writes meanwhile. Each device is one of its own, however alike they are. */
export function startFilling(file: string, tenantId: string, salt: string, now: number): Filling {
  const database = new DatabaseSync(file)
  for (const pragma of ['synchronous=off', 'cache_size=-1000000', 'wal_autocheckpoint=0']) {
    database.exec(`pragma ${pragma}`)
  }
  database.exec('begin immediate')
  const insertDevice = database.prepare(
    'insert into device (tenant_id, id, fingerprint, first_seen_at, last_seen_at) values (?, ?, ?, ?, ?)',
  )
  const ids: Buffer[] = []
  const keys: number[] = []
  /** Of each key, the place of its device. */
  const holders: number[] = []
  return {
    add(known) {
      const id = randomUUID()
      const bytes = uuidBytes(id)
      insertDevice.run(tenantId, bytes, packed(known), BigInt(now), BigInt(now))
      for (const key of keysOfDevice(known, salt)) {
        keys.push(key)
        holders.push(ids.length)
      }
      ids.push(bytes)
      return id
    },
    finish() {
      // In the order of their coming among equals, since a full key takes no more.
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
