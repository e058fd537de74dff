// Which client signed this assertion? `private_key_jwt` of OpenID Connect Core 9, with the limits of CAMARA's profile (RFC 7523).

import { hash } from 'node:crypto'
import { decodeJwt, errors, importJWK, type JWTPayload, jwtVerify } from 'jose'
import type { GuessLimit } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import { isApiKey } from '../core/crypto/api-key.ts'
import { Refusal } from '../core/errors.ts'
import { ExpiringMap } from '../core/expiring-map.ts'
import type { Database } from '../core/storage/database.ts'
import type { Caller, Credentials } from './credentials.ts'
import { claimAssertion, listLivePublicKeys } from './store/client-public-keys.ts'

/** `client_assertion_type` (RFC 7523, 2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A secret shared by HMAC is no private key, and `none` is no signature. */
export const assertionAlgorithms = [
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'RS256',
  'RS384',
  'RS512',
]

/** CAMARA: exp is at most 300 seconds ahead, and after iat. */
const longestLifeSeconds = 300
/** The clock of a client may be wrong by so much. */
const toleranceSeconds = 10
const longestAssertion = 4096
const longestJti = 256

export interface ClientAssertions {
  /**
   * The client that signed it; each assertion is accepted once, by all servers together. `clientId`: that of the form, if it has one.
   * Refuses with `assertionInvalid` and `clientExpired`.
   */
  verify(assertion: string, clientId: string | undefined, limit: GuessLimit): Promise<Caller>
}

export interface ClientAssertionsResources {
  database: Database
  credentials: Pick<Credentials, 'live'>
  clock: Clock
  /** URLs of issuer and token endpoint; `aud` must be one of them. */
  audiences(): readonly string[]
}

export function clientAssertions({
  database,
  credentials,
  clock,
  audiences,
}: ClientAssertionsResources): ClientAssertions {
  /** Clients that were right, with their network: a clientId is no secret, so that it alone is not trusted. */
  const wereRight = new ExpiringMap<string, true>({ clock, ttlMs: 24 * 3_600_000, most: 10_000 })

  async function verified(assertion: string): Promise<JWTPayload & { iss: string }> {
    const clientId = claimedClient(assertion)
    for (const { jwk } of clientId === undefined ? [] : await listLivePublicKeys(database, clientId)) {
      try {
        const { payload } = await jwtVerify(assertion, ({ alg }) => importJWK(JSON.parse(jwk), alg), {
          algorithms: assertionAlgorithms,
          ...{ issuer: clientId!, subject: clientId!, audience: [...audiences()] },
          requiredClaims: ['exp', 'jti'],
          clockTolerance: toleranceSeconds,
          currentDate: new Date(clock.now()),
        })
        return { ...payload, iss: clientId! }
      } catch (error) {
        // Claims are read after the signature, so that only the holder of the key learns what is wrong with them.
        if (error instanceof errors.JWTExpired) throw invalid('it has expired', error)
        if (error instanceof errors.JWTClaimValidationFailed)
          throw invalid(claimMistakes[error.claim] ?? `its claim ${error.claim} is wrong or missing`, error)
      }
    }
    throw invalid('no public key of the client in iss verifies its signature')
  }

  return {
    async verify(assertion, clientId, limit) {
      const claimed = claimedClient(assertion)
      const trusted = `${claimed} ${limit.network()}`
      if (!wereRight.get(trusted)) limit.refuseIfSpent()
      try {
        const { iss, exp = 0, iat, jti } = await verified(assertion)
        const nowSeconds = clock.now() / 1000
        if (clientId !== undefined && clientId !== iss) throw invalid('client_id is not iss')
        if (exp > nowSeconds + longestLifeSeconds + toleranceSeconds)
          throw invalid(`exp must be at most ${longestLifeSeconds} seconds ahead`)
        if (iat !== undefined && exp - iat > longestLifeSeconds)
          throw invalid(`exp must be at most ${longestLifeSeconds} seconds after iat`)
        if (iat !== undefined && iat > nowSeconds + toleranceSeconds) throw invalid('iat is in the future')
        if (typeof jti !== 'string' || jti.length === 0 || jti.length > longestJti)
          throw invalid(`jti must be a text of 1 to ${longestJti} characters`)
        const caller = await credentials.live(iss)
        if (!caller) throw invalid('the client is revoked')
        const assertionHash = hash('sha256', `${iss}\n${jti}`, 'buffer')
        // Longer than any server accepts it, whatever the clock of that server.
        const expiresAt = Math.ceil(exp + 6 * toleranceSeconds) * 1000
        if (!(await claimAssertion(database, { assertionHash, expiresAt })))
          throw invalid('its jti was used before; sign a new assertion for each request')
        wereRight.set(trusted, true)
        return caller
      } catch (error) {
        if (error instanceof Refusal && error.failure === 'assertionInvalid') await limit.countWrong()
        throw error
      }
    },
  }

  function invalid(mistake: string, cause?: unknown): Refusal {
    return new Refusal('assertionInvalid', { mistake, cause })
  }
}

const claimMistakes: Readonly<Record<string, string>> = {
  aud: 'aud must be the token endpoint or the issuer of the metadata',
  sub: 'sub must be the clientId, as iss',
  exp: 'exp is missing or wrong',
  jti: 'jti is missing',
  nbf: 'it is not valid yet',
}

/** The client that an assertion names, not verified. */
function claimedClient(assertion: string): string | undefined {
  if (assertion.length > longestAssertion) return undefined
  try {
    const { iss } = decodeJwt(assertion)
    return typeof iss === 'string' && isApiKey(iss, 'rfc') ? iss : undefined
  } catch {
    return undefined
  }
}
