// What is attached to the device, and what may this page use of it?
// Reading must never show a prompt. Without a permission, browsers hide names and most devices, and a document in a
// frame may be refused what its page may use. Firefox and Safari do not report the keyboard layout.

/** Cameras, microphones and speakers by kind. Without a permission, browsers list at most one nameless device of each kind. */
export async function mediaDevices(): Promise<Record<string, number> | undefined> {
  const counts: Record<string, number> = {}
  const devices = await navigator.mediaDevices?.enumerateDevices()
  for (const { kind } of devices ?? []) counts[kind] = (counts[kind] ?? 0) + 1
  return devices && counts
}

interface Keyboard {
  getLayoutMap(): Promise<Iterable<[string, string]>>
}

/** The characters of the keys that differ most between layouts, in a fixed order. */
export async function keyboard(): Promise<string | undefined> {
  const map = await (navigator as { keyboard?: Keyboard }).keyboard?.getLayoutMap()
  if (!map) return undefined
  const printed = new Map(map)
  return ['Backquote', 'KeyQ', 'KeyA', 'KeyZ', 'KeyY', 'Semicolon', 'Quote', 'Minus', 'BracketLeft', 'IntlBackslash']
    .map((key) => printed.get(key) ?? '')
    .join(' ')
}

const names = [
  'accelerometer',
  'background-sync',
  'camera',
  'clipboard-read',
  'geolocation',
  'local-fonts',
  'microphone',
  'midi',
  'notifications',
  'payment-handler',
  'persistent-storage',
  'screen-wake-lock',
  'storage-access',
]

/**
 * `granted`, `denied` or `prompt` by name. It shows no prompt. Names that the browser does not know
 * are left out.
 */
export async function permissions(): Promise<Record<string, string> | undefined> {
  if (!navigator.permissions) return undefined
  const states = names.map(async (name) => {
    const { state } = await navigator.permissions.query({ name } as PermissionDescriptor)
    return [name, state] as const
  })
  const settled = await Promise.allSettled(states)
  return Object.fromEntries(settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
}
