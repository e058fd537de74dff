// How does a test write DER, also such that nobody should accept?

export const der = (tag: number | readonly number[], ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from(typeof tag === 'number' ? [tag] : tag), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const hex = length.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.of(0x80 + bytes.length), bytes])
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts)
export const octets = (bytes: Uint8Array | string) => der(0x04, Buffer.from(bytes))
/** `byte`: `ff` is true, 0 false; anything else is wrong. */
export const boolean = (byte: number) => der(0x01, Buffer.of(byte))
export const integer = (value: number) => der(0x02, Buffer.of(value))
export const enumerated = (value: number) => der(0x0a, Buffer.of(value))

export const printable = (text: string) => der(0x13, Buffer.from(text))
export const bits = (bytes: Uint8Array) => der(0x03, Buffer.of(0), bytes)

export function oid(id: string): Buffer {
  const [first = 0, second = 0, ...rest] = id.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(inBase128)]))
}

/** Seven bits a byte; all but the last have the high bit. */
const inBase128 = (arc: number): number[] =>
  arc < 0x80 ? [arc] : [...inBase128(arc >> 7).map((byte) => byte | 0x80), arc & 0x7f]

/** An explicit tag. */
export function tagged(tag: number, content: Uint8Array): Buffer {
  if (tag < 0x1f) return der(0xa0 + tag, content)
  const digits = tag < 0x80 ? [tag] : [0x80 + (tag >> 7), tag & 0x7f]
  return der([0xbf, ...digits], content)
}
