// Is this assertion genuine, meant for us, fresh, and used for the first time? (RFC 7523; CAMARA's profile narrows it.)

import { createLocalJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'
import type { Clients, SandboxClient } from './clients.ts'

/** The reason is fit to be shown to the developer. */
export class AssertionRefused extends Error {
  override name = 'AssertionRefused'
}

export interface Assertions {
  /**
   * Checks signature, alg, iss, aud, exp, iat and jti of an assertion, and takes its jti as used.
   * Throws AssertionRefused.
   */
  accept(assertion: string): Promise<{ client: SandboxClient; claims: JWTPayload }>
}

/** Asymmetric ones only: a shared secret would not be a private key. */
const algorithms = ['PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'RS256', 'RS384', 'RS512']

/** CAMARA: exp − iat, and exp − now, are at most 300 s. */
const longestLifeSeconds = 300
const toleranceSeconds = 5

/**
 * @param clock the base clock, not the movable one: an assertion is made by the client's clock, which does not move along.
 * @param audiences the token endpoint's address and the issuer's; an assertion must name one of them.
 */
export function assertionsOf(clients: Clients, clock: Clock, audiences: () => readonly string[]): Assertions {
  const used = new Map<string, number>()

  /** One use per client and jti, for as long as the assertion could live. */
  function isReplay(key: string, expiresAtSeconds: number, nowSeconds: number): boolean {
    for (const [other, expiresAt] of used) if (expiresAt + toleranceSeconds < nowSeconds) used.delete(other)
    if (used.has(key)) return true
    used.set(key, expiresAtSeconds)
    return false
  }

  return {
    async accept(assertion) {
      const client = clients.get(claimedIssuer(assertion))
      if (!client?.jwks) throw new AssertionRefused('iss is no client that has registered keys')
      const nowMs = clock.now()
      const claims = await verified(assertion, client.jwks, {
        algorithms,
        issuer: client.clientId,
        audience: [...audiences()],
        requiredClaims: ['sub', 'exp', 'jti'],
        clockTolerance: toleranceSeconds,
        currentDate: new Date(nowMs),
      })
      const { exp = 0, iat, jti } = claims
      const nowSeconds = nowMs / 1_000
      if (exp - nowSeconds > longestLifeSeconds + toleranceSeconds) {
        throw new AssertionRefused(`exp is more than ${longestLifeSeconds} seconds ahead`)
      }
      if (iat !== undefined && exp - iat > longestLifeSeconds) {
        throw new AssertionRefused(`exp is more than ${longestLifeSeconds} seconds after iat`)
      }
      if (iat !== undefined && iat > nowSeconds + toleranceSeconds) throw new AssertionRefused('iat is in the future')
      if (typeof jti !== 'string' || jti === '') throw new AssertionRefused('jti must be a string')
      if (isReplay(`${client.clientId} ${jti}`, exp, nowSeconds)) throw new AssertionRefused('jti was used before')
      return { client, claims }
    },
  }
}

function claimedIssuer(assertion: string): string {
  try {
    return decodeJwt(assertion).iss ?? ''
  } catch {
    throw new AssertionRefused('the assertion is no JWT')
  }
}

async function verified(
  assertion: string,
  jwks: NonNullable<SandboxClient['jwks']>,
  expected: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(assertion, createLocalJWKSet(jwks), expected)).payload
  } catch (cause) {
    if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'aud') {
      throw new AssertionRefused(`aud must be one of ${String(expected?.audience)}`, { cause })
    }
    if (cause instanceof errors.JOSEError) throw new AssertionRefused(cause.message, { cause })
    throw cause
  }
}
