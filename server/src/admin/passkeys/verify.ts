// Did a passkey of this site make this, with the person checked? (W3C Web Authentication Level 3, 7.1 and 7.2)

import type { CreatedCredential, UsedCredential } from '@ringfence/contract'
import type { RelyingParty } from './relying-party.ts'

/** EdDSA, ES256, RS256 (COSE). The last two are what passkeys of today have. */
export const algorithms = [-8, -7, -257] as const

/** A key of RSA with 4096 bits has 550 bytes. */
const longestKey = 1024

export interface NewCredential {
  /** base64url */
  readonly id: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly backedUp: boolean
}

/** What the browser had the passkey sign, not verified yet. Undefined when it is no JSON. */
export function challengeIn({ response }: CreatedCredential | UsedCredential): string | undefined {
  const { challenge } = clientData(response.clientDataJSON)
  return typeof challenge === 'string' ? challenge : undefined
}

/**
 * @throws Error with what is wrong. Attestations with certificates are refused before they are read: nobody asked for one, and checking it
 * would fetch a list of revoked certificates from wherever it says.
 */
export async function verifyCreated(
  credential: CreatedCredential,
  challenge: string,
  { id, origin }: RelyingParty,
): Promise<NewCredential> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await library()
  refuseFrames(credential)
  const attestation = decodeAttestationObject(
    new Uint8Array(Buffer.from(credential.response.attestationObject, 'base64url')),
  )
  const format = attestation.get('fmt')
  const isPlain = format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  if (!isPlain) throw new Error(`attestation ${String(format).slice(0, 20)} is not asked for`)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} } as never,
    ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id },
    ...{ requireUserVerification: true, supportedAlgorithmIDs: [...algorithms] },
  })
  if (!verified) throw new Error('the signature is wrong')
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  if (credentialId !== credential.id) throw new Error('id is not that of the credential')
  if (publicKey.length > longestKey) throw new Error('the key is too long')
  return { id: credentialId, publicKey, counter, backedUp: registrationInfo.credentialBackedUp }
}

/** @returns how often the passkey has signed, as it says. @throws Error with what is wrong */
export async function verifyUsed(
  credential: UsedCredential,
  challenge: string,
  { id, origin }: RelyingParty,
  publicKey: Uint8Array,
): Promise<number> {
  const [{ verifyAuthenticationResponse }] = await library()
  refuseFrames(credential)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} } as never,
    ...{ expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true },
    // The library would compare counters before it has verified the signature: the caller compares them after.
    credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter: 0 },
  })
  if (!verified) throw new Error('the signature is wrong')
  return authenticationInfo.newCounter
}

/** Of a page inside one of another site. */
function refuseFrames({ response }: CreatedCredential | UsedCredential): void {
  if (clientData(response.clientDataJSON).crossOrigin === true) throw new Error('the page is in a frame')
}

function clientData(text: string): { challenge?: unknown; crossOrigin?: unknown } {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

/** With the first passkey: it takes 60 ms to load, which a start need not wait for. */
const library = () => Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')])
