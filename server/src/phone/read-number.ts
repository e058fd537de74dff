// Which phone number does a text mean, as people write it: `+39 (0)6 1234-5678`, `0044 07400 123456`, `tel:+91-70201-41726`?

import { explainInvalidPhoneNumber } from './explain-invalid.ts'
import { callingCodeOf, type PhoneNumber, parsePhoneNumber, withoutNationalPrefix } from './phone-number.ts'
import { withPlainDigits } from './plain-digits.ts'
import { renumberingOf } from './renumberings.ts'

/** A number with an extension, a label or a comment is not a number only. */
const longestRead = 100

/** Space and punctuation of any script that people put between digits. */
const separators = /[\p{Z}\s\p{Pd}\p{Ps}\p{Pe}./\u2212\uff0e\uff0f·・･•~]/gu

/** Joiners, direction marks and keycaps, which copies bring along. */
const invisible = /[\p{Cf}\p{Cc}\p{M}]/gu

const pluses = /[\uff0b\ufe62\u207a]/g

/**
 * Reads a phone number with country code in any form in which people write it. Returns the number of the numbering plan, or what is
 * wrong with the text; `field` begins that sentence. Heals a form that can mean one number only: the plan decides on `(0)` and on
 * national prefixes, and renumberings.ts knows old numbers. Strict doors (contract 4.1) use `parsePhoneNumber`.
 */
export function readPhoneNumber(text: string, field = 'the phone number'): PhoneNumber | string {
  const canonical = parsePhoneNumber(text)
  if (canonical) return canonical
  if (text.length > longestRead) return `${field} has more than ${longestRead} characters`
  const written = withPlainDigits(text).replace(pluses, '+').replace(invisible, '').trim()
  const plain = withoutScheme(written)
  const unusual = whyNoNumber(plain)
  if (unusual !== undefined) return `${field} ${unusual}`
  const dialled = plain.replace(separators, '')
  const digits = dialled.replace(/^\+?(?:00)?/, '')
  if (!/^[0-9]+$/.test(digits)) return explainInvalidPhoneNumber(digits, field)
  const candidates = [digits, ...withoutZeroInBrackets(plain), ...withoutOtherPrefix(dialled)]
  return numberOf(candidates) ?? presentNumberOf(candidates, field) ?? explainInvalidPhoneNumber(digits, field)
}

/** The canonical digits of a text; undefined when it is no number. */
export function digitsOfWritten(text: string): string | undefined {
  const read = readPhoneNumber(text)
  return typeof read === 'string' ? undefined : read.digits
}

/** The digits with which a number begins that somebody has not written to its end; empty when they are none. */
export function firstDigits(text: string): string {
  const written = withPlainDigits(text).replace(pluses, '+').replace(invisible, '').trim()
  return /^\+?(?:00)?([0-9]*)/.exec(withoutScheme(written).replace(separators, ''))?.[1] ?? ''
}

/** For what is only compared: the canonical digits or, of digits that are in no plan, themselves. Undefined for any other text. */
export const comparedDigits = (text: string): string | undefined =>
  digitsOfWritten(text) ?? (/^[0-9]{1,15}$/.test(text) ? text : undefined)

/**
 * Without the zero that is part of the number, `39612345678` for `390612345678`, where that is no number: earlier versions stored
 * entries of lists so. One text or none.
 */
export function withoutZeroOfPlan(digits: string): string[] {
  const { length } = callingCodeOf(digits) ?? ''
  if (length === 0 || digits[length] !== '0') return []
  const without = digits.slice(0, length) + digits.slice(length + 1)
  return parsePhoneNumber(without) ? [] : [without]
}

function numberOf(candidates: readonly string[]): PhoneNumber | undefined {
  for (const digits of candidates) {
    const number = parsePhoneNumber(digits) ?? parsePhoneNumber(withoutTrunkPrefix(digits))
    if (number) return number
  }
  return undefined
}

/** The number that replaced an old one, or the sentence that says what replaced it. */
function presentNumberOf(candidates: readonly string[], field: string): PhoneNumber | string | undefined {
  for (const digits of candidates.flatMap((each) => [each, withoutTrunkPrefix(each)])) {
    const renumbering = renumberingOf(digits)
    if (!renumbering) continue
    const { old, present, since, says } = renumbering
    const number = present === undefined ? undefined : parsePhoneNumber(digits.replace(old, present))
    return number ?? `${field} has a form that was replaced on ${since}: ${says}`
  }
  return undefined
}

/** The digits as libphonenumber rewrites them: without 0 in `44 020 …`, and with Argentina's 9 in place of its 15. */
function withoutTrunkPrefix(digits: string): string {
  const callingCode = callingCodeOf(digits)
  return callingCode === undefined
    ? digits
    : callingCode + withoutNationalPrefix(digits.slice(callingCode.length), callingCode)
}

/** `+34 (0) 612 …`: dialled within a country, people think. Where the zero is part of the number, the plan has found it before. */
function withoutZeroInBrackets(plain: string): string[] {
  const without = plain.replace(/([0-9][^0-9]*)[\p{Ps}]\s*0\s*[\p{Pe}]/u, '$1')
  return without === plain ? [] : [without.replace(separators, '').replace(/^\+?(?:00)?/, '')]
}

/**
 * What other countries dial for the plus sign. Areas begin with 010 and 011 too, but no number within a country has ten digits after
 * them.
 */
function withoutOtherPrefix(dialled: string): string[] {
  const rest = /^(?:011|0011|010|810)([1-9][0-9]{9,14})$/.exec(dialled)?.[1]
  return rest === undefined ? [] : [rest]
}

/** RFC 3966: the number is before the first semicolon. */
function withoutScheme(text: string): string {
  const uri = /^tel:(.*)$/isu.exec(text)?.[1]
  if (uri === undefined) return text
  const number = uri.replace(/%2b/gi, '+').replace(/%20/g, ' ')
  return /;(?:ext|isub|phone-context)=/i.test(number) ? number : number.replace(/;.*$/s, '')
}

function whyNoNumber(text: string): string | undefined {
  if (/phone-context=/i.test(text)) return 'is a local number: write the whole number with its country calling code'
  // A spreadsheet has made it a decimal or shortened it.
  if (/^[^.,]*[0-9][.,]0*$/.test(text) || /^[0-9][.,][0-9]+E\+?[0-9]+$/i.test(text))
    return 'is a decimal, as spreadsheets write large numbers: format the column as text'
  if (/[0-9][^0-9]*(?:\p{L}{1,12}\.?|[#;,])[\s:=.]*[0-9]{1,7}$/u.test(text))
    return 'has an extension: leave out what is dialled after the number'
  if (/\p{L}/u.test(text)) return 'has letters: write digits only'
  if (/[0-9][^+]*\+/.test(text)) return 'has a plus sign after digits: write one number'
  return undefined
}
