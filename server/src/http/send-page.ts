// What does a page read from its request, and how is it sent?

import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { parseForm } from './form.ts'
import type { Page } from './page.ts'
import { pageHeaders } from './page-headers.ts'

/** Sends it compressed if the client accepts that, and as 304 if the client has the same version. */
export function sendPage(
  { status = 200, type, body, headers = {}, gzipped }: Page,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers({ ...pageHeaders, 'cache-control': 'no-cache', ...headers })
  if (headers.etag !== undefined && request.headers['if-none-match'] === headers.etag) return reply.status(304).send()
  reply.status(status).type(type)
  if (!gzipped) return reply.send(body)
  reply.header('vary', 'Accept-Encoding')
  const isCompressed = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(request.headers['accept-encoding'] ?? '')
  return isCompressed ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(body)
}

/** The fields of the query, or of the form of a POST. A repeated form field is left out. */
export function fieldsOf(request: FastifyRequest): URLSearchParams {
  if (request.method !== 'POST') return queryOf(request)
  const fields = Object.entries(request.body as ReturnType<typeof parseForm>)
  return new URLSearchParams(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}

/** Whether the request has this bearer token. The comparison takes constant time. */
export function hasBearerToken(request: FastifyRequest, token: string): boolean {
  const received = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return received.length === expected.length && timingSafeEqual(received, expected)
}
