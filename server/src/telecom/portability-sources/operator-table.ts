// Which small number stands for an operator id in the rows of a stored file?

import type { OperatorId } from './source.ts'

/** Stands in a row for "returned to its home operator"; so a file names at most 65,535 operators, 0 to 65534. */
export const RETURNED_HOME = 65_535

/** What `isOperatorId` takes, in words for error messages. */
export const OPERATOR_ID_SYNTAX =
  'an operator id: <MCC>-<MNC> such as 204-08, or <scheme>:<national id> such as ofcom:CH1'

/** Whether the text has the form of an operator id (see `OperatorId`); not whether the registry knows the operator. */
export function isOperatorId(text: string): boolean {
  return text.length <= 64 && /^(\d{3}-\d{2,3}|[A-Za-z][A-Za-z0-9.-]*:[A-Za-z0-9._-]+)$/.test(text)
}

export class TooManyOperators extends Error {
  override name = 'TooManyOperators'
}

const FREE = 0xffff_ffff

/** Grows by one entry for every id it has not seen. */
export class OperatorTable {
  readonly ids: OperatorId[] = []
  readonly #spellings: Uint8Array[] = []
  // Open addressing, twice as many places as there can be ids: a string made for each of 100 million rows costs more
  // than all the rest of reading them.
  readonly #places = new Uint32Array(131_072).fill(FREE)

  /** Index of the id spelled by `bytes[start, end)`, or -1 when it is new. `hash` is `hashOf` the same bytes. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const index = this.#places[this.#placeOf(bytes, start, end, hash)]!
    return index === FREE ? -1 : index
  }

  /** Index of the id, which is taken up when it is new. Throws `TooManyOperators`. */
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

/** One step of the hash: `hashOf` is this over all bytes, from 0; the scanner takes the same steps while it looks for the comma. */
export function hashStep(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0
  for (const byte of bytes) hash = hashStep(hash, byte)
  return hash
}
