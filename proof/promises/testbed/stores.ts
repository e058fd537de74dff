// On which store does a program run the service? On each engine, for one server or for several that share it.

import type { Settings } from '../../../server/src/core/config/settings.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../../server/src/testing/databases.ts'
import { named, type RunOptions } from '../promise.ts'
import { masterKey } from './operator.ts'
import type { ServeOptions } from './serve.ts'

export type Figures = Record<string, number | string>

/** The figures of `work` on each engine. */
export async function onEachEngine(work: (databases: TestDatabases) => Promise<Readonly<Figures>>): Promise<Figures> {
  const figures = {}
  for (const databases of [sqliteDatabases, postgresDatabases]) {
    Object.assign(figures, named(await work(databases), databases.engine))
  }
  return figures
}

/** Other processes on this machine do not count as overload, and a moment in which it stands still ends no request. */
export const patient = { overloadDelayMs: 60_000, deadlineMs: 30_000 } as const

/** The settings of servers on an empty store, which they share. */
export async function storeOf({ place, engine }: TestDatabases, run: Pick<RunOptions, 'after'>) {
  const where = await place(run)
  const store: Partial<Settings> = engine === 'sqlite' ? { dataFolder: where } : { databaseUrl: where, masterKey }
  return { ...store, ...patient }
}

/** A configuration without operators and channels. */
export const noParts: ServeOptions['parts'] = { connectors: {}, portabilitySources: {}, channels: {}, operators: [] }
