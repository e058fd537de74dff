// Which rows does a table of devices, users or numbers show? Its filter is in the URL; what was searched for is not, as it may be personal.

import type { SubjectState } from '../../api/types.ts'

export interface EntityRow {
  readonly id: string
  readonly firstSeenAt: string
  readonly lastSeenAt: string
  readonly shared: number
  readonly decisions: number
  readonly refused: number
  readonly badLabels: number
  readonly topReason?: string
  readonly state: SubjectState
}

export const entityFilters = {
  riskiest: 'Riskiest',
  newToday: 'New today',
  shared: 'Shared',
  all: 'All, last seen first',
} as const
export type EntityFilter = keyof typeof entityFilters

export const readEntityFilter = ({ filter }: Readonly<Record<string, unknown>>): { filter?: EntityFilter } =>
  typeof filter === 'string' && Object.hasOwn(entityFilters, filter) ? { filter: filter as EntityFilter } : {}
