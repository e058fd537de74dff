// Does the service run in this process, or in workers? The configuration says how many.

import { type Config, ConfigurationError } from '@ringfence/server/core/config/config.ts'
import { processesOf } from '@ringfence/server/core/servers/processes.ts'
import { configurationOf } from '../configuration.ts'
import type { ServeOptions } from './run-service.ts'
import { workerPlace } from './workers/worker.ts'

export async function serve(options: ServeOptions): Promise<void> {
  const { host, port, logLevel, logFormat, workers } = options
  const config = configurationOf(options, {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(logLevel !== undefined && { logLevel }),
    ...(logFormat !== undefined && { logFormat }),
    ...(workers !== undefined && { workers }),
  })
  const count = workersOf(config, options)
  // Each loaded only where it runs: the first process of several needs nothing of the service.
  if (count > 1 && workerPlace() === undefined) return (await import('./run-workers.ts')).runWorkers(config, count)
  return (await import('./run-service.ts')).runService(config, options)
}

/** How many processes serve. @throws ConfigurationError where only one can */
function workersOf({ settings }: Config, { sandbox }: ServeOptions): number {
  if (settings.workers === '1') return 1
  if (sandbox) throw new ConfigurationError('workers: --sandbox runs in one process; leave out --workers and WORKERS')
  if (settings.databaseUrl === undefined) throw new ConfigurationError(`workers: ${oneProcess}; ${todo}`)
  return processesOf(settings)
}

const oneProcess = 'the embedded store has one process'
const todo = 'use PostgreSQL (--database URL or DATABASE_URL), or leave out --workers and WORKERS'
