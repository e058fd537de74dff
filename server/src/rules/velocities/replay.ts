// Which velocities did previous decisions have? Counts in memory as the store does, for decisions in the order of their time.

import { randomBytes } from 'node:crypto'
import { SipHash } from '../../core/crypto/siphash.ts'
import type { InList } from '../language/list.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import type { CompiledVelocity } from './compile-velocity.ts'
import type { VelocityValues } from './of-decision.ts'
import { Distincts, type Hash, type ReplayedCounts, Totals } from './replayed-counts.ts'
import { velocityValue } from './window.ts'

/** Keys, values and tenths in memory at a time, for all velocities; each takes 20 to 50 bytes. More are not replayed. */
const most = 8_000_000
/** Decisions between two looks at how many there are. */
const betweenLooks = 1_000

/** Decisions whose velocities cannot be counted again; the message says what to do. */
export class NotReplayable extends Error {
  override name = 'NotReplayable'
}

/**
 * Velocities that are defined alike are counted once, as in the store. Keys and values are hashes of 64 bits with a random key: among a
 * million, two are the same once in 30 million replays.
 */
export class VelocityReplay {
  readonly #counters: readonly Counter[]
  /** For each rule set: names, and which counter has the value. */
  readonly #named: readonly (readonly { readonly name: string; readonly place: number }[])[]
  readonly #hash = new SipHash(randomBytes(16))
  #decisions = 0

  constructor(sets: readonly (readonly CompiledVelocity[])[]) {
    const counters = new Map<string, Counter>()
    for (const compiled of sets.flat()) if (!counters.has(compiled.id)) counters.set(compiled.id, counterOf(compiled))
    const ids = [...counters.keys()]
    this.#counters = [...counters.values()]
    this.#named = sets.map((set) => set.map(({ velocity, id }) => ({ name: velocity.name, place: ids.indexOf(id) })))
  }

  /**
   * The velocities of the next decision, including itself, for each rule set. `at` (epoch milliseconds) must not go back.
   * @throws NotReplayable when there are too many keys
   */
  next(input: RuleInput, at: number, inList?: InList): VelocityValues[] {
    const keys = new Map<string, Hash | undefined>()
    const values = this.#counters.map(({ compiled, counts }) => {
      const { keyOf, addedBy, velocity } = compiled
      let key = keys.get(velocity.per)
      if (!key && !keys.has(velocity.per)) {
        key = this.#hashOf(keyOf(input))
        keys.set(velocity.per, key)
      }
      if (!key) return undefined
      const added = addedBy(input, inList)
      const addition = added && { units: added.units, value: this.#hashOf(added.value) }
      return velocityValue(velocity.measure, counts.next(key, at, addition), added)
    })
    if (++this.#decisions % betweenLooks === 0) this.#refuseTooMany()
    return this.#named.map((set) => {
      const found: Record<string, number> = {}
      for (const { name, place } of set) {
        const value = values[place]
        if (value !== undefined) found[name] = value
      }
      return found
    })
  }

  #hashOf(text: string | undefined): Hash | undefined {
    if (text === undefined) return undefined
    const { low, high } = this.#hash.of(text)
    return { low, high }
  }

  #refuseTooMany(): void {
    if (this.#counters.reduce((sum, { counts }) => sum + counts.size, 0) <= most) return
    throw new NotReplayable(
      `more than ${most.toLocaleString('en')} keys of velocities in their windows: replay fewer days, or shorten the windows`,
    )
  }
}

interface Counter {
  readonly compiled: CompiledVelocity
  readonly counts: ReplayedCounts
}

function counterOf(compiled: CompiledVelocity): Counter {
  const { measure, withinMs } = compiled.velocity
  return { compiled, counts: measure === 'distinct' ? new Distincts(withinMs) : new Totals(withinMs) }
}
