// Which velocities does a decision have? Reads all of them in one statement, and says what the decision adds to them.

import type { TenantKeys } from '../../crypto/keyring.ts'
import type { BatchStatement, Queryable } from '../../storage/database.ts'
import { addStatement, countsOf, type VelocityPart, velocityKey } from '../../storage/rules/velocity-counts.ts'
import type { InList } from '../lists/list.ts'
import type { RuleInput } from '../vocabulary.ts'
import type { Added, CompiledVelocity } from './compile-velocity.ts'
import { leavesAt, mostDistinct, velocityValue } from './window.ts'

/** The values of the velocities of one rule set by name. A velocity whose key is not known is absent. */
export type VelocityValues = Readonly<Record<string, number>>

export interface VelocitiesOfDecision {
  /** For each rule set, in the given order. */
  readonly values: readonly VelocityValues[]
  /** Adds this decision. Commit it together with the decision, so that a retry does not count twice. */
  readonly statements: readonly BatchStatement[]
}

interface Counter {
  readonly keyHash: Buffer
  readonly velocity: CompiledVelocity['velocity']
  readonly added: Added | undefined
  /** Of the distinct value of this decision. */
  readonly part: Uint8Array | undefined
}

/**
 * The velocities that these rule sets declare (usually the live one, and the one in shadow), including the present decision at `now`
 * (epoch milliseconds). `inList` answers for the lists that their conditions read. Two that are defined alike are one, whatever their names.
 */
export async function velocitiesOfDecision(
  sets: readonly (readonly CompiledVelocity[])[],
  input: RuleInput,
  { database, keys, now, inList }: { database: Queryable; keys: TenantKeys; now: number; inList?: InList },
): Promise<VelocitiesOfDecision> {
  const hashOf = hashesOnce(keys)
  const counters = new Map<string, Counter>()
  const named = sets.map((set) =>
    set.flatMap((compiled) => {
      const key = compiled.keyOf(input)
      if (key === undefined) return []
      const keyHash = velocityKey(
        hashOf(`velocity key ${key}`),
        compiled.definition,
        compiled.velocity.measure === 'distinct',
      )
      const id = keyHash.toString('latin1')
      if (!counters.has(id)) {
        const added = compiled.addedBy(input, inList)
        const value = added?.value
        const part = value === undefined ? undefined : hashOf(`velocity value ${value}`).subarray(0, 8)
        counters.set(id, { keyHash, velocity: compiled.velocity, added, part })
      }
      return [{ name: compiled.velocity.name, id }]
    }),
  )
  const wanted = [...counters.values()].map(({ keyHash, velocity, part }) =>
    velocity.measure === 'distinct' ? { keyHash, part: part ?? noPart } : { keyHash },
  )
  const counts = await countsOf(database, wanted, now, mostDistinct)
  const valueById = new Map<string, number>()
  const parts: VelocityPart[] = []
  for (const [index, [id, counter]] of [...counters].entries()) {
    const { n, units, leavesAt: knownUntil } = counts[index]!
    const { velocity, added } = counter
    valueById.set(id, velocityValue(velocity.measure, { n, units, isKnown: knownUntil !== null }, added))
    const part = added && partOf(counter, added, n, now)
    if (part && part.leavesAt !== knownUntil) parts.push(part)
  }
  return {
    values: named.map((set) => Object.fromEntries(set.map(({ name, id }) => [name, valueById.get(id)!]))),
    statements: parts.length === 0 ? [] : [addStatement(parts)],
  }
}

/** No distinct value has it. */
const noPart = new Uint8Array(0)

/** Rows that share the counting of a busy key, so that its decisions do not wait for each other. */
const rowsOfBusyKey = 4
const busyFrom = 1_000

function partOf({ keyHash, velocity, part }: Counter, added: Added, n: number, now: number): VelocityPart {
  const leaves = leavesAt(now, velocity.withinMs)
  if (part) return { keyHash, part, leavesAt: leaves, n: 0, units: 0 }
  const tenth = Buffer.alloc(7)
  tenth.writeUIntBE(leaves, 0, 6)
  if (n >= busyFrom) tenth[6] = Math.floor(Math.random() * rowsOfBusyKey)
  return { keyHash, part: tenth, leavesAt: leaves, n: 1, units: added.units }
}

/** Several velocities of a decision have the same key. */
function hashesOnce(keys: TenantKeys): (text: string) => Uint8Array {
  const known = new Map<string, Uint8Array>()
  return (text) => {
    let hash = known.get(text)
    if (!hash) {
      hash = keys.hash(text)
      known.set(text, hash)
    }
    return hash
  }
}
