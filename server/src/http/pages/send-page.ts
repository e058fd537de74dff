// What does a page read from its request, and how is it sent?

import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopback, parseConnectionAddress } from '../../ip/address.ts'
import type { Page } from '../../pages/page.ts'
import type { parseForm } from '../form.ts'
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

/**
 * With a token: whether the request has it. Without one: whether a program on this machine sent it, since metrics show strangers
 * what the telecom gate found for a number that they have just sent.
 */
export function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  return token === undefined ? isOfThisMachine(request) : hasBearerToken(request, token)
}

/** What proxies on this machine add, also one that is missing in TRUSTED_PROXIES. */
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

function isOfThisMachine({ headers, raw }: FastifyRequest): boolean {
  const peer = parseConnectionAddress(raw.socket.remoteAddress ?? '')
  return peer !== undefined && isLoopback(peer) && forwardingHeaders.every((name) => headers[name] === undefined)
}

/** The comparison takes constant time. */
function hasBearerToken(request: FastifyRequest, token: string): boolean {
  const received = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return received.length === expected.length && timingSafeEqual(received, expected)
}
