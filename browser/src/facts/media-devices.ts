// How many cameras, microphones and loudspeakers are there?

/** Counts by kind. Browsers show one of each kind at most, nameless, to pages without a permission to use them. */
export async function mediaDevices(): Promise<Record<string, number> | undefined> {
  const counts: Record<string, number> = {}
  const devices = await navigator.mediaDevices?.enumerateDevices()
  for (const { kind } of devices ?? []) counts[kind] = (counts[kind] ?? 0) + 1
  return devices && counts
}
