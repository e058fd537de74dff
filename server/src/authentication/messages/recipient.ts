// To whom may a message go? A number of a line that takes messages, in a country that the app serves, or an e-mail address.

import { domainToASCII } from 'node:url'
import type { SignInStartRequest } from '@ringfence/contract'
import type { AppSettings } from '../../apps/app.ts'
import { Refusal } from '../../errors.ts'
import type { LineType } from '../../phone/numbering-plan.ts'
import { parsePhoneNumber } from '../../phone/phone-number.ts'
import type { Recipient } from '../transaction.ts'

/** NANP cannot tell fixed lines from mobile ones. Messages to all others are lost, or earn somebody a share of their price. */
const linesThatTakeMessages: readonly (LineType | undefined)[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE']

/** Printable ASCII without what has a meaning in a header of a message (RFC 5322, atext and dots). */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/
const domain = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** To which countries messages go; absent: to all. */
type Served = Pick<AppSettings, 'countries'>

/** Refuses with identityInvalid, invalidPhoneNumber, emailInvalid, lineTypeRefused, countryRefused. */
export function readRecipient(identity: SignInStartRequest['identity'], served: Served): Recipient {
  if (!identity) throw new Refusal('identityInvalid')
  return identity.type === 'MOBILE' ? readNumber(identity.value, served) : readAddress(identity.value)
}

function readNumber(text: string, { countries }: Served): Recipient {
  const number = parsePhoneNumber(text)
  if (!number) throw new Refusal('invalidPhoneNumber')
  if (!linesThatTakeMessages.includes(number.type)) throw new Refusal('lineTypeRefused')
  if (countries && !(number.country && countries.includes(number.country))) {
    throw new Refusal('countryRefused')
  }
  return { type: 'MOBILE', value: number.digits }
}

/** In lower case: nobody gives two people addresses that differ in case alone. */
function readAddress(text: string): Recipient {
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
