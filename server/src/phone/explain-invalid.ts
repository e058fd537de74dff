// What is wrong with a phone number that is not valid, and what should the caller send instead?

import { numberingPlansOf } from './numbering-plan.ts'
import { callingCodeOf, parsePhoneNumber } from './phone-number.ts'

/**
 * One sentence for a text that `parsePhoneNumber` refuses; `field` is where the request has it. It never repeats the number, except
 * for its calling code. Who follows it must not end up with a valid number of somebody else.
 */
export function explainInvalidPhoneNumber(text: string, field: string): string {
  if (text === '') return `${field} is empty: send the country calling code and the number, digits only`
  const extra = [
    text.includes('+') && 'the plus sign',
    /\s/.test(text) && 'the spaces',
    /[-()./]/.test(text) && 'the punctuation',
  ].filter(Boolean)
  if (extra.length > 0) return `${field} must be digits only: leave out ${list(extra)}`
  if (!/^[0-9]+$/.test(text)) return `${field} must be digits only: 0 to 9`
  // The international prefix of most countries. Without it, the number starts with its calling code.
  if (/^00[1-9]/.test(text)) return `${field} must start with the country calling code: leave out the leading 00`
  // The national form: what follows the 0 is no calling code, although it may look like one.
  if (text.startsWith('0')) return `${field} must start with the country calling code instead of the leading 0`
  if (text.length > 15) return `${field} must have at most 15 digits`
  const callingCode = callingCodeOf(text)
  if (callingCode === undefined) return `${field} must start with a country calling code`
  if (isValidWithoutPrefix(text, callingCode)) {
    return `${field} has a national prefix: leave it out after the calling code ${callingCode}`
  }
  return `${field} is not a valid number if ${callingCode} is its calling code: send the calling code and the whole number`
}

const list = (parts: readonly unknown[]) =>
  parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** `44 020 …` is dialled as `020 …` within the country. */
function isValidWithoutPrefix(text: string, callingCode: string): boolean {
  const nationalNumber = text.slice(callingCode.length)
  const [prefix] = numberingPlansOf(callingCode)[0]?.nationalPrefix?.exec(nationalNumber) ?? []
  return prefix !== undefined && parsePhoneNumber(callingCode + nationalNumber.slice(prefix.length)) !== undefined
}
