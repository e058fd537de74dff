// How are lines received and sent? As they arrive and as they are read, never as a whole.

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import { isUtf8Type, mediaTypeOf } from '../../json/content-type.ts'
import type { LinesAnswer } from '../../json/lines-answer.ts'
import { isPlain } from '../body.ts'
import { linePlaces, retryAfterSeconds } from './line-places.ts'

/** The bodies of one server. A compressed one is refused too: a small one could become large. */
export function lineBodies() {
  const takePlace = linePlaces()
  return (types: readonly string[], request: FastifyRequest, reply: FastifyReply): void => {
    const { headers, raw } = request
    // What nobody read is discarded until the time of the request is over: otherwise the next request would wait behind it.
    reply.raw.once('finish', () => raw.resume())
    if (!types.includes(mediaTypeOf(headers['content-type'])) || !isPlain(headers['content-encoding']))
      throw new Refusal('batchTypeUnsupported')
    if (!isUtf8Type(headers['content-type']))
      throw new Refusal('batchInvalid', {
        mistake: 'its charset is another than UTF-8: convert it, and leave charset out',
      })
    takePlace(request, reply, () => new Refusal('batchesLimited', { mistake: tooManyArrive }))
  }
}

const tooManyArrive = 'too many are arriving now; send this one when they have arrived'

/** The answers of one server. Whoever stops reading is disconnected after a while, and can continue after the last line. */
export function lineAnswers(stopsAfterMs = readerStopsMs) {
  const takePlace = linePlaces()
  return (request: FastifyRequest, reply: FastifyReply, { type, texts }: LinesAnswer): FastifyReply => {
    takePlace(request, reply, () => new Refusal('rateLimited', { retryAfterSeconds }))
    return reply
      .status(200)
      .header('content-type', `${type}; charset=utf-8`)
      .send(
        Readable.from(
          whileRead(texts, () => reply.raw.destroy(), stopsAfterMs),
          { objectMode: false },
        ),
      )
  }
}

/** Calls `stopped` when nobody asks for the next text within this time. */
export async function* whileRead(
  texts: AsyncIterable<string>,
  stopped: () => void,
  ms: number,
): AsyncGenerator<string> {
  for await (const text of texts) {
    const timer = setTimeout(stopped, ms)
    try {
      yield text
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A text has up to a hundred lines, so the slowest reader takes a few kilobytes per second. */
const readerStopsMs = 20_000
