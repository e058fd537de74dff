// `ringfence check --file numbers.csv --out results.csv`: how does a file become a batch, and its results a file?

import { createHash } from 'node:crypto'
import { createWriteStream, readFileSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { batchLimits, batchTypes, writeChecks } from '@ringfence/contract'
import { type Batch, type CreateBatchRequest, Ringfence, RingfenceError } from '@ringfence/node'
import { CommandFailed, exitCodes, unreadable } from '../failure.ts'
import { amountText } from './amount.ts'
import type { AskedChecks } from './asked-checks.ts'
import { batchProgress } from './batch-progress.ts'
import { type BatchState, beginState, readState, removeState, writeState } from './batch-state.ts'
import { assertNew, assertWritable, partOf } from './results-file.ts'

export interface CheckedFile {
  readonly file: string
  readonly out: string
  readonly url: string
  readonly credentials: { readonly clientId: string; readonly clientSecret: string }
  readonly checks: AskedChecks
  readonly consent: CreateBatchRequest['consent']
  readonly cancel: boolean
  readonly overwrite: boolean
  readonly json: boolean
}

const pollMs = 1000
/** A service that restarts is back by then. */
const patienceMs = 300_000
const downloads = 5

export async function checkFile(asked: CheckedFile): Promise<void> {
  const { file, out, url, consent, cancel, overwrite, json } = asked
  const lines = numbersIn(file)
  assertWritable(out, file)
  const checks = writeChecks(asked.checks)
  const sha256 = createHash('sha256').update(lines).digest('hex')
  const sent = { url, checks, sha256, ...(consent && { consent: JSON.stringify(consent) }) }
  const before = readState(out, sent)
  if (cancel && before?.batchId === undefined) {
    throw new CommandFailed(`no batch of ${file} is running for ${out}: there is nothing to cancel`)
  }
  if (!before && !overwrite) assertNew(out)
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  process.once('SIGINT', interrupt)
  const run = new BatchRun(asked, interrupted.signal)
  try {
    const batch = await run.toItsEnd(before ?? beginState(out, sent), checks, lines)
    console.log(json ? JSON.stringify(batch) : summaryOf(batch, out))
    if (batch.status === 'canceled') process.exitCode = exitCodes.failed
  } catch (error) {
    if (!interrupted.signal.aborted) throw error instanceof RingfenceError ? failureOf(error, url) : error
    process.exitCode = exitCodes.interrupted
    process.stderr.write(
      `The service goes on with it. The same command shows its progress and writes ${out}; with --cancel it stops.\n`,
    )
  } finally {
    process.off('SIGINT', interrupt)
  }
}

/** A batch from its start to the file of its results. */
class BatchRun {
  readonly #asked: CheckedFile
  readonly #signal: AbortSignal
  readonly #ringfence: Ringfence
  readonly #progress = batchProgress()

  constructor(asked: CheckedFile, signal: AbortSignal) {
    this.#asked = asked
    this.#signal = signal
    this.#ringfence = new Ringfence({ baseUrl: asked.url, ...asked.credentials })
  }

  async toItsEnd(state: BatchState, checks: string, lines: Buffer): Promise<Batch> {
    let batch: Batch
    try {
      batch = await (state.batchId === undefined ? this.#create(state, checks, lines) : this.#read(state.batchId))
      if (this.#asked.cancel) batch = await this.#ringfence.cancelBatch({ batchId: batch.batchId })
      batch = await this.#ended(batch)
    } finally {
      this.#progress.end()
    }
    await this.#download(batch)
    removeState(this.#asked.out)
    return batch
  }

  /** The batch that an earlier run began. */
  async #read(batchId: string): Promise<Batch> {
    const { out } = this.#asked
    try {
      return await this.#ringfence.readBatch({ batchId }, { signal: this.#signal })
    } catch (error) {
      if (!(error instanceof RingfenceError && error.code === 'not_found')) throw error
      removeState(out)
      throw new CommandFailed(`the batch of ${out} has expired on the service: run the command again for a new one`)
    }
  }

  async #create(state: BatchState, checks: string, lines: Buffer): Promise<Batch> {
    const { file, out, consent } = this.#asked
    const request = { checks, lines, format: formatOf(file), consent } as const
    try {
      const batch = await this.#ringfence.createBatch(request, { idempotencyKey: state.key, signal: this.#signal })
      writeState(out, { ...state, batchId: batch.batchId })
      return batch
    } catch (error) {
      // A refused file leaves nothing behind; after a lost answer, the key finds the batch again.
      const isRefused = error instanceof RingfenceError && error.status !== undefined && error.status < 500
      if (isRefused) removeState(out)
      throw error
    }
  }

  async #ended(begun: Batch): Promise<Batch> {
    let batch = begun
    let answeredAt = performance.now()
    this.#progress.show(batch)
    while (batch.status !== 'completed' && batch.status !== 'canceled') {
      await wait(pollMs, undefined, { signal: this.#signal })
      try {
        batch = await this.#ringfence.readBatch({ batchId: begun.batchId }, { signal: this.#signal })
        answeredAt = performance.now()
        this.#progress.show(batch)
      } catch (error) {
        const isPassing = error instanceof RingfenceError && passing.has(error.code)
        if (!isPassing || performance.now() - answeredAt > patienceMs) throw error
        this.#progress.waiting(error.message)
      }
    }
    return batch
  }

  /** Into a file beside it, which takes its name when it is complete. */
  async #download({ batchId }: Batch): Promise<void> {
    const { out, url, credentials } = this.#asked
    const part = partOf(out)
    const format = formatOf(out)
    const target = `${url.replace(/\/+$/, '')}/v1/telecom/batches/${batchId}/results?format=${format}`
    const headers = { accept: batchTypes[format], ...credentials }
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await fetch(target, { headers, redirect: 'manual', signal: this.#signal })
        if (!response.ok || !response.body) throw new CommandFailed(`${target} answered ${response.status}`)
        await pipeline(Readable.fromWeb(response.body as never), createWriteStream(part, { mode: 0o600 }))
        break
      } catch (error) {
        const isOfDisk = (error as NodeJS.ErrnoException).syscall !== undefined
        if (this.#signal.aborted || isOfDisk || attempt === downloads) throw error
        await wait(pollMs * attempt, undefined, { signal: this.#signal })
      }
    }
    const written = await open(part, 'r+')
    await written.sync()
    await written.close()
    renameSync(part, out)
  }
}

const passing: ReadonlySet<string> = new Set(['connection', 'timeout', 'overloaded', 'server', 'rate_limited'])

const formatOf = (file: string) => (/\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv')

function numbersIn(file: string): Buffer {
  let lines: Buffer
  try {
    lines = readFileSync(file)
  } catch (error) {
    throw unreadable(file, error)
  }
  if (lines.length <= batchLimits.bytes) return lines
  throw new CommandFailed(`${file} has more than ${batchLimits.bytes / 2 ** 20} MiB: split it into several files`)
}

function failureOf(error: RingfenceError, url: string): CommandFailed {
  const reason =
    error.code === 'connection' && /ECONNREFUSED/.test(error.message)
      ? `nothing listens at ${url}: start the service with ringfence serve, or set its URL with --url or RINGFENCE_URL`
      : error.message
  return new CommandFailed(reason, { cause: error })
}

function summaryOf({ status, counts, errors, cost, sandbox }: Batch, out: string): string {
  const codes = Object.entries(errors).toSorted(([, a], [, b]) => b - a)
  return [
    `${out}: ${counts.total} lines, ${counts.answered} answered, ${counts.failed} without an answer, ${counts.invalid} invalid`,
    ...(status === 'canceled' ? ['The batch was canceled: lines that were not checked have the error P7352.'] : []),
    ...(codes.length > 0 ? [`Errors: ${codes.map(([code, count]) => `${code} ${count} times`).join(', ')}`] : []),
    ...(cost ? [`Cost: ${amountText(cost)}`] : []),
    ...(sandbox ? ['Answers of the sandbox are made up.'] : []),
  ].join('\n')
}
