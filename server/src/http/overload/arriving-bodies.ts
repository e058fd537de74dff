// How does a body arrive before its request counts? Anyone can send most of one and wait, so the incomplete ones are bounded together.

import type { IncomingMessage } from 'node:http'

/** Of all incomplete bodies together. */
const mostIncompleteBytes = 128 * 2 ** 20
/** What a chunk takes beside its bytes: a body may arrive one byte at a time. */
const bytesOfChunk = 600

export interface BodyOutcome {
  /** Undefined as soon as the body is too large. */
  done(body: Buffer | undefined): void
  /** The incomplete bodies take too much memory, and this one began to arrive before the others. */
  refuse(): void
}

/** Calls one of the two, once. Neither when the caller closes the connection first: a request that did not arrive takes no place. */
export type ReadBody = (request: IncomingMessage, limitBytes: number, outcome: BodyOutcome) => void

/** A request whose head was parsed in this turn of the event loop. */
interface Begun {
  readonly request: IncomingMessage
  readonly limitBytes: number
  readonly outcome: BodyOutcome
}

interface Incomplete {
  /** In memory. */
  heldBytes: number
  refuse(): void
}

export function arrivingBodies(mostBytes = mostIncompleteBytes): ReadBody {
  /** In the order in which they began to arrive. */
  const incomplete = new Set<Incomplete>()
  let totalBytes = 0

  function collect(request: IncomingMessage, limitBytes: number, { done, refuse }: BodyOutcome): void {
    const chunks: Buffer[] = []
    let bytes = 0
    const body: Incomplete = {
      heldBytes: 0,
      refuse() {
        leave()
        refuse()
      },
    }
    function leave(): void {
      request.off('data', take).off('end', end).off('close', leave)
      if (incomplete.delete(body)) totalBytes -= body.heldBytes
    }
    function take(chunk: Buffer): void {
      chunks.push(chunk)
      bytes += chunk.length
      body.heldBytes += chunk.length + bytesOfChunk
      totalBytes += chunk.length + bytesOfChunk
      if (bytes > limitBytes) {
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
      done(Buffer.concat(chunks, bytes))
    }
    incomplete.add(body)
    request.on('data', take).on('end', end).on('close', leave)
  }

  /** Most bodies come with the head: by the end of the turn, the parser has read all that arrived. */
  function readArrived({ request, limitBytes, outcome }: Begun): void {
    if (request.destroyed) return
    if (!request.complete) {
      collect(request, limitBytes, outcome)
      return
    }
    const body = wholeBody(request)
    outcome.done(body.length > limitBytes ? undefined : body)
  }

  let begun: Begun[] = []
  function readAll(): void {
    const all = begun
    begun = []
    for (const each of all) readArrived(each)
  }

  return (request, limitBytes, outcome) => {
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) outcome.done(undefined)
    else if (begun.push({ request, limitBytes, outcome }) === 1) setImmediate(readAll)
  }
}

export const emptyBody = Buffer.alloc(0)

/** Of a complete request. `read` gives all that arrived, or one chunk of it: that depends on the version of Node. */
function wholeBody(request: IncomingMessage): Buffer {
  const chunks: Buffer[] = []
  for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}
