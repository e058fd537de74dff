// Do these facts come from the app on an Apple device? Runs the checks of App Attest in the order of Apple's page
// "Validating apps that connect to your server".

import { createHash, createPublicKey, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { type CBORType, decodeCBOR } from '@levischuck/tiny-cbor'
import { appleAppAttestRoot } from './apple-root.ts'
import { readAttestedCredential, readAuthenticatorData } from './authenticator-data.ts'
import { isOrdinary } from './ordinary-key.ts'

/** The message names the step that failed. It is evidence, and is never shown to a client. */
export class AttestationRefused extends Error {
  override name = 'AttestationRefused'
  /** The counter shows that another device uses the key too. */
  isClone = false
}

/** A key that Apple certified. */
export interface AttestedKey {
  /** base64, as the app sends it. */
  readonly keyId: string
  /** DER, SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array
  readonly environment: 'production' | 'development'
  readonly counter: 0
}

export interface Attestation {
  readonly keyId: string
  /** CBOR of DCAppAttestService.attestKey. */
  readonly attestation: Uint8Array
  /** The bytes whose SHA-256 the app passed to attestKey; they are of this call only. */
  readonly clientData: Uint8Array
}

export interface Assertion {
  /** CBOR of DCAppAttestService.generateAssertion. */
  readonly assertion: Uint8Array
  readonly clientData: Uint8Array
}

export interface Expected {
  /** `<team id>.<bundle id>` */
  readonly appId: string
  /** Whether keys of development builds are accepted. */
  readonly allowDevelopment?: boolean
}

/** Apple sends two: of the key, and of the authority below the root. Theirs have less than 1,000 bytes. */
const chainBounds = { least: 2, most: 3, certificateBytes: 4096 } as const

const production = Buffer.from('appattest\0\0\0\0\0\0\0')
const development = Buffer.from('appattestdevelop')

/**
 * Verifies an attestation and returns its key. `clientData` must be valid for one call only.
 * @param now time of receipt, epoch milliseconds
 * @param root PEM; another one than Apple's only in tests
 * @throws AttestationRefused
 */
export async function verifyAttestation(
  { keyId, attestation, clientData }: Attestation,
  { appId, allowDevelopment = false }: Expected,
  now: number,
  root: string = appleAppAttestRoot,
): Promise<AttestedKey> {
  const { format, chain, authData } = readAttestation(attestation)
  if (format !== 'apple-appattest') throw new AttestationRefused(`the format is ${format}`)

  // 1. The chain leads to the root, and every certificate was valid at the time of receipt.
  const leaf = chain[0]!
  checkChain([...chain, new X509Certificate(root)], now)

  // 2.–4. Apple certified this nonce.
  const nonce = sha256(authData, sha256(clientData))
  const { certifiedNonce } = await import('./certified-nonce.ts')
  const certified = read(() => certifiedNonce(leaf))
  if (!certified || !isEqual(certified, nonce))
    throw new AttestationRefused('the certificate is not for this challenge')

  // 5. The key is the one that the app names.
  const id = Buffer.from(keyId, 'base64')
  if (!isEqual(sha256(pointOf(leaf)), id)) throw new AttestationRefused('the key id is not that of the certificate')

  // 6. The app id is the expected one.
  const { rpIdHash, counter } = read(() => readAuthenticatorData(authData))
  if (!isEqual(rpIdHash, sha256(Buffer.from(appId)))) throw new AttestationRefused('another app made it')

  // 7. The key is new.
  if (counter !== 0) throw new AttestationRefused(`the counter is ${counter}`)

  // 8. The environment is one that we accept.
  const { aaguid, credentialId } = read(() => readAttestedCredential(authData))
  const environment = isEqual(aaguid, production)
    ? 'production'
    : isEqual(aaguid, development)
      ? 'development'
      : undefined
  if (!environment) throw new AttestationRefused('the environment is unknown')
  if (environment === 'development' && !allowDevelopment) throw new AttestationRefused('it is a development build')

  // 9. The credential is that key.
  if (!isEqual(credentialId, id)) throw new AttestationRefused('the credential is another key')

  return { keyId, publicKey: leaf.publicKey.export({ type: 'spki', format: 'der' }), environment, counter: 0 }
}

/**
 * Verifies an assertion and returns the new counter of its key. The caller must store the counter only if it rises, in one
 * statement, so that one of two requests with the same counter is refused. `clientData` must be valid for one call only.
 * @throws AttestationRefused
 */
export function verifyAssertion(
  { assertion, clientData }: Assertion,
  { publicKey, counter: lastCounter }: { publicKey: Uint8Array; counter: number },
  { appId }: Expected,
): number {
  const { signature, authenticatorData } = readAssertion(assertion)

  // 1.–3. The key signed these client data.
  const nonce = sha256(authenticatorData, sha256(clientData))
  const key = createPublicKey({ key: Buffer.from(publicKey), type: 'spki', format: 'der' })
  if (!verify('sha256', nonce, key, signature)) throw new AttestationRefused('the signature is not of this key')

  // 4. The app id is the expected one.
  const { rpIdHash, counter } = read(() => readAuthenticatorData(authenticatorData))
  if (!isEqual(rpIdHash, sha256(Buffer.from(appId)))) throw new AttestationRefused('another app made it')

  // 5. The counter rises. The client data are of one call, so this is no replay: a second device has the key.
  if (counter <= lastCounter) {
    const refused = new AttestationRefused(`the counter is ${counter}, and was ${lastCounter} before`)
    refused.isClone = true
    throw refused
  }
  return counter
}

/** From the root down: a sender's own keys are not verified with. The last certificate is the root, which is ours. */
function checkChain(chain: readonly X509Certificate[], now: number): void {
  for (let index = chain.length - 2; index >= 0; index--) {
    const [certificate, issuer] = chain.slice(index, index + 2) as [X509Certificate, X509Certificate]
    const key = read(() => issuer.publicKey)
    if (!isOrdinary(key)) throw new AttestationRefused(`the key of certificate ${index + 1} is of an unusual kind`)
    if (!certificate.checkIssued(issuer) || !certificate.verify(key)) {
      throw new AttestationRefused(`certificate ${index} of the chain was not issued by the next`)
    }
    if (index > 0 && !certificate.ca) throw new AttestationRefused(`certificate ${index} of the chain may issue none`)
  }
  for (const [index, certificate] of chain.entries()) {
    if (now < certificate.validFromDate.getTime() || now > certificate.validToDate.getTime()) {
      throw new AttestationRefused(`certificate ${index} of the chain is not valid at this time`)
    }
  }
}

/** The uncompressed point (X9.62) of the P-256 key. */
function pointOf({ publicKey }: X509Certificate): Uint8Array {
  const { crv, x = '', y = '' } = publicKey.export({ format: 'jwk' })
  if (crv !== 'P-256') throw new AttestationRefused('the key is not on P-256')
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

function readAttestation(bytes: Uint8Array): { format: unknown; chain: X509Certificate[]; authData: Uint8Array } {
  const object = readCbor(bytes)
  const statement = field(object, 'attStmt')
  const chain = field(statement, 'x5c')
  if (!Array.isArray(chain)) throw new AttestationRefused('there is no chain of certificates')
  if (chain.length < chainBounds.least) throw new AttestationRefused('the chain is too short')
  if (chain.length > chainBounds.most) throw new AttestationRefused('the chain is too long')
  return {
    format: field(object, 'fmt'),
    chain: chain.map(certificateOf),
    authData: bytesOf(field(object, 'authData'), 'authData'),
  }
}

function certificateOf(value: CBORType): X509Certificate {
  const bytes = bytesOf(value, 'a certificate')
  if (bytes.length > chainBounds.certificateBytes) throw new AttestationRefused('a certificate is too large')
  return read(() => new X509Certificate(bytes))
}

function readAssertion(bytes: Uint8Array): { signature: Uint8Array; authenticatorData: Uint8Array } {
  const object = readCbor(bytes)
  return {
    signature: bytesOf(field(object, 'signature'), 'signature'),
    authenticatorData: bytesOf(field(object, 'authenticatorData'), 'authenticatorData'),
  }
}

/** Decodes a copy: the decoder reads from the start of the ArrayBuffer, and a pooled Buffer begins elsewhere. */
const readCbor = (bytes: Uint8Array): CBORType => read(() => decodeCBOR(new Uint8Array(bytes)))

function field(object: CBORType, name: string): CBORType {
  if (!(object instanceof Map)) throw new AttestationRefused('it is no CBOR map')
  return object.get(name)
}

function bytesOf(value: CBORType, name: string): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new AttestationRefused(`${name} is missing`)
  return value
}

/** Turns any error of reading into AttestationRefused: a device may send anything. */
function read<T>(reading: () => T): T {
  try {
    return reading()
  } catch (cause) {
    throw cause instanceof AttestationRefused ? cause : new AttestationRefused('it cannot be read', { cause })
  }
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const isEqual = (a: Uint8Array, b: Uint8Array) => a.length === b.length && timingSafeEqual(a, b)
