// What of a call's body does the audit log show a role that may not see personal data? Ids, choices and times. It hides what people write.

import { isIP } from 'node:net'
import { maskedEmail, maskedNumber } from '../../events/streams/mask.ts'
import { erasedMark } from '../privacy/find-subject.ts'
import { hidden, maskedAddress, maskedText } from './mask-value.ts'

/** Choices, times, and names of what the console manages. */
const plain = new Set(
  'kind purpose role outcome type types deviceType action version number permissions scopes secondPerson check channel basedOn'
    .concat(' name expiresAt since until passwords state insteadOf against days origins bundleIds packageNames email')
    .split(' '),
)
const isId = (field: string) => /id$/i.test(field)

/** The same object, masked. A value in a field of no known kind is hidden, unless it is a number of the kind that we count with. */
export function maskedSent(value: unknown, field = '', beside: object = {}): unknown {
  if (Array.isArray(value)) return value.map((item) => maskedSent(item, field, beside))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskedSent(part, name, value)]))
  }
  if (typeof value !== 'string' || value === erasedMark) return value
  if (field === 'reason') return maskedReason(value)
  // What a person called a device.
  if (field === 'name' && ('userId' in beside || 'deviceId' in beside)) return hidden
  return maskedValue(value) ?? (plain.has(field) || isId(field) ? maskedText(value) : hidden)
}

/** A number, address or IP address as a whole. Numbers have five digits or more. */
function maskedValue(text: string): string | undefined {
  if (/^\+?[\d\s().-]+$/.test(text.trimStart())) {
    const digits = text.replaceAll(/\D/g, '')
    if (digits.length >= 5) return maskedNumber(digits)
  }
  if (text.includes('@') && !/\s/.test(text)) return maskedEmail(text)
  return isIP(text) ? maskedAddress(text) : undefined
}

const word = /[^\s<>"'(),:;]+/g
const address = /^.+(?:@|%40).+$/is
const number = /(?<![\w*-])\+?\d(?:[ ().-]{0,2}\d){4,}(?!\w)/g

/** What somebody wrote to say why: a shorter number than elsewhere is masked too, since nothing in it is an amount. */
export const maskedReason = (text: string): string =>
  maskedText(
    text.replace(word, (found) => (address.test(found) ? maskedEmail(found.replace(/%40/, '@')) : found)),
  ).replace(number, (found) => maskedNumber(found.replaceAll(/\D/g, '')))
