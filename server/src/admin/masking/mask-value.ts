// How is personal data masked? Enough remains to compare two values, too little to call, write to or find somebody.

import { isIP } from 'node:net'
import type { PersonalKind } from '@ringfence/contract'
import { maskedEmail, maskedNumber } from '../../events/streams/mask.ts'

/** In place of a text. */
export const hidden = '•••'

/** The network of it: 203.0.*.*, 2001:db8:*. */
export function maskedAddress(address: string): string {
  if (isIP(address) !== 6) return address.replace(/^(\d+\.\d+)\.\d+\.\d+$/, '$1.*.*')
  const [first = '', second = ''] = address.split(':')
  return `${first}:${second}:*`
}

/** A value that is personal data as a whole. What is inside a list or an object is masked too. */
export function maskedAs(kind: PersonalKind, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => maskedAs(kind, item))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [maskedText(name), maskedAs(kind, part)]))
  }
  if (typeof value === 'boolean' || value === null || value === undefined) return value
  if (kind === 'position') return typeof value === 'number' ? Math.round(value * 10) / 10 : hidden
  if (kind === 'text') return hidden
  const text = String(value)
  if (kind === 'email') return maskedEmail(text)
  if (kind === 'ipAddress') return isIP(text) ? maskedAddress(text) : maskedText(text)
  return /^\+?[\d*]+$/.test(text) ? maskedNumber(text.replace('+', '')) : maskedText(text)
}

// Only from where a word begins, or a long text without @ would be read again from each of its characters.
const email = /(?<![^\s@<>"'(),:;])[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+\.[^\s@<>"'(),:;.]+/g
// Not a version after a product's name (Chrome/120.0.0.0), nor a part of a longer one.
const ipv4 = /(?<![\w.-]|[A-Za-z]\/)\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/g
const ipv6 = /(?<![\w:.])[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:\.\d{1,3}){0,3}(?![\w:])/gi
const written = /(?<![\w.])\+\d[\d ().-]{6,18}\d(?!\w)/g
// Not a part of a UUID, a hash or a decimal.
const digits = /(?<![\w.-])\d{9,15}(?![\w-]|\.\d)/g

/** The text, with the phone numbers, email addresses and IP addresses in it masked. */
export function maskedText(text: string): string {
  return text
    .replace(email, maskedEmail)
    .replace(written, (number) => maskedNumber(number.replace(/\D/g, '')))
    .replace(digits, maskedNumber)
    .replace(ipv4, (address) => (isIP(address) ? maskedAddress(address) : address))
    .replace(ipv6, (address) => (isIP(address) && address !== '::' ? maskedAddress(address) : address))
}
