// Which dated tables are there, where is a newer one stored, and which one counts? The newer one, unless it is damaged.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataFileError } from '../files/data-file-error.ts'
import { dayAheadMs, isInFuture } from '../files/renewal.ts'
import { clocksOfPlaces } from './clocks-of-places.ts'
import { type Dated, type DatedTable, TableRefused } from './dated-table.ts'
import { disposableDomains } from './disposable-domains.ts'
import { frozenValues } from './frozen-values.ts'
import { numberingPlans } from './numbering-plans.ts'
import { renumberings } from './renumberings.ts'

const datedTables = { clocksOfPlaces, disposableDomains, frozenValues, numberingPlans, renumberings } as const
export type TableName = keyof typeof datedTables
export const tableNames = Object.keys(datedTables) as TableName[]

export const tableFile = (dataFolder: string, name: TableName) => join(dataFolder, 'dated-data', `${name}.json`)

/** A table without the type of its content: what is read from its file fits it. */
export const tableOf = (name: TableName) => datedTables[name] as unknown as DatedTable

/**
 * The stored table if it is newer than the one of the release, else the latter. Throws a DataFileError for a file that is damaged, or
 * dated in the future: it would be the newest for ever.
 */
export function newestTable(dataFolder: string, name: TableName, now: number): { content: Dated; isStored: boolean } {
  const { shipped, read } = tableOf(name)
  const path = tableFile(dataFolder, name)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { content: shipped, isStored: false }
    throw new DataFileError(path, `cannot be read (${(error as NodeJS.ErrnoException).code})`, remedy, { cause: error })
  }
  let content: Dated
  try {
    content = read(text)
  } catch (error) {
    if (!(error instanceof TableRefused)) throw error
    throw new DataFileError(path, `is damaged: ${error.message}`, remedy, { cause: error })
  }
  if (content.asOf <= shipped.asOf) return { content: shipped, isStored: false }
  if (isOfFuture(content, now)) throw new DataFileError(path, `is dated ${content.asOf}, in the future`, remedy)
  return { content, isStored: true }
}

export const isOfFuture = ({ asOf }: Dated, now: number): boolean =>
  isInFuture({ datedMs: Date.parse(asOf), aheadMs: dayAheadMs }, now)

const remedy = 'Run "ringfence data update" to fetch it again, or delete it to use the table of the release.'

export interface TableStatus {
  readonly name: TableName
  readonly datedMs: number
  /** Whether `ringfence data update` fetched it. Else it is that of the release. */
  readonly isStored: boolean
  /** Why the stored one is not used. */
  readonly refused?: string
}

export function tableStatus(dataFolder: string, now: number): TableStatus[] {
  return tableNames.map((name) => {
    try {
      const { content, isStored } = newestTable(dataFolder, name, now)
      return { name, datedMs: Date.parse(content.asOf), isStored }
    } catch (error) {
      if (!(error instanceof DataFileError)) throw error
      return { name, datedMs: Date.parse(tableOf(name).shipped.asOf), isStored: false, refused: error.message }
    }
  })
}
