// What does Android say of an attested key? Reads the extension of its certificate (source.android.com, Key attestation, Schema).

import {
  booleanOf,
  type DerElement,
  DerError,
  elementOf,
  enumeratedOf,
  integerOf,
  isContext,
  octetsOf,
  sequenceOf,
  setOf,
  taggedOf,
} from './der.ts'

export const keyDescriptionId = '1.3.6.1.4.1.11129.2.1.17'

const securityLevels = ['software', 'trustedEnvironment', 'strongBox'] as const
export type SecurityLevel = (typeof securityLevels)[number]

const bootStates = ['verified', 'selfSigned', 'unverified', 'failed'] as const
export type BootState = (typeof bootStates)[number]

export interface KeyDescription {
  /** Where the attestation was made, and where the key is. */
  readonly attestationLevel: SecurityLevel
  readonly keyLevel: SecurityLevel
  readonly challenge: Buffer
  /** What the system says, and what the hardware says. */
  readonly software: Authorizations
  readonly hardware: Authorizations
}

/** What the phone booted. */
export interface RootOfTrust {
  readonly isLocked: boolean
  readonly bootState: BootState
}

export interface Authorizations {
  readonly purposes: readonly number[]
  readonly origin?: number
  readonly rootOfTrust?: RootOfTrust
  readonly application?: AttestedApplication
}

/** The app that made the key. Apps of one user id share it, so that there may be several packages. */
export interface AttestedApplication {
  readonly packages: readonly string[]
  /** SHA-256 of the certificates that signed them, in hex. */
  readonly certificates: readonly string[]
}

/** `unknown`: of a phone whose first hardware did not record it. */
export const origins = { generated: 0, unknown: 3 } as const
export const purposes = { sign: 2 } as const

const tags = { purpose: 1, origin: 702, rootOfTrust: 704, application: 709 } as const
/** An app has one package; those of the system share a user id by the dozen. */
const mostApplications = 64
const mostNameBytes = 255
const digestBytes = 32

/** It is not of the schema of a version that we know: newer phones may send it. */
export class UnknownForm extends DerError {
  override name = 'UnknownForm'
}

/** Throws a DerError when it is not in strict DER, and UnknownForm when it is not of this schema. Unknown tags are skipped. */
export function readKeyDescription(extension: Buffer): KeyDescription {
  const parts = sequenceOf(elementOf(extension))
  if (parts.length !== 8) throw new UnknownForm('the key description has not eight parts')
  const [attestationVersion, attestationLevel, keyVersion, keyLevel, challenge, uniqueId, software, hardware] = parts
  integerOf(attestationVersion)
  integerOf(keyVersion)
  octetsOf(uniqueId)
  return {
    attestationLevel: named(securityLevels, attestationLevel, 'security level'),
    keyLevel: named(securityLevels, keyLevel, 'security level'),
    challenge: octetsOf(challenge),
    software: authorizationsOf(software),
    hardware: authorizationsOf(hardware),
  }
}

function authorizationsOf(list: DerElement | undefined): Authorizations {
  const found = new Map<number, DerElement[]>()
  let last = 0
  for (const element of sequenceOf(list)) {
    if (!isContext(element)) throw new DerError('an authorization has no tag')
    const { tag } = element
    const [value, before] = [taggedOf(element), found.get(tag)]
    // Some makers repeat a tag for each value of a set; nothing else may be there twice.
    if (tag < last || (before && !(isSet(value) && isSet(before[0]!)))) throw new DerError('the tags do not ascend')
    last = tag
    if (before) before.push(value)
    else found.set(tag, [value])
  }
  const one = (tag: number) => found.get(tag)?.[0]
  const [origin, trust, application] = [one(tags.origin), one(tags.rootOfTrust), one(tags.application)]
  return {
    purposes: (found.get(tags.purpose) ?? []).flatMap(setOf).map(integerOf),
    ...(origin && { origin: integerOf(origin) }),
    ...(trust && { rootOfTrust: rootOfTrustOf(trust) }),
    ...(application && { application: applicationOf(elementOf(octetsOf(application))) }),
  }
}

const isSet = ({ tagClass, tag }: DerElement) => tagClass === 'universal' && tag === 17

/** SEQUENCE { verifiedBootKey, deviceLocked, verifiedBootState, verifiedBootHash OPTIONAL } */
function rootOfTrustOf(element: DerElement): RootOfTrust {
  const [key, locked, state, hash, ...more] = sequenceOf(element)
  octetsOf(key)
  if (hash) octetsOf(hash)
  if (more.length > 0) throw new DerError('the root of trust has too many parts')
  return { isLocked: booleanOf(locked), bootState: named(bootStates, state, 'state of the boot') }
}

/** SEQUENCE { SET OF SEQUENCE { name, version }, SET OF digest } */
function applicationOf(element: DerElement): AttestedApplication {
  const [packages, certificates, ...more] = sequenceOf(element)
  const [infos, digests] = [setOf(packages), setOf(certificates)]
  if (more.length > 0 || infos.length > mostApplications || digests.length > mostApplications) {
    throw new DerError('the application has too many parts')
  }
  return {
    packages: infos.map((info) => packageOf(sequenceOf(info)[0])),
    certificates: digests.map(digestOf),
  }
}

function packageOf(element: DerElement | undefined): string {
  const name = octetsOf(element)
  if (name.length > mostNameBytes) throw new DerError('the name of a package is too long')
  // Android allows no other characters in it.
  return name.toString().replaceAll(/[^\w.]/g, '?')
}

function digestOf(element: DerElement): string {
  const digest = octetsOf(element)
  if (digest.length !== digestBytes) throw new DerError('the digest of a certificate is not SHA-256')
  return digest.toString('hex')
}

function named<const Name extends string>(names: readonly Name[], element: DerElement | undefined, what: string): Name {
  const name = names[enumeratedOf(element)]
  if (name === undefined) throw new UnknownForm(`an unknown ${what}`)
  return name
}
