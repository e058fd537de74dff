// Is this value in a table, asked a million times a second? A keyed hash that is ten times as fast as HMAC.

/**
 * SipHash-2-4 with 64 bits (Aumasson and Bernstein 2012): a pseudo-random function, so that nobody without the key can find the value
 * of a hash by trying, or two values with the same hash. Ours, because the package `siphash` takes five times as long.
 */
export class SipHash {
  /** Of the last call, 32 bits each. */
  low = 0
  high = 0
  readonly #key: Int32Array

  /** @param key 16 bytes */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, 16)
    this.#key = Int32Array.of(...[0, 4, 8, 12].map((at) => view.getInt32(at, true)))
  }

  /** The hash of the text in UTF-8. */
  of(text: string): this {
    // Most texts are ASCII, which is UTF-8 already: that is seen while they are hashed.
    if (this.#hash(text) >= 0x80) this.#hash(Buffer.from(text).toString('latin1'))
    return this
  }

  /** The hash of these 32-bit words, the first byte of each being its highest. */
  ofWords(...words: readonly [number, number, number, number]): this {
    this.#hash(bytesOf(words[0]) + bytesOf(words[1]) + bytesOf(words[2]) + bytesOf(words[3]))
    return this
  }

  /** 8 bytes, as the reference implementation writes them. */
  bytes(): Uint8Array {
    const bytes = Buffer.allocUnsafe(8)
    bytes.writeInt32LE(this.low, 0)
    bytes.writeInt32LE(this.high, 4)
    return bytes
  }

  /**
   * One character is one byte. Words of 64 bits are two of 32, because BigInt takes twenty times as long.
   * @returns every bit that a character has
   */
  #hash(bytes: string): number {
    const [k0, k1, k2, k3] = this.#key as unknown as [number, number, number, number]
    let v0 = 0x70736575 ^ k0
    let w0 = 0x736f6d65 ^ k1
    let v1 = 0x6e646f6d ^ k2
    let w1 = 0x646f7261 ^ k3
    let v2 = 0x6e657261 ^ k0
    let w2 = 0x6c796765 ^ k1
    let v3 = 0x79746573 ^ k2
    let w3 = 0x74656462 ^ k3
    const blocks = bytes.length >>> 3
    let bits = 0
    for (let block = 0, at = 0; block <= blocks + 1; block++) {
      let low = 0
      let high = 0
      let rounds = 2
      if (block < blocks) {
        for (let shift = 0; shift < 32; shift += 8, at++) {
          const [first, second] = [bytes.charCodeAt(at), bytes.charCodeAt(at + 4)]
          bits |= first | second
          low |= first << shift
          high |= second << shift
        }
        at += 4
      } else if (block === blocks) {
        for (let i = 0; at < bytes.length; i++, at++) {
          const code = bytes.charCodeAt(at)
          bits |= code
          if (i < 4) low |= code << (8 * i)
          else high |= code << (8 * (i - 4))
        }
        high |= bytes.length << 24
      } else {
        v2 ^= 0xff
        rounds = 4
      }
      v3 ^= low
      w3 ^= high
      for (let round = 0; round < rounds; round++) {
        let sum = (v0 >>> 0) + (v1 >>> 0)
        w0 = (w0 + w1 + (sum > 0xffffffff ? 1 : 0)) | 0
        v0 = sum | 0
        let other = (w1 << 13) | (v1 >>> 19)
        v1 = ((v1 << 13) | (w1 >>> 19)) ^ v0
        w1 = other ^ w0
        other = v0
        v0 = w0
        w0 = other
        sum = (v2 >>> 0) + (v3 >>> 0)
        w2 = (w2 + w3 + (sum > 0xffffffff ? 1 : 0)) | 0
        v2 = sum | 0
        other = (w3 << 16) | (v3 >>> 16)
        v3 = ((v3 << 16) | (w3 >>> 16)) ^ v2
        w3 = other ^ w2
        sum = (v0 >>> 0) + (v3 >>> 0)
        w0 = (w0 + w3 + (sum > 0xffffffff ? 1 : 0)) | 0
        v0 = sum | 0
        other = (w3 << 21) | (v3 >>> 11)
        v3 = ((v3 << 21) | (w3 >>> 11)) ^ v0
        w3 = other ^ w0
        sum = (v2 >>> 0) + (v1 >>> 0)
        w2 = (w2 + w1 + (sum > 0xffffffff ? 1 : 0)) | 0
        v2 = sum | 0
        other = (w1 << 17) | (v1 >>> 15)
        v1 = ((v1 << 17) | (w1 >>> 15)) ^ v2
        w1 = other ^ w2
        other = v2
        v2 = w2
        w2 = other
      }
      v0 ^= low
      w0 ^= high
    }
    this.low = v0 ^ v1 ^ v2 ^ v3
    this.high = w0 ^ w1 ^ w2 ^ w3
    return bits
  }
}

/** One character a byte. */
const bytesOf = (word: number) =>
  String.fromCharCode(word >>> 24, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff)
