// Is a key in the hardware of an Android phone that boots what its maker signed? Verifies the chain of its certificates.

import { hash, type KeyObject } from 'node:crypto'
import type { ExpiringMap } from '../../../core/expiring-map.ts'
import { isOrdinary } from '../ordinary-key.ts'
import {
  type AttestedKey,
  type ExpectedApp,
  type Judged,
  judgeKey,
  kindOfRoot,
  lengths,
  type Provisioning,
  shortHash,
} from './attested-key.ts'
import { type ChainCertificate, readCertificate, type Validity } from './certificate.ts'
import { DerError } from './der.ts'
import {
  type KeyDescription,
  keyDescriptionId,
  origins,
  purposes,
  readKeyDescription,
  UnknownForm,
} from './key-description.ts'
import type { RevocationList } from './revocation-list.ts'
import type { AttestationRoots } from './roots.ts'

type BadLevel = 'revoked' | 'refused' | 'unknown' | 'none'

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
  /** Issuers whose signatures were right before; without it, each is verified again. */
  readonly verified?: KnownIssuers
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * Issuers that many phones share, by SHA-256 of the certificate and of the key that signed it: parsing and verifying them takes most of
 * the time of a chain. Only good chains to a root of hardware are remembered, as anyone can make others.
 */
export type KnownIssuers = Pick<ExpiringMap<string, KnownIssuer>, 'get' | 'set'>

export interface KnownIssuer extends Validity {
  readonly key: KeyObject
}

/** A call that may never have arrived. What was made for it comes with a later one. */
export interface EarlierCall {
  readonly challenge: Uint8Array
  /** This call has its challenge, which no other call can use up, and its body: only the request id may differ. */
  readonly isRepeated: boolean
}

