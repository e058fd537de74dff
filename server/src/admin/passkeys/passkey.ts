// What is stored of a passkey? Its public key, and how its person calls it, sealed.

import type { Keyring } from '../../core/crypto/keyring.ts'
import type { PasskeyRow } from '../store/passkeys.ts'

export interface Passkey {
  /** base64url */
  readonly credentialId: string
  /** COSE_Key; base64 */
  readonly publicKey: string
  readonly transports: readonly string[]
  readonly backedUp: boolean
  readonly name: string
}

export const passkeyContext = (credentialHash: Uint8Array): string =>
  `passkey ${Buffer.from(credentialHash).toString('base64')}`

export const sealPasskey = (
  credentialHash: Uint8Array,
  passkey: Passkey,
  { service }: Pick<Keyring, 'service'>,
): Uint8Array => service.seal(JSON.stringify(passkey), passkeyContext(credentialHash))

export const openPasskey = (
  { credentialHash, sealed }: Pick<PasskeyRow, 'credentialHash' | 'sealed'>,
  { service }: Pick<Keyring, 'service'>,
): Passkey => JSON.parse(service.open(sealed, passkeyContext(credentialHash)))

/** @param credentialId base64url */
export const credentialHash = (credentialId: string, keyring: Pick<Keyring, 'hashSecret'>): Uint8Array =>
  keyring.hashSecret(`passkey ${credentialId}`)

/** Public: it cannot be turned back into the credential id. */
export const passkeyIdOf = ({ credentialHash: hash }: Pick<PasskeyRow, 'credentialHash'>): string =>
  Buffer.from(hash.subarray(0, 16)).toString('base64url')
