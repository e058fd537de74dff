// What did each key count in its window? Counts decisions, sums and distinct values in typed arrays, in the order of time.
//
// Each tenth of the window has a chain of what leaves with it. So time goes on without a walk through all keys.

import { mostDistinct, mostUnits } from '../language/velocity-limits.ts'
import { grown, IdTable } from './id-table.ts'
import { type Counted, leavingTenth, tenthMsOf } from './window.ts'

/** A hash of 64 bits, in two words. */
export interface Hash {
  readonly low: number
  readonly high: number
}

/** What a decision adds: units to a sum, or a distinct value. */
export interface Addition {
  readonly units: number
  readonly value: Hash | undefined
}

export interface ReplayedCounts {
  /** What is in memory: keys, and parts of them. */
  readonly size: number
  /** What a key has counted before; adds the present decision. `at` (epoch milliseconds) must not go back. */
  next(key: Hash, at: number, addition: Addition | undefined): Counted
}

const nothing: Counted = { n: 0, units: 0, isKnown: false }

/** Chains by when they leave, the earliest first. A chain begins with the number of its first member plus one. */
class Chains {
  readonly #tenthMs: number
  readonly #leaves: number[] = []
  readonly #heads: number[] = []

  constructor(tenthMs: number) {
    this.#tenthMs = tenthMs
  }

