// Where is the device token stored? In two places, because people often clear only one of them.

import type { PersistentStorage } from './persistent-storage.ts'

export interface DeviceTokenStore {
  get(): Promise<string | undefined>
  set(token: string): void
}

const database = 'ringfence'
const objectStore = 'kept'

/** The device token of an app. Waits for IndexedDB at most `limitMs`. */
export function deviceTokenStore(storage: PersistentStorage, appId: string, limitMs = 200): DeviceTokenStore {
  const name = `deviceToken.${appId}`
  return {
    async get() {
      const known = storage.get(name)
      if (known !== undefined) return known
      const late = new Promise<undefined>((resolve) => setTimeout(resolve, limitMs))
      const stored = inDatabase('readonly', (tokens) => tokens.get(name)).catch(() => undefined)
      const found = await Promise.race([stored, late])
      return typeof found === 'string' ? found : undefined
    },
    set(token) {
      if (token === storage.get(name)) return
      storage.set(name, token)
      inDatabase('readwrite', (tokens) => tokens.put(token, name)).catch(() => {}) // the copy in localStorage is enough
    },
  }
}

async function inDatabase(mode: IDBTransactionMode, run: (tokens: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(database, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(objectStore)
  const opened = (await resultOf(opening)) as IDBDatabase
  try {
    return await resultOf(run(opened.transaction(objectStore, mode).objectStore(objectStore)))
  } finally {
    opened.close()
  }
}

function resultOf(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
