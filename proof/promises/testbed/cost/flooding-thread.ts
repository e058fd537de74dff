// Who floods? Another thread, so that whoever measures beside it waits for the service and not for the sender.

import { once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { takeLowPriority } from '../../../../server/src/core/crypto/low-priority.ts'
import { eachOf } from '../../promise.ts'
import { type Ready, send } from './callers.ts'

interface Flooding {
  readonly requests: readonly Ready[]
  readonly connections: number
}

/** Resolves when the first requests are being sent; `over` resolves after the last answer. */
export async function startFlood(flooding: Flooding): Promise<{ readonly over: Promise<unknown> }> {
  const thread = new Worker(new URL(import.meta.url), { workerData: flooding, execArgv: [] })
  const over = once(thread, 'exit')
  await once(thread, 'message')
  return { over }
}

if (parentPort) {
  // Senders have machines of their own.
  takeLowPriority()
  const { requests, connections } = workerData as Flooding
  parentPort.postMessage('begun')
  await eachOf(requests, connections, async (ready) => void (await send(ready)))
}
