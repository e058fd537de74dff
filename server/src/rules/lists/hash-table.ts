// Which of a million hashes are in a list, and until when? A table that takes 20 to 30 bytes for each and never stops the process.

/** Times are whole seconds since 1970. */
export interface Times {
  /** When it was added. */
  readonly from: number
  /** From then on it does not match. */
  readonly until: number
}

/** An entry that does not expire. */
export const never = 0xffffffff

/** Hashes of 64 bits in two words, with the times of their entries. */
export class HashTable {
  #parts: Part[] = [new Part()]
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Of its arrays. */
  get bytes(): number {
    return this.#parts.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  put(low: number, high: number, times: Times): void {
    if (this.#partOf(high).put(low, high, times)) this.#size++
    if (this.#parts.length === 1 && this.#size > largestSinglePart) this.#split()
  }

  remove(low: number, high: number): void {
    if (this.#partOf(high).remove(low, high)) this.#size--
  }

  /** Whether it is in the table and not expired. */
  has(low: number, high: number, now: number): boolean {
    return this.#partOf(high).until(low, high) > now
  }

  /** Whether it was in the table at this time. What was removed since then counts as never added. */
  hadAt(low: number, high: number, at: number): boolean {
    const part = this.#partOf(high)
    return part.until(low, high) > at && part.from(low, high) <= at
  }

  #partOf(high: number): Part {
    const parts = this.#parts
    return parts[parts.length === 1 ? 0 : high >>> 24]!
  }

  /** A table that grows is copied. In 256 parts, each copy takes a fraction of a millisecond. */
  #split(): void {
    const [whole] = this.#parts as [Part]
    this.#parts = Array.from({ length: 256 }, () => new Part())
    whole.each((low, high, times) => void this.#partOf(high).put(low, high, times))
  }
}

const largestSinglePart = 8_192

/** Words of an entry: low, high, from, until. `until` is 0 in an empty place. */
const stride = 4
const smallest = 8
const fullest = 0.8
const growth = 1.5

/** Open addressing with linear probing (Knuth, volume 3, 6.4, algorithms L and R). */
class Part {
  #words = new Uint32Array(smallest * stride)
  #capacity = smallest
  #size = 0

  get bytes(): number {
    return this.#words.byteLength
  }

  /** Returns whether it is new. */
  put(low: number, high: number, { from, until }: Times): boolean {
    let at = this.#find(low, high)
    const isNew = this.#words[at + 3] === 0
    if (isNew && this.#size + 1 > this.#capacity * fullest) {
      this.#grow()
      at = this.#find(low, high)
    }
    this.#words[at] = low
    this.#words[at + 1] = high
    this.#words[at + 2] = from
    this.#words[at + 3] = until
    if (isNew) this.#size++
    return isNew
  }

  /** 0 when it is not there. */
  until(low: number, high: number): number {
    return this.#words[this.#find(low, high) + 3]!
  }

  from(low: number, high: number): number {
    return this.#words[this.#find(low, high) + 2]!
  }

  /** Returns whether it was there. */
  remove(low: number, high: number): boolean {
    const words = this.#words
    let hole = this.#find(low, high)
    if (words[hole + 3] === 0) return false
    this.#size--
    // Entries behind the hole move up, unless they are at home between it and their place.
    for (let at = this.#after(hole); words[at + 3] !== 0; at = this.#after(at)) {
      const home = this.#homeOf(words[at]!)
      const isBetween = hole < at ? hole < home && home <= at : hole < home || home <= at
      if (isBetween) continue
      words.copyWithin(hole, at, at + stride)
      hole = at
    }
    words.fill(0, hole, hole + stride)
    return true
  }

  each(visit: (low: number, high: number, times: Times) => void): void {
    const words = this.#words
    for (let at = 0; at < words.length; at += stride) {
      if (words[at + 3] !== 0) visit(words[at]!, words[at + 1]!, { from: words[at + 2]!, until: words[at + 3]! })
    }
  }

  /** The place of the hash, or the empty one where it would be. */
  #find(low: number, high: number): number {
    const words = this.#words
    const [first, second] = [low >>> 0, high >>> 0]
    let at = this.#homeOf(first)
    while (words[at + 3] !== 0 && (words[at] !== first || words[at + 1] !== second)) {
      at += stride
      if (at === words.length) at = 0
    }
    return at
  }

  #homeOf(low: number): number {
    return Math.floor(((low >>> 0) * this.#capacity) / 0x1_0000_0000) * stride
  }

  #after(at: number): number {
    return at + stride === this.#words.length ? 0 : at + stride
  }

  #grow(): void {
    const before = this.#words
    this.#capacity = Math.ceil(this.#capacity * growth)
    this.#words = new Uint32Array(this.#capacity * stride)
    for (let from = 0; from < before.length; from += stride) {
      if (before[from + 3] === 0) continue
      const at = this.#find(before[from]!, before[from + 1]!)
      for (let word = 0; word < stride; word++) this.#words[at + word] = before[from + word]!
    }
  }
}
