// What does an id token say about a sign-in? Who, how, when and for which app (OpenID Connect Core 1.0, 2).

import type { Identity } from '@ringfence/contract'
import { SignJWT } from 'jose'
import type { Clock } from '../../core/clock.ts'
import { contactClaims } from './contact-claims.ts'
import type { SigningKeys } from './signing-keys.ts'

const idTokenLifetimeSeconds = 300

export interface SignedIn {
  /** `aud`: the app that the person signed in to. */
  appId: string
  /** Also in `aud`, and `azp`: the client that exchanged a code. */
  clientId?: string
  /** `sub`. */
  userId: string
  /** `auth_time`: epoch milliseconds. */
  signedInAt: number
  /** What was proved at this sign-in. Gives `amr`, email address and phone number. */
  identities: readonly Identity[]
  /** Claims of an identity provider: `name`, `given_name` … (OpenID Connect Core, 5.1). */
  profile?: Readonly<Record<string, string>>
  /** Repeated when the sign-in had one. */
  nonce?: string
}

export interface IdTokens {
  /** `iss`. Discovery is found below this URL. */
  issuer(): string
  /** A signed id token that expires in 300 seconds. */
  sign(signedIn: SignedIn): Promise<string>
  /** `sign` with a key that is already open: nothing but the signature itself can fail. */
  signer(): Promise<IdTokens['sign']>
}

export interface IdTokensResources {
  issuer(): string
  keys: Pick<SigningKeys, 'inUse'>
  clock: Clock
}

export function idTokens({ issuer, keys, clock }: IdTokensResources): IdTokens {
  const signer = async (): Promise<IdTokens['sign']> => {
    const key = await keys.inUse()
    return (signedIn) => signed(signedIn, { key, issuer: issuer(), now: Math.floor(clock.now() / 1000) })
  }
  return { issuer, signer, sign: async (signedIn) => (await signer())(signedIn) }
}

interface With {
  readonly key: Awaited<ReturnType<SigningKeys['inUse']>>
  readonly issuer: string
  /** Epoch seconds. */
  readonly now: number
}

function signed(
  { appId, clientId, userId, signedInAt, identities, profile, nonce }: SignedIn,
  { key: { keyId, algorithm, privateKey }, issuer, now }: With,
): Promise<string> {
  const methods = authenticationMethods(identities)
  return new SignJWT({
    ...(profile && profileClaims(profile)),
    auth_time: Math.floor(signedInAt / 1000),
    ...(nonce !== undefined && { nonce }),
    ...(methods.length > 0 && { amr: methods }),
    // With two audiences, azp names the client that called (section 3.1.3.7).
    ...(clientId !== undefined && { azp: clientId }),
    ...contactClaims(identities),
  })
    .setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(userId)
    .setAudience(clientId === undefined ? appId : [clientId, appId])
    .setIssuedAt(now)
    .setExpirationTime(now + idTokenLifetimeSeconds)
    .sign(privateKey)
}

const profileNames = ['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'picture', 'locale']

function profileClaims(profile: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(profile).filter(([name]) => profileNames.includes(name)))
}

/** `amr` as in RFC 8176, which has no value for a sign-in with an identity provider. */
function authenticationMethods(identities: readonly Identity[]): string[] {
  const values = identities.flatMap(({ channel, methods }) => {
    if (channel === 'OTP') return methods.includes('SMS') ? ['otp', 'sms'] : ['otp']
    return channel === 'MAGIC_LINK' ? ['mca'] : []
  })
  return [...new Set(values)]
}
