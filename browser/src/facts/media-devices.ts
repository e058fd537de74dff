// How many cameras, microphones and speakers does the device have?

/** Counts by kind. Without a permission, browsers list at most one nameless device of each kind. */
export async function mediaDevices(): Promise<Record<string, number> | undefined> {
  const counts: Record<string, number> = {}
  const devices = await navigator.mediaDevices?.enumerateDevices()
  for (const { kind } of devices ?? []) counts[kind] = (counts[kind] ?? 0) + 1
  return devices && counts
}
