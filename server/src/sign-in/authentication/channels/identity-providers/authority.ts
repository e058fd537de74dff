// Which email addresses and phone numbers may an identity provider vouch for? Those that the operator says it is authoritative for.

import Type, { type Static } from 'typebox'
import { readDomain, readDomainOf } from '../../../../email/email-address.ts'

const any = '*'

export const AuthoritativeFor = Type.Object(
  {
    emailDomains: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
        description: 'domains of email addresses, without their subdomains: `[example.com]`; `["*"]`: all',
      }),
    ),
    phonePrefixes: Type.Optional(
      Type.Array(Type.String({ pattern: '^(\\*|\\+?[1-9][0-9]{0,14})$' }), {
        description: 'first digits of phone numbers, with country code: `["91"]`; `["*"]`: all',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'email addresses and phone numbers whose owner the provider knows. Only with these does a person reach the user who proved them another way. Default: none; people are known by the id that the provider gave them',
  },
)
export type AuthoritativeFor = Static<typeof AuthoritativeFor>

export interface Authority {
  /** Of a canonical address. */
  email(address: string): boolean
  phoneNumber(digits: string): boolean
}

/** Throws an error that names the key when a domain is none. */
export function authorityOf({ emailDomains = [], phonePrefixes = [] }: AuthoritativeFor = {}): Authority {
  const domains = new Set(emailDomains.map(domainOf))
  return {
    email: (address) => domains.has(any) || domains.has(readDomainOf(address) ?? ''),
    phoneNumber: (digits) =>
      phonePrefixes.some((prefix) => prefix === any || digits.startsWith(prefix.replace('+', ''))),
  }
}

function domainOf(text: string): string {
  const domain = text === any ? any : readDomain(text)
  if (domain !== undefined) return domain
  throw new Error(`authoritativeFor.emailDomains has ${text}, which is no domain; write example.com, or *`)
}

/** Identity providers of which the operator has not said what they are authoritative for. */
export const withoutAuthority = (channels: Readonly<Record<string, { type: string }>>): string[] =>
  Object.entries(channels).flatMap(([name, channel]) =>
    (channel.type === 'oidc' || channel.type === 'oauth2') && !('authoritativeFor' in channel) ? [name] : [],
  )

export const authorityMissing = {
  text: 'is authoritative for no email address or phone number, so its people are separate users, known by its own ids',
  todo: 'name what it may vouch for in authoritativeFor, or leave it so with authoritativeFor: {} (docs/guides/id-token.md)',
}
