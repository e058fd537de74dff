// What does the first process of several do? It starts the workers, replaces them at SIGHUP, and stops them at SIGTERM or SIGINT.

import type { Config } from '@ringfence/server/core/config/config.ts'
import { logForReader } from '@ringfence/server/core/telemetry/log.ts'
import { listensAt } from './listens-at.ts'
import { stopSignal } from './stop-signal.ts'
import { forkThisCommand, Workers } from './workers/workers.ts'

/** Resolves when a signal has stopped all workers. */
export async function runWorkers({ settings }: Config, count: number): Promise<void> {
  const stopRequested = stopSignal()
  const level = settings.logLevel
  const log = await logForReader(2, settings.logFormat, { level }, { isShared: true })
  forkThisCommand()
  const workers = new Workers({ count, stopMs: settings.drainMs + settings.requestTimeoutMs, log })
  process.on('exit', () => workers.killAll())
  const stopping = stopRequested.then(() => workers.stop())
  const started = await workers.start()
  if ('exitCode' in started) {
    process.exitCode = started.exitCode
    return
  }
  // As the first process of a container it has a handler that ends it; see bin/ringfence.js.
  process.removeAllListeners('SIGHUP').on('SIGHUP', () => {
    log.info({ workers: count }, 'replacing the workers, one after the other')
    workers.replaceAll()
  })
  log.info({ url: started.url, workers: count }, 'listening')
  console.log(listensAt(started.url))
  await stopping
  log.info('stopped')
}
