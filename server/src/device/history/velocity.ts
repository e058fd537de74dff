// How fast does a device change hands? Counts distinct accounts, phone numbers and countries in an hour, a day and a week.

import type { PastVisit } from '../../storage/device-visits.ts'

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
  /** The visits of the device, including this one. */
  readonly visits: readonly PastVisit[]
  /** The devices of this visit's account, including this device; empty when the app reported no account. */
  readonly devices: readonly { readonly lastVisitAt: number }[]
  readonly now: number
}

/** Counts distinct values; a value that the app did not report is not counted. */
export function velocityOf({ visits, devices, now }: VelocityInput): Velocity {
  const count = (name: string, valueIn: (visit: PastVisit) => string | undefined) =>
    perWindow(name, (sinceMs) => {
      const values = visits.filter(({ visitedAt }) => visitedAt > sinceMs).map(valueIn)
      return new Set(values.filter((value) => value !== undefined)).size
    })
  const perWindow = (name: string, counted: (sinceMs: number) => number) =>
    Object.entries(velocityWindows).map(([window, ms]) => [`${name}${window}`, counted(now - ms)] as const)
  return Object.fromEntries([
    ...count('accountsPerDevice', ({ accountHash }) => textOf(accountHash)),
    ...count('phoneNumbersPerDevice', ({ numberHash }) => textOf(numberHash)),
    ...count('countriesPerDevice', ({ country }) => country ?? undefined),
    ...perWindow('devicesPerAccount', (since) => devices.filter(({ lastVisitAt }) => lastVisitAt > since).length),
  ]) as Velocity
}

const textOf = (hash: Uint8Array | null) => (hash ? Buffer.from(hash).toString('base64') : undefined)
