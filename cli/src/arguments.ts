// Does an option hold what it must? Readers of option values; what they throw is a usage error.

import { InvalidArgumentError } from 'commander'

/** Reads a whole number within bounds, both included. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= minimum && value <= maximum) return value
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`)
  }
}

export const portNumber = wholeNumber(0, 65_535)

/** A name for people; it is shown in terminals, so that nothing may stand in it that moves the cursor. */
export function displayName(text: string): string {
  if (/^[^\p{Cc}]{1,100}$/u.test(text) && text.trim() === text) return text
  throw new InvalidArgumentError('It must have 1 to 100 characters, without control characters and spaces at its ends.')
}
