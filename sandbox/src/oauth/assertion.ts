// Is this assertion valid, meant for this server, fresh and unused? (RFC 7523, with the limits of CAMARA's profile.)

import { createLocalJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from '../clock.ts'
import type { Clients, SandboxClient } from './clients.ts'

/** The assertion is refused. The message is meant for the developer. */
export class AssertionRefused extends Error {
  override name = 'AssertionRefused'
}

export interface Assertions {
  /**
   * Checks signature, alg, iss, aud, exp, iat and jti of an assertion, and marks its jti as used.
   * Throws AssertionRefused.
   */
  accept(assertion: string): Promise<{ client: SandboxClient; claims: JWTPayload }>
}

/** Asymmetric algorithms only: private_key_jwt must not use a shared secret. */
const algorithms = ['PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'RS256', 'RS384', 'RS512']

/** CAMARA: exp − iat, and exp − now, are at most 300 s. */
const longestLifeSeconds = 300
const toleranceSeconds = 5

/**
 * @param clock the base clock, not the movable one: the client creates assertions by its own clock.
 * @param audiences URL of the token endpoint, and of the issuer; `aud` must contain one of them.
 */
export function assertionsOf(clients: Clients, clock: Clock, audiences: () => readonly string[]): Assertions {
  const used = new Map<string, number>()

  /** Allows one use for each client and jti, until the assertion expires. */
  function isReplay(key: string, expiresAtSeconds: number, nowSeconds: number): boolean {
    for (const [other, expiresAt] of used) if (expiresAt + toleranceSeconds < nowSeconds) used.delete(other)
    if (used.has(key)) return true
    used.set(key, expiresAtSeconds)
    return false
  }

  return {
    async accept(assertion) {
      const client = clients.get(claimedIssuer(assertion))
      if (!client?.jwks) throw new AssertionRefused('iss must be a client with registered keys')
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
    throw new AssertionRefused('the assertion is not a JWT')
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
