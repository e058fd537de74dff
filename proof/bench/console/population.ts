// Who are a million decisions about? A few users, devices, numbers and IP addresses have tens of thousands, most have a handful.

import { parseAddress } from '../../../server/src/core/address/address.ts'
import type { TenantKeys } from '../../../server/src/core/crypto/keyring.ts'
import {
  accountHashOf,
  addressHashOf,
  deviceHashOf,
  emailHashOf,
  numberHashOf,
} from '../../../server/src/events/subject-hashes.ts'

/** Of all decisions, how many the busiest has. */
const share = { user: 0.03, device: 0.05, number: 0.02, ip: 0.08 }
const people = 150_000
const addresses = 40_000

export interface Subjects {
  readonly userId: string
  readonly phoneNumber: string
  readonly email: string
  readonly deviceId: string
  readonly ipAddress: string
}

export type SubjectHashes = ReturnType<typeof hashesOf>

export interface Population {
  next(): { readonly subjects: Subjects; readonly hashes: SubjectHashes }
}

/** `busiest`: a person of the demo, with everything else stored too. */
export function populationOf(busiest: Subjects, keys: TenantKeys): Population {
  const hashed = {
    user: remembered((value) => accountHashOf(value, keys)),
    number: remembered((value) => numberHashOf(value, keys)),
    email: remembered((value) => emailHashOf(value, keys)),
    device: remembered((value) => deviceHashOf(value, keys)),
    ip: remembered((value) => addressHashOf(parseAddress(value)!, keys)),
  }
  const or = <Value>(chance: number, value: Value, other: Value) => (Math.random() < chance ? value : other)
  return {
    next() {
      const person = skewed(people)
      const isBusiest = Math.random() < share.user
      const subjects = {
        userId: isBusiest ? busiest.userId : `customer-${person}`,
        email: isBusiest ? busiest.email : `customer-${person}@shop.example`,
        phoneNumber: or(share.number, busiest.phoneNumber, String(919_700_000_000 + person)),
        deviceId: or(share.device, busiest.deviceId, `5f0c7a2e-0000-4000-8000-${hex(person, 12)}`),
        ipAddress: or(share.ip, busiest.ipAddress, addressOf(skewed(addresses))),
      }
      return { subjects, hashes: hashesOf(subjects, hashed) }
    },
  }
}

type Hashed = Readonly<Record<'user' | 'number' | 'email' | 'device' | 'ip', (value: string) => Uint8Array>>

const hashesOf = ({ userId, phoneNumber, email, deviceId, ipAddress }: Subjects, hashed: Hashed) => ({
  userHash: hashed.user(userId),
  numberHash: hashed.number(phoneNumber),
  emailHash: hashed.email(email),
  deviceHash: hashed.device(deviceId),
  ipHash: hashed.ip(ipAddress),
})

/** Low numbers far more often: a third of all draws are of the first twentieth. */
const skewed = (count: number) => Math.floor(count * Math.random() ** 3)
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const addressOf = (index: number) => `49.${36 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`

function remembered(hash: (value: string) => Uint8Array): (value: string) => Uint8Array {
  const known = new Map<string, Uint8Array>()
  return (value) => {
    const found = known.get(value) ?? hash(value)
    known.set(value, found)
    return found
  }
}
