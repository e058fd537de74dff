// How many distinct values has a key counted? Values that were folded stay in their text, since most decisions only ask for a few.

import { mostDistinct } from './window.ts'

/** Characters of a value. */
export const valueLength = 8

export class DistinctValues {
  /** Values of one text, each once: joined, by when they leave, in tenths. */
  readonly #folded = new Map<number, string>()
  /** Values of logs, and of further texts. */
  readonly #others = new Map<string, number>()
  #texts = 0

  /** Adds a value of a log. */
  add(value: string, leaves: number): void {
    const known = this.#others.get(value)
    if (known === undefined || known < leaves) this.#others.set(value, leaves)
  }

  /** A text of folded values follows, which has each value once. */
  beginText(): void {
    this.#texts++
  }

  /** Adds joined values of the text. */
  addFolded(values: string, leaves: number): void {
    if (this.#texts === 1) this.#folded.set(leaves, (this.#folded.get(leaves) ?? '') + values)
    else for (const value of apart(values)) this.add(value, leaves)
  }

  /** At most `mostDistinct`. */
  get size(): number {
    let size = 0
    for (const values of this.#folded.values()) size += values.length / valueLength
    for (const value of this.#others.keys()) {
      if (size >= mostDistinct) return mostDistinct
      if (this.#leavesFolded(value) === undefined) size++
    }
    return Math.min(mostDistinct, size)
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
    for (const [leaves, values] of this.#folded) {
      for (const value of apart(values)) all.set(value, Math.max(leaves, all.get(value) ?? 0))
    }
    let latest = [...all]
    if (latest.length > mostDistinct) latest = latest.sort(([, a], [, b]) => b - a).slice(0, mostDistinct)
    const byLeaving = new Map<number, string>()
    for (const [value, leaves] of latest) byLeaving.set(leaves, (byLeaving.get(leaves) ?? '') + value)
    return byLeaving
  }

  #leavesFolded(value: string): number | undefined {
    for (const [leaves, values] of this.#folded) if (holds(values, value)) return leaves
    return undefined
  }
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
