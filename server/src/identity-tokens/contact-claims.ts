// How can this person be reached, in the words of OpenID Connect? E-mail and phone number of the identities of a sign-in.

import type { Identity } from '@ringfence/contract'
import { nationalNumberOf, parsePhoneNumber } from '../phone/phone-number.ts'

export interface ContactClaims {
  email?: string
  email_verified?: boolean
  /** E.164, with its plus sign. */
  phone_number?: string
  phone_number_verified?: boolean
  /** The same in two parts, as older clients of this interface read it: `+91` and `7020141726`. */
  country_code?: string
  national_phone_number?: string
}

/** OpenID Connect Core 1.0, 5.1; of several identities of a type the first that was verified. */
export function contactClaims(identities: readonly Identity[]): ContactClaims {
  const first = (type: string) => {
    const all = identities.filter(({ identityType }) => identityType === type)
    return all.find(({ verified }) => verified) ?? all[0]
  }
  const email = first('EMAIL')
  const phone = first('MOBILE')
  return {
    ...(email && { email: email.identityValue, email_verified: email.verified }),
    ...(phone && {
      phone_number: `+${phone.identityValue}`,
      phone_number_verified: phone.verified,
      ...partsOf(phone.identityValue),
    }),
  }
}

function partsOf(digits: string): Pick<ContactClaims, 'country_code' | 'national_phone_number'> {
  const number = parsePhoneNumber(digits)
  if (!number) return {}
  return { country_code: `+${number.callingCode}`, national_phone_number: nationalNumberOf(number) }
}
