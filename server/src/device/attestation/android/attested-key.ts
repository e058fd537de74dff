// What does an attested key prove for an app, now? Judged at each call: the key stays as it is; lists, roots and the app's settings change.

import { hash } from 'node:crypto'
import type { RootOfTrust } from './key-description.ts'
import type { RevocationList } from './revocation-list.ts'
import type { AttestationRoots } from './roots.ts'

/**
 * `strongBox`: in its own chip; `hardware`: in the trusted environment of the processor; both made by the app, on a locked phone with the
 * system of its maker. `unlocked`, `selfSigned` and `unverified`: in hardware, but the bootloader is unlocked, or it is locked and boots a
 * system that its owner signed, or one that failed verification. `software`: no hardware attests it. `revoked`: a certificate was
 * withdrawn. `refused`: a chain that no honest phone sends. `unknown`: nothing can be concluded from it. `none`: no chain.
 */
export const attestationLevels = [
  'strongBox',
  'hardware',
  'unlocked',
  'selfSigned',
  'unverified',
  'software',
  'revoked',
  'refused',
  'unknown',
  'none',
] as const
export type AttestationLevel = (typeof attestationLevels)[number]

/** Whether hardware proves that the app made the key, on a phone that boots what its maker signed. */
export const isOfHardware = (level: AttestationLevel | undefined): boolean =>
  level === 'strongBox' || level === 'hardware'

/** What a verified chain says. Stored with the key, so JSON can represent it. */
export interface AttestedKey {
  /** Which certificate is of the key, and which key is the root: the start of their SHA-256. */
  readonly leaf: string
  readonly root: string
  /** Of all certificates, the leaf first. */
  readonly serials: readonly string[]
  readonly place: 'strongBox' | 'hardware' | 'software'
  readonly rootOfTrust?: RootOfTrust
  /** Of the app that made the key: the expected one, if it is among them. Absent: the phone does not say. */
  readonly packageName?: string
  /** SHA-256 of the certificates that sign it, in hex. */
  readonly certificates: readonly string[]
}

/** How many certificates a chain has. Who has the key of a certificate can add one below it. */
export const lengths = { factory: [4], remote: [5], unknown: [3, 4] } as const
export type Provisioning = keyof typeof lengths

/**
 * The serial number of the certificate that attests all keys of this app on this phone, and no others. Only phones that get it from
 * Google have one; it is renewed every few weeks. Undefined where nothing that we trust says it.
 */
export function phoneCertificateOf({ serials }: AttestedKey, { rootOfTrust }: Judged): string | undefined {
  return rootOfTrust && serials.length === lengths.remote[0] ? serials[1] : undefined
}

/** Which app must have made the key. */
export interface ExpectedApp {
  readonly packageName: string
  /** SHA-256 of the certificates that may sign it, in hex, with colons or without; empty: nobody said. */
  readonly certificates: readonly string[]
}

export interface Judged {
  readonly level: AttestationLevel
  /** Why it is no more. It is evidence, and is never shown to a client. */
  readonly because?: string
  /** As the hardware says; absent where nothing that we trust says it. */
  readonly rootOfTrust?: RootOfTrust
}

/** Identifies a certificate or a key. */
export const shortHash = (der: Uint8Array): string => hash('sha256', der, 'base64url').slice(0, 22)

/** `root`: its short hash. Undefined: not known. */
export function kindOfRoot(root: string, roots: AttestationRoots): keyof AttestationRoots | undefined {
  const isAmong = (keys: readonly string[]) => keys.some((key) => shortHash(Buffer.from(key, 'base64')) === root)
  if (isAmong(roots.hardware)) return 'hardware'
  return isAmong(roots.software) ? 'software' : undefined
}

/** @param app without it, every app is accepted */
export function judgeKey(
  key: AttestedKey,
  { roots, revoked }: { readonly roots: AttestationRoots; readonly revoked: Pick<RevocationList, 'statusOf'> },
  app?: ExpectedApp,
): Judged {
  const kind = kindOfRoot(key.root, roots)
  if (kind === undefined) return { level: 'unknown', because: 'its root is not known' }
  const statuses = key.serials.map((serialNumber) => revoked.statusOf(serialNumber))
  const index = statuses.findIndex((status) => status !== undefined)
  if (index !== -1) return { level: 'revoked', because: `certificate ${index} of the chain is ${statuses[index]}` }
  const other = app && otherApp(key, app)
  if (other !== undefined) return { level: 'refused', because: other }
  const { place, rootOfTrust } = key
  if (place === 'software') return { level: 'software' }
  // The private keys are public, and emulators say so too.
  if (kind === 'software') {
    return { level: 'software', because: 'it claims hardware under the root of the software Keystore' }
  }
  if (!rootOfTrust) return { level: 'unknown', because: 'it does not say how the phone booted' }
  const { isLocked, bootState } = rootOfTrust
  if (!isLocked) return { level: 'unlocked', rootOfTrust }
  if (bootState !== 'verified') return { level: bootState === 'selfSigned' ? bootState : 'unverified', rootOfTrust }
  const open = app && unprovenApp(key, app)
  return open === undefined ? { level: place, rootOfTrust } : { level: 'unknown', because: open, rootOfTrust }
}

/** What the phone says of the app, when it contradicts what is expected. */
function otherApp({ packageName, certificates }: AttestedKey, app: ExpectedApp): string | undefined {
  if (packageName === undefined) return undefined
  if (packageName !== app.packageName) return `made by another app: ${packageName}`
  if (app.certificates.length === 0 || isListed(certificates, app.certificates)) return undefined
  return `made by an app that another key signed: ${certificates[0] ?? 'none'}`
}

/** Anybody can sign an app under any package name. */
function unprovenApp(key: AttestedKey, app: ExpectedApp): string | undefined {
  if (key.packageName === undefined) return 'it does not say which app made the key'
  return app.certificates.length === 0 ? 'the app lists no androidCertificates: anybody may have signed it' : undefined
}

/** Fingerprints are written with or without colons, in either case. */
export const plainFingerprint = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase()

export function isListed(found: readonly string[], listed: readonly string[]): boolean {
  const known = listed.map(plainFingerprint)
  return found.some((each) => known.includes(each))
}
