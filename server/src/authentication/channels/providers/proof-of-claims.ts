// What has a person proved whom a provider knows? From its claims: e-mail and phone number where it verified them, else its own id of the person.

import Type, { type Static } from 'typebox'
import { parsePhoneNumber } from '../../../phone/phone-number.ts'
import type { Proof, ProvenIdentity } from '../../channel.ts'

/** As OpenID Connect names them (Core 1.0, 5.1). */
const standardNames = {
  subject: 'sub',
  email: 'email',
  emailVerified: 'email_verified',
  phoneNumber: 'phone_number',
  phoneNumberVerified: 'phone_number_verified',
  name: 'name',
  givenName: 'given_name',
  familyName: 'family_name',
} as const

const Claim = (told: keyof typeof standardNames, description: string) =>
  Type.Optional(Type.String({ pattern: '^[^.\\s]+(\\.[^.\\s]+)*$', default: standardNames[told], description }))

/** Which claim tells what, where it is not the standard one. */
export const ClaimNames = Type.Object(
  {
    subject: Claim('subject', "the provider's own id of the person, always the same"),
    email: Claim('email', 'e-mail address'),
    emailVerified: Claim('emailVerified', 'whether it verified the address'),
    phoneNumber: Claim('phoneNumber', 'phone number with country code'),
    phoneNumberVerified: Claim('phoneNumberVerified', 'whether it verified the number'),
    name: Claim('name', 'full name'),
    givenName: Claim('givenName', 'first name'),
    familyName: Claim('familyName', 'last name'),
  },
  { additionalProperties: false, description: 'which claim tells what; a dot leads into an object: `data.phone`' },
)
export type ClaimNames = Static<typeof ClaimNames>

export interface ClaimReading {
  names: ClaimNames
  /** What the provider verifies without a claim that says so. */
  assumeVerified: readonly ('email' | 'phoneNumber')[]
  /** Whose `subject` it is: the issuer. */
  source: string
}

type Claims = Readonly<Record<string, unknown>>

/** Undefined where the claims name nobody: neither a verified e-mail or number, nor a subject. */
export function proofOf(claims: Claims, { names, assumeVerified, source }: ClaimReading): Proof | undefined {
  const claimed = (claim: keyof ClaimNames) => read(claims, names[claim] ?? standardNames[claim])
  const isVerified = (claim: 'email' | 'phoneNumber') =>
    assumeVerified.includes(claim) || isTrue(claimed(claim === 'email' ? 'emailVerified' : 'phoneNumberVerified'))

  const identities: ProvenIdentity[] = []
  const email = asEmail(claimed('email'))
  if (email) identities.push({ identityType: 'EMAIL', identityValue: email, verified: isVerified('email') })
  const phone = asPhoneNumber(claimed('phoneNumber'))
  if (phone) identities.push({ identityType: 'MOBILE', identityValue: phone, verified: isVerified('phoneNumber') })
  identities.sort((a, b) => Number(b.verified) - Number(a.verified))

  if (!identities[0]?.verified) {
    const subject = asSubject(claimed('subject'))
    if (subject === undefined) return undefined
    identities.unshift({ identityType: 'SUBJECT', identityValue: `${source} ${subject}`, verified: true })
  }
  const profile = Object.fromEntries(
    (['name', 'givenName', 'familyName'] as const).flatMap((claim) => {
      const text = asText(claimed(claim))
      return text === undefined ? [] : [[standardNames[claim], text]]
    }),
  )
  return { identities, ...(Object.keys(profile).length > 0 && { profile }) }
}

function read(claims: Claims, path: string): unknown {
  let at: unknown = claims
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Claims)[key]
  }
  return at
}

/** Some providers write truth as text. */
const isTrue = (value: unknown) => value === true || value === 'true'

const asText = (value: unknown) =>
  typeof value === 'string' && value.length > 0 && value.length <= 256 && value.isWellFormed() ? value : undefined

/** Plain OAuth 2 servers number their users. */
const asSubject = (value: unknown) => asText(typeof value === 'number' ? String(value) : value)

function asEmail(value: unknown): string | undefined {
  const text = asText(value)?.toLowerCase()
  return text && text.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text) ? text : undefined
}

/** OpenID Connect recommends E.164; some leave the plus sign out or group the digits. An extension is no number of a mobile. */
function asPhoneNumber(value: unknown): string | undefined {
  const text = asText(typeof value === 'number' ? String(value) : value)
  return (
    text &&
    parsePhoneNumber(
      text
        .trim()
        .replace(/^\+/, '')
        .replaceAll(/[\s().-]/g, ''),
    )?.digits
  )
}
