// When does a running service stop? At SIGTERM or SIGINT; at once when it is asked a second time.

import { constants } from 'node:os'

/**
 * A Ctrl-C comes twice where npm, or a Node that handed over, passes on what the terminal has sent to every process
 * already; both count as one.
 */
const sameSignalMs = 500

/** Resolves at the first signal. From then on, another one ends the process, with 128 + its number as exit code. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (askedAt !== undefined && performance.now() - askedAt > sameSignalMs) {
          process.exit(128 + constants.signals[signal])
        }
        askedAt ??= performance.now()
        resolve()
      })
    }
  })
}
