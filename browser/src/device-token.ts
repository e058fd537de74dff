// Where is the device token kept? In two places: people, and browsers that tidy up, clear one more often than both.

import type { Kept } from './persistent-storage.ts'

export interface KeptDeviceToken {
  get(): Promise<string | undefined>
  set(token: string): void
}

const database = 'ringfence'
const store = 'kept'

/** The token of an app; IndexedDB is waited for no longer than `limitMs`. */
export function keptDeviceToken(kept: Kept, appId: string, limitMs = 200): KeptDeviceToken {
  const name = `deviceToken.${appId}`
  return {
    async get() {
      const known = kept.get(name)
      if (known !== undefined) return known
      const late = new Promise<undefined>((resolve) => setTimeout(resolve, limitMs))
      const found = await Promise.race([asked('readonly', (tokens) => tokens.get(name)).catch(() => undefined), late])
      return typeof found === 'string' ? found : undefined
    },
    set(token) {
      if (token === kept.get(name)) return
      kept.set(name, token)
      asked('readwrite', (tokens) => tokens.put(token, name)).catch(() => {}) // a browser without it has the other
    },
  }
}

async function asked(mode: IDBTransactionMode, ask: (tokens: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(database, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(store)
  const opened = (await answerOf(opening)) as IDBDatabase
  try {
    return await answerOf(ask(opened.transaction(store, mode).objectStore(store)))
  } finally {
    opened.close()
  }
}

function answerOf(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
