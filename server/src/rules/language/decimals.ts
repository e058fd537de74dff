// How does a param compare with a number, when it may be decimal text? Exactly: no digit is rounded away.

/** Money as careful backends send it: at most 15 digits, and 6 after the point. */
const decimalText = /^-?\d{1,15}(\.\d{1,6})?$/

/** A number, or text of that form. */
export const isNumeric = (value: unknown): boolean =>
  (typeof value === 'number' && !Number.isNaN(value)) || (typeof value === 'string' && decimalText.test(value))

/** Characters of a number that JavaScript reads without a loss: 15 digits, sign or point apart. */
const longestExact = 15

/** Below, at or above; NaN when one of them is not a number, which is neither. */
export type Order = number

/** Compares values with one number. What most rules ask, a number and short text, costs no more than `<`. */
export function comparedWith(limit: number): (value: unknown) => Order {
  const isShort = String(Math.abs(limit)).length <= longestExact
  return (value) => {
    if (typeof value === 'number') return orderOf(value, limit)
    if (typeof value !== 'string' || !decimalText.test(value)) return Number.NaN
    if (isShort && value.length <= longestExact) return orderOf(Number(value), limit)
    return exactOrder(value, limit)
  }
}

/** Compares two values, each a number or decimal text. */
export function compared(left: unknown, right: unknown): Order {
  if (typeof left === 'number' && typeof right === 'number') return orderOf(left, right)
  if (!isNumeric(left) || !isNumeric(right)) return Number.NaN
  return exactOrder(left as string | number, right as string | number)
}

const orderOf = (left: number, right: number): Order =>
  left < right ? -1 : left > right ? 1 : left === right ? 0 : Number.NaN

function exactOrder(left: string | number, right: string | number): Order {
  if (isInfinite(left) || isInfinite(right)) return orderOf(Number(left), Number(right))
  const [one, other] = [scaled(String(left)), scaled(String(right))]
  const scale = Math.max(one.scale, other.scale)
  const [a, b] = [raised(one, scale), raised(other, scale)]
  return a < b ? -1 : a > b ? 1 : 0
}

const isInfinite = (value: string | number) => typeof value === 'number' && !Number.isFinite(value)

interface Scaled {
  readonly digits: bigint
  /** Digits after the point; below 0 for zeros before it that are left out. */
  readonly scale: number
}

/** A number as it is written: 0.1 is a tenth, and not the nearest binary fraction. */
function scaled(text: string): Scaled {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) }
}

const raised = ({ digits, scale }: Scaled, to: number): bigint => digits * 10n ** BigInt(to - scale)

/** Decimal text in whole parts of one, such as ten-thousandths, to the nearest; undefined for other text. */
export function partsOfOne(text: string, parts: bigint): bigint | undefined {
  if (!decimalText.test(text)) return undefined
  const { digits, scale } = scaled(text)
  const divisor = 10n ** BigInt(scale)
  const [whole, rest] = [(digits * parts) / divisor, (digits * parts) % divisor]
  return rest * 2n >= divisor ? whole + 1n : rest * 2n < -divisor ? whole - 1n : whole
}
