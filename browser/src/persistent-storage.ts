// What does this browser keep for the SDK? Its installation id, the device token, and the sign-in that is under way.

/** Values that outlive the page, where the browser keeps any; else they live as long as the page. */
export interface Kept {
  get(name: string): string | undefined
  set(name: string, value: string | undefined): void
}

/** In localStorage; a page that may not use it has a memory all the same. */
export function keptInStorage(): Kept {
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
        // full, or refused: memory has it
      }
    },
  }
}

const keyOf = (name: string) => `ringfence.${name}`

/** The installation, `<UUID>-<epoch seconds>`, made when there is none yet. */
export function installationId(kept: Kept): string {
  const known = kept.get('inId')
  if (known !== undefined && /^[\da-f-]{36}-\d{1,12}$/.test(known)) return known
  const made = `${uuid()}-${Math.floor(Date.now() / 1000)}`
  kept.set('inId', made)
  return made
}

/** A version 4 UUID (RFC 9562); crypto.randomUUID is there on https pages only. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
