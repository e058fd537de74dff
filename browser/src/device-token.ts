// Where is the device token stored? In two places, because people often clear only one of them.

import { inDatabase } from './database.ts'
import type { PersistentStorage } from './persistent-storage.ts'

export interface DeviceTokenStore {
  get(): Promise<string | undefined>
  set(token: string): void
}

/** The device token of an app. Waits for IndexedDB at most `limitMs`. */
export function deviceTokenStore(storage: PersistentStorage, appId: string, limitMs = 200): DeviceTokenStore {
  const name = `deviceToken.${appId}`
  return {
    async get() {
      const known = storage.get(name)
      if (known !== undefined) return known
      const late = new Promise<undefined>((resolve) => setTimeout(resolve, limitMs))
      const stored = inDatabase('readonly', (values) => values.get(name)).catch(() => undefined)
      const found: unknown = await Promise.race([stored, late])
      return typeof found === 'string' ? found : undefined
    },
    set(token) {
      if (token === storage.get(name)) return
      storage.set(name, token)
      inDatabase('readwrite', (values) => values.put(token, name)).catch(() => {}) // the copy in localStorage is enough
    },
  }
}
