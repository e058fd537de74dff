// How many distinct values has a key counted? Values that were folded stay in their text, since most decisions only ask for a few.

import { mostDistinct } from '../language/velocity-limits.ts'
import { IdTable } from './id-table.ts'

/** Characters of a value. */
export const valueLength = 8

export class DistinctValues {
  /** Of each text, its values, each once: joined, by when they leave, in tenths. */
  readonly #texts: Map<number, string>[] = []
  /** Values of logs. */
  readonly #others = new Map<string, number>()

  /** Adds a value of a log. */
  add(value: string, leaves: number): void {
    const known = this.#others.get(value)
    if (known === undefined || known < leaves) this.#others.set(value, leaves)
  }

  /** A text of folded values follows, which has each value once. */
  beginText(): void {
    this.#texts.push(new Map())
  }

  /** Adds joined values of the text. */
  addFolded(values: string, leaves: number): void {
    const text = this.#texts.at(-1)!
    text.set(leaves, (text.get(leaves) ?? '') + values)
  }

  /** At most `mostDistinct`. */
  get size(): number {
    const folded = this.#texts.map(sizeOf)
    if (folded.some((size) => size >= mostDistinct)) return mostDistinct
    if (folded.length > 1) return this.#sizeOfAll()
    let [size = 0] = folded
    for (const value of this.#others.keys()) {
      if (size >= mostDistinct) return mostDistinct
      if (this.#leavesFolded(value) === undefined) size++
    }
    return size
  }

  /** Several texts may share values. In bits, because a set of texts would take ten times as long. */
  #sizeOfAll(): number {
    const all = new IdTable()
    const add = (values: string, at: number) => {
      const [low, high] = [bitsAt(values, at), bitsAt(values, at + valueLength / 2)]
      if (all.find(low, high) < 0) all.add(low, high)
    }
    for (const value of this.#others.keys()) add(value, 0)
    for (const [, values] of this.#folded()) {
      for (let at = 0; at < values.length && all.size < mostDistinct; at += valueLength) add(values, at)
    }
    return Math.min(mostDistinct, all.size)
  }

  /** When a value leaves, in tenths. */
  leavesOf(value: string): number | undefined {
    const [other, folded] = [this.#others.get(value), this.#leavesFolded(value)]
    return other === undefined || folded === undefined ? (other ?? folded) : Math.max(other, folded)
  }

  /**
   * The values that leave last, joined, by when they leave. No more are needed: while one that is left out is within the window, all of
   * these are too, and the velocity says `mostDistinct`.
   */
  latest(): Map<number, string> {
    const all = new Map(this.#others)
    for (const [leaves, values] of this.#folded()) {
      for (const value of apart(values)) all.set(value, Math.max(leaves, all.get(value) ?? 0))
    }
    let latest = [...all]
    if (latest.length > mostDistinct) latest = latest.sort(([, a], [, b]) => b - a).slice(0, mostDistinct)
    const byLeaving = new Map<number, string>()
    for (const [value, leaves] of latest) byLeaving.set(leaves, (byLeaving.get(leaves) ?? '') + value)
    return byLeaving
  }

  #leavesFolded(value: string): number | undefined {
    let latest: number | undefined
    for (const [leaves, values] of this.#folded()) {
      if (!(latest !== undefined && leaves <= latest) && holds(values, value)) latest = leaves
    }
    return latest
  }

  *#folded(): Generator<[leaves: number, values: string]> {
    for (const text of this.#texts) yield* text
  }
}

function sizeOf(text: ReadonlyMap<number, string>): number {
  let characters = 0
  for (const values of text.values()) characters += values.length
  return characters / valueLength
}

const digits = new Uint8Array(128)
for (const [digit, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].entries())
  digits[character.charCodeAt(0)] = digit

/** Half of a value, which is base64url: 24 bits. */
function bitsAt(values: string, at: number): number {
  let bits = 0
  for (let i = at; i < at + valueLength / 2; i++) bits = (bits << 6) | digits[values.charCodeAt(i)]!
  return bits
}

function* apart(values: string): Generator<string> {
  for (let i = 0; i < values.length; i += valueLength) yield values.slice(i, i + valueLength)
}

/** A match may also begin within a value. */
function holds(values: string, value: string): boolean {
  let place = values.indexOf(value)
  while (place % valueLength > 0) place = values.indexOf(value, place + 1)
  return place >= 0
}
