// What does the caller of a malformed, oversized or slow request get? The response goes to the bare socket, since there is no request yet.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FailureName } from '@ringfence/contract'
import type { Core } from '../core/core.ts'
import { Refusal } from '../core/errors.ts'
import type { Turns } from './connections/turns.ts'
import { requestIds } from './request/request-ids.ts'
import { pathOf } from './request/request-target.ts'
import { errorFormats, mediaTypeOfError } from './response/error-formats.ts'
import type { Rows } from './rows.ts'

const failureOf: Readonly<Record<string, FailureName>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  HPE_INVALID_METHOD: 'methodNotAllowed',
}

/** Of the event `clientError` of node:http. */
type ConnectionError = NodeJS.ErrnoException & { rawPacket?: Buffer }

/** Responds, logs, and closes the connection, since what follows on it cannot be parsed. */
export function brokenRequests(
  needs: Pick<Core, 'log' | 'metrics'>,
  rows: Pick<Rows, 'errorFormatAt'>,
  turns: Pick<Turns, 'breakOff'>,
) {
  return (error: ConnectionError, socket: Socket): void => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else turns.breakOff(socket, () => respond(error, socket, needs, rows))
  }
}

function respond(
  error: ConnectionError,
  socket: Socket,
  { log, metrics }: Pick<Core, 'log' | 'metrics'>,
  rows: Pick<Rows, 'errorFormatAt'>,
): void {
  const { requestId, correlator } = requestIds({})
  const format = rows.errorFormatAt(pathIn(error.rawPacket))
  const { status, body } = errorFormats[format](new Refusal(failureOf[error.code ?? ''] ?? 'invalidHttp'), requestId)
  const text = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${mediaTypeOfError(format)}; charset=utf-8`,
      `content-length: ${Buffer.byteLength(text)}`,
      `x-request-id: ${requestId}`,
      `x-correlator: ${correlator}`,
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      ...(status === 405 ? ['allow: GET, HEAD, POST'] : []),
      'connection: close',
      '',
      text,
    ].join('\r\n'),
  )
  metrics.observe('request', 0, 'none', String(status))
  log.info({ requestId, status, reason: error.code }, 'request')
}

/** Of the request line, if the bytes that could not be parsed begin with one. */
function pathIn(bytes: Buffer | undefined): string | undefined {
  const [, target] = /^[A-Z]+ (\/[!-~]*) HTTP\/1\.[01]\r\n/.exec(bytes?.toString('latin1', 0, longestLine) ?? '') ?? []
  return target === undefined ? undefined : pathOf(target)
}

const longestLine = 4096
