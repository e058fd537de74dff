// How are lines received and sent? As they arrive and as they are read, never as a whole.

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import { mediaTypeOf } from '../../json/content-type.ts'
import type { LinesAnswer } from '../../json/lines-answer.ts'
import { isPlain } from '../body.ts'
import { linePlaces } from './line-places.ts'

/** The bodies of one server. A compressed one is refused too: a small one could become large. */
export function lineBodies() {
  const takePlace = linePlaces()
  return (types: readonly string[], request: FastifyRequest, reply: FastifyReply): void => {
    const { headers, raw } = request
    // What nobody read is discarded until the time of the request is over: otherwise the next request would wait behind it.
    reply.raw.once('finish', () => raw.resume())
    if (!types.includes(mediaTypeOf(headers['content-type'])) || !isPlain(headers['content-encoding']))
      throw new Refusal('batchTypeUnsupported')
    takePlace(request, reply, () => new Refusal('batchesLimited', { mistake: tooManyArrive }))
  }
}

const tooManyArrive = 'too many are arriving now; send this one when they have arrived'

/** Whoever stops reading is disconnected after a while, and can continue after the last line. */
export const sendLines = (reply: FastifyReply, { type, texts }: LinesAnswer): FastifyReply =>
  reply
    .status(200)
    .header('content-type', `${type}; charset=utf-8`)
    .send(Readable.from(texts, { objectMode: false }))
