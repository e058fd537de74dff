// What does an X.509 certificate say that the verification of a chain needs, and who signed it?

import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import {
  bitsOf,
  booleanOf,
  type DerElement,
  elementOf,
  isContext,
  octetsOf,
  oidOf,
  sequenceOf,
  serialNumberOf,
  setOf,
  taggedOf,
} from './der.ts'

/** Epoch milliseconds. */
export interface Validity {
  readonly from: number
  readonly to: number
}

export interface ChainCertificate {
  readonly raw: Buffer
  /** Its public key, its dates, and whether another key signed it: read when they are asked for, which takes most of the time. */
  readonly key: () => KeyObject
  /** Epoch milliseconds, or not a number where Node cannot read a date. */
  readonly validity: () => Validity
  readonly isSignedBy: (key: KeyObject) => boolean
  /** Lower-case hex without leading zeros, as the status list writes it. */
  readonly serialNumber: string
  /** DER, SubjectPublicKeyInfo. */
  readonly publicKey: Buffer
  /** Of the public key. */
  readonly algorithm: string
  /** Values by the ids of their attributes (RFC 5280, 4.1.2.4). */
  readonly subject: ReadonlyMap<string, string>
  /** Its key may sign certificates (RFC 5280, 4.2.1.9). */
  readonly isAuthority: boolean
  /** By id. */
  readonly extensions: ReadonlyMap<string, Buffer>
}

/** Algorithms of signatures (RFC 5758, RFC 4055) by id: the type of the key, and the hash. */
const signatures: Readonly<Record<string, readonly [KeyObject['asymmetricKeyType'], string]>> = {
  '1.2.840.10045.4.3.2': ['ec', 'sha256'],
  '1.2.840.10045.4.3.3': ['ec', 'sha384'],
  '1.2.840.10045.4.3.4': ['ec', 'sha512'],
  '1.2.840.113549.1.1.11': ['rsa', 'sha256'],
  '1.2.840.113549.1.1.12': ['rsa', 'sha384'],
  '1.2.840.113549.1.1.13': ['rsa', 'sha512'],
}

const basicConstraintsId = '2.5.29.19'

/** Throws when the bytes are not one certificate of version 3 in DER, or when an extension is there twice. */
export function readCertificate(bytes: Buffer): ChainCertificate {
  const [signed, ...rest] = sequenceOf(elementOf(bytes))
  if (rest.length !== 2) throw new Error('a certificate has three parts')
  const [version, serialNumber, signedWith, , , subject, key, ...optional] = sequenceOf(signed)
  if (!version || !key || !isContext(version, 0)) throw new Error('it is no certificate of version 3')
  const [algorithm] = sequenceOf(sequenceOf(key)[0])
  const extensions = extensionsOf(optional.find((element) => isContext(element, 3)))
  let [parsed, imported]: [X509Certificate?, KeyObject?] = []
  const x509 = () => (parsed ??= new X509Certificate(bytes))
  return {
    raw: bytes,
    key: () => (imported ??= x509().publicKey),
    validity: () => ({ from: Date.parse(x509().validFrom), to: Date.parse(x509().validTo) }),
    isSignedBy(issuer) {
      const [outer, signature] = rest
      if (!signed || !outer || !signedWith?.raw.equals(outer.raw)) return false
      const [type, hash] = signatures[oidOf(sequenceOf(outer)[0])] ?? []
      // Node reads the certificate whole first, which takes as long as the signature.
      if (hash === undefined) return x509().verify(issuer)
      return type === issuer.asymmetricKeyType && verify(hash, signed.raw, issuer, bitsOf(signature))
    },
    serialNumber: serialNumberOf(serialNumber),
    publicKey: key.raw,
    algorithm: oidOf(algorithm),
    subject: attributesOf(subject),
    isAuthority: isAuthorityBy(extensions.get(basicConstraintsId)),
    extensions,
  }
}

function attributesOf(name: DerElement | undefined): Map<string, string> {
  const attributes = sequenceOf(name).flatMap(setOf).map(sequenceOf)
  return new Map(attributes.map(([id, value]) => [oidOf(id), value?.content.toString() ?? '']))
}

/** SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL } */
function isAuthorityBy(constraints: Buffer | undefined): boolean {
  const [first] = constraints ? sequenceOf(elementOf(constraints)) : []
  return first !== undefined && booleanOf(first)
}

function extensionsOf(tagged: DerElement | undefined): Map<string, Buffer> {
  const extensions = new Map<string, Buffer>()
  for (const extension of tagged ? sequenceOf(taggedOf(tagged)) : []) {
    const [id, ...rest] = sequenceOf(extension)
    const value = rest.pop()
    if (rest.length > 1) throw new Error('an extension has too many parts')
    if (rest[0]) booleanOf(rest[0])
    const name = oidOf(id)
    if (extensions.has(name)) throw new Error(`the extension ${name} is there twice`)
    extensions.set(name, octetsOf(value))
  }
  return extensions
}
