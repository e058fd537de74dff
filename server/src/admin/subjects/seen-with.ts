// Who was seen with a device, and how sure is that? Links come from sealed reports and events: stored hashes cannot be read back.

import type { FoundEvent, ShownDevice } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { digitsOf } from '../../device/analysis/update-info.ts'
import { ofHash, type SeenValues } from '../../device/history/seen-values.ts'
import { accountHashOf, numberHashOf } from '../../events/subject-hashes.ts'
import { isoTime } from '../calls/iso-time.ts'
import type { ReadVisit } from './read-visits.ts'

type SaidBy = ShownDevice['accounts'][number]['saidBy']

/** A value that was seen at a time. */
export interface Sighting {
  readonly value: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly saidBy: SaidBy
}

export interface Sightings {
  readonly users: readonly Sighting[]
  readonly numbers: readonly Sighting[]
}

/** What pages and apps said during visits. */
export function sightingsOfVisits(visits: readonly ReadVisit[]): Sightings {
  const of = (read: (visit: NonNullable<ReadVisit['content']>) => string | undefined): Sighting[] =>
    visits.flatMap(({ at, content }) => {
      const value = content && read(content)
      return value ? [{ value, at, saidBy: 'page' as const }] : []
    })
  return {
    users: of(({ analysis }) => analysis.updateInfo.userId),
    numbers: of(({ analysis }) => digitsOf(analysis.updateInfo)),
  }
}

/** Types of events whose user and number a backend or a completed sign-in names. */
export const namingEvents = [
  'decision.created',
  'sign_in.completed',
  'label.created',
  'account.device.changed',
] as const

export function sightingsOfEvents(events: readonly FoundEvent[]): Sightings {
  const of = (read: (data: FoundEvent['data']) => unknown): Sighting[] =>
    events.flatMap(({ timestamp, data }) => {
      const value = read(data)
      return typeof value === 'string' ? [{ value, at: Date.parse(timestamp), saidBy: 'backend' as const }] : []
    })
  return { users: of(({ userId }) => userId), numbers: of(numberOf) }
}

/** A sign-in has its number as an identity. */
function numberOf({ phoneNumber, identity }: FoundEvent['data']): unknown {
  if (phoneNumber !== undefined) return phoneNumber
  const { type, value } = (identity ?? {}) as { type?: unknown; value?: unknown }
  return type === 'MOBILE' ? value : undefined
}

export interface Link {
  readonly value: string
  readonly saidBy: SaidBy
  readonly firstSeenAt: string
  readonly lastSeenAt: string
}

/** Each value once, last seen first. What a backend said once is not a hint any more. */
export function linksOf(sightings: readonly Sighting[], most: number): Link[] {
  const byValue = Map.groupBy(sightings, ({ value }) => value)
  return [...byValue]
    .map(([value, seen]) => ({
      value,
      saidBy: seen.some(({ saidBy }) => saidBy === 'backend') ? ('backend' as const) : ('page' as const),
      first: Math.min(...seen.map(({ at }) => at)),
      last: Math.max(...seen.map(({ at }) => at)),
    }))
    .sort((a, b) => b.last - a.last)
    .slice(0, most)
    .map(({ first, last, ...link }) => ({ ...link, firstSeenAt: isoTime(first), lastSeenAt: isoTime(last) }))
}

/** How many accounts and numbers of the history, and accounts that trust the device, are none of these. */
export function unknownOf(
  history: SeenValues,
  trusting: ReadonlySet<string>,
  known: { readonly users: readonly string[]; readonly numbers: readonly string[] },
  keys: Pick<TenantKeys, 'hash'>,
): { accounts: number; numbers: number } {
  const accounts = new Set([...history.account.keys(), ...[...trusting].map((hex) => ofHash(Buffer.from(hex, 'hex')))])
  for (const userId of known.users) accounts.delete(ofHash(accountHashOf(userId, keys)))
  const numbers = new Set(history.number.keys())
  for (const digits of known.numbers) numbers.delete(ofHash(numberHashOf(digits, keys)))
  return { accounts: accounts.size, numbers: numbers.size }
}
