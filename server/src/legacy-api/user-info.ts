// Which person does a token belong to, in the format of the legacy API?

import type { Identity, TokenVerification, UserInfo, UserInfoRequest } from '@ringfence/contract'
import type { Call } from '../clients/call.ts'
import { Refusal } from '../core/errors.ts'
import { profileOf } from '../sign-in/authentication/users.ts'
import { contactClaims } from '../sign-in/identity-tokens/contact-claims.ts'
import { exchange } from '../sign-in/tokens/exchange.ts'
import type { LegacyApiNeeds } from './room.ts'

/** POST /auth/userInfo. Refuses as `validateToken` does, and counts as a use of token verification. */
export async function userInfo({ token }: UserInfoRequest, call: Call, needs: LegacyApiNeeds): Promise<UserInfo> {
  const { text, basis } = await exchange(token, 'login', call, needs)
  if (text === undefined) throw new Refusal('tokenInvalid')
  const login = JSON.parse(text) as TokenVerification
  const { phone_number_verified: _, ...contact } = contactClaims(login.identities)
  const profile = await profileOf(call.caller.tenantId, basis.personId ?? login.userId, needs)
  return {
    ...namesOf(profile ?? {}),
    ...contact,
    auth_time: String(Math.floor(Date.parse(login.timestamp) / 1000)),
    authentication_details: detailsOf(login.identities),
  }
}

function namesOf({ name, given_name: first, family_name: last }: Readonly<Record<string, string>>): Partial<UserInfo> {
  return {
    ...(name !== undefined && { name }),
    ...(first !== undefined && { first_name: first }),
    ...(last !== undefined && { last_name: last, family_name: last }),
  }
}

function detailsOf(identities: readonly Identity[]): UserInfo['authentication_details'] {
  const phone = identities.find(({ identityType }) => identityType === 'MOBILE')
  const email = identities.find(({ identityType }) => identityType === 'EMAIL')
  const { national_phone_number, country_code } = contactClaims(phone ? [phone] : [])
  return {
    ...(phone && {
      phone: {
        ...proofOf(phone),
        phone_number: national_phone_number ?? phone.identityValue,
        country_code: country_code ?? '',
      },
    }),
    ...(email && { email: { ...proofOf(email), email: email.identityValue } }),
  }
}

const proofOf = ({ channel, methods, verified }: Identity) => ({
  mode: methods[0] ?? channel,
  auth_state: verified ? ('verified' as const) : ('unverified' as const),
})
