// Who learns that the collector is slow or away? OpenTelemetry drops what it cannot send without a word.

import type { Logger } from 'pino'

const logEveryMs = 60_000

interface ExportResult {
  readonly code: number
  readonly error?: Error
}

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void
}

/** Logs what this exporter loses, at most once a minute. Returns the same exporter. */
export function logLosses<Items, E extends Exporter<Items>>(
  exporter: E & Exporter<Items>,
  what: 'traces' | 'metrics',
  log: Logger,
): E {
  const send = exporter.export.bind(exporter)
  let loggedAt = -logEveryMs
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== 0 && performance.now() - loggedAt >= logEveryMs) {
        loggedAt = performance.now()
        log.warn({ err: result.error }, `the OpenTelemetry collector does not take ${what}, so they are lost`)
      }
      done(result)
    })
  return exporter
}
