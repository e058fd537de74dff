// Is a key in the hardware of an Android phone that boots what its maker signed? Verifies the chain of its certificates.

import { hash, type KeyObject } from 'node:crypto'
import type { ExpiringMap } from '../../../core/expiring-map.ts'
import { type ChainCertificate, readCertificate } from './certificate.ts'
import { DerError } from './der.ts'
import {
  type KeyDescription,
  keyDescriptionId,
  origins,
  purposes,
  type RootOfTrust,
  readKeyDescription,
} from './key-description.ts'
import type { RevocationList } from './revocation-list.ts'
import type { AttestationRoots } from './roots.ts'

/**
 * `strongBox`: in its own chip; `hardware`: in the trusted environment of the processor; both on a locked phone with the system
 * of its maker. `unlocked`: in hardware, and the phone boots what anybody signed. `software`: no hardware attests it. `revoked`: by
 * a key that the publisher withdrew. `refused`: the chain is wrong. `unknown`: it has keys that we cannot verify, or issuers that we do not
 * know.
 */
export const attestationLevels = [
  'strongBox',
  'hardware',
  'unlocked',
  'software',
  'revoked',
  'refused',
  'unknown',
] as const
export type AttestationLevel = (typeof attestationLevels)[number]
/** Whether the key is in the hardware of a phone that boots what its maker signed. */
export const isOfHardware = (level: AttestationLevel | undefined): boolean =>
  level === 'strongBox' || level === 'hardware'

type BadLevel = 'revoked' | 'refused' | 'unknown'

/** The chain proves nothing. The message says which step failed; it is evidence, and is never shown to a client. */
export class KeyAttestationRefused extends Error {
  override name = 'KeyAttestationRefused'
  readonly level: BadLevel
  constructor(because: string, level: BadLevel = 'refused') {
    super(because)
    this.level = level
  }
}

