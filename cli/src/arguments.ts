// Is the value of an option valid? Parsers of values; they throw usage errors.

import { readEmailAddress } from '@ringfence/server/email/email-address.ts'
import { readPhoneNumber } from '@ringfence/server/phone/read-number.ts'
import { InvalidArgumentError } from 'commander'

/** Makes a parser for whole numbers from `minimum` to `maximum`, inclusive. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= minimum && value <= maximum) return value
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`)
  }
}

export const portNumber = wholeNumber(0, 65_535)

/** Parses an email address into its canonical form. */
export function emailAddress(text: string): string {
  const { address, mistake } = readEmailAddress(text)
  if (mistake !== undefined) throw new InvalidArgumentError(`It ${mistake}.`)
  return address
}

/** Parses a phone number as people write it. Returns its digits, with country code. */
export function phoneNumber(text: string): string {
  const number = readPhoneNumber(text, 'It')
  if (typeof number !== 'string') return number.digits
  throw new InvalidArgumentError(`${number}.`)
}

/** Parses a display name. Terminals show it, so it must not contain control characters. */
export function displayName(text: string): string {
  if (/^[^\p{Cc}]{1,100}$/u.test(text) && text.trim() === text) return text
  throw new InvalidArgumentError(
    'It must have 1 to 100 characters, without control characters, and without spaces at the start or end.',
  )
}
