// What is new or rare for an account? Compares a session with the sessions that it has proven before.

import { fewestForNew } from '../rules/pending-checks.ts'
import { type Kind, type Source, valuesOf } from './knowledge.ts'
import type { ShownSession } from './session.ts'

/** A value in a smaller share of the sessions is rare. */
const rareShare = 0.05
/** With fewer sessions, one of them is not rare. */
export const fewestForRare = 20
/** A session that begins up to this many hours before or after a usual hour is usual. */
const hoursAround = 2

/** Whether no session showed the value; undefined when it is unknown now, or when too few sessions showed any. */
export function isNew(kind: Kind, sources: readonly Source[], shown: ShownSession): boolean | undefined {
  const { value, total, count } = sessionsWith(kind, sources, shown)
  return value === undefined || total < fewestForNew ? undefined : count === 0
}

/** Whether few sessions showed the value, or none. Undefined as above. */
export function isRare(kind: Kind, sources: readonly Source[], shown: ShownSession): boolean | undefined {
  const { value, total, count } = sessionsWith(kind, sources, shown)
  return value === undefined || total < fewestForRare ? undefined : count < rareShare * total
}

function sessionsWith(kind: Kind, sources: readonly Source[], shown: ShownSession) {
  const value = valuesOf(shown).find(([its]) => its === kind)?.[1]
  const isSame = kind === 'hour' ? isNearHour(Number(value)) : (other: string) => other === value
  let [total, count] = [0, 0]
  for (const { values } of sources) {
    for (const [other, { sessions }] of values[kind]) {
      total += sessions
      if (isSame(other)) count += sessions
    }
  }
  return { value, total, count }
}

/** Around the clock: 23 and 1 are two hours apart. */
const isNearHour = (hour: number) => (other: string) => {
  const apart = Math.abs(hour - Number(other))
  return Math.min(apart, 24 - apart) <= hoursAround
}
