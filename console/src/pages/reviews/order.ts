// In which order are the cases of the queue, and which of them are shown? All of it is of the rows that were read.

import type { QueuedReview } from '../../api/types.ts'
import { moneyText } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'

/** `age` and `risk`, or the name of a numeric param after `params.`. */
export type Order = string

type Params = Readonly<Record<string, unknown>> | undefined

const paramOf = (order: Order): string | undefined => /^params\.(.+)$/s.exec(order)?.[1]

/** A number, also one that a backend sends as a text. */
const paramNumber = (params: Params, name: string): number => {
  const value = params?.[name]
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN
}

const numberOf = (review: QueuedReview, name: string) => paramNumber(review.params, name)

/** Params that are numbers in some row; the amount comes first. */
export function numericParams(reviews: readonly QueuedReview[]): string[] {
  const names = new Set(reviews.flatMap((each) => Object.keys(each.params ?? {})))
  return [...names]
    .filter((name) => reviews.some((each) => Number.isFinite(numberOf(each, name))))
    .toSorted((one, other) => Number(other === 'amount') - Number(one === 'amount') || one.localeCompare(other, locale))
}

export const rulesOf = (reviews: readonly QueuedReview[]): string[] =>
  [...new Set(reviews.map(({ ruleName }) => ruleName))]
    .filter((name) => name !== undefined)
    .toSorted((one, other) => one.localeCompare(other, locale))

/** Largest first; rows without the value come last. Rows that are equal stay as the service has them. */
export function ordered(reviews: readonly QueuedReview[], order: Order): readonly QueuedReview[] {
  const name = paramOf(order)
  if (order !== 'risk' && name === undefined) return reviews
  const rankOf = (review: QueuedReview) => {
    const value = name === undefined ? review.score : numberOf(review, name)
    return Number.isFinite(value) ? value : Number.NEGATIVE_INFINITY
  }
  return reviews.toSorted((one, other) => {
    const [a, b] = [rankOf(one), rankOf(other)]
    return a === b ? 0 : b - a
  })
}

/** Of the params of one decision: `€1,500`. */
export const amountIn = (params: Params): string | undefined => {
  const value = paramNumber(params, 'amount')
  return Number.isFinite(value) ? moneyText(value, currencyIn(params)) : undefined
}

const currencyIn = (params: Params) => (typeof params?.currency === 'string' ? params.currency : undefined)

/** `€1,500` of amount and currency; else the first number with its name. The param by which the queue is sorted comes first. */
export function amountOf(review: QueuedReview, order: Order): string | undefined {
  const { params = {} } = review
  const name = paramOf(order) ?? (Number.isFinite(numberOf(review, 'amount')) ? 'amount' : numericParams([review])[0])
  if (name === undefined) return undefined
  const value = numberOf(review, name)
  if (!Number.isFinite(value)) return undefined
  if (name !== 'amount') return `${name} ${value.toLocaleString(locale)}`
  return moneyText(value, currencyIn(params))
}
