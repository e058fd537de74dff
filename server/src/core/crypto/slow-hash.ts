// Who makes hashes that are slow on purpose? One thread of low priority, so that requests do not wait for it.

import { Worker } from 'node:worker_threads'
import type { HashOrder, HashReport } from './hash-thread.ts'

/** An idle thread holds memory. */
const idleMs = 60_000

interface Waiting {
  resolve(hash: Buffer): void
  reject(error: Error): void
}

/** In the order of their answers. */
const waiting: Waiting[] = []
let thread: Worker | undefined
let end: NodeJS.Timeout | undefined

/** One after the other, in the order of the calls. Whoever lets strangers ask bounds how many wait. */
export function slowHash(order: HashOrder): Promise<Buffer> {
  clearTimeout(end)
  thread ??= start()
  thread.ref()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  waiting.push({ resolve, reject })
  thread.postMessage(order)
  return promise
}

function start(): Worker {
  // Without the arguments of this process: those of a test runner would make the thread run tests.
  const started = new Worker(new URL('./hash-thread.ts', import.meta.url), { execArgv: [] })
  started.on('message', ({ hash, mistake }: HashReport) => {
    const { resolve, reject } = waiting.shift()!
    if (hash) resolve(Buffer.from(hash))
    else reject(new Error(mistake))
    if (waiting.length === 0) rest(started)
  })
  started.on('error', (error) => lose(started, error))
  started.on('exit', (code) => lose(started, new Error(`the thread ended with code ${code}`)))
  return started
}

function rest(idle: Worker): void {
  idle.unref()
  end = setTimeout(() => {
    thread = undefined
    void idle.terminate()
  }, idleMs).unref()
}

function lose(ended: Worker, cause: unknown): void {
  if (thread !== ended) return
  thread = undefined
  for (const { reject } of waiting.splice(0)) reject(new Error('no hash was made', { cause }))
}
