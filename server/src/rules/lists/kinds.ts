// Which values can a list have? Each kind has one form in which values are compared, and paths whose values fit it.

import { type ListKind, listCaps } from '@ringfence/contract'
import { readDomain, readDomainOf, readEmailAddress } from '../../email/email-address.ts'
import { type Address, cidrOf, parseAddress } from '../../ip/address.ts'

export interface KindOfList {
  /** In the plural, for messages. */
  readonly meaning: string
  readonly example: string
  /** The form of an entry, or undefined when the text is not of this kind. */
  entry(text: string): string | undefined
  /** The form of a value of a session; undefined when no entry can match it. */
  value(text: string): string | undefined
  /** Paths that contain such values; a key of `params` or `additionalInput` may contain any. */
  readonly paths: readonly string[]
}

const within = (text: string) => (text.length > 0 && text.length <= listCaps.valueLength ? text : undefined)

/**
 * As people write them: `+91 70201-41726`, `0091 …`, `44 (0)20 …`. ITU-T E.164: at most 15 digits. A number that a spreadsheet made a
 * decimal, `917020141726.0`, is none; `+1.212.555.0000` is one.
 */
function digitsOf(text: string): string | undefined {
  if (/^[1-9]\d{4,14}$/.test(text)) return text
  if (text.length > 40 || /^[^.]*\.0*\s*$/.test(text)) return undefined
  const international = text.replace(/^[\s(]*(?:\+|00)/, '')
  // "(0)" behind the country code is dialled within the country only.
  const dialled = international.replace(/(?<=\d[\s).\-/]*)\(\s*0\s*\)/, '')
  const digits = dialled.replace(/[\s().\-/]/g, '')
  return /^[1-9]\d{4,14}$/.test(digits) ? digits : undefined
}

const emailOf = (text: string) => readEmailAddress(text).address

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
    meaning: 'phone numbers',
    example: '917020141726',
    entry: digitsOf,
    value: digitsOf,
    paths: ['phoneNumber', 'updateInfo.phoneNumber'],
  },
  userId: {
    meaning: 'user ids',
    example: 'u-1001',
    entry: within,
    value: within,
    paths: ['userId', 'updateInfo.userId'],
  },
  deviceId: {
    meaning: 'device ids',
    example: '567f4354-94a8-4ecd-b2d5-9c2c8f0a1b2e',
    entry: (text) => uuidOf(text.trim()),
    value: uuidOf,
    paths: ['deviceId'],
  },
  ip: {
    meaning: 'IP addresses',
    example: '203.0.113.0/24',
    entry: entryOfRange,
    value: (text) => parseAddress(text)?.text,
    paths: ['ip'],
  },
  networkOperator: {
    meaning: 'network operators',
    example: 'EXAMPLE TELECOM',
    entry: operatorOf,
    value: operatorOf,
    paths: ['telecom.operator', 'telecom.homeOperator', 'ipDetails.isp', 'ipDetails.asn'],
  },
  email: {
    meaning: 'email addresses',
    example: 'ada@shop.example',
    entry: emailOf,
    value: emailOf,
    paths: ['email'],
  },
  emailDomain: {
    meaning: 'email domains',
    example: 'example.com',
    entry: (text) => readDomain(text.trim().replace(/^@/, '')),
    value: readDomainOf,
    paths: ['email', 'emailDomain'],
  },
  text: { meaning: 'texts', example: 'card-4f2a91', entry: within, value: within, paths: [] },
}

function uuidOf(text: string): string | undefined {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined
}

/** The kinds of lists in which the value of a path may be; `text` takes every text. */
export const kindsOfPath = (path: string): ListKind[] =>
  (Object.keys(kindsOfLists) as ListKind[]).filter((kind) => kind === 'text' || kindsOfLists[kind].paths.includes(path))

/** An email address may be longer than its domain. */
const longestRead = 512

/** A value as rules read it, as the text that is compared; undefined when it has none. */
export function comparedText(kind: ListKind, value: unknown): string | undefined {
  if (typeof value === 'string') return value.length > longestRead ? undefined : kindsOfLists[kind].value(value)
  // A param such as a number of an account may be a JSON number.
  return Number.isSafeInteger(value) ? kindsOfLists[kind].value(String(value)) : undefined
}
