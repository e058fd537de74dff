// Which fields of an answer are personal data, and how do roles that may not read them see them?

import type { TSchema } from 'typebox'

/** How a value is masked: enough to compare two, too little to call, write to or find somebody. */
const personalKinds = {
  phoneNumber: 'the last four digits',
  email: 'the first letter and the domain',
  ipAddress: 'the network: two of four numbers, or two of eight groups',
  position: 'rounded to a tenth of a degree',
  text: 'hidden: names, notes and what a page or backend sends about a person',
} as const
export type PersonalKind = keyof typeof personalKinds

/** The keyword of a schema that says so. OpenAPI leaves names with `x-` to us. */
export const personalKeyword = 'x-personal'

/**
 * Fields of these names are personal data in every answer, also in data whose schema is open, such as that of events. Phone numbers, email
 * addresses and IP addresses inside any other text are found by their form.
 */
export const personalFields: Readonly<Record<string, PersonalKind>> = {
  phoneNumber: 'phoneNumber',
  email: 'email',
  mailbox: 'email',
  ip: 'ipAddress',
  ipAddress: 'ipAddress',
  latitude: 'position',
  longitude: 'position',
  note: 'text',
  params: 'text',
  additionalInput: 'text',
  profile: 'text',
}

/** Declares that a field is personal data. */
export const personal = <Schema extends TSchema>(kind: PersonalKind, schema: Schema): Schema => ({
  ...schema,
  [personalKeyword]: kind,
})
