// Under which hash is a user, number, email address, device or IP address found? Keyed by the tenant, 8 bytes, the same in visits, history,
// events and decisions.

import type { PrivacySubject } from '@ringfence/contract'
import { type Address, subscriberNetwork } from '../core/address/address.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'

type Hashing = Pick<TenantKeys, 'hash'>

/** `userId`: the integrator's, or that of a user who signed in here. */
export const accountHashOf = (userId: string, keys: Hashing): Uint8Array =>
  // UTF-8 has no half of a surrogate pair: all halves would be one user.
  shortHash(`account ${userId.isWellFormed() ? userId : JSON.stringify(userId)}`, keys)

/** The hash of a device's id in visits, labels and history. */
export const deviceHashOf = (deviceId: string, keys: Hashing): Uint8Array => shortHash(`device ${deviceId}`, keys)

/** `digits`: with country code, without a plus sign. */
export const numberHashOf = (digits: string, keys: Hashing): Uint8Array => shortHash(`number ${digits}`, keys)

/** `address`: in its canonical form. */
export const emailHashOf = (address: string, keys: Hashing): Uint8Array => shortHash(`email ${address}`, keys)

/** `mailbox`: of an address in its canonical form (email/mailbox.ts). */
export const mailboxHashOf = (mailbox: string, keys: Hashing): Uint8Array => shortHash(`mailbox ${mailbox}`, keys)

/** Of the id of a request: `x-request-id`, or the one of an engine call. */
export const requestHashOf = (requestId: string, keys: Hashing): Uint8Array => shortHash(`request ${requestId}`, keys)

/** `network`: an autonomous system, or the country of one. */
export const networkHashOf = (network: string, keys: Hashing): Uint8Array => shortHash(`network ${network}`, keys)

/** Of the IP address; for IPv6 of its /64 network, which one subscriber has. */
export const addressHashOf = (address: Address, keys: Hashing): Uint8Array =>
  shortHash(`address ${subscriberNetwork(address)}`, keys)

/** 8 bytes: among a hundred million devices, two share a hash with a probability of 1 in 4,000. */
export const shortHash = (text: string, keys: Hashing): Uint8Array => keys.hash(text).subarray(0, 8)

/** The mark of a subject in the list of erasures, 16 bytes. No other row has this hash. */
export const markOf = ({ kind, value }: PrivacySubject, keys: Hashing): Uint8Array =>
  keys.hash(`erased ${kind} ${value}`).subarray(0, 16)
