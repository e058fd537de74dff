// What does an id token say of a sign-in? OpenID Connect Core 1.0, section 2: who signed in, how, when, and for whom.

import type { Identity } from '@ringfence/contract'
import { SignJWT } from 'jose'
import type { Clock } from '../clock.ts'
import { contactClaims } from './contact-claims.ts'
import type { SigningKeys } from './signing-keys.ts'

export const idTokenLifetimeSeconds = 300

export interface SignedIn {
  /** `aud`: the app that the person signed in to. */
  appId: string
  /** `aud` and `azp` beside it: the client that exchanged a code. */
  clientId?: string
  /** `sub`. */
  userId: string
  /** `auth_time`: epoch milliseconds. */
  signedInAt: number
  /** The identities of this user object: what was proved at this sign-in gives `amr`, e-mail and phone number. */
  identities: readonly Identity[]
  /** What a provider told of the person: `name`, `given_name` … (OpenID Connect Core, 5.1). */
  profile?: Readonly<Record<string, string>>
  /** Repeated, where the sign-in named one. */
  nonce?: string
}

export interface IdTokens {
  /** `iss`, and the address below which discovery is found. */
  issuer(): string
  /** A signed id token that lives 300 seconds from now. */
  sign(signedIn: SignedIn): Promise<string>
}

export interface IdTokensResources {
  issuer(): string
  keys: Pick<SigningKeys, 'inUse'>
  clock: Clock
}

export function idTokens({ issuer, keys, clock }: IdTokensResources): IdTokens {
  return {
    issuer,
    async sign({ appId, clientId, userId, signedInAt, identities, profile, nonce }) {
      const now = Math.floor(clock.now() / 1000)
      const { keyId, algorithm, privateKey } = await keys.inUse()
      const methods = authenticationMethods(identities)
      return new SignJWT({
        ...(profile && profileClaims(profile)),
        auth_time: Math.floor(signedInAt / 1000),
        ...(nonce !== undefined && { nonce }),
        ...(methods.length > 0 && { amr: methods }),
        // With two audiences the one that asked is named (section 3.1.3.7).
        ...(clientId !== undefined && { azp: clientId }),
        ...contactClaims(identities),
      })
        .setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'JWT' })
        .setIssuer(issuer())
        .setSubject(userId)
        .setAudience(clientId === undefined ? appId : [clientId, appId])
        .setIssuedAt(now)
        .setExpirationTime(now + idTokenLifetimeSeconds)
        .sign(privateKey)
    },
  }
}

const profileNames = ['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'picture', 'locale']

function profileClaims(profile: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(profile).filter(([name]) => profileNames.includes(name)))
}

/** `amr` in the words of RFC 8176; what another provider did is its own to tell, and RFC 8176 has no word for it. */
function authenticationMethods(identities: readonly Identity[]): string[] {
  const words = identities.flatMap(({ channel, methods }) => {
    if (channel === 'OTP') return methods.includes('SMS') ? ['otp', 'sms'] : ['otp']
    return channel === 'MAGIC_LINK' ? ['mca'] : []
  })
  return [...new Set(words)]
}
