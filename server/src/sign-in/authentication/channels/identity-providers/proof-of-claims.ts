// Which identities do a provider's claims prove? Verified email addresses and phone numbers, otherwise its user id.

import Type, { type Static } from 'typebox'
import { readEmailAddress } from '../../../../email/email-address.ts'
import { digitsOfWritten } from '../../../../phone/read-number.ts'
import type { Proof, ProvenIdentity } from '../../channel.ts'
import type { Authority } from './authority.ts'

/** OpenID Connect Core 1.0, section 5.1. */
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

const Claim = (name: keyof typeof standardNames, description: string) =>
  Type.Optional(Type.String({ pattern: '^[^.\\s]+(\\.[^.\\s]+)*$', default: standardNames[name], description }))

/** Names of claims that differ from the standard. */
export const ClaimNames = Type.Object(
  {
    subject: Claim('subject', "the provider's own permanent id of the person"),
    email: Claim('email', 'email address'),
    emailVerified: Claim('emailVerified', 'whether the provider verified the email address'),
    phoneNumber: Claim('phoneNumber', 'phone number with country code'),
    phoneNumberVerified: Claim('phoneNumberVerified', 'whether the provider verified the phone number'),
    name: Claim('name', 'full name'),
    givenName: Claim('givenName', 'first name'),
    familyName: Claim('familyName', 'last name'),
  },
  { additionalProperties: false, description: 'names of the claims; a dot reads inside an object: `data.phone`' },
)
export type ClaimNames = Static<typeof ClaimNames>

export interface ClaimReading {
  names: ClaimNames
  /** Identities to treat as verified without a claim. */
  assumeVerified: readonly ('email' | 'phoneNumber')[]
  /** What the provider may verify. */
  authority: Authority
  /** The issuer. It makes the `subject` unique. */
  source: string
}

type Claims = Readonly<Record<string, unknown>>

/**
 * `sources`: the id token, then the answer of the userinfo endpoint, as far as there are any. An address and whether it is verified are
 * read from the same source: a flag of one says nothing of an address in the other. What the provider is not authoritative for is not verified.
 * Undefined if the claims contain no verified email address or phone number and no subject, or a subject that cannot be read.
 */
export function proofOf(
  sources: readonly Claims[],
  { names, assumeVerified, authority, source }: ClaimReading,
): Proof | undefined {
  const from = (claims: Claims, claim: keyof ClaimNames) => read(claims, names[claim] ?? standardNames[claim])
  const claimed = (claim: keyof ClaimNames) =>
    sources.map((claims) => from(claims, claim)).find((value) => value !== undefined)
  const identityOf = (identityType: 'EMAIL' | 'MOBILE'): ProvenIdentity[] => {
    const { claim, flag, read: readValue } = contacts[identityType]
    const found = sources.flatMap((claims) => {
      const identityValue = readValue(from(claims, claim))
      if (!identityValue) return []
      const isClaimed = assumeVerified.includes(claim) || isTrue(from(claims, flag))
      return [{ identityType, identityValue, verified: isClaimed && authority[claim](identityValue) }]
    })
    return [found.find(({ verified }) => verified) ?? found[0]].filter((identity) => identity !== undefined)
  }

  const identities = [...identityOf('EMAIL'), ...identityOf('MOBILE')]
  identities.sort((a, b) => Number(b.verified) - Number(a.verified))

  const claimedId = claimed('subject')
  const id = asSubject(claimedId)
  // Without their id, whoever inherits a mailbox would be its owner of before.
  if (id === undefined && claimedId !== undefined) return undefined
  const subject = id === undefined ? undefined : subjectOf(source, id)
  if (!identities[0]?.verified) {
    if (!subject) return undefined
    identities.unshift(subject)
  }
  const profile = Object.fromEntries(
    (['name', 'givenName', 'familyName'] as const).flatMap((claim) => {
      const text = asText(claimed(claim))
      return text === undefined ? [] : [[standardNames[claim], text]]
    }),
  )
  return { identities, ...(subject && { subject }), ...(Object.keys(profile).length > 0 && { profile }) }
}

const subjectOf = (source: string, id: string): ProvenIdentity => ({
  identityType: 'SUBJECT',
  identityValue: `${source} ${id}`,
  verified: true,
})

function read(claims: Claims, path: string): unknown {
  let at: unknown = claims
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Claims)[key]
  }
  return at
}

const contacts = {
  EMAIL: { claim: 'email', flag: 'emailVerified', read: asEmail },
  MOBILE: { claim: 'phoneNumber', flag: 'phoneNumberVerified', read: asPhoneNumber },
} as const

/** Some providers send booleans as text. */
const isTrue = (value: unknown) => value === true || value === 'true'

const asText = (value: unknown) =>
  typeof value === 'string' && value.length > 0 && value.length <= 256 && value.isWellFormed() ? value : undefined

/** OAuth 2 servers often use numbers as user ids. Of larger ones, JSON.parse makes one number out of two. */
const asSubject = (value: unknown) => asText(Number.isSafeInteger(value) ? String(value) : value)

function asEmail(value: unknown): string | undefined {
  return readEmailAddress(asText(value) ?? '').address
}

/** OpenID Connect recommends E.164. Some providers omit the plus sign or group the digits. */
function asPhoneNumber(value: unknown): string | undefined {
  const text = asText(typeof value === 'number' ? String(value) : value)
  return text && digitsOfWritten(text)
}
