// How do several processes serve on one port? The first process listens and hands out connections; workers serve, and are replaced when they fail.

import cluster from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { MetricSnapshot } from '@ringfence/server/core/metrics/metrics.ts'
import { countedBy, textOfAll } from '@ringfence/server/core/metrics/of-processes.ts'
import type { Logger } from 'pino'
import type { ToWorker } from './messages.ts'
import { OneWorker } from './one-worker.ts'

/** Less than the time that Prometheus waits. */
const measureWithinMs = 2_000
/** After a worker that fails again and again. */
const firstPauseMs = 500
const longestPauseMs = 30_000
/** One that ran for so long failed for another reason than its start. */
const soundAfterMs = 60_000
/** From the request to stop to its end, beyond the drain time and the time of a request. */
const stopReserveMs = 10_000

export interface WorkersOptions {
  readonly count: number
  /** What a worker may need to stop. */
  readonly stopMs: number
  readonly log: Logger
}

export class Workers {
  readonly #options: WorkersOptions
  /** By place. */
  readonly #serving = new Map<number, OneWorker>()
  readonly #all = new Set<OneWorker>()
  /** Failed starts in a row, by place. */
  readonly #failures = new Map<number, number>()
  #countedByEnded: Promise<MetricSnapshot> = Promise.resolve([])
  #measured = 0
  #isStarted = false
  readonly #stopping = new AbortController()
  #replacing: Promise<void> | undefined
  #isReplacingAgain = false

  constructor(options: WorkersOptions) {
    this.#options = options
  }

  /** The URL, when all of them listen. The exit code, when the first one cannot start: it has said why. */
  async start(): Promise<{ url: string } | { exitCode: number }> {
    // One alone first: it may have to create or upgrade the tables.
    const first = this.#begin(1)
    const url = await first.ready
    if (url === undefined) return { exitCode: (await first.ended).code ?? 1 }
    this.#isStarted = true
    const others = Array.from({ length: this.#options.count - 1 }, (_, i) => this.#begin(i + 2))
    await Promise.all(others.map(({ ready }) => ready))
    return { url }
  }

  /** Replaces each worker by a new one, one after the other. A request meanwhile makes another round afterwards. */
  replaceAll(): void {
    if (this.#replacing) this.#isReplacingAgain = true
    else {
      this.#replacing = this.#replaceEach().finally(() => {
        this.#replacing = undefined
        if (this.#isReplacingAgain && !this.#isStopping) this.replaceAll()
      })
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const worker of this.#all) worker.stop({ isReplaced: false })
    await Promise.all([...this.#all].map((worker) => this.#endOf(worker)))
  }

  #begin(place: number): OneWorker {
    const { log } = this.#options
    const worker = new OneWorker(place, {
      asking: (answer, id) => void this.#answer(answer, id),
      hangs: ({ pid }) => {
        log.error({ worker: place, workerPid: pid }, 'a worker hangs; it is killed and replaced')
        worker.kill()
      },
      ended: () => void this.#ended(worker),
    })
    this.#all.add(worker)
    this.#serving.set(place, worker)
    return worker
  }

  async #ended(worker: OneWorker): Promise<void> {
    const { place, pid } = worker
    this.#all.delete(worker)
    this.#keepCounted(worker)
    const isServing = this.#serving.get(place) === worker
    if (!this.#isStarted || worker.isStopping || this.#isStopping || !isServing) return
    const ranMs = performance.now() - worker.startedAt
    const failures = ranMs >= soundAfterMs ? 0 : (this.#failures.get(place) ?? 0)
    this.#failures.set(place, failures + 1)
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failures)
    const { code, signal } = await worker.ended
    const about = { worker: place, workerPid: pid, code, signal, pauseMs }
    this.#options.log.error(about, 'a worker has ended; another one starts')
    await pause(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
    if (!this.#isStopping && this.#serving.get(place) === worker) this.#begin(place)
  }

  #keepCounted({ counted }: OneWorker): void {
    this.#countedByEnded = this.#countedByEnded.then((before) => countedBy([before, counted]))
  }

  async #answer(answer: (message: ToWorker) => void, id: number): Promise<void> {
    const measure = this.#measured++
    const measured = [...this.#all].map((worker) => worker.measure(measure, measureWithinMs))
    const snapshots = [...(await Promise.all(measured)), await this.#countedByEnded]
    answer({ to: 'take', id, text: await textOfAll(snapshots) })
  }

  async #replaceEach(): Promise<void> {
    const { log, count } = this.#options
    this.#isReplacingAgain = false
    for (let place = 1; place <= count && !this.#isStopping; place++) {
      const old = this.#serving.get(place)!
      const worker = this.#begin(place)
      if ((await worker.ready) === undefined) {
        log.error({ worker: place }, 'a worker could not be replaced; those that run go on')
        if (old.isReady) this.#serving.set(place, old)
        return
      }
      old.stop({ isReplaced: true })
      await this.#endOf(old)
    }
    log.info({ workers: count }, 'all workers have been replaced')
  }

  /** Kills it when it does not end in time. */
  async #endOf(worker: OneWorker): Promise<void> {
    const timer = setTimeout(() => worker.kill(), this.#options.stopMs + stopReserveMs)
    await worker.ended
    clearTimeout(timer)
  }

  /** Ends all at once, without waiting. */
  killAll(): void {
    for (const worker of this.#all) worker.kill()
  }
}

/** What each worker runs: this command, with the same arguments. */
export function forkThisCommand(): void {
  cluster.setupPrimary({ exec: process.argv[1]!, args: process.argv.slice(2) })
}
