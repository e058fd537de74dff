// What does the URL of the page Performance say? The period, the rate of the chart, and the filters.

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
  const filters = filterNames.flatMap((name) => {
    const value = search[name]
    // The router reads digits as a number.
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value).slice(0, 100)]] : []
  })
  return {
    ...(Object.hasOwn(periods, String(days)) && { days: String(days) as Period }),
    ...(typeof rate === 'string' && Object.hasOwn(rateNames, rate) && { rate: rate as RateName }),
    ...Object.fromEntries(filters),
  }
}
