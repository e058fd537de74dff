// How does Ringfence ask for a token of one phone number, without its subscriber? A signed assertion (RFC 7523 section 2.1, CAMARA).

import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import type { SigningKey } from './client-authentication.ts'

/** CAMARA allows 300 seconds. */
const lifetimeSeconds = 120

/** The form of a token request. Only the assertion has the scope. */
export async function numberAssertion(
  { key, algorithm, keyId }: SigningKey,
  { clientId, audience, scope, digits }: { clientId: string; audience: string; scope: string; digits: string },
  nowMs: number,
): Promise<Record<string, string>> {
  const issuedAt = Math.floor(nowMs / 1000)
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(clientId)
    .setSubject(`tel:+${digits}`)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .setJti(randomUUID())
    .sign(key)
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
}
