// Who opens the records of a long history? Other threads, on the CPUs that the main thread leaves free.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { OpenedPage, OpeningData, SealedPage } from './opening-thread.ts'

/** More would wait for the main thread, which replays what they have opened. */
const mostThreads = 3

/** The main thread has one CPU. */
export const freeThreads = (): number => Math.min(mostThreads, availableParallelism() - 1)

interface Opening {
  resolve(opened: OpenedPage): void
}

/** Threads that take turns. They start at the first page, and keep the process alive until `close`. `onError`: the first one that ends early. */
export class OpeningThreads {
  readonly #data: OpeningData
  readonly #threads: (OpeningThread | undefined)[]
  readonly #onEnd: (error: Error) => void
  #next = 0

  constructor(threads: number, data: OpeningData, onError: (error: Error) => void = () => undefined) {
    this.#threads = Array(threads).fill(undefined)
    this.#data = data
    let isReported = false
    this.#onEnd = (error) => {
      if (!isReported) onError(error)
      isReported = true
    }
  }

  /** The inputs of a page; undefined when a record cannot be opened, or its thread has ended. */
  open(page: SealedPage): Promise<OpenedPage> {
    const place = this.#next
    this.#next = (place + 1) % this.#threads.length
    const thread = this.#threads[place] ?? new OpeningThread(this.#data, this.#onEnd)
    this.#threads[place] = thread
    return thread.open(page)
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread?.close()))
  }
}

class OpeningThread {
  readonly #worker: Worker
  /** In the order of their answers. */
  readonly #opening: Opening[] = []
  readonly #onEnd: (error: Error) => void
  #hasEnded = false

  /** `onEnd`: it has ended before it was closed. */
  constructor(workerData: OpeningData, onEnd: (error: Error) => void) {
    this.#onEnd = onEnd
    // Without the arguments of this process: those of a test runner would make the thread run tests.
    this.#worker = new Worker(new URL('./opening-thread.ts', import.meta.url), { workerData, execArgv: [] })
    this.#worker.on('message', (opened: OpenedPage) => this.#opening.shift()?.resolve(opened))
    // The error of a thread, such as too little memory, is not that of a record: the main thread goes on alone.
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', (code) => this.#end(new Error(`the thread ended with code ${code}`)))
  }

  open(page: SealedPage): Promise<OpenedPage> {
    if (this.#hasEnded) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#opening.push({ resolve })
      this.#worker.postMessage(page, [page.bytes.buffer as ArrayBuffer])
    })
  }

  async close(): Promise<void> {
    this.#finish()
    await this.#worker.terminate()
  }

  #end(error: unknown): void {
    if (this.#hasEnded) return
    this.#onEnd(error instanceof Error ? error : new Error(String(error)))
    this.#finish()
  }

  #finish(): void {
    this.#hasEnded = true
    for (const { resolve } of this.#opening.splice(0)) resolve(undefined)
  }
}
