// What is wrong with a phone number that is not valid, and what should the caller send instead?

import { numberingPlansOf } from './numbering-plan.ts'
import { callingCodeOf, parsePhoneNumber } from './phone-number.ts'

/** One sentence for a text that `parsePhoneNumber` refuses. It never repeats the number, except for its calling code. */
export function explainInvalidPhoneNumber(text: string): string {
  if (text === '') return 'phoneNumber is empty: send the country calling code and the number, digits only'
  const extra = [
    text.includes('+') && 'the plus sign',
    /\s/.test(text) && 'the spaces',
    /[-()./]/.test(text) && 'the punctuation',
  ].filter(Boolean)
  if (extra.length > 0) return `phoneNumber must be digits only: leave out ${list(extra)}`
  if (!/^[0-9]+$/.test(text)) return 'phoneNumber must be digits only: 0 to 9'
  if (text.startsWith('0')) return 'phoneNumber must start with the country calling code: leave out the leading zeros'
  if (text.length > 15) return 'phoneNumber must have at most 15 digits'
  const callingCode = callingCodeOf(text)
  if (callingCode === undefined) return 'phoneNumber must start with a country calling code'
  if (isValidWithoutPrefix(text, callingCode)) {
    return `phoneNumber has a national prefix: leave it out after the calling code ${callingCode}`
  }
  return `phoneNumber is not a valid number of the calling code ${callingCode}`
}

const list = (parts: readonly unknown[]) =>
  parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** `44 020 …` is dialled as `020 …` within the country. */
function isValidWithoutPrefix(text: string, callingCode: string): boolean {
  const nationalNumber = text.slice(callingCode.length)
  const [prefix] = numberingPlansOf(callingCode)[0]?.nationalPrefix?.exec(nationalNumber) ?? []
  return prefix !== undefined && parsePhoneNumber(callingCode + nationalNumber.slice(prefix.length)) !== undefined
}
