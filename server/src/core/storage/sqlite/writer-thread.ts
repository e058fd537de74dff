// How does the main thread use the writer thread, and what happens when it dies?

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../database.ts'
import { type WriteResult, type WriterRequest, withoutKnownTexts } from './messages.ts'

interface OpenRequest {
  resolve(results: WriteResult[]): void
  reject(error: Error): void
}

export class WriterThread {
  readonly #file: string
  #worker: Worker | undefined
  /** Statement texts that this worker has received. */
  #knownTexts = new Map<string, number>()
  /** Requests without an answer, in their order, which is the order of the answers. */
  #open: OpenRequest[] = []

  constructor(file: string) {
    this.#file = file
  }

  /** The results of a request. A dead thread is replaced at the next request; its open requests fail with StorageUnavailable. */
  send(request: WriterRequest): Promise<WriteResult[]> {
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start()
      this.#worker.postMessage(withoutKnownTexts(request, this.#knownTexts))
      this.#open.push({ resolve, reject })
      this.#worker.ref()
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    const exit = once(worker, 'exit')
    await this.send({ do: 'close' })
    worker.ref() // it was unref'ed, and a process with nothing else to do would not wait for its end
    await exit
  }

  #start(): Worker {
    this.#knownTexts = new Map()
    // Without the arguments of this process: those of a test runner would make the thread run tests.
    const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: this.#file, execArgv: [] })
    const ended = (cause?: unknown): void => {
      if (this.#worker !== worker) return // its end was noticed before, and another thread has replaced it
      this.#worker = undefined
      const error = new StorageUnavailable('The writer thread has ended; the next write starts another', { cause })
      for (const { reject } of this.#open.splice(0)) reject(error)
    }
    worker.on('message', (results: WriteResult[]) => {
      this.#open.shift()?.resolve(results)
      if (this.#open.length === 0) worker.unref() // an idle thread does not keep the process alive
    })
    worker.on('error', ended)
    worker.on('exit', ended)
    return worker
  }
}
