// What do all CAMARA routes share? The format of errors, and the check of x-correlator.

import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { InvalidInput } from '../schema-check.ts'
import { Refusal } from './errors.ts'

/** CAMARA's XCorrelator. */
const correlatorPattern = /^[A-Za-z0-9\-_:;./<>{}]{0,256}$/

export function isCorrelator(text: string): boolean {
  return correlatorPattern.test(text)
}

/** A hook that refuses a malformed x-correlator. Throws Refusal INVALID_ARGUMENT. */
export async function validatesCorrelator(request: FastifyRequest): Promise<void> {
  const given = request.headers['x-correlator']
  if (given !== undefined && !(typeof given === 'string' && isCorrelator(given))) {
    throw new Refusal('invalidArgument', `x-correlator must match ${correlatorPattern.source}`)
  }
}

/** Converts every failure of the routes in this scope to CAMARA's ErrorInfo. */
export function answerErrorsAsErrorInfo(app: FastifyInstance): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const { info } = refusalOf(error)
    if (info.status >= 500 && !(error instanceof Refusal)) request.log.error({ err: error }, 'call failed')
    if (info.status === 401) reply.header('www-authenticate', 'Bearer realm="sandbox"')
    if (info.status === 429) reply.header('retry-after', 1)
    return reply.code(info.status).send(info)
  })
}

function refusalOf(error: Error & Partial<FastifyError>): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof InvalidInput) return new Refusal('invalidArgument', error.message)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupportedMediaType')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('tooLarge')
  if ((error.statusCode ?? 500) < 500) return new Refusal('invalidArgument', 'The body must be JSON.')
  return new Refusal('internal')
}
