// What does an extension of an X.509 certificate hold? node:crypto tells of the usual ones only.

import type { X509Certificate } from 'node:crypto'

interface Element {
  readonly tag: number
  readonly content: Uint8Array
}

/** Tags of X.690 that the walk meets. */
const objectIdentifier = 0x06
const sequence = 0x30
const extensions = 0xa3 // [3] of TBSCertificate (RFC 5280, 4.1)

/**
 * The value of the extension with this object identifier (its DER content bytes), or undefined when there is none.
 * Throws a RangeError for bytes that are no DER.
 */
export function extensionOf({ raw }: Pick<X509Certificate, 'raw'>, oid: Uint8Array): Uint8Array | undefined {
  const [certificate] = elements(raw)
  const [tbsCertificate] = elements(certificate?.content ?? raw)
  const tagged = elements(tbsCertificate?.content ?? raw).find(({ tag }) => tag === extensions)
  const [list] = tagged ? elements(tagged.content) : []
  for (const extension of list ? elements(list.content) : []) {
    if (extension.tag !== sequence) continue
    // OID, perhaps a BOOLEAN `critical`, OCTET STRING
    const parts = elements(extension.content)
    const [id] = parts
    if (id?.tag === objectIdentifier && Buffer.from(id.content).equals(oid)) return parts.at(-1)?.content
  }
  return undefined
}

/** The elements that stand one after the other in these bytes. */
export function elements(bytes: Uint8Array): Element[] {
  const found: Element[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = bytes[at]!
    const first = bytes[at + 1]
    if (first === undefined) throw new RangeError('DER ends within an element')
    // The short form holds the length itself, the long form the number of bytes that hold it; 4 GiB are enough.
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f
    if (lengthBytes > 4 || first === 0x80) throw new RangeError('DER has a length that it cannot have')
    const start = at + 2 + lengthBytes
    const length = lengthBytes === 0 ? first : readNumber(bytes.subarray(at + 2, start))
    if (start + length > bytes.length) throw new RangeError('DER ends within an element')
    found.push({ tag, content: bytes.subarray(start, start + length) })
    at = start + length
  }
  return found
}

const readNumber = (bytes: Uint8Array) => bytes.reduce((number, byte) => number * 256 + byte, 0)
