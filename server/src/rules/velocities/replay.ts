// Which velocities did previous decisions have? Counts in memory as the store does, for decisions in the order of their time.

import type { InList } from '../lists/list.ts'
import type { RuleInput } from '../vocabulary.ts'
import type { Added, CompiledVelocity } from './compile-velocity.ts'
import type { VelocityValues } from './of-decision.ts'
import { type Counted, leavesAt, mostDistinct, unitsSum, velocityValue } from './window.ts'

/** Keys in memory at a time; each takes some 200 bytes. More are not replayed. */
const mostKeys = 10_000_000
/** Keys that have left their window are dropped when the number of keys has doubled, at the earliest at this number. */
const leastKeysToSweep = 100_000

/** Decisions whose velocities cannot be counted again; the message says what to do. */
export class NotReplayable extends Error {
  override name = 'NotReplayable'
}

/** Velocities that are defined alike are counted once, as in the store. */
export class VelocityReplay {
  readonly #counters: readonly Counter[]
  /** For each rule set: names, and which counter has the value. */
  readonly #named: readonly (readonly { readonly name: string; readonly place: number }[])[]
  #keysAfterSweep = 0

  constructor(sets: readonly (readonly CompiledVelocity[])[]) {
    const counters = new Map<string, Counter>()
    for (const compiled of sets.flat()) {
      if (!counters.has(compiled.id)) counters.set(compiled.id, new Counter(compiled))
    }
    const ids = [...counters.keys()]
    this.#counters = [...counters.values()]
    this.#named = sets.map((set) => set.map(({ velocity, id }) => ({ name: velocity.name, place: ids.indexOf(id) })))
  }

  /**
   * The velocities of the next decision, including itself, for each rule set. `at` (epoch milliseconds) must not go back.
   * @throws NotReplayable when there are too many keys
   */
  next(input: RuleInput, at: number, inList?: InList): VelocityValues[] {
    const values = this.#counters.map((counter) => counter.next(input, at, inList))
    this.#sweepWhenDue(at)
    return this.#named.map((set) => {
      const found: Record<string, number> = {}
      for (const { name, place } of set) {
        const value = values[place]
        if (value !== undefined) found[name] = value
      }
      return found
    })
  }

  #sweepWhenDue(at: number): void {
    const keys = this.#counters.reduce((sum, { size }) => sum + size, 0)
    if (keys < Math.max(leastKeysToSweep, 2 * this.#keysAfterSweep)) return
    for (const counter of this.#counters) counter.sweep(at)
    this.#keysAfterSweep = this.#counters.reduce((sum, { size }) => sum + size, 0)
    if (this.#keysAfterSweep > mostKeys) {
      throw new NotReplayable(
        `more than ${mostKeys.toLocaleString('en')} keys of velocities in their windows: replay fewer days, or shorten the windows`,
      )
    }
  }
}

/** What a key has counted; `leavesAt` of its newest part tells when all of it has left. */
interface KeyState {
  leavesAt: number
  counted(at: number, value: string | undefined): Counted
  add(added: Added, leaves: number): void
}

class Counter {
  readonly #compiled: CompiledVelocity
  readonly #states = new Map<string, KeyState>()

  constructor(compiled: CompiledVelocity) {
    this.#compiled = compiled
  }

  get size(): number {
    return this.#states.size
  }

  next(input: RuleInput, at: number, inList?: InList): number | undefined {
    const { keyOf, addedBy, velocity } = this.#compiled
    const key = keyOf(input)
    if (key === undefined) return undefined
    const added = addedBy(input, inList)
    const known = this.#states.get(key)
    const value = velocityValue(velocity.measure, known?.counted(at, added?.value) ?? nothing, added)
    if (added) {
      const state = known ?? (velocity.measure === 'distinct' ? new DistinctValues() : new Tenths())
      state.add(added, leavesAt(at, velocity.withinMs))
      if (!known) this.#states.set(key, state)
    }
    return value
  }

  sweep(at: number): void {
    for (const [key, state] of this.#states) if (state.leavesAt <= at) this.#states.delete(key)
  }
}

const nothing: Counted = { n: 0, units: 0, isKnown: false }

/** Decisions and sums of each tenth, the oldest first, as triples of numbers: when it leaves, decisions, units. */
class Tenths implements KeyState {
  leavesAt = 0
  #parts: number[] = []

  counted(at: number): Counted {
    let gone = 0
    while (gone < this.#parts.length && this.#parts[gone]! <= at) gone += 3
    if (gone > 0) this.#parts = this.#parts.slice(gone)
    let n = 0
    let units = 0
    for (let i = 0; i < this.#parts.length; i += 3) {
      n += this.#parts[i + 1]!
      units = unitsSum(units, this.#parts[i + 2]!)
    }
    return { n, units, isKnown: false }
  }

  add({ units }: Added, leaves: number): void {
    if (leaves > this.leavesAt || this.#parts.length === 0) {
      this.#parts.push(leaves, 1, units)
      this.leavesAt = leaves
      return
    }
    const last = this.#parts.length - 3
    this.#parts[last + 1]! += 1
    this.#parts[last + 2] = unitsSum(this.#parts[last + 2]!, units)
  }
}

/** When each value leaves, the earliest first. Most keys have one value, which needs no map. */
class DistinctValues implements KeyState {
  leavesAt = 0
  #only: string | undefined
  #values: Map<string, number> | undefined

  counted(at: number, value: string | undefined): Counted {
    if (!this.#values) {
      const isHere = this.#only !== undefined && this.leavesAt > at
      return { n: isHere ? 1 : 0, units: 0, isKnown: isHere && value === this.#only }
    }
    for (const [each, leaves] of this.#values) {
      if (leaves > at) break
      this.#values.delete(each)
    }
    return {
      n: Math.min(mostDistinct, this.#values.size),
      units: 0,
      isKnown: value !== undefined && this.#values.has(value),
    }
  }

  add({ value }: Added, leaves: number): void {
    if (!this.#values && (this.#only === undefined || this.#only === value)) this.#only = value
    else {
      this.#values ??= new Map([[this.#only!, this.leavesAt]])
      this.#values.delete(value!)
      this.#values.set(value!, leaves)
    }
    this.leavesAt = leaves
  }
}
