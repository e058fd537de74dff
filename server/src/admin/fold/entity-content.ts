// What is sealed in the row of a user, device or number? The value that is shown, its reasons, and its last thirty days.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { EntityKind, EntityRow } from '../store/entities.ts'

const dayMs = 86_400_000
/** The state of a row is that of so many days. */
const stateDays = 30
const mostReasons = 12

/** Of one day. */
export interface DayOfEntity {
  /** Days since 1970. */
  readonly day: number
  readonly passed: number
  readonly refused: number
  readonly bad: number
  /** Of a user: labels that say that somebody else used the account. */
  readonly takenOver: number
}

export interface EntityContent {
  readonly value: string
  /** How often each code was a reason; the most frequent ones. */
  readonly reasons: Readonly<Record<string, number>>
  readonly days: readonly DayOfEntity[]
}

/** A row while a page is folded. */
export type Changing = { -readonly [Field in keyof Omit<EntityRow, 'sealed' | 'risk'>]: EntityRow[Field] } & {
  content: EntityContent
}

export const entityContext = (kind: string, hash: Uint8Array): string =>
  `entity ${kind} ${Buffer.from(hash).toString('hex')}`

export const sealContent = (content: EntityContent, kind: EntityKind, hash: Uint8Array, keys: TenantKeys): Uint8Array =>
  keys.seal(JSON.stringify(content), entityContext(kind, hash))

/** Undefined when it is damaged. */
export function openContent(
  { kind, hash, sealed }: { readonly kind: EntityKind; readonly hash: Uint8Array; readonly sealed: Uint8Array },
  keys: TenantKeys,
): EntityContent | undefined {
  try {
    return JSON.parse(keys.open(sealed, entityContext(kind, hash)))
  } catch {
    return undefined
  }
}

export const dayOf = (epochMs: number): number => Math.floor(epochMs / dayMs)

/** Only the days that still count. */
export const recentDays = (days: readonly DayOfEntity[], now: number): readonly DayOfEntity[] =>
  days.filter(({ day }) => day > dayOf(now) - stateDays)

/** Adds to one day. */
export function withDay(
  days: readonly DayOfEntity[],
  at: number,
  added: Partial<Omit<DayOfEntity, 'day'>>,
): readonly DayOfEntity[] {
  const day = dayOf(at)
  const before = days.find((each) => each.day === day) ?? { day, passed: 0, refused: 0, bad: 0, takenOver: 0 }
  const { passed = 0, refused = 0, bad = 0, takenOver = 0 } = added
  const after = {
    ...{ day, passed: before.passed + passed, refused: before.refused + refused },
    ...{ bad: before.bad + bad, takenOver: before.takenOver + takenOver },
  }
  return [...days.filter((each) => each.day !== day), after]
}

export function withReasons(
  reasons: Readonly<Record<string, number>>,
  codes: readonly string[],
  times: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  if (codes.length === 0) return reasons
  const counts = new Map(Object.entries(reasons))
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + (times[code] ?? 1))
  return Object.fromEntries([...counts].toSorted(([, one], [, other]) => other - one).slice(0, mostReasons))
}

/** The most frequent one. */
export const topReason = ({ reasons }: EntityContent): string | undefined =>
  Object.entries(reasons).toSorted(([, one], [, other]) => other - one)[0]?.[0]
