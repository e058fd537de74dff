// What does an import write between reading its file and storing it? Hashes, and ids that are sealed already.

import { contactBytes, ownerBytes } from './customer-hashes.ts'

export const contactKinds = ['number', 'email address'] as const

export interface ContactOfRecord {
  readonly contactHash: Uint8Array
  /** Place in `contactKinds`. */
  readonly kind: number
  /** The customer's id, as its row stores it. */
  readonly sealed: Uint8Array
}

export interface CustomerRecord {
  readonly customerHash: Uint8Array
  readonly line: number
  /** By hash, each once. */
  readonly contacts: readonly ContactOfRecord[]
}

const lineBytes = 4
const headBytes = contactBytes + lineBytes
const contactHeadBytes = contactBytes + 1 + 2

export function bytesOfCustomer({ customerHash, line, contacts }: CustomerRecord): Buffer {
  const length = contacts.reduce((sum, { sealed }) => sum + contactHeadBytes + sealed.length, headBytes)
  const bytes = Buffer.allocUnsafe(length)
  bytes.set(customerHash)
  bytes.writeUInt32LE(line, contactBytes)
  let at = headBytes
  for (const { contactHash, kind, sealed } of contacts) {
    bytes.set(contactHash, at)
    bytes[at + contactBytes] = kind
    bytes.writeUInt16LE(sealed.length, at + contactBytes + 1)
    bytes.set(sealed, at + contactHeadBytes)
    at += contactHeadBytes + sealed.length
  }
  return bytes
}

export function customerOfBytes(bytes: Buffer): CustomerRecord {
  const contacts: ContactOfRecord[] = []
  for (let at = headBytes; at < bytes.length; ) {
    const from = at + contactHeadBytes
    const end = from + bytes.readUInt16LE(at + contactBytes + 1)
    const contactHash = bytes.subarray(at, at + contactBytes)
    contacts.push({ contactHash, kind: bytes[at + contactBytes]!, sealed: bytes.subarray(from, end) })
    at = end
  }
  return { customerHash: bytes.subarray(0, contactBytes), line: bytes.readUInt32LE(contactBytes), contacts }
}

/** A customer has a contact, or no longer. */
export interface PairRecord {
  readonly contactHash: Uint8Array
  readonly ownerHash: Uint8Array
  /** Absent: the customer no longer has it. */
  readonly has?: { readonly line: number; readonly kind: number; readonly sealed: Uint8Array }
}

export const pairKeyBytes = contactBytes + ownerBytes

export function bytesOfPair({ contactHash, ownerHash, has }: PairRecord): Buffer {
  if (!has) return Buffer.concat([contactHash, ownerHash])
  const head = Buffer.allocUnsafe(lineBytes + 1)
  head.writeUInt32LE(has.line)
  head[lineBytes] = has.kind
  return Buffer.concat([contactHash, ownerHash, head, has.sealed])
}

export function pairOfBytes(bytes: Buffer): PairRecord {
  const contactHash = bytes.subarray(0, contactBytes)
  const ownerHash = bytes.subarray(contactBytes, pairKeyBytes)
  if (bytes.length === pairKeyBytes) return { contactHash, ownerHash }
  const line = bytes.readUInt32LE(pairKeyBytes)
  const kind = bytes[pairKeyBytes + lineBytes]!
  return { contactHash, ownerHash, has: { line, kind, sealed: bytes.subarray(pairKeyBytes + lineBytes + 1) } }
}