/** What the key must be. */
export interface ExpectedKey extends ExpectedApp {
  /** Of this call. */
  readonly challenge: Uint8Array
  readonly earlier?: EarlierCall | undefined
  /** DER, SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array
}

export const chainBounds = { least: 3, most: 5, certificateBytes: 8192 } as const

/** ML-DSA-44, -65 and -87 (RFC 9881). */
const mlDsaIds = ['2.16.840.1.101.3.4.3.17', '2.16.840.1.101.3.4.3.18', '2.16.840.1.101.3.4.3.19']

/** Attributes of a subject (X.520). */
const [commonNameId, serialNumberId, organizationId, titleId] = ['2.5.4.3', '2.5.4.5', '2.5.4.10', '2.5.4.12'] as const

/** In place of an app: the package manager failed, or the user of the system made the key (AOSP, keystore_attestation_id.cpp). */
const namesOfNoApp = ['UnknownPackage', 'AndroidSystem']

/** Certificates that sign one app. Anybody can make a chain under the root of the software Keystore, and the row of a key is small. */
const mostSigners = 8

/**
 * The judgement of a chain, its leaf first.
 * @param expected without it, any key of any app and call is accepted
 * @throws KeyAttestationRefused when it proves nothing
 */
export function verifyKeyAttestation(chain: readonly Uint8Array[], trusted: Trusted, expected?: ExpectedKey): Judged {
  const judged = judgeKey(attestedKey(chain, trusted, expected), trusted, expected)
  const { level, because = '' } = judged
  if (level === 'revoked' || level === 'refused' || level === 'unknown') throw new KeyAttestationRefused(because, level)
  return judged
}

/**
 * What a chain says that is right in itself, and of this call. Verified as Google's guide "Verify hardware-backed key pairs with key
 * attestation" says. Names of issuers are not compared, since the chains of a maker fail that and are good.
 * @throws KeyAttestationRefused; `refused` only under a known root: what others sign is no evidence against a phone
 */
export function attestedKey(
  chain: readonly Uint8Array[],
  { roots, verified, now }: Trusted,
  expected?: ExpectedKey,
): AttestedKey {
  // 1. The last key is a known root.
  checkLength(chain)
  const last = certificateAt(chain, chain.length - 1, 'unknown')
  const root = shortHash(last.publicKey)
  const kind = kindOfRoot(root, roots)
  if (kind === undefined) throw new KeyAttestationRefused('its root is not known', 'unknown')

  // 2. Each certificate was signed by the next key, and was valid.
  const certificates = [...chain.slice(0, -1).map((_, index) => certificateAt(chain, index)), last]
  if (certificates.some(({ algorithm }) => mlDsaIds.includes(algorithm))) {
    throw new KeyAttestationRefused('it has a key of ML-DSA', 'unknown')
  }
  const [leaf] = certificates as [ChainCertificate, ChainCertificate]
  const provisioning = provisioningOf(certificates)
  const shared = sharedIssuers(certificates, provisioning, verified)
  // From the root down: who appends it to a chain of his own has chosen no key that we verify with.
  for (let index = certificates.length - 2; index >= 0; index--) checkSignature(index, certificates, shared)
  const validities = certificates.slice(1, -1).map((issuer, at) => validityOf(issuer, at + 1, shared))
  // The software Keystore of every phone has the same certificates, one of which expired in January 2026.
  checkDates(validities, provisioning === 'factory' || kind === 'software', now)

  // 3. Only the extension nearest the root counts: whoever has an attested key can sign more certificates with it.
  const extended = certificates.findLastIndex(({ extensions }) => extensions.has(keyDescriptionId))
  if (extended === -1) throw new KeyAttestationRefused('no certificate has the extension')
  if (extended > 0) throw new KeyAttestationRefused('an attested key signed another certificate')
  const description = read(
    () => readKeyDescription(leaf.extensions.get(keyDescriptionId)!),
    'the extension cannot be read',
  )

  // 4. Nobody but the owner of the root added an issuer.
  checkIssuers(certificates, provisioning)
  if (kind === 'hardware') {
    for (const [index, { name, known }] of shared) {
      if (!known) verified?.set(name, { ...validities[index - 1]!, key: certificates[index]!.key() })
    }
  }

  // 5. The key signed this call, and was made for it. A phone may send what its predecessor left in a backup.
  if (expected && !leaf.publicKey.equals(expected.publicKey)) {
    throw new KeyAttestationRefused('its key is not the one of the proof', 'unknown')
  }
  if (expected && !isMadeFor(expected, description.challenge)) {
    throw new KeyAttestationRefused('its challenge is of another call')
  }

  // 6. Where the key is, how the phone booted, and which app made the key.
  const { packages = [], certificates: signers = [] } = description.software.application ?? {}
  const { rootOfTrust } = description.hardware
  const named = signers.length > 0 ? packages : packages.filter((name) => !namesOfNoApp.includes(name))
  const packageName = named.find((name) => name === expected?.packageName) ?? named[0]
  return {
    leaf: shortHash(leaf.raw),
    root,
    serials: certificates.map(({ serialNumber }) => serialNumber),
    place: placeOf(description, certificates.slice(1, provisioning === 'factory' ? 3 : 2)),
    ...(rootOfTrust && { rootOfTrust }),
    ...(packageName !== undefined && { packageName }),
    certificates: signers.slice(0, mostSigners),
  }
}

const isMadeFor = ({ challenge, earlier }: ExpectedKey, found: Buffer) =>
  found.equals(challenge) || (earlier !== undefined && found.equals(earlier.challenge))

/** A key that was made without a challenge has one certificate, which it signed itself. */
function checkLength({ length }: readonly Uint8Array[]): void {
  const { least, most } = chainBounds
  if (length >= least && length <= most) return
  const because = `it has ${length} certificates, not ${least} to ${most}`
  throw new KeyAttestationRefused(because, length < least ? 'none' : 'unknown')
}

function certificateAt(chain: readonly Uint8Array[], index: number, level?: BadLevel): ChainCertificate {
  const bytes = chain[index]!
  if (bytes.length > chainBounds.certificateBytes) {
    throw new KeyAttestationRefused(`certificate ${index} of the chain is too large`, level)
  }
  return read(() => readCertificate(Buffer.from(bytes)), `certificate ${index} of the chain cannot be read`, level)
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

interface SharedIssuer {
  readonly name: string
  /** If it was verified before. */
  readonly known: KnownIssuer | undefined
}

/**
 * By their places. A factory puts one key that attests into so many phones that it identifies none (Android CDD, 9.11); one that is
 * provisioned remotely is of one phone.
 */
function sharedIssuers(
  certificates: readonly ChainCertificate[],
  provisioning: Provisioning,
  verified: KnownIssuers | undefined,
): ReadonlyMap<number, SharedIssuer> {
  const shared = new Map<number, SharedIssuer>()
  for (let at = provisioning === 'factory' ? 1 : 2; verified && at < certificates.length - 1; at++) {
    const name = hash('sha256', Buffer.concat([certificates[at]!.raw, certificates[at + 1]!.publicKey]))
    shared.set(at, { name, known: verified.get(name) })
  }
  return shared
}

/** The next one must have signed it. */
function checkSignature(
  index: number,
  certificates: readonly ChainCertificate[],
  shared: ReadonlyMap<number, SharedIssuer>,
): void {
  if (shared.get(index)?.known) return
  const [certificate, issuer] = certificates.slice(index, index + 2) as [ChainCertificate, ChainCertificate]
  const key =
    shared.get(index + 1)?.known?.key ??
    read(issuer.key, `the key of certificate ${index + 1} cannot be read`, 'unknown')
  if (!isOrdinary(key)) {
    throw new KeyAttestationRefused(`the key of certificate ${index + 1} is of an unusual kind`, 'unknown')
  }
  if (!read(() => certificate.isSignedBy(key), `the signature of certificate ${index} cannot be read`)) {
    throw new KeyAttestationRefused(`certificate ${index} of the chain is not signed by the next`)
  }
}

const validityOf = (
  { validity }: ChainCertificate,
  index: number,
  shared: ReadonlyMap<number, SharedIssuer>,
): Validity => shared.get(index)?.known ?? read(validity, `certificate ${index} of the chain cannot be read`)

/**
 * As Google's verifier does: the leaf's dates are the phone's own, and those of the root do not count, as its key does. The keys that
 * were installed in a factory cannot be replaced, so their certificates may have expired. A phone whose clock is wrong is no evidence.
 */
function checkDates(issuers: readonly Validity[], mayExpire: boolean, now: number): void {
  for (const [index, validity] of issuers.entries()) {
    // A date that cannot be read is not a number, and no comparison with it is true.
    if (!(now >= validity.from)) {
      throw new KeyAttestationRefused(`certificate ${index + 1} of the chain is not yet valid`, 'unknown')
    }
    if (!mayExpire && !(now <= validity.to)) {
      throw new KeyAttestationRefused(`certificate ${index + 1} of the chain has expired`, 'unknown')
    }
  }
}

/**
 * Of the two levels, the lower one counts. The key of a StrongBox is attested by one whose certificate names it, or in a factory the
 * certificate above, as Google's verifier reads it: who has the key of a processor can write what he likes.
 */
function placeOf(description: KeyDescription, issuers: readonly ChainCertificate[]): AttestedKey['place'] {
  const { attestationLevel, keyLevel, hardware } = description
  const levels = [attestationLevel, keyLevel]
  if (levels.includes('software')) return 'software'
  const { origin = origins.unknown, purposes: uses } = hardware
  if (origin === origins.unknown || uses.length === 0) {
    throw new KeyAttestationRefused('the hardware does not say where the key was made, or what for', 'unknown')
  }
  if (origin !== origins.generated) throw new KeyAttestationRefused('the key was not made in the hardware')
  if (!uses.includes(purposes.sign)) throw new KeyAttestationRefused('the key is not one that signs')
  const isBacked = issuers.some(({ subject }) =>
    [titleId, organizationId].some((id) => subject.get(id) === 'StrongBox'),
  )
  return isBacked && !levels.includes('trustedEnvironment') ? 'strongBox' : 'hardware'
}

/** Turns any error of reading into KeyAttestationRefused: a phone may send anything. */
function read<T>(reading: () => T, because: string, level?: BadLevel): T {
  try {
    return reading()
  } catch (cause) {
    const text = cause instanceof DerError ? cause.message : undefined
    const found = cause instanceof UnknownForm ? 'unknown' : level
    throw new KeyAttestationRefused([because, text].filter(Boolean).join(': '), found)
  }
}
