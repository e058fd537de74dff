// Is this a valid phone number, and how is it written where a full number must not stand?

import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** Digits with country calling code, no plus sign, as E.164 allows them. */
export const digitsPattern = '^[1-9][0-9]{4,14}$'

/** The phone number of CAMARA's schemas: E.164 with the plus sign. */
export const camaraNumberPattern = '^\\+[1-9][0-9]{4,14}$'

/** Is it a valid number of some country's plan, written exactly as E.164 writes it (no trunk zero)? */
export function isValidNumber(digits: string): boolean {
  const parsed = parsePhoneNumberFromString(`+${digits}`)
  return parsed?.isValid() === true && parsed.number === `+${digits}`
}

/** "917020141726" → "917*******26": enough to recognise one's own test number, too little to call it. */
export function masked(digits: string): string {
  return `${digits.slice(0, 3)}${'*'.repeat(Math.max(0, digits.length - 5))}${digits.slice(-2)}`
}

/** Masks whatever looks like a phone number in a text that came from outside, such as a path. */
export function withNumbersMasked(text: string): string {
  return text.replaceAll(/\d{5,}/g, masked)
}
