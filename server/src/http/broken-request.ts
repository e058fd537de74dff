// What does a caller read whose request is no HTTP, too long, or too slow? Written on the bare socket, as there is no request yet.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { dialects, type FailureName, Refusal } from '../errors.ts'

const failureOf: Readonly<Record<string, FailureName>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
}

/** Answers and closes the connection, as what follows on it cannot be read. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, body } = dialects.telecom(new Refusal(failureOf[error.code ?? ''] ?? 'invalidHttp'))
  const text = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      'cache-control: no-store',
      'connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}
