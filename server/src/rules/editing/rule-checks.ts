// Who reads the rules files that people send? A thread with little memory, which is ended when a file takes too long.

import { Worker } from 'node:worker_threads'
import { Refusal } from '../../core/errors.ts'
import type { KnownLists } from '../language/list-mistake.ts'
import type { CheckedRules, ToCheck } from './check.ts'
import type { CheckOrder, CheckReport } from './check-thread.ts'

/** Of one check, from when the thread begins it. 64 KiB of rules take a tenth of a second. */
const longestMs = 5_000
/** An idle thread holds memory. */
const idleMs = 60_000
const mostWaiting = 16
const mostMegabytes = 192

const usualThread = new URL('./check-thread.ts', import.meta.url)

interface Waiting {
  readonly order: CheckOrder
  resolve(checked: CheckedRules): void
  reject(error: Error): void
}

export interface RuleCheckOptions {
  /** For tests: of one check, and what a thread runs. */
  readonly limitMs?: number
  readonly thread?: URL
}

export class RuleChecks {
  readonly #limitMs: number
  readonly #thread: URL
  readonly #queue: Waiting[] = []
  #current: Waiting | undefined
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ limitMs = longestMs, thread = usualThread }: RuleCheckOptions = {}) {
    this.#limitMs = limitMs
    this.#thread = thread
  }

  /**
   * Checks a text, or the rules of a form. Refuses with `fieldInvalid` what takes too long or too much memory, and with `unavailable` when
   * too many wait.
   */
  check(given: ToCheck, lists?: KnownLists): Promise<CheckedRules> {
    if (this.#isClosed || this.#queue.length >= mostWaiting) throw unavailable()
    return new Promise((resolve, reject) => {
      this.#queue.push({ order: { given, lists }, resolve, reject })
      if (this.#current) return
      clearTimeout(this.#timer)
      this.#next()
    })
  }

  /** Somebody opens an editor: its first check need not wait until the thread has started. */
  prepare(): void {
    if (this.#isClosed || this.#worker) return
    clearTimeout(this.#timer)
    this.#worker = this.#start()
    this.#next()
  }

  #start(): Worker {
    // Without the arguments of this process: those of a test runner would make the thread run tests.
    const resourceLimits = { maxOldGenerationSizeMb: mostMegabytes }
    const started = new Worker(this.#thread, { execArgv: [], resourceLimits })
    started.on('message', (report: CheckReport) => this.#onReport(report, started))
    started.on('error', () => this.#lose(started))
    started.on('exit', () => this.#lose(started))
    return started
  }

  #onReport(report: CheckReport, worker: Worker): void {
    if (this.#worker !== worker) return
    clearTimeout(this.#timer)
    const done = this.#current
    if ('begun' in report) {
      // Where this process stood still, the report of the end may be there already.
      this.#timer = setTimeout(() => setImmediate(() => this.#current === done && this.#end(worker)), this.#limitMs)
      return
    }
    this.#current = undefined
    if ('checked' in report) done?.resolve(report.checked)
    else done?.reject(new Error(report.failed))
    this.#next()
  }

  #end(worker: Worker): void {
    this.#lose(worker)
    void worker.terminate()
  }

  #lose(ended: Worker): void {
    if (this.#worker !== ended) return
    clearTimeout(this.#timer)
    this.#worker = undefined
    const lost = this.#current
    this.#current = undefined
    lost?.reject(this.#isClosed ? unavailable() : new Refusal('fieldInvalid', { mistake: tooCostly }))
    this.#next()
  }

  #next(): void {
    if (this.#isClosed || this.#current) return
    this.#current = this.#queue.shift()
    if (this.#current) {
      this.#worker ??= this.#start()
      this.#worker.ref()
      this.#worker.postMessage(this.#current.order)
      return
    }
    this.#worker?.unref()
    this.#timer = setTimeout(() => {
      const idle = this.#worker
      this.#worker = undefined
      void idle?.terminate()
    }, idleMs).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const { reject } of this.#queue.splice(0)) reject(unavailable())
    await this.#worker?.terminate()
  }
}

const tooCostly = 'the rules take too long to read: are brackets or aliases nested deeply?'

const unavailable = () => new Refusal('unavailable', { retryAfterSeconds: 1 })
