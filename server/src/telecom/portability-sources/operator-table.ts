// Which index does an operator id have in the rows of a stored file?

import type { OperatorId } from './source.ts'

/** Means "returned to its home operator". A file therefore has at most 65,535 operators, 0 to 65534. */
export const RETURNED_HOME = 65_535

/** The syntax of `isOperatorId`, for error messages. */
export const OPERATOR_ID_SYNTAX =
  'an operator id: <MCC>-<MNC> such as 204-08, or <scheme>:<national id> such as ofcom:CH1'

/** Whether the text has the form of an `OperatorId`. The registry need not know the operator. */
export function isOperatorId(text: string): boolean {
  return text.length <= 64 && /^(\d{3}-\d{2,3}|[A-Za-z][A-Za-z0-9.-]*:[A-Za-z0-9._-]+)$/.test(text)
}

export class TooManyOperators extends Error {
  override name = 'TooManyOperators'
}

const FREE = 0xffff_ffff

/** Adds an entry for every new id. */
export class OperatorTable {
  readonly ids: OperatorId[] = []
  readonly #spellings: Uint8Array[] = []
  // Open addressing over bytes, with twice as many places as ids: creating a string for each of 100 million rows would cost
  // more than the rest of the import.
  readonly #places = new Uint32Array(131_072).fill(FREE)

  /** Index of the id spelled by `bytes[start, end)`, or -1 when it is new. `hash` is `hashOf` the same bytes. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const index = this.#places[this.#placeOf(bytes, start, end, hash)]!
    return index === FREE ? -1 : index
  }

  /** Returns the index of the id, and adds a new id. Throws `TooManyOperators`. */
  add(id: OperatorId): number {
    const spelling = Buffer.from(id, 'latin1')
    const place = this.#placeOf(spelling, 0, spelling.length, hashOf(spelling))
    const known = this.#places[place]!
    if (known !== FREE) return known
    const index = this.ids.length
    if (index === RETURNED_HOME) throw new TooManyOperators(`more than ${RETURNED_HOME} operators`)
    this.ids.push(id)
    this.#spellings.push(spelling)
    this.#places[place] = index
    return index
  }

  #placeOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1
    let place = (hash ^ (hash >>> 15)) & mask
    for (;;) {
      const index = this.#places[place]!
      if (index === FREE || isSpelled(this.#spellings[index]!, bytes, start, end)) return place
      place = (place + 1) & mask
    }
  }
}

function isSpelled(spelling: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (spelling.length !== end - start) return false
  for (let i = 0; i < spelling.length; i++) if (spelling[i] !== bytes[start + i]) return false
  return true
}

/** One step of the hash over all bytes, from 0. The scanner runs the same steps while it looks for the comma. */
export function hashStep(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0
  for (const byte of bytes) hash = hashStep(hash, byte)
  return hash
}
