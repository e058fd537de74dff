// Is this a valid phone number, and how is it masked in logs?

import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Digits with country calling code, no plus sign, as E.164 allows them. */
export const digitsPattern = '^[1-9][0-9]{4,14}$'

/** Whether this is a valid number of a country's numbering plan, in E.164 form (without a trunk zero). */
export function isValidNumber(digits: string): boolean {
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  return parsed?.isValid() === true && parsed.number === `+${digits}`
}

/** ISO 3166-1 alpha-2; null: it belongs to no country, such as a satellite phone. */
export const countryOf = (digits: string): string | null => parsePhoneNumberFromString(`+${digits}`)?.country ?? null

/** "917020141726" → "917*******26": enough to recognise your test number, not enough to call it. */
export function masked(digits: string): string {
  return `${digits.slice(0, 3)}${'*'.repeat(Math.max(0, digits.length - 5))}${digits.slice(-2)}`
}

/** Masks everything that looks like a phone number in a text from outside, such as a path. */
export function withNumbersMasked(text: string): string {
  return text.replaceAll(/\d{5,}/g, masked)
}
