// How are lines received and sent? As they arrive and as they are read, never as a whole.

import { Refusal } from '../../core/errors.ts'
import { isUtf8Type, mediaTypeOf } from '../../core/json/content-type.ts'
import type { LinesAnswer } from '../../core/json/lines-answer.ts'
import type { Progress } from '../progress.ts'
import { isPlain } from '../request/body.ts'
import { linePlaces, retryAfterSeconds } from './line-places.ts'

/** The bodies and answers of one server. */
export class Lines {
  readonly #takeBody = linePlaces()
  readonly #takeAnswer = linePlaces()

  /** A compressed body is refused too: a small one could become large. */
  take(types: readonly string[], progress: Progress): void {
    const { headers, request, reply } = progress
    // What nobody read is discarded until the time of the request is over: otherwise the next request would wait behind it.
    reply.raw.once('finish', () => request.resume())
    if (!types.includes(mediaTypeOf(headers['content-type'])) || !isPlain(headers['content-encoding']))
      throw new Refusal('batchTypeUnsupported')
    if (!isUtf8Type(headers['content-type']))
      throw new Refusal('batchInvalid', {
        mistake: 'its charset is another than UTF-8: convert it, and leave charset out',
      })
    this.#takeBody(progress, () => new Refusal('batchesLimited', { mistake: tooManyArrive }))
  }

  /** Whoever stops reading is disconnected after a while, and can continue after the last line. */
  send({ type, texts }: LinesAnswer, progress: Progress): Promise<void> {
    const { reply } = progress
    this.#takeAnswer(progress, () => new Refusal('rateLimited', { retryAfterSeconds }))
    reply.status(200).header('content-type', `${type}; charset=utf-8`)
    return reply.stream(whileRead(texts, () => reply.raw.destroy(), readerStopsMs))
  }
}

const tooManyArrive = 'too many are arriving now; send this one when they have arrived'

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
