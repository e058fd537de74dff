// Is an IP address in any of a million addresses and ranges? One table for each length of network.

import { randomBytes } from 'node:crypto'
import type { Address } from '../../core/address/address.ts'
import { SipHash } from '../../core/crypto/siphash.ts'
import { HashTable, type Times } from './hash-table.ts'
import { type AddressRange, widthOf } from './kinds.ts'

/**
 * A look-up asks the table of each length that has a range: mostly fewer than ten, at most 33 in IPv4 and 129 in IPv6. Networks of up to
 * 64 bits are stored exactly, longer ones as a hash under a key of this process.
 */
export class AddressTable {
  readonly #families = { 32: new Map<number, HashTable>(), 128: new Map<number, HashTable>() }
  readonly #seeds = new Int32Array(new Uint8Array(randomBytes(8)).buffer)
  readonly #long = new SipHash(randomBytes(16))
  /** The key of the network that was computed last. */
  #low = 0
  #high = 0

  get size(): number {
    return this.#tables().reduce((sum, { size }) => sum + size, 0)
  }

  get bytes(): number {
    return this.#tables().reduce((sum, { bytes }) => sum + bytes, 0)
  }

  put({ address, length }: AddressRange, times: Times): void {
    const family = this.#families[widthOf(address)]
    const table = family.get(length) ?? new HashTable()
    family.set(length, table)
    this.#keyOf(address, length)
    table.put(this.#low, this.#high, times)
  }

  remove({ address, length }: AddressRange): void {
    const family = this.#families[widthOf(address)]
    const table = family.get(length)
    if (!table) return
    this.#keyOf(address, length)
    table.remove(this.#low, this.#high)
    if (table.size === 0) family.delete(length)
  }

  /** Whether a range that is not expired contains the address. */
  has(address: Address, now: number): boolean {
    for (const [length, table] of this.#families[widthOf(address)]) {
      this.#keyOf(address, length)
      if (table.has(this.#low, this.#high, now)) return true
    }
    return false
  }

  /** Whether a range that was in the table at this time contains the address. */
  hadAt(address: Address, at: number): boolean {
    for (const [length, table] of this.#families[widthOf(address)]) {
      this.#keyOf(address, length)
      if (table.hadAt(this.#low, this.#high, at)) return true
    }
    return false
  }

  #tables(): HashTable[] {
    return Object.values(this.#families).flatMap((family) => [...family.values()])
  }

  /**
   * Two words that identify the network among those of its length. Up to 64 bits they are a permutation of the network (two rounds of
   * Feistel), because ranges next to each other would fill the same places of a table.
   */
  #keyOf({ words }: Address, length: number): void {
    const first = masked(words[0]!, length)
    const second = length > 32 ? masked(words[1]!, length - 32) : 0
    if (length > 64) {
      const rest = masked(words[2]!, length - 64)
      const last = length > 96 ? masked(words[3]!, length - 96) : 0
      const { low, high } = this.#long.ofWords(first, second, rest, last)
      this.#low = low
      this.#high = high
      return
    }
    this.#low = first ^ mixed(second ^ this.#seeds[0]!)
    this.#high = second ^ mixed(this.#low ^ this.#seeds[1]!)
    this.#low ^= mixed(this.#high)
  }
}

/** The first bits of a word. */
const masked = (word: number, bits: number) => (bits >= 32 ? word : bits <= 0 ? 0 : word & (-1 << (32 - bits)))

/** The finaliser of MurmurHash3: each bit changes half of the others. */
function mixed(word: number): number {
  let bits = word ^ (word >>> 16)
  bits = Math.imul(bits, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
