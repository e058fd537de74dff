// What does a page get of its request, and how does it go out?

import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { parseForm } from './form.ts'
import type { Page } from './page.ts'
import { pageHeaders } from './page-headers.ts'

/** Compressed where the browser takes it, and not at all where it has the page already. */
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

/** The query or, where it was sent, the form; a field that is there twice is none. */
export function fieldsOf(request: FastifyRequest): URLSearchParams {
  if (request.method !== 'POST') return queryOf(request)
  const fields = Object.entries(request.body as ReturnType<typeof parseForm>)
  return new URLSearchParams(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}

/** Takes the same time whatever was offered. */
export function bears(request: FastifyRequest, token: string): boolean {
  const offered = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return offered.length === expected.length && timingSafeEqual(offered, expected)
}
