// How is the writer's thread asked, and what if it dies?

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../database.ts'
import { type Outcome, type WriterRequest, withoutKnownTexts } from './messages.ts'

interface Asked {
  resolve(outcomes: Outcome[]): void
  reject(error: Error): void
}

export class WriterThread {
  readonly #file: string
  #worker: Worker | undefined
  /** Texts of statements that this worker has had. */
  #knownTexts = new Map<string, number>()
  /** Questions without an answer yet, in the order of asking, which is the order of answering. */
  #asked: Asked[] = []

  constructor(file: string) {
    this.#file = file
  }

  /** The writer's outcomes. A thread that died is replaced at the next question; what was open with it is unavailable. */
  ask(request: WriterRequest): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start()
      this.#worker.postMessage(withoutKnownTexts(request, this.#knownTexts))
      this.#asked.push({ resolve, reject })
      this.#worker.ref()
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    const exit = once(worker, 'exit')
    await this.ask({ do: 'close' })
    worker.ref() // answering has let go of it, and a process with nothing else to do would not wait for the end
    await exit
  }

  #start(): Worker {
    this.#knownTexts = new Map()
    // Without the arguments of this process: a test runner's would make the thread run tests.
    const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: this.#file, execArgv: [] })
    const ended = (cause?: unknown): void => {
      if (this.#worker !== worker) return // its end was noticed already, and what is asked now is asked of another
      this.#worker = undefined
      const error = new StorageUnavailable('The thread that writes has ended; the next write starts another', { cause })
      for (const { reject } of this.#asked.splice(0)) reject(error)
    }
    worker.on('message', (outcomes: Outcome[]) => {
      this.#asked.shift()?.resolve(outcomes)
      if (this.#asked.length === 0) worker.unref() // an idle thread alone does not keep the process alive
    })
    worker.on('error', ended)
    worker.on('exit', ended)
    return worker
  }
}
