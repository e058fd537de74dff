// Who reads the rules files that people send? A thread with little memory, which is ended when a file takes too long.

import { Worker } from 'node:worker_threads'
import { Refusal } from '../../errors.ts'
import type { KnownLists } from '../lists/list-mistake.ts'
import type { CheckedRules, ToCheck } from './check.ts'
import type { CheckOrder, CheckReport } from './check-thread.ts'

export interface RuleChecks {
  /**
   * Checks a text, or the rules of a form. Refuses with `fieldInvalid` what takes too long or too much memory, and with `unavailable` when
   * too many wait.
   */
  check(given: ToCheck, lists?: KnownLists): Promise<CheckedRules>
  /** Somebody opens an editor: its first check need not wait until the thread has started. */
  prepare(): void
  close(): Promise<void>
}

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

export function ruleChecks({ limitMs = longestMs, thread = usualThread }: RuleCheckOptions = {}): RuleChecks {
  const queue: Waiting[] = []
  let current: Waiting | undefined
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const tooCostly = () =>
    new Refusal('fieldInvalid', { mistake: 'the rules take too long to read: are brackets or aliases nested deeply?' })

  function start(): Worker {
    // Without the arguments of this process: those of a test runner would make the thread run tests.
    const started = new Worker(thread, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    })
    started.on('message', (report: CheckReport) => onReport(report))
    started.on('error', () => lose(started))
    started.on('exit', () => lose(started))
    return started
  }

  function onReport(report: CheckReport): void {
    clearTimeout(timer)
    if ('begun' in report) {
      timer = setTimeout(() => void worker?.terminate(), limitMs)
      return
    }
    const done = current
    current = undefined
    if ('checked' in report) done?.resolve(report.checked)
    else done?.reject(new Error(report.failed))
    next()
  }

  function lose(ended: Worker): void {
    if (worker !== ended) return
    clearTimeout(timer)
    worker = undefined
    const lost = current
    current = undefined
    lost?.reject(isClosed ? new Refusal('unavailable', { retryAfterSeconds: 1 }) : tooCostly())
    next()
  }

  function next(): void {
    if (isClosed || current) return
    current = queue.shift()
    if (current) {
      worker ??= start()
      worker.ref()
      worker.postMessage(current.order)
      return
    }
    worker?.unref()
    timer = setTimeout(() => {
      const idle = worker
      worker = undefined
      void idle?.terminate()
    }, idleMs).unref()
  }

  return {
    check(given, lists) {
      if (isClosed || queue.length >= mostWaiting) throw new Refusal('unavailable', { retryAfterSeconds: 1 })
      return new Promise((resolve, reject) => {
        queue.push({ order: { given, lists }, resolve, reject })
        if (current) return
        clearTimeout(timer)
        next()
      })
    },
    prepare() {
      if (isClosed || worker) return
      clearTimeout(timer)
      worker = start()
      next()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      for (const { reject } of queue.splice(0)) reject(new Refusal('unavailable', { retryAfterSeconds: 1 }))
      await worker?.terminate()
    },
  }
}
