// When does a running service stop? At SIGTERM or SIGINT; a second signal ends the process at once.

import { constants } from 'node:os'

/**
 * A Ctrl-C arrives twice when npm, or a Node that handed over, forwards a signal that the terminal has already sent to
 * every process. Signals this close together count as one.
 */
const sameSignalMs = 500

/** Resolves at the first signal. After that, another signal ends the process with exit code 128 + its number. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.removeAllListeners(signal) // as the first process of a container it has handlers that end it at once
      process.on(signal, () => {
        if (firstAt !== undefined && performance.now() - firstAt > sameSignalMs) {
          process.exit(128 + constants.signals[signal])
        }
        firstAt ??= performance.now()
        resolve()
      })
    }
  })
}
