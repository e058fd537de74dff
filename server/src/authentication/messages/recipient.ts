// Who can receive a message? A mobile number in a country that the app serves, or an email address.

import { domainToASCII } from 'node:url'
import type { SignInStartRequest } from '@ringfence/contract'
import type { AppSettings } from '../../apps/app.ts'
import { Refusal } from '../../errors.ts'
import { explainInvalidPhoneNumber } from '../../phone/explain-invalid.ts'
import type { LineType } from '../../phone/numbering-plan.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import type { Recipient } from '../transaction.ts'

/**
 * Messages to other line types are lost, or earn a fraudster money. In North America, the number
 * does not show whether a line is fixed or mobile.
 */
const messageLineTypes: readonly (LineType | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE']

/** atext and dots of RFC 5322: no character that has a meaning in a mail header. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/
const domain = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

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
  const number = parsePhoneNumber(text)
  if (!number) throw new Refusal('invalidPhoneNumber', { mistake: explainInvalidPhoneNumber(text, field) })
  if (!messageLineTypes.includes(number.type)) throw new Refusal('lineTypeRefused')
  if (countries && !(number.country && countries.includes(number.country))) {
    throw new Refusal('countryRefused')
  }
  return { type: 'MOBILE', value: number.digits }
}

/** In lower case, because no mail provider tells addresses apart by case. */
function readEmail(text: string): Recipient {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(0, at)).toLowerCase()
  const host = domainToASCII(text.slice(at + 1)).toLowerCase()
  const value = `${local}@${host}`
  const dotted = !local.startsWith('.') && !local.endsWith('.') && !local.includes('..')
  if (at < 1 || value.length > 254 || !localPart.test(local) || !dotted || !domain.test(host)) {
    throw new Refusal('emailInvalid')
  }
  return { type: 'EMAIL', value }
}
