// Which part of personal data may a SIEM see? Enough to compare two events, too little to call or write to somebody.

import type { EventData } from '@ringfence/contract'

/** The last four digits. */
export const maskedNumber = (digits: string): string =>
  `${'*'.repeat(Math.max(0, digits.length - 4))}${digits.slice(-4)}`

/** The first letter and the domain. */
export function maskedEmail(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? '*' : `${address.slice(0, 1)}***${address.slice(at)}`
}

/** Phone numbers and email addresses in the fields of an event that have them, also where a user id is one. */
export function masked(data: EventData): EventData {
  const { phoneNumber, identity, userId } = data as {
    phoneNumber?: string
    identity?: { type: string; value: string }
    userId?: string
  }
  return {
    ...data,
    ...(phoneNumber !== undefined && { phoneNumber: maskedNumber(phoneNumber) }),
    ...(userId !== undefined && { userId: maskedUser(userId) }),
    ...(identity !== undefined && {
      identity: {
        ...identity,
        value: identity.type === 'EMAIL' ? maskedEmail(identity.value) : maskedNumber(identity.value),
      },
    }),
  } as EventData
}

const maskedUser = (userId: string): string => {
  if (userId.includes('@')) return maskedEmail(userId)
  return /^\+?\d{10,15}$/.test(userId) ? maskedNumber(userId) : userId
}
