// How does Ctrl-C end a long command? It aborts the signal of its work, which ends at the next good place.

import { CommandFailed, exitCodes } from './failure.ts'

/** @param why what the signal is aborted with */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>, why?: () => string): Promise<T> {
  const stopped = new AbortController()
  const stop = () => stopped.abort(why && new CommandFailed(why(), { exitCode: exitCodes.interrupted }))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await work(stopped.signal)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
