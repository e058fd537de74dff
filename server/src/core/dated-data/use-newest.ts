// How does a running process use newer tables? It looks for changed files, and keeps what it has when one is damaged.

import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { fileVersion } from '../files/newer-files.ts'
import { newestTable, type TableName, tableFile, tableNames, tableOf } from './tables.ts'

interface TablePlace {
  readonly dataFolder: string
  readonly clock: Clock
  readonly log: Pick<Logger, 'error' | 'info'>
}

export interface NewestTables {
  /** Uses the tables that have changed since the last call. Never rejects. */
  look(): Promise<void>
}

export function newestTables({ dataFolder, clock, log }: TablePlace): NewestTables {
  const seen = new Map<TableName, string>()
  return {
    async look() {
      for (const name of tableNames) {
        try {
          const version = (await fileVersion(tableFile(dataFolder, name))) ?? 'none'
          if (seen.get(name) === version) continue
          seen.set(name, version)
          const { content } = newestTable(dataFolder, name, clock.now())
          const table = tableOf(name)
          if (content === table.current()) continue
          table.use(content)
          log.info({ table: name, asOf: content.asOf }, 'uses a newer table')
        } catch (err) {
          log.error({ err, table: name }, 'cannot use the newer table; continuing with the previous one')
        }
      }
    },
  }
}

const everyMs = 10_000

/** Uses the newest tables now, and newer ones until it is closed. */
export async function keepTablesNewest(place: TablePlace) {
  const tables = newestTables(place)
  let looking = tables.look()
  await looking
  const timer = setInterval(() => {
    looking = tables.look()
  }, everyMs)
  timer.unref()
  return {
    async close(): Promise<void> {
      clearInterval(timer)
      await looking
    },
  }
}
