// What does the URL of the page Performance say? The period, the rate of the chart, and the filters.

import { country as countryName, operationName } from '../../parts/values/format.ts'

export const periods = { '1': 'Last 24 hours', '7': '7 days', '30': '30 days', '90': '90 days' } as const
export type Period = keyof typeof periods

export const rateNames = {
  approval: 'Approval',
  challenges: 'Challenges passed',
  fraud: 'Fraud rate',
  falsePositives: 'False positives',
} as const
export type RateName = keyof typeof rateNames

export const filterNames = ['operation', 'app', 'country'] as const
export type FilterName = (typeof filterNames)[number]

export interface PerformanceSearch extends Partial<Readonly<Record<FilterName, string>>> {
  readonly days?: Period
  readonly rate?: RateName
}

export function readPerformanceSearch(search: Readonly<Record<string, unknown>>): PerformanceSearch {
  const { days, rate } = search
  return {
    ...(Object.hasOwn(periods, String(days)) && { days: String(days) as Period }),
    ...(typeof rate === 'string' && Object.hasOwn(rateNames, rate) && { rate: rate as RateName }),
    ...textsIn(search, filterNames),
  }
}

/** The texts of these names. */
export function textsIn<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found = names.flatMap((name) => {
    const value = search[name]
    // The router reads digits as a number.
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value).slice(0, 100)]] : []
  })
  return Object.fromEntries(found) as Partial<Record<Name, string>>
}

/** What a value is called. */
export function figureValue(filter: FilterName, value: string): string {
  if (value === 'other') return 'Others'
  if (value === '') return 'not known'
  return (filter === 'country' ? countryName(value) : filter === 'operation' ? operationName(value) : value) ?? value
}
