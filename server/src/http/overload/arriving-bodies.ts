// How does a body arrive before its request counts? Anyone can send most of one and wait, so the incomplete ones are bounded together.

import type { IncomingMessage } from 'node:http'

/** Of all incomplete bodies together. */
const mostIncompleteBytes = 128 * 2 ** 20

export interface BodyOutcome {
  /** Undefined as soon as the body is too large. */
  done(body: Buffer | undefined): void
  /** The incomplete bodies take too much memory, and this one began to arrive before the others. */
  refuse(): void
}

/** Calls one of the two, once. Neither when the caller closes the connection first: a request that did not arrive takes no place. */
export type ReadBody = (request: IncomingMessage, limitBytes: number, outcome: BodyOutcome) => void

interface Incomplete {
  bytes: number
  refuse(): void
}

export function arrivingBodies(mostBytes = mostIncompleteBytes): ReadBody {
  /** In the order in which they began to arrive. */
  const incomplete = new Set<Incomplete>()
  let totalBytes = 0

  function collect(request: IncomingMessage, limitBytes: number, { done, refuse }: BodyOutcome): void {
    const chunks: Buffer[] = []
    const body: Incomplete = {
      bytes: 0,
      refuse() {
        leave()
        refuse()
      },
    }
    function leave(): void {
      request.off('data', take).off('end', end).off('close', leave)
      if (incomplete.delete(body)) totalBytes -= body.bytes
    }
    function take(chunk: Buffer): void {
      chunks.push(chunk)
      body.bytes += chunk.length
      totalBytes += chunk.length
      if (body.bytes > limitBytes) {
        leave()
        done(undefined)
      }
      for (const oldest of incomplete) {
        if (totalBytes <= mostBytes) break
        oldest.refuse()
      }
    }
    function end(): void {
      leave()
      done(Buffer.concat(chunks, body.bytes))
    }
    incomplete.add(body)
    request.on('data', take).on('end', end).on('close', leave)
  }

  return (request, limitBytes, outcome) => {
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
      outcome.done(undefined)
      return
    }
    // Most bodies come with the head. The parser finishes what it has before the next tick.
    process.nextTick(() => {
      if (!request.complete) return collect(request, limitBytes, outcome)
      const body = (request.read() as Buffer | null) ?? emptyBody
      outcome.done(body.length > limitBytes ? undefined : body)
    })
  }
}

export const emptyBody = Buffer.alloc(0)
