// Which figure does the URL of Search name? Its rule, operation, app and country: Search then shows the decisions that it counts.

import { readFilters } from '../events/filters.tsx'
import { type FilterName, filterNames, textsIn } from '../performance/search.ts'

export const figureNames = ['rule', ...filterNames] as const
export type FigureFilters = Partial<Readonly<Record<'rule' | FilterName, string>>>

/** What the URL says; anything else is left out. */
export const readSearch = (search: Readonly<Record<string, unknown>>) => ({
  ...readFilters(search),
  ...figureIn(search),
})

/** Empty where it names none. */
export const figureIn = (search: Readonly<Record<string, unknown>>): FigureFilters => textsIn(search, figureNames)
