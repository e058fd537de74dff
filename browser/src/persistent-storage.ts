// What does the SDK store in this browser? Installation id, device token, sign-ins in progress.

/** Values that outlive the page. If the browser blocks storage, they last as long as the page. */
export interface PersistentStorage {
  get(name: string): string | undefined
  set(name: string, value: string | undefined): void
}

/** Uses localStorage, and memory if localStorage is full or blocked. */
export function persistentStorage(): PersistentStorage {
  const memory = new Map<string, string>()
  return {
    get(name) {
      try {
        return localStorage.getItem(keyOf(name)) ?? memory.get(name)
      } catch {
        return memory.get(name)
      }
    },
    set(name, value) {
      if (value === undefined) memory.delete(name)
      else memory.set(name, value)
      try {
        if (value === undefined) localStorage.removeItem(keyOf(name))
        else localStorage.setItem(keyOf(name), value)
      } catch {
        // full or blocked: the value is in memory
      }
    },
  }
}

const keyOf = (name: string) => `ringfence.${name}`

/** The installation id, `<UUID>-<epoch seconds>`. It is created on the first call. */
export function installationId(storage: PersistentStorage): string {
  const known = storage.get('inId')
  if (known !== undefined && /^[\da-f-]{36}-\d{1,12}$/.test(known)) return known
  const created = `${uuid()}-${Math.floor(Date.now() / 1000)}`
  storage.set('inId', created)
  return created
}

/** A version 4 UUID (RFC 9562). Not crypto.randomUUID, which exists on https pages only. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
