// Which number has a hash? A table of 64-bit hashes in typed arrays: some 20 bytes each, where a Map of texts takes 100 and more.

const smallest = 1_024
const fullest = 0.6

/** Gives each hash a number from 0, and the number of a removed one to the next. */
export class IdTable {
  /** Open addressing with linear probing (Knuth, volume 3, 6.4, algorithms L and R): the number plus one, or 0. */
  #slots = new Int32Array(smallest)
  #lows = new Int32Array(smallest)
  #highs = new Int32Array(smallest)
  readonly #free: number[] = []
  #next = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The number of a hash; -1 when it has none. */
  find(low: number, high: number): number {
    const mask = this.#slots.length - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot]! - 1
      if (id < 0 || (this.#lows[id] === low && this.#highs[id] === high)) return id
    }
  }

  /** Gives a number to a hash that has none. */
  add(low: number, high: number): number {
    if (this.#size + 1 > this.#slots.length * fullest) this.#grow()
    const id = this.#free.pop() ?? this.#next++
    this.#lows = grown(this.#lows, id)
    this.#highs = grown(this.#highs, id)
    this.#lows[id] = low
    this.#highs[id] = high
    this.#put(id)
    this.#size++
    return id
  }

  remove(id: number): void {
    const mask = this.#slots.length - 1
    let hole = this.#lows[id]! & mask
    while (this.#slots[hole] !== id + 1) hole = (hole + 1) & mask
    // What follows moves up, unless it would come before its own place.
    for (let slot = (hole + 1) & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.#lows[this.#slots[slot]! - 1]! & mask
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue
      this.#slots[hole] = this.#slots[slot]!
      hole = slot
    }
    this.#slots[hole] = 0
    this.#free.push(id)
    this.#size--
  }

  #put(id: number): void {
    const mask = this.#slots.length - 1
    let slot = this.#lows[id]! & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = id + 1
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Int32Array(2 * before.length)
    for (const place of before) if (place !== 0) this.#put(place - 1)
  }
}

/** The array, or a longer copy that has this place. */
export function grown<T extends Int32Array | Float64Array>(array: T, place: number): T {
  if (place < array.length) return array
  const longer = new (array.constructor as new (length: number) => T)(Math.max(smallest, 2 * array.length, place + 1))
  longer.set(array)
  return longer
}
