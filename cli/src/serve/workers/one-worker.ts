// How does the first process see one worker? It starts, becomes ready, is alive or silent, and ends.

import cluster, { type Worker } from 'node:cluster'
import type { MetricSnapshot } from '@ringfence/server/core/metrics/metrics.ts'
import { aliveEveryMs, type FromWorker, placeVariable, type ToWorker } from './messages.ts'

/** A worker that is silent for so many beats hangs. They are counted, so that a machine that slept is not taken for ten workers that hang. */
const mostSilent = 10
/** It says nothing while it loads its code. */
const mostSilentAtStart = 120

export interface WorkerEvents {
  /** It asks for the metrics of all. */
  asking(answer: (message: ToWorker) => void, id: number): void
  hangs(worker: OneWorker): void
  ended(worker: OneWorker): void
}

export class OneWorker {
  readonly place: number
  readonly startedAt = performance.now()
  /** Its URL; undefined when it ended before it listened. */
  readonly ready: Promise<string | undefined>
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** What it counted, as it last said. */
  counted: MetricSnapshot = []
  isReady = false
  readonly #worker: Worker
  readonly #measuring = new Map<number, (metrics: MetricSnapshot) => void>()
  #silent = 0
  #isStopping = false

  constructor(place: number, events: WorkerEvents) {
    this.place = place
    const worker = cluster.fork({ [placeVariable]: String(place) })
    this.#worker = worker
    const { promise: ready, resolve: isReady } = Promise.withResolvers<string | undefined>()
    const { promise: ended, resolve: isEnded } = Promise.withResolvers<Awaited<OneWorker['ended']>>()
    this.ready = ready
    this.ended = ended
    const watch = setInterval(() => {
      if (++this.#silent >= (this.isReady ? mostSilent : mostSilentAtStart)) events.hangs(this)
    }, aliveEveryMs)
    worker.on('message', (message: FromWorker) => {
      this.#silent = 0
      if (message.is === 'ready') {
        this.isReady = true
        isReady(message.url)
      } else if (message.is === 'asking') events.asking((answer) => this.send(answer), message.id)
      else if (message.is === 'measured') this.#measured(message.id, message.metrics)
      else if (message.counted) this.counted = message.counted
    })
    // A message that reaches nobody any more.
    worker.on('error', () => undefined)
    worker.once('exit', (code, signal) => {
      clearInterval(watch)
      this.isReady = false
      isReady(undefined)
      const over = () => {
        for (const resolve of this.#measuring.values()) resolve(this.counted)
        isEnded({ code, signal: signal as NodeJS.Signals | null })
        events.ended(this)
      }
      // What it said last may still arrive.
      if (worker.isConnected()) worker.once('disconnect', over)
      else over()
    })
  }

  get pid(): number | undefined {
    return this.#worker.process.pid
  }

  /** Whether somebody asked it to stop. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  send(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message)
  }

  /** Its metrics now. What it last counted, when it does not answer in time. */
  measure(id: number, withinMs: number): Promise<MetricSnapshot> {
    if (!this.isReady) return Promise.resolve(this.counted)
    const { promise, resolve } = Promise.withResolvers<MetricSnapshot>()
    this.#measuring.set(id, resolve)
    const timer = setTimeout(() => resolve(this.counted), withinMs)
    this.send({ to: 'measure', id })
    return promise.finally(() => {
      clearTimeout(timer)
      this.#measuring.delete(id)
    })
  }

  #measured(id: number, metrics: MetricSnapshot): void {
    this.counted = metrics
    this.#measuring.get(id)?.(metrics)
  }

  stop({ isReplaced }: { isReplaced: boolean }): void {
    this.#isStopping = true
    this.send({ to: 'stop', isReplaced })
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL')
  }
}
