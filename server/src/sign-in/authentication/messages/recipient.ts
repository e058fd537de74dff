// Who can receive a message? A mobile number in a country that the app serves, or an email address.

import type { SignInStartRequest } from '@ringfence/contract'
import type { AppSettings } from '../../../apps/app.ts'
import { Refusal } from '../../../core/errors.ts'
import { readEmailAddress } from '../../../email/email-address.ts'
import type { LineType } from '../../../phone/numbering-plan.ts'
import { readPhoneNumber } from '../../../phone/read-number.ts'
import type { Recipient } from '../transaction.ts'

/**
 * Messages to other line types are lost, or earn a fraudster money. In North America, the number
 * does not show whether a line is fixed or mobile.
 */
const messageLineTypes: readonly (LineType | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE']

/** Countries that messages may go to. Absent: all. */
type Served = Pick<AppSettings, 'countries'>

/**
 * Refuses with identityInvalid, invalidPhoneNumber, emailInvalid, lineTypeRefused, countryRefused. `numberField` is where the
 * request has a phone number.
 */
export function readRecipient(
  identity: SignInStartRequest['identity'],
  served: Served,
  numberField: string,
): Recipient {
  if (!identity) throw new Refusal('identityInvalid')
  return identity.type === 'MOBILE' ? readNumber(identity.value, served, numberField) : readEmail(identity.value)
}

function readNumber(text: string, { countries }: Served, field: string): Recipient {
  const number = readPhoneNumber(text, field)
  if (typeof number === 'string') throw new Refusal('invalidPhoneNumber', { mistake: number })
  if (!messageLineTypes.includes(number.type)) throw new Refusal('lineTypeRefused')
  if (countries && !(number.country && countries.includes(number.country))) {
    throw new Refusal('countryRefused')
  }
  return { type: 'MOBILE', value: number.digits }
}

function readEmail(text: string): Recipient {
  const { address, mistake } = readEmailAddress(text)
  if (mistake !== undefined) throw new Refusal('emailInvalid', { mistake })
  if (!isAscii(address)) throw new Refusal('emailInvalid', { mistake: 'must have only ASCII letters before the @' })
  return { type: 'EMAIL', value: address }
}

/** Few mail servers deliver to other local parts (SMTPUTF8, RFC 6531). */
const isAscii = (address: string) => Buffer.byteLength(address) === address.length
