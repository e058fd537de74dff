// Which one-time code did a person type? Of a message, an authenticator app, or a printed list. The only reader of such codes.

import { withPlainDigits } from '../../phone/plain-digits.ts'

/** What people type between the digits, and what they copy with them: no code has any of it. */
const separators = /[\s\p{Pd}\p{Cf}.·․．。−_]/gu

/**
 * The digits of a code as people type it: `481 726`, `481-726`, full-width, or in the digits of another script. Undefined when it does not have
 * as many digits as the code, so that it cannot be right. Without `digits`, the code of a gateway: at most ten ASCII letters and digits.
 */
export function readCode(text: string, digits: number | undefined): string | undefined {
  const code = withoutSeparators(text)
  const form = digits === undefined ? /^[A-Za-z0-9]{1,10}$/ : /^[0-9]+$/
  return form.test(code) && (digits === undefined || code.length === digits) ? code : undefined
}

/** A code of ASCII letters and digits, in lower case. Whether it has the right length shows when it is compared. */
export const readRecoveryCode = (text: string): string =>
  withoutSeparators(text).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const withoutSeparators = (text: string): string => withPlainDigits(text.replace(separators, ''))
