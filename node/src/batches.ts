// How are the lines of a batch sent, and its results read? The only calls whose bodies are not JSON.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, readAnswer, readRefusal } from './answer.ts'
import { callSending } from './call.ts'
import { RingfenceError } from './error.ts'
import { type CallOptions, type Settings, settingsOfCall } from './settings.ts'
import type { Batch, Consent, InBodyError, TelecomChecksResult } from './types.ts'

export interface CreateBatchRequest {
  /** `simSwap:maxAge=72,deviceSwap` */
  readonly checks: string
  /** CSV with a header that has a column phoneNumber, or an object with phoneNumber on each line. */
  readonly lines: string | Uint8Array
  /** Default: `csv`. */
  readonly format?: 'csv' | 'ndjson' | undefined
  /** What each check of the batch is for. */
  readonly consent?: Omit<Consent, 'givenAt'> | undefined
}

/** The result of a line: its checks, or the error that says why there are none. */
export interface BatchResult {
  /** The line in what was sent; a CSV header is line 1. */
  readonly line: number
  /** As it was sent; absent: the line is broken. */
  readonly phoneNumber?: string
  /** The other columns of the line. */
  readonly data?: Readonly<Record<string, string>>
  /** The earlier line with this number, whose result this is. */
  readonly duplicateOf?: number
  readonly phoneDetail?: TelecomChecksResult['phoneDetail']
  readonly checks?: TelecomChecksResult['checks']
  readonly error?: InBodyError
}

export interface BatchResultsRequest {
  readonly batchId: string
  /** Only lines after this one. */
  readonly after?: number | undefined
}

const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const
/** Unless the options have another limit: 100,000 lines take longer than a check. */
const sendingMs = 120_000
const silentMs = 60_000

/** Bytes as every version of `fetch` takes them, also a part of a larger buffer. */
const bodyOf = (lines: string | Uint8Array): string | ArrayBuffer =>
  typeof lines === 'string' ? lines : new Uint8Array(lines).buffer

export async function createBatch(
  { checks, lines, format = 'csv', consent }: CreateBatchRequest,
  options: CallOptions,
  clientSettings: Settings,
): Promise<Answer<Batch>> {
  if (!Object.hasOwn(types, format)) throw new RingfenceError('invalid_argument', 'format must be csv or ndjson')
  const timeoutMs = options.timeoutMs ?? Math.max(sendingMs, clientSettings.timeoutMs)
  const settings = { ...settingsOfCall(clientSettings, { ...options, timeoutMs }), attemptTimeoutMs: timeoutMs }
  const query = new URLSearchParams({ checks })
  for (const name of ['purpose', 'legalBasis', 'reference'] as const) {
    if (consent?.[name] !== undefined) query.set(name, consent[name])
  }
  const sending = callSending(
    {
      method: 'POST',
      url: `${settings.baseUrl}/v1/telecom/batches?${query}`,
      type: types[format],
      body: bodyOf(lines),
    },
    { isRepeatable: true, ...options },
    settings,
  )
  return sending((raw, requestId) => readAnswer('readBatch', raw, requestId))
}

/** Continues after the last line when the connection breaks. Ends before the first line that has no result yet. */
export async function* batchResults(
  { batchId, after = 0 }: BatchResultsRequest,
  { signal, requestId }: Pick<CallOptions, 'signal' | 'requestId'>,
  settings: Settings,
): AsyncGenerator<BatchResult> {
  let last = after
  for (let failures = 0; ; ) {
    const before = last
    try {
      for await (const result of resultsAfter(last)) {
        last = result.line
        yield result
      }
      return
    } catch (error) {
      if (!(error instanceof RingfenceError) || error.code !== 'connection' || signal?.aborted) throw error
      failures = last === before ? failures + 1 : 1
      if (failures > settings.retries) throw error
      await sleep(250 * 2 ** failures)
    }
  }

  async function* resultsAfter(line: number): AsyncGenerator<BatchResult> {
    const url = `${settings.baseUrl}/v1/telecom/batches/${encodeURIComponent(batchId)}/results?after=${line}`
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), silentMs)
    const leave = () => silence.abort(signal?.reason)
    signal?.addEventListener('abort', leave)
    try {
      const { clientId, clientSecret } = settings
      const headers = {
        accept: types.ndjson,
        clientId,
        clientSecret,
        ...(requestId !== undefined && { 'x-request-id': requestId }),
      }
      const answer = await settings.fetch(url, { method: 'GET', headers, redirect: 'manual', signal: silence.signal })
      if (answer.status !== 200) {
        throw readRefusal(
          { status: answer.status, headers: answer.headers, text: await answer.text() },
          requestId ?? '',
        )
      }
      let rest = ''
      const decoder = new TextDecoder()
      for await (const bytes of answer.body ?? [new TextEncoder().encode(await answer.text())]) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), silentMs)
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
        rest = lines.pop()!
        for (const text of lines) yield JSON.parse(text) as BatchResult
      }
      if (rest !== '') throw new RingfenceError('connection', `The results of ${url} ended within a line`)
    } catch (error) {
      if (error instanceof RingfenceError) throw error
      if (signal?.aborted) throw new RingfenceError('aborted', `The call to ${url} was aborted`, { cause: error })
      throw new RingfenceError('connection', `The results of ${url} broke off`, { cause: error })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      silence.abort()
    }
  }
}
