// What did a request send as its body? JSON, or the fields of a form.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { parseJson } from './body.ts'
import { beginsJsonObject, isForm, oauthParameters, parseForm } from './form.ts'
import { arrivalOf } from './overload/arrival.ts'
import { rowOf } from './request-record.ts'

/** Refuses with bodyTooLarge, invalidJson and fieldInvalid. */
function parsedBody(request: FastifyRequest): unknown {
  const row = rowOf(request)
  // The handler reads it.
  if (row?.kind === 'endpoint' && row.takesLines) return undefined
  const bytes = arrivalOf(request.raw).body
  if (!bytes) throw new Refusal('bodyTooLarge', { limitBytes: request.routeOptions.bodyLimit })
  const isEndpoint = row?.kind === 'endpoint'
  if (isForm(request.headers['content-type']) && !(isEndpoint && beginsJsonObject(bytes))) {
    const form = parseForm(bytes)
    return isEndpoint && row.errorFormat === 'oauth' ? oauthParameters(form) : form
  }
  return isEndpoint ? row.body.parse(bytes) : parseJson(bytes)
}

/** Not in Fastify's parser, which would close the connection of each body that is refused. */
export function readBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body = parsedBody(request)
  done()
}
