// Which OpenID Connect claims do the identities of a sign-in give? Email address and phone number.

import type { Identity } from '@ringfence/contract'
import { nationalNumberOf, parsePhoneNumber } from '../../phone/phone-number.ts'

export interface ContactClaims {
  email?: string
  email_verified?: boolean
  /** E.164, with a plus sign. */
  phone_number?: string
  phone_number_verified?: boolean
  /** The number in two parts, as existing clients expect it: `+91` and `7020141726`. */
  country_code?: string
  national_phone_number?: string
}

/** OpenID Connect Core 1.0, 5.1. Of several identities of one type, the first verified one. */
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
