// Whose access token is this, and what does it allow? A JWT for our CAMARA API only (RFC 9068), signed with the keys of id tokens.

import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import type { SigningKeys } from '../sign-in/identity-tokens/signing-keys.ts'
import { readScope, type Scope, scopeText } from './scope.ts'

/** Of a client. A revoked one is refused within a second all the same; see `Credentials.live`. */
export const clientTokenSeconds = 600

/** Of a phone: the longest that CAMARA Number Verification allows. */
export const phoneTokenSeconds = 300

/** No id token has this type, issuer or audience, so that neither is ever taken for the other. */
const type = 'at+jwt'

export interface AccessToken {
  readonly clientId: string
  readonly scope: Scope
  /** Of a phone that went through the authorization endpoint: the secret of its verification. Absent: the token is for the client. */
  readonly phone?: string
}

export interface AccessTokens {
  /** `iss` and `aud`; the metadata are found with this URL. */
  issuer(): string
  /** @param subject which phone the token belongs to; default: the client */
  issue(token: AccessToken, subject?: string): Promise<string>
  /** An id token, which says nothing but that the subject is that of the access token; it is none itself. */
  identify(clientId: string, subject: string, nonce: string | undefined): Promise<string>
  /** Refuses with `accessTokenInvalid` anything else than a token of `issue` that has not expired. */
  verify(token: string): Promise<AccessToken>
}

export interface AccessTokensResources {
  /** The public URL of sign-in and tokens. */
  authAddress(): string
  keys: Pick<SigningKeys, 'inUse' | 'published'>
  clock: Clock
}

export function accessTokens({ authAddress, keys, clock }: AccessTokensResources): AccessTokens {
  const issuer = () => `${authAddress()}/camara`
  /** Imported keys, for as long as the same ones are published. */
  let imported: { ids: string; find: ReturnType<typeof createLocalJWKSet> } | undefined

  async function publishedKeys() {
    const published = await keys.published()
    const ids = published.map(({ kid }) => kid).join(' ')
    if (imported?.ids !== ids) imported = { ids, find: createLocalJWKSet({ keys: published }) }
    return imported.find
  }

  async function signed(typ: string, lifetimeSeconds: number, claims: JWTPayload): Promise<string> {
    const { keyId, algorithm, privateKey } = await keys.inUse()
    const now = Math.floor(clock.now() / 1000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, kid: keyId, typ })
      .setIssuer(issuer())
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(privateKey)
  }

  return {
    issuer,

    issue({ clientId, scope, phone }, subject = clientId) {
      const claims = { client_id: clientId, scope: scopeText(scope), ...(phone !== undefined && { phone }) }
      const lifetime = phone === undefined ? clientTokenSeconds : phoneTokenSeconds
      return signed(type, lifetime, { ...claims, aud: issuer(), sub: subject, jti: randomUUID() })
    },

    identify: (clientId, subject, nonce) =>
      signed('JWT', phoneTokenSeconds, { aud: clientId, sub: subject, ...(nonce !== undefined && { nonce }) }),

    async verify(token) {
      const find = await publishedKeys()
      try {
        const { payload } = await jwtVerify(token, find, {
          typ: type,
          issuer: issuer(),
          audience: issuer(),
          algorithms: ['RS256', 'ES256'],
          requiredClaims: ['client_id', 'scope', 'exp'],
          currentDate: new Date(clock.now()),
        })
        const { client_id: clientId, scope, phone } = payload
        const granted = { clientId: String(clientId), scope: readScope(String(scope)) }
        return { ...granted, ...(typeof phone === 'string' && { phone }) }
      } catch (cause) {
        if (cause instanceof errors.JOSEError || cause instanceof Refusal)
          throw new Refusal('accessTokenInvalid', { cause })
        throw cause
      }
    },
  }
}

/** The token of `Authorization: Bearer`; bounded, since anyone may send one. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +([\w-]{1,1000}\.[\w-]{1,3000}\.[\w-]{1,1000})$/i.exec(authorization ?? '')?.[1]

/** The client that a token names, not verified. It only decides which limits apply. */
export function claimedClient(authorization: string | undefined): string | undefined {
  const [, payload = ''] = bearerToken(authorization)?.split('.') ?? []
  const text = Buffer.from(payload, 'base64url').toString()
  return /"client_id":"(rfc_[A-Za-z0-9]{1,100})"/.exec(text)?.[1]
}
