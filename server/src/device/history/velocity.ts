// How fast does a device change hands? Counts distinct accounts, phone numbers and countries in an hour, a day and a week.

import { accountKinds, numberKinds, type SeenValues, unionOf } from './seen-values.ts'

export const velocityWindows = { '1h': 3_600_000, '24h': 86_400_000, '7d': 7 * 86_400_000 } as const
type Window = keyof typeof velocityWindows

/** Counts by the names that rules read. */
export type Velocity = Readonly<
  Record<
    `${'accountsPerDevice' | 'phoneNumbersPerDevice' | 'countriesPerDevice' | 'devicesPerAccount'}${Window}`,
    number
  >
>

export interface VelocityInput {
  /** What was seen on the device, including this visit. */
  readonly seen: SeenValues
  /** The devices of this visit's account, including this device; empty when the app reported no account. */
  readonly devices: readonly { readonly lastSeenAt: number }[]
  readonly now: number
  /** Older values are not counted. */
  readonly since: number
}

/**
 * Counts distinct values; a value that nobody reported is not counted. One person may have three ids: your backend's, that of the
 * sign-in, and what the page sends. So accounts are the largest of the three counts, which none of the others can lower.
 */
export function velocityOf({ seen, devices, now, since }: VelocityInput): Velocity {
  const perWindow = (name: string, ...lists: readonly (readonly number[])[]) =>
    Object.entries(velocityWindows).map(([window, ms]) => {
      const from = Math.max(now - ms, since)
      return [`${name}${window}`, Math.max(...lists.map((times) => countAfter(from, times)))] as const
    })
  return Object.fromEntries([
    ...perWindow('accountsPerDevice', ...accountKinds.map((kind) => [...seen[kind].values()])),
    ...perWindow('phoneNumbersPerDevice', [...unionOf(seen, numberKinds).values()]),
    ...perWindow('countriesPerDevice', [...seen.country.values()]),
    ...perWindow(
      'devicesPerAccount',
      devices.map(({ lastSeenAt }) => lastSeenAt),
    ),
  ]) as Velocity
}

function countAfter(from: number, times: readonly number[]): number {
  let count = 0
  for (const at of times) if (at > from) count++
  return count
}
