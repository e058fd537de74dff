// What does a page read from its request, and how is it sent?

import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isLoopback, parseConnectionAddress } from '../../core/address/address.ts'
import type { Page } from '../../core/pages/page.ts'
import type { Progress } from '../progress.ts'
import type { parseForm } from '../request/form.ts'
import { pageHeaders } from './page-headers.ts'

/** Sends it compressed if the client accepts that, and as 304 if the client has the same version. */
export function sendPage(page: Page, { headers: sent, reply }: Progress): void {
  const { status = 200, type, body, headers = {}, gzipped, brotli } = page
  reply.headers({ ...pageHeaders, 'cache-control': 'no-cache', ...headers })
  if (headers.etag !== undefined && sent['if-none-match'] === headers.etag) reply.status(304).send()
  else {
    reply.status(status).header('content-type', type)
    if (gzipped) reply.header('vary', 'Accept-Encoding')
    const accepted = sent['accept-encoding'] ?? ''
    if (brotli && accepts.br.test(accepted)) reply.header('content-encoding', 'br').send(brotli)
    else if (gzipped && accepts.gzip.test(accepted)) reply.header('content-encoding', 'gzip').send(gzipped)
    else reply.send(body)
  }
}

const accepts = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/,
} as const

/** The fields of the query, or of the form of a POST. A repeated form field is left out. */
export function fieldsOf({ method, url, body }: Progress): URLSearchParams {
  if (method !== 'POST') return queryOf(url)
  const fields = Object.entries(body as ReturnType<typeof parseForm>)
  return new URLSearchParams(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?')
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1))
}

/**
 * With a token: whether the request has it. Without one: whether a program on this machine sent it, since metrics show strangers
 * what the telecom gate found for a number that they have just sent.
 */
export function mayReadMetrics(request: IncomingMessage, token: string | undefined): boolean {
  return token === undefined ? isOfThisMachine(request) : hasBearerToken(request, token)
}

/** What proxies on this machine add, also one that is missing in TRUSTED_PROXIES. */
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

function isOfThisMachine({ headers, socket }: IncomingMessage): boolean {
  const peer = parseConnectionAddress(socket.remoteAddress ?? '')
  return peer !== undefined && isLoopback(peer) && forwardingHeaders.every((name) => headers[name] === undefined)
}

/** The comparison takes constant time. */
function hasBearerToken(request: IncomingMessage, token: string): boolean {
  const received = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return received.length === expected.length && timingSafeEqual(received, expected)
}