  /** Puts a member in front of the chain that leaves then. @returns the one after it, plus one */
  link(member: number, leaves: number): number {
    let at = this.#leaves.length - 1
    while (at >= 0 && this.#leaves[at]! > leaves) at--
    if (this.#leaves[at] !== leaves) {
      this.#leaves.splice(++at, 0, leaves)
      this.#heads.splice(at, 0, 0)
    }
    const next = this.#heads[at]!
    this.#heads[at] = member + 1
    return next
  }

  /** The first chain that has left, which is taken out; undefined when none has. */
  takeLeft(now: number): { leaves: number; head: number } | undefined {
    const [leaves] = this.#leaves
    if (leaves === undefined || leaves * this.#tenthMs > now) return undefined
    this.#leaves.shift()
    return { leaves, head: this.#heads.shift()! }
  }
}

/** A sum is two numbers, so that it is exact beyond its limit, and what has left can be taken off. */
const minorUnits = 2 ** 26

/** Decisions and sums. */
export class Totals implements ReplayedCounts {
  readonly #tenthMs: number
  readonly #chains: Chains
  readonly #keys = new IdTable()
  /** Of keys: decisions, sums, and the newest part plus one. */
  #n = new Int32Array()
  #major = new Float64Array()
  #minor = new Float64Array()
  #newest = new Int32Array()
  /** Of parts, one for each key and tenth: its key, when it leaves, decisions, sums, and the next of its chain plus one. */
  #keyOf = new Int32Array()
  #leavesOf = new Int32Array()
  #partN = new Int32Array()
  #partMajor = new Float64Array()
  #partMinor = new Float64Array()
  #nextOf = new Int32Array()
  readonly #freeParts: number[] = []
  #parts = 0

  constructor(withinMs: number) {
    this.#tenthMs = tenthMsOf(withinMs)
    this.#chains = new Chains(this.#tenthMs)
  }

  get size(): number {
    return this.#keys.size + this.#parts - this.#freeParts.length
  }

  next({ low, high }: Hash, at: number, addition: Addition | undefined): Counted {
    for (let left = this.#chains.takeLeft(at); left; left = this.#chains.takeLeft(at)) this.#drop(left.head)
    const key = this.#keys.find(low, high)
    const counted = key < 0 ? nothing : { n: this.#n[key]!, units: this.#unitsOf(key), isKnown: false }
    if (addition) this.#add(key < 0 ? this.#addKey(low, high) : key, addition.units, leavingTenth(at, this.#tenthMs))
    return counted
  }

  #unitsOf(key: number): number {
    const [major, minor] = [this.#major[key]!, this.#minor[key]!]
    return major >= mostUnits / minorUnits ? mostUnits : Math.min(mostUnits, major * minorUnits + minor)
  }

  #addKey(low: number, high: number): number {
    const key = this.#keys.add(low, high)
    this.#n = grown(this.#n, key)
    this.#major = grown(this.#major, key)
    this.#minor = grown(this.#minor, key)
    this.#newest = grown(this.#newest, key)
    this.#n[key] = this.#major[key] = this.#minor[key] = this.#newest[key] = 0
    return key
  }

  #add(key: number, units: number, leaves: number): void {
    let part = this.#newest[key]! - 1
    if (part < 0 || this.#leavesOf[part] !== leaves) part = this.#addPart(key, leaves)
    const major = Math.floor(units / minorUnits)
    const minor = units - major * minorUnits
    this.#n[key]!++
    this.#major[key]! += major
    this.#minor[key]! += minor
    this.#partN[part]!++
    this.#partMajor[part]! += major
    this.#partMinor[part]! += minor
  }

  #addPart(key: number, leaves: number): number {
    const part = this.#freeParts.pop() ?? this.#parts++
    this.#keyOf = grown(this.#keyOf, part)
    this.#leavesOf = grown(this.#leavesOf, part)
    this.#partN = grown(this.#partN, part)
    this.#partMajor = grown(this.#partMajor, part)
    this.#partMinor = grown(this.#partMinor, part)
    this.#nextOf = grown(this.#nextOf, part)
    this.#partN[part] = this.#partMajor[part] = this.#partMinor[part] = 0
    this.#keyOf[part] = key
    this.#leavesOf[part] = leaves
    this.#nextOf[part] = this.#chains.link(part, leaves)
    this.#newest[key] = part + 1
    return part
  }

  #drop(head: number): void {
    for (let part = head - 1; part >= 0; part = this.#nextOf[part]! - 1) {
      const key = this.#keyOf[part]!
      this.#n[key]! -= this.#partN[part]!
      this.#major[key]! -= this.#partMajor[part]!
      this.#minor[key]! -= this.#partMinor[part]!
      // The parts of a key leave in their order.
      if (this.#newest[key] === part + 1) this.#keys.remove(key)
      this.#freeParts.push(part)
    }
  }
}

/** Distinct values. */
export class Distincts implements ReplayedCounts {
  readonly #tenthMs: number
  readonly #chains: Chains
  readonly #keys = new IdTable()
  /** Of keys: how many values. */
  #n = new Int32Array()
  readonly #values = new IdTable()
  /** Of values of a key: its key, when it leaves, and the next of its chain plus one. */
  #keyOf = new Int32Array()
  #leavesOf = new Int32Array()
  #nextOf = new Int32Array()

  constructor(withinMs: number) {
    this.#tenthMs = tenthMsOf(withinMs)
    this.#chains = new Chains(this.#tenthMs)
  }

  get size(): number {
    return this.#keys.size + this.#values.size
  }

  next({ low, high }: Hash, at: number, addition: Addition | undefined): Counted {
    for (let left = this.#chains.takeLeft(at); left; left = this.#chains.takeLeft(at)) this.#drop(left)
    let key = this.#keys.find(low, high)
    const n = key < 0 ? 0 : this.#n[key]!
    const value = addition?.value
    if (!value) return { n: Math.min(mostDistinct, n), units: 0, isKnown: false }
    const [valueLow, valueHigh] = [low ^ rotated(value.low), high ^ rotated(value.high)]
    const leaves = leavingTenth(at, this.#tenthMs)
    const known = this.#values.find(valueLow, valueHigh)
    if (known >= 0) this.#leavesOf[known] = leaves
    else {
      if (key < 0) key = this.#addKey(low, high)
      this.#addValue(key, valueLow, valueHigh, leaves)
    }
    return { n: Math.min(mostDistinct, n), units: 0, isKnown: known >= 0 }
  }

  #addKey(low: number, high: number): number {
    const key = this.#keys.add(low, high)
    this.#n = grown(this.#n, key)
    this.#n[key] = 0
    return key
  }

  #addValue(key: number, low: number, high: number, leaves: number): void {
    const value = this.#values.add(low, high)
    this.#keyOf = grown(this.#keyOf, value)
    this.#leavesOf = grown(this.#leavesOf, value)
    this.#nextOf = grown(this.#nextOf, value)
    this.#keyOf[value] = key
    this.#leavesOf[value] = leaves
    this.#nextOf[value] = this.#chains.link(value, leaves)
    this.#n[key]!++
  }

  /** A value that was seen again since then moves to a later chain. */
  #drop({ leaves, head }: { leaves: number; head: number }): void {
    for (let value = head - 1; value >= 0; ) {
      const next = this.#nextOf[value]! - 1
      if (this.#leavesOf[value]! > leaves) this.#nextOf[value] = this.#chains.link(value, this.#leavesOf[value]!)
      else {
        const key = this.#keyOf[value]!
        this.#values.remove(value)
        if (--this.#n[key]! === 0) this.#keys.remove(key)
      }
      value = next
    }
  }
}

/** So that a key and a value of the same hash do not cancel each other. */
const rotated = (word: number) => (word << 13) | (word >>> 19)
