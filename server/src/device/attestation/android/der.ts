// What do these bytes say in DER? Reads X.690 strictly: one encoding of each value, and nothing after it.

/** The bytes are not DER, or not of the expected type. */
export class DerError extends Error {
  override name = 'DerError'
}

export interface DerElement {
  readonly tagClass: 'universal' | 'application' | 'context' | 'private'
  readonly isConstructed: boolean
  readonly tag: number
  readonly content: Buffer
  /** With tag and length. */
  readonly raw: Buffer
}

const classes = ['universal', 'application', 'context', 'private'] as const
const universal = { boolean: 1, integer: 2, bits: 3, octets: 4, oid: 6, enumerated: 10, sequence: 16, set: 17 } as const
/** Tags of the schemas that we read have up to three digits; lengths fit in the limits of a certificate. */
const [mostTagBytes, mostLengthBytes] = [3, 3]
/** A number of more bytes is none that we compare. */
const mostIntegerBytes = 6
/** Of a certificate: at most 20 (RFC 5280, 4.1.2.2), and some issuers do not know. */
const mostSerialBytes = 32
/** A list has as many elements as its schema has members, or as an app has packages. */
const mostElements = 256

/** The elements that follow each other in these bytes, which they must fill. */
function elementsOf(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    if (elements.length === mostElements) throw new DerError('a list is too long')
    const element = elementAt(bytes, at)
    elements.push(element)
    at += element.raw.length
  }
  return elements
}

/** The one element that these bytes are. */
export function elementOf(bytes: Buffer): DerElement {
  const element = elementAt(bytes, 0)
  if (element.raw.length !== bytes.length) throw new DerError('bytes follow the element')
  return element
}

function elementAt(bytes: Buffer, start: number): DerElement {
  const first = byteAt(bytes, start)
  const [tag, tagEnd] = (first & 0x1f) === 0x1f ? longTagAt(bytes, start + 1) : [first & 0x1f, start + 1]
  const [length, contentAt] = lengthAt(bytes, tagEnd)
  const end = contentAt + length
  if (end > bytes.length) throw new DerError('an element is longer than its place')
  return {
    tagClass: classes[first >> 6]!,
    isConstructed: (first & 0x20) !== 0,
    tag,
    content: bytes.subarray(contentAt, end),
    raw: bytes.subarray(start, end),
  }
}

function longTagAt(bytes: Buffer, start: number): readonly [tag: number, end: number] {
  let tag = 0
  for (let at = start; at < start + mostTagBytes; at++) {
    const byte = byteAt(bytes, at)
    if (at === start && byte === 0x80) throw new DerError('a tag has leading zeros')
    tag = tag * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    if (tag < 0x1f) throw new DerError('a small tag is in the long form')
    return [tag, at + 1]
  }
  throw new DerError('a tag is too long')
}

function lengthAt(bytes: Buffer, start: number): readonly [length: number, end: number] {
  const first = byteAt(bytes, start)
  if (first < 0x80) return [first, start + 1]
  const count = first & 0x7f
  if (count === 0 || count > mostLengthBytes) throw new DerError('a length is indefinite or too long')
  byteAt(bytes, start + count)
  const length = bytes.readUIntBE(start + 1, count)
  if (length < 0x80 || length < 256 ** (count - 1)) throw new DerError('a length is not in its shortest form')
  return [length, start + 1 + count]
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw new DerError('an element is cut off')
  return byte
}

/** Whether it is a tagged element of a schema, `[number]`. */
export const isContext = ({ tagClass, tag }: DerElement, number?: number) =>
  tagClass === 'context' && (number === undefined || tag === number)

/** The element within an explicit tag. */
export function taggedOf(element: DerElement): DerElement {
  if (!isContext(element) || !element.isConstructed) throw new DerError('an explicit tag is missing')
  return elementOf(element.content)
}

export const sequenceOf = (element: DerElement | undefined): DerElement[] =>
  elementsOf(contentOf(element, 'sequence', true))

export const setOf = (element: DerElement | undefined): DerElement[] => elementsOf(contentOf(element, 'set', true))

export const octetsOf = (element: DerElement | undefined): Buffer => contentOf(element, 'octets', false)

/** A BIT STRING of whole bytes. */
export function bitsOf(element: DerElement | undefined): Buffer {
  const content = contentOf(element, 'bits', false)
  if (content[0] !== 0) throw new DerError('bits are not whole bytes')
  return content.subarray(1)
}

/** Dotted, such as 2.5.29.15. */
export function oidOf(element: DerElement | undefined): string {
  const content = contentOf(element, 'oid', false)
  if (content.length === 0 || content.at(-1)! >= 0x80) throw new DerError('an object identifier is cut off')
  const parts: number[] = []
  let part = 0
  for (const byte of content) {
    part = part * 128 + (byte & 0x7f)
    if (!Number.isSafeInteger(part)) throw new DerError('an object identifier is too long')
    if (byte >= 0x80) continue
    parts.push(part)
    part = 0
  }
  const [head = 0, ...rest] = parts
  const root = Math.min(2, Math.floor(head / 40))
  return [root, head - root * 40, ...rest].join('.')
}

/** True is `ff`: any other byte but `00` is refused, since others read it as true or false. */
export function booleanOf(element: DerElement | undefined): boolean {
  const content = contentOf(element, 'boolean', false)
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw new DerError('a boolean is not 00 or ff')
  return content[0] === 0xff
}

export const integerOf = (element: DerElement | undefined): number => numberIn(contentOf(element, 'integer', false))

export const enumeratedOf = (element: DerElement | undefined): number =>
  numberIn(contentOf(element, 'enumerated', false))

/** The number of a certificate, as hex without leading zeros. */
export function serialNumberOf(element: DerElement | undefined): string {
  const content = checkedInteger(contentOf(element, 'integer', false))
  if (content.length > mostSerialBytes) throw new DerError('a serial number is too long')
  return content.toString('hex').replace(/^0+(?=.)/, '')
}

function numberIn(content: Buffer): number {
  const { length } = checkedInteger(content)
  if (length > mostIntegerBytes) throw new DerError('a number is too large')
  return content.readIntBE(0, length)
}

function checkedInteger(content: Buffer): Buffer {
  const [first, second = 0] = content
  if (first === undefined) throw new DerError('a number has no bytes')
  const isPadded = (first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)
  if (content.length > 1 && isPadded) throw new DerError('a number is not in its shortest form')
  return content
}

function contentOf(element: DerElement | undefined, type: keyof typeof universal, isConstructed: boolean): Buffer {
  if (element?.tagClass !== 'universal' || element.tag !== universal[type] || element.isConstructed !== isConstructed) {
    throw new DerError(`expected ${type}`)
  }
  return element.content
}
