// How does a worker keep in touch with the first process? It is alive, has metrics, and stops when asked.

import type { Metrics, MetricsText } from '@ringfence/server/core/metrics/metrics.ts'
import { aliveEveryMs, type FromWorker, placeVariable, type ToWorker } from './messages.ts'

/** What a worker has counted is sent so often, so that it is not lost with it. */
const countedEvery = 5

/** The place of this process among the workers, from 1 on; undefined when it is the only process. */
export function workerPlace(environment: NodeJS.ProcessEnv = process.env): number | undefined {
  const place = environment[placeVariable]
  return place !== undefined && process.connected ? Number(place) : undefined
}

export class WorkerLink {
  /** Resolves when the first process wants this one to stop. */
  readonly stopRequested: Promise<{ isReplaced: boolean }>
  readonly #waiting = new Map<number, (text: MetricsText) => void>()
  readonly #timer: NodeJS.Timeout
  #metrics: Metrics | undefined
  #beats = 0
  #asked = 0

  constructor() {
    const { promise, resolve } = Promise.withResolvers<{ isReplaced: boolean }>()
    this.stopRequested = promise
    process.on('message', (message: ToWorker) => {
      if (message.to === 'stop') resolve({ isReplaced: message.isReplaced })
      else if (message.to === 'measure') void this.#measure(message.id)
      else this.#take(message.id, message.text)
    })
    this.#timer = setInterval(() => void this.#beat(), aliveEveryMs)
    this.#timer.unref()
  }

  /** The service listens. From now on its metrics are those of all workers. */
  ready(url: string, metrics: Metrics): void {
    this.#metrics = metrics
    metrics.share(() => this.#metricsOfAll())
    send({ is: 'ready', url })
  }

  /** The last thing that this process does. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sendCounted()
    // Node would end a worker that disconnects at once, with exit code 0.
    process.channel?.unref()
  }

  async #beat(): Promise<void> {
    if (this.#beats++ % countedEvery === 0) await this.#sendCounted()
    else send({ is: 'alive' })
  }

  async #sendCounted(): Promise<void> {
    const counted = await this.#metrics?.counted()
    await new Promise<void>((resolve) => send({ is: 'alive', ...(counted && { counted }) }, resolve))
  }

  async #measure(id: number): Promise<void> {
    const metrics = await this.#metrics?.read()
    if (metrics) send({ is: 'measured', id, metrics })
  }

  #metricsOfAll(): Promise<MetricsText> {
    const id = this.#asked++
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      send({ is: 'asking', id })
    })
  }

  #take(id: number, text: MetricsText): void {
    this.#waiting.get(id)?.(text)
    this.#waiting.delete(id)
  }
}

/** `sent` also runs when nobody is there any more. */
function send(message: FromWorker, sent: () => void = () => undefined): void {
  if (process.connected) process.send!(message, undefined, undefined, () => sent())
  else sent()
}
