// How does a test send batches and read their results? Over HTTP, as a backend does.

import type { Batch, BatchResult, Consent } from '@ringfence/contract'
import type { TestService } from '../../testing/test-service.ts'

export interface BatchCalls {
  /** Sends a body; CSV unless `type` says otherwise. */
  send(
    body: string | Uint8Array,
    options?: SendOptions,
  ): Promise<{ status: number; body: Batch & { errorCode?: string; description?: string } }>
  read(batchId: string): Promise<Batch>
  /** The results as NDJSON, parsed. */
  results(batchId: string, after?: number): Promise<BatchResult[]>
  /** As text, with another media type. */
  text(
    batchId: string,
    query?: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; type: string; text: string }>
}

export interface SendOptions {
  readonly checks?: string
  readonly consent?: Partial<Consent>
  readonly type?: string
  readonly key?: string
  readonly headers?: Record<string, string>
}

export function batchCalls({ url, credentials }: Pick<TestService, 'url' | 'credentials'>): BatchCalls {
  const calls: BatchCalls = {
    async send(body, { checks = 'simSwap', consent = {}, type = 'text/csv', key, headers = {} } = {}) {
      const response = await fetch(`${url}/v1/telecom/batches?${new URLSearchParams({ checks, ...consent })}`, {
        method: 'POST',
        headers: {
          ...credentials,
          'content-type': type,
          ...(key !== undefined && { 'idempotency-key': key }),
          ...headers,
        },
        body: body as string,
      })
      return { status: response.status, body: (await response.json()) as never }
    },
    async read(batchId) {
      const response = await fetch(`${url}/v1/telecom/batches/${batchId}`, { headers: { ...credentials } })
      return (await response.json()) as Batch
    },
    async results(batchId, after = 0) {
      const { text } = await calls.text(batchId, `?after=${after}`)
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    },
    async text(batchId, query = '', headers = {}) {
      const response = await fetch(`${url}/v1/telecom/batches/${batchId}/results${query}`, {
        headers: { ...credentials, ...headers },
      })
      return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
    },
  }
  return calls
}

/** Ordinary valid numbers of the sandbox: nothing is found. */
export const ordinaryNumbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `9170202${String(52_000 + index)}`)

export const csvOf = (numbers: readonly string[]): string => ['phoneNumber', ...numbers].join('\n')