export interface Trusted {
  readonly roots: AttestationRoots
  readonly revoked: RevocationList
  /** Signatures that were right before; without it, each is verified again. */
  readonly verified?: VerifiedSignatures
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * The certificates near the root are the same for all phones of a maker, and P-384 takes most of the time of a chain. By SHA-256 of
 * certificate and key; only good chains to a root of hardware are remembered, as anyone can make others.
 */
export type VerifiedSignatures = Pick<ExpiringMap<string, Validity>, 'get' | 'set'>

/** Epoch milliseconds. */
interface Validity {
  readonly from: number
  readonly to: number
}

/** What a good chain says. */
export interface AttestedKey {
  readonly level: Exclude<AttestationLevel, BadLevel>
  /** Absent in software. */
  readonly rootOfTrust?: RootOfTrust
  /** Of all certificates but that of the key, which has the same one on every phone. */
  readonly serials: readonly string[]
}

/** What the key must be. */
export interface ExpectedKey {
  readonly challenge: Uint8Array
  /** DER, SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array
  readonly packageName: string
  /** SHA-256 of the certificates that sign the app, in hex, with colons or without; empty: any. */
  readonly certificates: readonly string[]
}

export const chainBounds = { least: 3, most: 5, certificateBytes: 8192 } as const

/** ML-DSA-44, -65 and -87 (RFC 9881). */
const mlDsaIds = ['2.16.840.1.101.3.4.3.17', '2.16.840.1.101.3.4.3.18', '2.16.840.1.101.3.4.3.19']

/** Attributes of a subject (X.520). */
const [commonNameId, serialNumberId, organizationId] = ['2.5.4.3', '2.5.4.5', '2.5.4.10'] as const

/** How many certificates a chain has. Who has the key of a certificate can add one below it. */
const lengths = { factory: [4], remote: [5], unknown: [3, 4] } as const
type Provisioning = keyof typeof lengths

/**
 * Verifies a chain, its leaf first, as Google's guide "Verify hardware-backed key pairs with key attestation" says. Names of issuers are
 * not compared, since the chains of a maker fail that and are good.
 * @param expected without it, any key of any app and call is accepted
 * @throws KeyAttestationRefused
 */
export function verifyKeyAttestation(
  chain: readonly Uint8Array[],
  { roots, revoked, verified, now }: Trusted,
  expected?: ExpectedKey,
): AttestedKey {
  const certificates = readChain(chain)
  const [leaf, ...issuers] = certificates as [ChainCertificate, ...ChainCertificate[]]

  // 1. Each certificate was signed by the next key, and was valid.
  const links = certificates.slice(0, -1).map((_, index) => signedLink(index, certificates, verified))
  const provisioning = provisioningOf(certificates)
  checkDates(links, provisioning === 'factory', now)

  // 2. The last key is a known root.
  const root = issuers.at(-1)!.publicKey.toString('base64')
  const isSoftwareRoot = roots.software.includes(root)
  if (!isSoftwareRoot && !roots.hardware.includes(root)) throw new KeyAttestationRefused('its root is not known')

  // 3. No certificate is revoked.
  for (const [index, { serialNumber }] of certificates.entries()) {
    const status = revoked.statusOf(serialNumber)
    if (status !== undefined)
      throw new KeyAttestationRefused(`certificate ${index} of the chain is ${status}`, 'revoked')
  }

  // 4. Only the extension nearest the root counts: whoever has an attested key can sign more certificates with it.
  const extended = certificates.findLastIndex(({ extensions }) => extensions.has(keyDescriptionId))
  if (extended === -1) throw new KeyAttestationRefused('no certificate has the extension')
  if (extended > 0) throw new KeyAttestationRefused('an attested key signed another certificate')
  const description = read(() => readKeyDescription(leaf.extensions.get(keyDescriptionId)!))

  // 5. Nobody but the owner of the root added an issuer.
  checkIssuers(certificates, provisioning)
  if (!isSoftwareRoot) for (const { name, validity } of links) if (name) verified?.set(name, validity)

  // 6. The key was made for this call, and signed it.
  if (expected && !description.challenge.equals(expected.challenge)) {
    throw new KeyAttestationRefused('its challenge is of another call')
  }
  if (expected && !leaf.publicKey.equals(expected.publicKey)) {
    throw new KeyAttestationRefused('its key is not the one of the proof')
  }

  // 7. Where the key is, how the phone booted, and which app made the key.
  const found = levelOf(description, isSoftwareRoot)
  if (expected) checkApplication(description.software.application, expected)
  return { ...found, serials: issuers.map(({ serialNumber }) => serialNumber) }
}

function checkApplication(
  application: KeyDescription['software']['application'],
  { packageName, certificates }: ExpectedKey,
): void {
  if (!application) throw new KeyAttestationRefused('it does not say which app made the key')
  if (!application.packages.includes(packageName)) {
    throw new KeyAttestationRefused(`made by another app: ${application.packages.join(', ').slice(0, 256)}`)
  }
  if (!isListed(application.certificates, certificates)) {
    throw new KeyAttestationRefused(`made by an app that another key signed: ${application.certificates[0] ?? 'none'}`)
  }
}

/** Fingerprints are written with or without colons, in either case. */
export const plainFingerprint = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase()

/** Whether the app lists one of these certificates, or none at all. */
export function isListed(found: readonly string[], listed: readonly string[]): boolean {
  const known = listed.map(plainFingerprint)
  return known.length === 0 || found.some((each) => known.includes(each))
}

function readChain(chain: readonly Uint8Array[]): ChainCertificate[] {
  const { least, most, certificateBytes } = chainBounds
  if (chain.length < least || chain.length > most) {
    throw new KeyAttestationRefused(`it has ${chain.length} certificates, not ${least} to ${most}`)
  }
  const certificates = chain.map((bytes, index) => {
    if (bytes.length > certificateBytes)
      throw new KeyAttestationRefused(`certificate ${index} of the chain is too large`)
    return read(() => readCertificate(Buffer.from(bytes)), `certificate ${index} of the chain cannot be read`)
  })
  if (certificates.some(({ algorithm }) => mlDsaIds.includes(algorithm))) {
    throw new KeyAttestationRefused('it has a key of ML-DSA', 'unknown')
  }
  return certificates
}

/**
 * How the keys that attest came into the phone. The certificate below the root says it, which only the owner of the root can have signed.
 * `unknown`: software Keystores, and makers with roots of their own.
 */
function provisioningOf(certificates: readonly ChainCertificate[]): Provisioning {
  const { subject } = certificates.at(-2)!
  if (subject.has(serialNumberId)) return 'factory'
  const isRemote = subject.get(commonNameId) === 'Droid CA2' && subject.get(organizationId) === 'Google LLC'
  return isRemote ? 'remote' : 'unknown'
}

function checkIssuers(certificates: readonly ChainCertificate[], provisioning: Provisioning): void {
  const { length } = certificates
  const allowed: readonly number[] = lengths[provisioning]
  if (!allowed.includes(length)) {
    if (provisioning === 'unknown')
      throw new KeyAttestationRefused('it does not say how its keys were provisioned', 'unknown')
    throw new KeyAttestationRefused(`a ${provisioning} chain of ${length} certificates, not ${allowed}`)
  }
  // In a factory, some makers wrote into the certificate of the key that attests that it is no authority.
  const first = provisioning === 'factory' ? 2 : 1
  const index = certificates.findIndex(({ isAuthority }, at) => at >= first && at < length - 1 && !isAuthority)
  if (index !== -1) throw new KeyAttestationRefused(`certificate ${index} of the chain may not sign certificates`)
}

interface Link {
  readonly validity: Validity
  /** Under which the signature may be remembered, if it is not yet. */
  readonly name?: string
}

/** The certificate, when the next one signed it. */
function signedLink(
  index: number,
  certificates: readonly ChainCertificate[],
  verified: VerifiedSignatures | undefined,
): Link {
  const [certificate, issuer] = certificates.slice(index, index + 2) as [ChainCertificate, ChainCertificate]
  // The two nearest the phone may be of one phone only.
  const name = index < 2 ? undefined : hash('sha256', Buffer.concat([certificate.raw, issuer.publicKey]))
  const known = name === undefined ? undefined : verified?.get(name)
  if (known) return { validity: known }
  const key = read(() => issuer.x509().publicKey, `the key of certificate ${index + 1} cannot be read`)
  if (!isOrdinary(key)) throw new KeyAttestationRefused(`the key of certificate ${index + 1} is of an unusual kind`)
  const x509 = read(certificate.x509, `certificate ${index} of the chain cannot be read`)
  if (!read(() => x509.verify(key), `the signature of certificate ${index} cannot be read`)) {
    throw new KeyAttestationRefused(`certificate ${index} of the chain is not signed by the next`)
  }
  const validity = { from: Date.parse(x509.validFrom), to: Date.parse(x509.validTo) }
  return { validity, ...(name !== undefined && { name }) }
}

/** Others take long to verify with, and no maker uses them. */
function isOrdinary({ asymmetricKeyType, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return ['prime256v1', 'secp384r1', 'secp521r1'].includes(details.namedCurve ?? '')
  const { modulusLength = Number.POSITIVE_INFINITY, publicExponent = 0n } = details
  return asymmetricKeyType === 'rsa' && modulusLength <= 4096 && publicExponent <= 0xffff_ffffn
}

/**
 * As Google's verifier does: the leaf's dates are the phone's own, and those of the root do not count, as its key does. The keys that
 * were installed in a factory cannot be replaced, so their certificates may have expired.
 */
function checkDates([, ...issuers]: readonly Link[], isOfFactory: boolean, now: number): void {
  for (const [index, { validity }] of issuers.entries()) {
    // A date that cannot be read is not a number, and no comparison with it is true.
    if (!(now >= validity.from)) {
      throw new KeyAttestationRefused(`certificate ${index + 1} of the chain is not yet valid`)
    }
    if (!isOfFactory && !(now <= validity.to)) {
      throw new KeyAttestationRefused(`certificate ${index + 1} of the chain has expired`)
    }
  }
}

/** Of the two levels, the lower one counts. */
function levelOf(description: KeyDescription, isSoftwareRoot: boolean): Pick<AttestedKey, 'level' | 'rootOfTrust'> {
  const { attestationLevel, keyLevel, hardware } = description
  const levels = [attestationLevel, keyLevel]
  if (levels.includes('software')) return { level: 'software' }
  if (isSoftwareRoot) throw new KeyAttestationRefused('it claims hardware under the root of the software Keystore')
  if (hardware.origin !== origins.generated) throw new KeyAttestationRefused('the key was not made in the hardware')
  if (!hardware.purposes.includes(purposes.sign)) throw new KeyAttestationRefused('the key is not one that signs')
  const { rootOfTrust } = hardware
  if (!rootOfTrust) throw new KeyAttestationRefused('it does not say how the phone booted')
  if (!rootOfTrust.isLocked || rootOfTrust.bootState !== 'verified') return { level: 'unlocked', rootOfTrust }
  return { level: levels.includes('trustedEnvironment') ? 'hardware' : 'strongBox', rootOfTrust }
}

/** Turns any error of reading into KeyAttestationRefused: a phone may send anything. */
function read<T>(reading: () => T, because?: string): T {
  try {
    return reading()
  } catch (cause) {
    const text = cause instanceof DerError ? cause.message : undefined
    throw new KeyAttestationRefused([because ?? 'the extension cannot be read', text].filter(Boolean).join(': '))
  }
}
