// Which customers lost a contact? They are few, and their rows are shortened when the contact itself is gone.

import fs from 'node:fs'
import path from 'node:path'
import { contactBytes } from './customer-hashes.ts'

export interface Trim {
  readonly customerHash: Uint8Array
  /** What remains; none: the row goes. */
  readonly contacts: Uint8Array
}

const flushAt = 1 << 16

export class Trims {
  readonly #file: string
  #waiting: Uint8Array[] = []
  #bytes = 0

  constructor(folder: string) {
    this.#file = path.join(folder, 'trims')
  }

  add({ customerHash, contacts }: Trim): void {
    this.#waiting.push(customerHash, Uint8Array.of(contacts.length / contactBytes), contacts)
    this.#bytes += customerHash.length + contacts.length
    if (this.#bytes >= flushAt) this.#flush()
  }

  /** All of them, some at once. */
  *read(atOnce: number): Generator<Trim[]> {
    this.#flush()
    if (!fs.existsSync(this.#file)) return
    const fd = fs.openSync(this.#file, 'r')
    try {
      let trims: Trim[] = []
      const head = Buffer.alloc(contactBytes + 1)
      while (fs.readSync(fd, head) === head.length) {
        const contacts = Buffer.alloc(head[contactBytes]! * contactBytes)
        if (contacts.length > 0) fs.readSync(fd, contacts)
        trims.push({ customerHash: Buffer.from(head.subarray(0, contactBytes)), contacts })
        if (trims.length < atOnce) continue
        yield trims
        trims = []
      }
      if (trims.length > 0) yield trims
    } finally {
      fs.closeSync(fd)
    }
  }

  #flush(): void {
    if (this.#waiting.length > 0) fs.appendFileSync(this.#file, Buffer.concat(this.#waiting), { mode: 0o600 })
    this.#waiting = []
    this.#bytes = 0
  }
}
