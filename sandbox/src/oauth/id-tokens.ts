// Which id token comes with the access token of an authorization code? One that says how the subscriber was identified.

import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose'
import type { Clock } from '../clock.ts'
import type { AuthorizationCode } from './authorization-codes.ts'

export interface IdTokens {
  readonly keys: JSONWebKeySet
  sign(code: AuthorizationCode): Promise<string>
}

const keyId = 'sandbox'
const lifetimeSeconds = 300

/** @param clock the base clock, not the movable one: a client checks the token by its own clock. */
export async function idTokensOf(clock: Clock, issuer: () => string): Promise<IdTokens> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return {
    keys: { keys: [{ ...(await exportJWK(publicKey)), kid: keyId, use: 'sig', alg: 'ES256' }] },
    sign({ clientId, number, byNetwork, nonce }) {
      const seconds = Math.floor(clock.now() / 1000)
      // A pairwise subject: two clients cannot find out that they have the same subscriber.
      const subject = createHash('sha256').update(`${clientId} ${number}`).digest('base64url')
      return new SignJWT({ amr: [byNetwork ? 'nba' : 'sms'], ...(nonce !== undefined && { nonce }) })
        .setProtectedHeader({ alg: 'ES256', kid: keyId })
        .setIssuer(issuer())
        .setSubject(subject)
        .setAudience(clientId)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + lifetimeSeconds)
        .sign(privateKey)
    },
  }
}
