// How are values written for people? Points, countries, durations, and what is not known.

import { language, locale } from './locale.ts'

const regions = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })

/** One decimal place, and none when it is zero. */
export const points = (value: number) => String(Math.round(value * 10) / 10)

/** `IN` is India; what is no code of ISO 3166 stays as it is. An empty one is not known. */
export const country = (code: string | undefined) =>
  code ? (/^[A-Z]{2}$/.test(code) ? regions.of(code) : code) : undefined

/** Undefined, which is not shown, when it is not known. */
export const yesNo = (value: boolean | undefined) => (value === undefined ? undefined : value ? 'Yes' : 'No')

const shares = [0, 1].map(
  (digits) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }),
)

/** `86%`, as the locale writes it; a dash where it is not known. */
export const percent = (share: number | undefined, digits: 0 | 1 = 0): string =>
  share === undefined ? '–' : shares[digits]!.format(share)

/** `₹41,000`, `₹2,499.50`; a currency that is no code of ISO 4217 is written after the amount. */
export function moneyText(amount: number, currency: string | undefined): string {
  if (currency === undefined) return amount.toLocaleString(locale)
  if (!/^[A-Za-z]{3}$/.test(currency)) return `${amount.toLocaleString(locale)} ${currency}`
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const
  return amount.toLocaleString(locale, { ...style, trailingZeroDisplay: 'stripIfInteger' })
}

/** With the sign by which it can be called; a masked number stays as it is. */
export const phoneText = (phoneNumber: string) => (/^\d+$/.test(phoneNumber) ? `+${phoneNumber}` : phoneNumber)

const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** `Nov 29`, of a day that is counted in UTC; what is no time stays as it is. */
export const dayText = (at: string) => {
  const time = Date.parse(at)
  return Number.isNaN(time) ? at : day.format(time)
}

const lengths = [
  [365, 'year'],
  [30, 'month'],
  [1, 'day'],
  [1 / 24, 'hour'],
  [1 / 1440, 'minute'],
] as const

/** In its largest whole unit: `3 days`. */
export function days(count: number | undefined): string | undefined {
  if (count === undefined) return undefined
  for (const [length, unit] of lengths) {
    const whole = Math.floor(count / length)
    if (whole >= 1) return `${whole} ${unit}${whole === 1 ? '' : 's'}`
  }
  return 'less than a minute'
}

/** `u-1001`, `PAYMENT`: words in capitals become a word. */
export const operationName = (operation: string | undefined) =>
  operation === undefined ? undefined : operation.slice(0, 1) + operation.slice(1).toLowerCase().replaceAll('_', ' ')

/** `jailbroken`, `geoSpoofed`, `ipAddress`: names of fields become words. */
export const fieldName = (field: string) => {
  const words = field
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(ip|vpn|os|sdk|sim)\b/g, (short) => short.toUpperCase())
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** The first part of a long id, enough to tell two of them apart at a glance. */
export const shortId = (id: string) => (id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id)
