// What does a receiver answer to one delivery? Within limits of time and size; redirects are failures.

import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { DeliveryResult } from '@ringfence/contract'
import { TargetRefused } from './target.ts'

/** What an attempt to send may be; the others are of events that were not sent. */
export type SentResult = Exclude<DeliveryResult, 'unreadable' | 'key unknown' | 'given up'>

export interface DeliveryAnswer {
  readonly result: SentResult
  readonly status?: number
  readonly durationMs: number
  /** The first bytes of a refusal, or why there is no answer. */
  readonly text?: string
}

/** From the first packet to the status; a receiver should answer first and work afterwards. */
export const attemptTimeoutMs = 10_000
const mostAnswerBytes = 512
/** A refusal may explain itself for so long. */
const explanationMs = 1000

export interface Delivery {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface SendOptions {
  readonly agent: Agent
  readonly lookup: LookupFunction
  /** Ends the attempt without a result. */
  readonly signal: AbortSignal
}

/** One attempt. @throws the reason of `signal`; everything else is an answer */
export async function send(
  { url, headers, body }: Delivery,
  { agent, lookup, signal }: SendOptions,
): Promise<DeliveryAnswer> {
  const startedAt = performance.now()
  const tookMs = () => Math.round(performance.now() - startedAt)
  try {
    const response = await responseTo({ url, headers, body }, { agent, lookup, signal })
    const durationMs = tookMs()
    const status = response.statusCode ?? 0
    if (status >= 200 && status < 300) {
      leave(response)
      return { result: 'accepted', status, durationMs }
    }
    const text = await firstBytes(response)
    const result = status === 410 ? 'gone' : status >= 300 && status < 400 ? 'redirected' : 'refused'
    return { result, status, durationMs, text }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return { result: resultOf(error as NodeJS.ErrnoException), durationMs: tookMs(), text: reasonOf(error as Error) }
  }
}

class TookTooLong extends Error {}
class SwitchesProtocols extends Error {}

function responseTo(
  { url, headers, body }: Delivery,
  { agent, lookup, signal }: SendOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = start(url, {
      method: 'POST',
      agent,
      lookup,
      signal,
      maxHeaderSize: 8192,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    })
    const timer = setTimeout(
      () => request.destroy(new TookTooLong(`no answer within ${attemptTimeoutMs} ms`)),
      attemptTimeoutMs,
    )
    request.once('close', () => {
      clearTimeout(timer)
      reject(new Error('the connection was closed without an answer'))
    })
    request.once('error', reject)
    // Without this listener, Node closes the connection and reports neither an answer nor an error.
    request.once('upgrade', (_, socket) => {
      socket.destroy()
      reject(new SwitchesProtocols('it answered 101 Switching Protocols'))
    })
    request.once('response', (response) => {
      clearTimeout(timer)
      response.on('error', () => undefined)
      resolve(response)
    })
    request.end(body)
  })
}

/** A short body leaves the connection usable; a long or slow one ends it. */
function leave(response: IncomingMessage): void {
  let bytes = 0
  const timer = setTimeout(() => response.destroy(), explanationMs)
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > mostAnswerBytes) response.destroy()
  })
  response.once('close', () => clearTimeout(timer))
}

function firstBytes(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const end = () => {
      clearTimeout(timer)
      response.destroy()
      resolve(Buffer.concat(chunks).subarray(0, mostAnswerBytes).toString())
    }
    const timer = setTimeout(end, explanationMs)
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= mostAnswerBytes) end()
    })
    response.once('end', end)
    response.once('close', end)
  })
}

function resultOf(error: NodeJS.ErrnoException): SentResult {
  if (error instanceof TookTooLong) return 'timeout'
  if (error instanceof TargetRefused) return 'target'
  return error instanceof SwitchesProtocols || error.code?.startsWith('HPE_') ? 'garbage' : 'unreachable'
}

/** Happy eyeballs reports one error for each address. */
const reasonOf = (error: Error): string =>
  (error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error])
    .map(({ message }) => message)
    .join('; ')
    .slice(0, mostAnswerBytes)
