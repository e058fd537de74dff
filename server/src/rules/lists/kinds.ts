// Which values can a list have? Each kind has one form in which values are compared.

import { type ListKind, listCaps } from '@ringfence/contract'
import { type Address, cidrOf, parseAddress } from '../../core/address/address.ts'
import { readDomain, readDomainOf, readEmailAddress } from '../../email/email-address.ts'
import { mailboxOf } from '../../email/mailbox.ts'
import { comparedDigits, digitsOfWritten, readPhoneNumber } from '../../phone/read-number.ts'
import { listKinds } from '../language/list-kinds.ts'

export interface KindOfList {
  readonly example: string
  /** The form of an entry, or undefined when the text is not of this kind. */
  entry(text: string): string | undefined
  /** The form of a value of a session; undefined when no entry can match it. */
  value(text: string): string | undefined
  /** The form in which an older version may have stored an entry, so that it can still be found and removed. */
  former?(text: string): string | undefined
  /** Why a text is no entry, as the end of a sentence, where more can be said than what the list has. */
  mistake?(text: string): string | undefined
}

const within = (text: string) => (text.length > 0 && text.length <= listCaps.valueLength ? text : undefined)

/** Older versions stored the digits without asking a numbering plan: `39612345678` for `+39 (0)6 12345678`. */
const plainDigits = (text: string) => (/^[1-9][0-9]{4,14}$/.test(text) ? text : undefined)

const emailOf = (text: string) => readEmailAddress(text).address

function mailboxOfText(text: string): string | undefined {
  const address = emailOf(text)
  return address && mailboxOf(address, 'tags')
}

/** An address with the length of its network: 32 or 128 for a single one. */
export interface AddressRange {
  readonly address: Address
  readonly length: number
}

/** The range of a text such as 10.0.0.0/8, or of a single address. An IPv4-mapped range is not one. */
export function rangeOf(text: string): AddressRange | undefined {
  const [, host = '', bits] = /^([^/%]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseAddress(host)
  if (!address) return undefined
  const width = widthOf(address)
  if (bits === undefined) return { address, length: width }
  if (host.includes(':') !== address.text.includes(':') || Number(bits) > width) return undefined
  return { address, length: Number(bits) }
}

export const widthOf = ({ words }: Address): 32 | 128 => (words.length === 1 ? 32 : 128)

/** The text of the network of this length that contains the address: the address itself for the full length. */
export const networkText = (address: Address, length: number): string =>
  length === widthOf(address) ? address.text : cidrOf(address, length)

function entryOfRange(text: string): string | undefined {
  const range = rangeOf(text.trim())
  return range && networkText(range.address, range.length)
}

/** A name, or an autonomous system number: `AS15169`, `15169`. */
const operatorOf = (text: string) =>
  within(
    text
      .trim()
      .replace(/\s+/g, ' ')
      .toUpperCase()
      .replace(/^AS ?(?=\d{1,10}$)/, ''),
  )

export const kindsOfLists: Readonly<Record<ListKind, KindOfList>> = {
  phoneNumber: {
    example: '917020141726',
    entry: digitsOfWritten,
    value: comparedDigits,
    former: plainDigits,
    mistake: (text) => wordsOf(readPhoneNumber(text, 'it')),
  },
  userId: {
    example: 'u-1001',
    entry: within,
    value: within,
  },
  deviceId: {
    example: '567f4354-94a8-4ecd-b2d5-9c2c8f0a1b2e',
    entry: (text) => uuidOf(text.trim()),
    value: uuidOf,
  },
  ip: {
    example: '203.0.113.0/24',
    entry: entryOfRange,
    value: (text) => parseAddress(text)?.text,
  },
  networkOperator: {
    example: 'EXAMPLE TELECOM',
    entry: operatorOf,
    value: operatorOf,
  },
  email: {
    example: 'ada@shop.example',
    entry: emailOf,
    value: emailOf,
  },
  emailMailbox: {
    example: 'ada@shop.example',
    entry: mailboxOfText,
    value: mailboxOfText,
  },
  emailDomain: {
    example: 'example.com',
    entry: (text) => readDomain(text.trim().replace(/^@/, '')),
    value: readDomainOf,
  },
  text: { example: 'card-4f2a91', entry: within, value: within },
}

function uuidOf(text: string): string | undefined {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined
}

const wordsOf = (read: unknown) => (typeof read === 'string' ? read : undefined)

/** What is wrong with a text that is no entry, as the end of a sentence: `has phone numbers, such as 917020141726; it has letters`. */
export function mistakeOf(kind: ListKind, text: string): string {
  const { example, mistake } = kindsOfLists[kind]
  const why = mistake?.(text)
  return `has ${listKinds[kind].meaning}, such as ${example}${why === undefined ? '' : `; ${why}`}`
}

/** An email address may be longer than its domain. */
const longestRead = 512

/** A value as rules read it, as the text that is compared; undefined when it has none. */
export function comparedText(kind: ListKind, value: unknown): string | undefined {
  if (typeof value === 'string') return value.length > longestRead ? undefined : kindsOfLists[kind].value(value)
  // A param such as a number of an account may be a JSON number.
  return Number.isSafeInteger(value) ? kindsOfLists[kind].value(String(value)) : undefined
}
