// What does an Android phone send that attests a key? Chains under a root of the test, good and with any fault.

import { createPublicKey, generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto'
// @peculiar/x509 needs this import first.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { keyDescriptionId } from '../android/key-description.ts'
import { type DescriptionParts, descriptionOf } from './key-description.ts'

export interface ChainParts {
  description?: Partial<DescriptionParts>
  /** In place of the description. */
  extension?: Uint8Array
  /** All extensions of the leaf, in place of that one. */
  extensions?: (extension: x509.Extension) => x509.Extension[]
  /** Of the leaf. */
  dates?: { notBefore: Date; notAfter: Date }
  /** Of the leaf, in hex. */
  serialNumber?: string
}

export interface AttestationAuthority {
  /** DER, SubjectPublicKeyInfo, in base64. */
  readonly root: string
  /** DER certificates, the leaf first. */
  attest(publicKey: KeyObject, parts?: ChainParts): Promise<Buffer[]>
  /** Where keys are provisioned remotely, another certificate attests those of another phone. */
  anotherPhone(): Promise<AttestationAuthority>
}

export interface AuthorityOptions {
  readonly now: number
  /** `factory`: four certificates; `remote`: five; `software`: three. */
  readonly provisioning?: 'factory' | 'remote' | 'software'
  /** Of the certificates between leaf and root. */
  readonly dates?: { notBefore: Date; notAfter: Date }
  /** Of the certificates between root and leaf, in place of those of the provisioning. */
  readonly subjects?: readonly string[]
  /** The one of them that is no authority, counted from the root. */
  readonly notAuthority?: number
  /** Of the issuers; that of the maker's chain does not match. */
  readonly issuerName?: string
  /** A description that is in each issuer's certificate. */
  readonly description?: Uint8Array
}

const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const p384 = { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }
const days = (count: number) => count * 86_400_000
const between = {
  factory: ['2.5.4.5=c2ce3d1a8b4f5e60', '2.5.4.5=90e8da3cadfc7820'],
  remote: ['CN=Droid CA2,O=Google LLC', 'CN=Droid CA3,O=Google LLC', 'O=TEE,CN=1a2b3c4d'],
  software: ['CN=Software Attestation Intermediate'],
} as const

/** A key of the Keystore, as the SDK makes it. */
export const newPhoneKey = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve })

/** An authority like Google's, with certificates that are valid for a year around `now`. */
export async function attestationAuthority(options: AuthorityOptions): Promise<AttestationAuthority> {
  x509.cryptoProvider.set(webcrypto as Crypto)
  const { now, provisioning = 'factory', subjects = between[provisioning], notAuthority } = options
  const { issuerName, description: ofIssuers } = options
  const dates = options.dates ?? { notBefore: new Date(now - days(180)), notAfter: new Date(now + days(180)) }
  const rootKeys = await newKeys(p384)
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...dates,
    name: 'CN=Test Key Attestation CA',
    signingAlgorithm: p384,
    keys: rootKeys,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  })
  const issuedBy = async (issuer: Issuer, index: number): Promise<Issuer> => {
    // As Google's: the first authority below the root has a key of P-384 too, where keys are provisioned remotely.
    const algorithm = provisioning === 'remote' && index === 0 ? p384 : p256
    const keys = await newKeys(algorithm)
    const certificate = await x509.X509CertificateGenerator.create({
      ...dates,
      subject: subjects[index]!,
      issuer: issuerName ?? issuer.chain[0]!.subject,
      publicKey: keys.publicKey,
      signingKey: issuer.key,
      signingAlgorithm: issuer.algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(index !== notAuthority),
        ...(ofIssuers ? [extensionOf(ofIssuers)] : []),
      ],
    })
    return { chain: [certificate, ...issuer.chain], key: keys.privateKey, algorithm }
  }
  let shared: Issuer = { chain: [root], key: rootKeys.privateKey, algorithm: p384 }
  for (const index of subjects.slice(0, -1).keys()) shared = await issuedBy(shared, index)
  const phone = async (): Promise<AttestationAuthority> => {
    const issuer = await issuedBy(shared, subjects.length - 1)
    const authority: AttestationAuthority = {
      root: Buffer.from(root.publicKey.rawData).toString('base64'),
      attest: (publicKey, parts = {}) => attestedBy(issuer, publicKey, issuerName, parts),
      anotherPhone: async () => (provisioning === 'remote' ? phone() : authority),
    }
    return authority
  }
  return phone()
}

/** Signs certificates; its own chain begins with its certificate. */
interface Issuer {
  readonly chain: readonly x509.X509Certificate[]
  readonly key: CryptoKey
  readonly algorithm: typeof p256
}

async function attestedBy(
  { chain, key, algorithm }: Issuer,
  publicKey: KeyObject,
  issuerName: string | undefined,
  parts: ChainParts,
): Promise<Buffer[]> {
  const { description = {}, extension, extensions: extensionsOf, dates: ofLeaf, serialNumber = '01' } = parts
  const said = extensionOf(extension ?? descriptionOf(description))
  const leaf = await x509.X509CertificateGenerator.create({
    // A phone without a clock says 1970 and 2048.
    notBefore: ofLeaf?.notBefore ?? new Date(0),
    notAfter: ofLeaf?.notAfter ?? new Date('2048-01-01T00:00:00Z'),
    serialNumber,
    subject: 'CN=Android Keystore Key',
    issuer: issuerName ?? chain[0]!.subject,
    publicKey: new x509.PublicKey(new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }))),
    signingKey: key,
    signingAlgorithm: algorithm,
    extensions: extensionsOf?.(said) ?? [said],
  })
  return [leaf, ...chain].map(({ rawData }) => Buffer.from(rawData))
}

/** A chain to which the owner of an attested key adds a certificate of a key of his own, signed with the attested one. */
export async function extended(
  chain: readonly Buffer[],
  signingKey: KeyObject,
  publicKey: KeyObject,
  extension?: Uint8Array,
): Promise<Buffer[]> {
  const pkcs8 = new Uint8Array(signingKey.export({ type: 'pkcs8', format: 'der' }))
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: '01',
    subject: 'CN=Android Keystore Key',
    issuer: 'CN=Android Keystore Key',
    publicKey: new x509.PublicKey(new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }))),
    signingKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, p256, false, ['sign']),
    signingAlgorithm: p256,
    extensions: extension ? [extensionOf(extension)] : [],
  })
  return [Buffer.from(leaf.rawData), ...chain]
}

/** DER, SubjectPublicKeyInfo. */
export const spkiOf = (key: KeyObject): Buffer =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' })

const extensionOf = (description: Uint8Array) =>
  new x509.Extension(keyDescriptionId, false, new Uint8Array(description))

const newKeys = (algorithm: typeof p256) => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
