// What has a key counted? Reads and writes the text that the store has of a key: a log of decisions, and what was folded from it.
//
// A log is entries: `;` second, and for each velocity a space, its id and what the decision adds. What was folded is velocities: `;` id,
// and for each tenth of the window a space, when it leaves, a comma and what it counts. Numbers are in base 36. A count adds nothing to
// its id, a sum ten-thousandths, a distinct value 8 characters of its hash.

import type { VelocityMeasure } from '../language/rule.ts'
import { DistinctValues, valueLength } from './distinct-values.ts'
import { type Counted, leavingTenth, tenthMsOf, unitsSum } from './window.ts'

const space = 32
const semicolon = 59

const secondMs = 1_000
const minuteMs = 60_000
const measures: Readonly<Record<VelocityMeasure, string>> = { count: 'c', sum: 's', distinct: 'd' }
const hashLength = 5
const idLength = 4 + hashLength

/** The id of a velocity: measure, window in minutes, and part of a hash. Servers that do not know the velocity can fold it too. */
export function velocityId(measure: VelocityMeasure, withinMs: number, hash: Buffer): string {
  const minutes = (withinMs / minuteMs).toString(36).padStart(3, '0')
  return `${measures[measure]}${minutes}${hash.toString('base64url').slice(0, hashLength)}`
}

/** A distinct value in logs and counts. */
export const valueText = (hash: Uint8Array): string => Buffer.from(hash).toString('base64url').slice(0, valueLength)

/** The beginning of an entry. A tenth of a window is a whole number of seconds, so milliseconds say no more. */
export const entryStart = (at: number): string => `;${Math.floor(at / secondMs).toString(36)}`

export const unitsText = (units: number): string => units.toString(36)

/** What one velocity has counted. */
interface Counts {
  readonly id: string
  readonly tenthMs: number
  /** When a tenth leaves, in tenths, and its decisions or units, in turns. */
  readonly amounts: number[]
  readonly values: DistinctValues | undefined
}

/** All velocities of a key at a time. What has left its window is not read. */
export class KeyCounts {
  readonly #now: number
  readonly #byId = new Map<string, Counts>()
  /** The velocities of the entry before: the next one usually has the same. */
  readonly #inTurn: Counts[] = []
  /** Entries of logs of the last second. */
  recent = 0

  constructor(now: number) {
    this.#now = now
  }

  /** Adds the entries of a log. */
  addLog(text: string): void {
    let end = 0
    while (end < text.length) {
      const start = end + 1
      end = fieldEnd(text, start)
      const at = numberIn(text, start, end) * secondMs
      if (at > this.#now - secondMs) this.recent++
      for (let turn = 0; text.charCodeAt(end) === space; turn++) {
        const from = end + 1 + idLength
        const counts = this.#inTurnAt(turn, text, end + 1)
        end = fieldEnd(text, from)
        const leaves = leavingTenth(at, counts.tenthMs)
        if (leaves * counts.tenthMs <= this.#now) continue
        if (counts.values) counts.values.add(text.slice(from, end), leaves)
        else addAmount(counts.amounts, leaves, from === end ? 1 : numberIn(text, from, end))
      }
    }
  }

  /** Adds what was folded. */
  addFolded(text: string): void {
    let end = 0
    while (end < text.length) {
      const from = end + 1
      end = from + idLength
      const { tenthMs, amounts, values } = this.#countsOf(text.slice(from, end))
      values?.beginText()
      while (text.charCodeAt(end) === space) {
        const start = end + 1
        const middle = text.indexOf(',', start)
        end = fieldEnd(text, middle)
        const leaves = numberIn(text, start, middle)
        if (leaves * tenthMs <= this.#now) continue
        if (values) values.addFolded(text.slice(middle + 1, end), leaves)
        else addAmount(amounts, leaves, numberIn(text, middle + 1, end))
      }
    }
  }

  /** What a velocity has counted; `value` is the distinct one of the present decision. */
  of(id: string, value?: string): Counted {
    const counts = this.#byId.get(id)
    if (!counts) return nothing
    const { values, amounts } = counts
    if (values) {
      return { n: values.size, units: 0, isKnown: value !== undefined && values.leavesOf(value) !== undefined }
    }
    let sum = 0
    for (let i = 1; i < amounts.length; i += 2) sum = unitsSum(sum, amounts[i]!)
    return { n: sum, units: sum, isKnown: false }
  }

  /** Whether a distinct value leaves as late as it would if it were added now. */
  hasNow(id: string, value: string): boolean {
    const counts = this.#byId.get(id)
    const leaves = counts?.values?.leavesOf(value)
    return leaves !== undefined && leaves >= leavingTenth(this.#now, counts!.tenthMs)
  }

  /** What is folded from all that was added, and when all of it has left (epoch milliseconds). */
  folded(): { content: string; leavesAt: number } {
    let content = ''
    let leavesAt = 0
    for (const { id, tenthMs, amounts, values } of this.#byId.values()) {
      const tenths = values ? values.latest() : inPairs(amounts)
      if (tenths.size === 0) continue
      content += `;${id}`
      for (const [leaves, text] of tenths) {
        content += ` ${leaves.toString(36)},${text}`
        leavesAt = Math.max(leavesAt, leaves * tenthMs)
      }
    }
    return { content, leavesAt }
  }

  #inTurnAt(turn: number, text: string, from: number): Counts {
    const before = this.#inTurn[turn]
    if (before && text.startsWith(before.id, from)) return before
    const counts = this.#countsOf(text.slice(from, from + idLength))
    this.#inTurn[turn] = counts
    return counts
  }

  #countsOf(id: string): Counts {
    let counts = this.#byId.get(id)
    if (!counts) {
      const values = id.startsWith(measures.distinct) ? new DistinctValues() : undefined
      counts = { id, tenthMs: tenthMsOf(numberIn(id, 1, 4) * minuteMs), amounts: [], values }
      this.#byId.set(id, counts)
    }
    return counts
  }
}

const nothing: Counted = { n: 0, units: 0, isKnown: false }

function addAmount(amounts: number[], leaves: number, amount: number): void {
  let i = amounts.length - 2
  while (i >= 0 && amounts[i] !== leaves) i -= 2
  if (i < 0) amounts.push(leaves, amount)
  else amounts[i + 1] = unitsSum(amounts[i + 1]!, amount)
}

function inPairs(amounts: readonly number[]): Map<number, string> {
  const pairs = new Map<number, string>()
  for (let i = 0; i < amounts.length; i += 2) pairs.set(amounts[i]!, amounts[i + 1]!.toString(36))
  return pairs
}

/** Where a field ends that begins here: at the next space or semicolon. */
function fieldEnd(text: string, from: number): number {
  let i = from
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code === space || code === semicolon) break
    i++
  }
  return i
}

/** A whole number in base 36. */
function numberIn(text: string, from: number, to: number): number {
  let number = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    number = number * 36 + (code - (code < 58 ? 48 : 87))
  }
  return number
}
