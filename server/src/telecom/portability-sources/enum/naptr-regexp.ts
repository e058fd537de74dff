// Which text does the regexp field of a NAPTR record make of a number (RFC 3402)? Expressions that could run long are refused.

/** Enough for what RFC 4769 writes; a subject has at most 16 characters, so three of them try at most 16³ ways. */
const MAX_REPEATS = 3
const MAX_LENGTH = 255
/** One atom with its repeat: a literal, an escaped literal, a dot, or a class of digits. */
const TERM = String.raw`(?:[0-9]|\\[+.]|\.|\[[0-9-]+\])(?:[*+?]|\{\d{1,2}\})?`
const SAFE_EXPRESSION = new RegExp(String.raw`^\^?(?:\((?:${TERM})*\)|${TERM})*\$?$`)

/**
 * Applies `!expression!replacement!flags` to the number, "+41791234567". Undefined when the expression does not match. Throws an
 * Error for a field that breaks the syntax, or whose expression is not of the simple kind that ENUM needs.
 */
export function applyNaptrRegexp(field: string, number: string): string | undefined {
  if (field.length > MAX_LENGTH) throw new Error('a regexp field of more than 255 bytes')
  const delimiter = field[0] ?? ''
  const parts = field.slice(1).split(delimiter)
  if (/^[0-9\\i]?$/.test(delimiter) || parts.length !== 3 || !/^i?$/.test(parts[2]!)) {
    throw new Error('a regexp field that is not !expression!replacement!')
  }
  const [expression, replacement] = parts as [string, string]
  const repeats = expression.match(/(?<!\\)[*+?]/g)?.length ?? 0
  if (!SAFE_EXPRESSION.test(expression) || repeats > MAX_REPEATS) {
    throw new Error('a regexp field with an expression beyond digits, dots, classes and groups')
  }
  const found = new RegExp(expression).exec(number)
  if (!found) return undefined
  const text = replacement.replace(/\\([1-9\\])/g, (_, name: string) =>
    name === '\\' ? name : (found[Number(name)] ?? ''),
  )
  return number.slice(0, found.index) + text + number.slice(found.index + found[0].length)
}
