// How are more records sorted than fit in memory? By the first byte of their hash they go into 256 files, each of which is sorted alone.

import fs from 'node:fs'
import path from 'node:path'

export const bucketCount = 256
/** Records of a bucket are written together. */
const bufferBytes = 1 << 15
const lengthBytes = 2
const readBytes = 1 << 20

export interface BucketOrder {
  /** A record begins with its key, and a key with its hash. */
  readonly keyBytes: number
  readonly hashBytes: number
  /** So many records with the same hash are read, of those that count. */
  readonly most: number
  isCounted(record: Buffer): boolean
}

/** Records begin with a hash, whose bytes are spread evenly. They are in files of this process only, and have nothing in clear. */
export class Buckets {
  readonly #folder: string
  readonly #name: string
  readonly #buffers: Buffer[]
  readonly #used = new Uint32Array(bucketCount)

  constructor(folder: string, name: string) {
    this.#folder = folder
    this.#name = name
    this.#buffers = Array.from({ length: bucketCount }, () => Buffer.allocUnsafe(bufferBytes))
  }

  /** At most 64 kB. */
  add(record: Uint8Array): void {
    const bucket = record[0]!
    const length = lengthBytes + record.length
    if (this.#used[bucket]! + length > bufferBytes) this.#flush(bucket)
    if (length > bufferBytes) throw new RangeError('a record is too long')
    const buffer = this.#buffers[bucket]!
    const at = this.#used[bucket]!
    buffer.writeUInt16LE(record.length, at)
    buffer.set(record, at + lengthBytes)
    this.#used[bucket] = at + length
  }

  /** The records of a bucket in the order of their keys; without those of a hash that are too many to be of use. */
  sorted(bucket: number, { keyBytes, hashBytes, most, isCounted }: BucketOrder): Buffer[] {
    this.#flush(bucket)
    const seen = new Map<string, number>()
    const found: { key: number; record: Buffer }[] = []
    for (const record of this.#records(bucket)) {
      if (isCounted(record)) {
        const hash = record.toString('latin1', 0, hashBytes)
        const count = (seen.get(hash) ?? 0) + 1
        if (count > most) continue
        seen.set(hash, count)
      }
      found.push({ key: record.readUIntBE(0, 6), record })
    }
    found.sort((a, b) => a.key - b.key || a.record.compare(b.record, 0, keyBytes, 0, keyBytes))
    return found.map(({ record }) => record)
  }

  *#records(bucket: number): Generator<Buffer> {
    const file = this.#file(bucket)
    if (!fs.existsSync(file)) return
    const fd = fs.openSync(file, 'r')
    try {
      let rest = Buffer.alloc(0)
      for (;;) {
        const chunk = Buffer.allocUnsafe(readBytes)
        const count = fs.readSync(fd, chunk)
        if (count === 0) return
        const bytes = Buffer.concat([rest, chunk.subarray(0, count)])
        let at = 0
        while (at + lengthBytes <= bytes.length) {
          const end = at + lengthBytes + bytes.readUInt16LE(at)
          if (end > bytes.length) break
          yield bytes.subarray(at + lengthBytes, end)
          at = end
        }
        rest = bytes.subarray(at)
      }
    } finally {
      fs.closeSync(fd)
    }
  }

  /** Frees the space of a bucket. */
  delete(bucket: number): void {
    this.#used[bucket] = 0
    fs.rmSync(this.#file(bucket), { force: true })
  }

  #flush(bucket: number): void {
    const used = this.#used[bucket]!
    if (used === 0) return
    fs.appendFileSync(this.#file(bucket), this.#buffers[bucket]!.subarray(0, used), { mode: 0o600 })
    this.#used[bucket] = 0
  }

  #file(bucket: number): string {
    return path.join(this.#folder, `${this.#name}.${bucket}`)
  }
}
