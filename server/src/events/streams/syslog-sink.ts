// How do events get to a syslog server? Over TLS (RFC 5425), in messages of RFC 5424 whose content is JSON.

import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { type ConnectionOptions, connect, createSecureContext } from 'node:tls'
import Type from 'typebox'
import { SecretReference } from '../../core/config/secret-reference.ts'
import { type Sink, type StreamRecord, sinkKind, streamProperties } from './stream.ts'

/** IANA's port of syslog over TLS. */
const syslogTlsPort = 6514
/** "log audit" of RFC 5424, table 1. */
const logAudit = 13
const settleMs = 10
/** Of one batch, from connecting to the server's close. */
const batchTimeoutMs = 8000

export const syslogSink = sinkKind({
  type: 'syslog',
  Config: Type.Object(
    {
      type: Type.Literal('syslog', { description: 'the kind of stream' }),
      host: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'the syslog server; its certificate must name it',
      }),
      port: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 65_535, default: syslogTlsPort, description: 'for TLS' }),
      ),
      ca: Type.Optional({
        ...SecretReference,
        description: 'PEM of the certificate authorities to trust instead of the public ones',
      }),
      certificate: Type.Optional({ ...SecretReference, description: 'PEM of our client certificate (mutual TLS)' }),
      privateKey: Type.Optional({ ...SecretReference, description: 'PEM of the key of that certificate' }),
      ...streamProperties,
    },
    { additionalProperties: false },
  ),
  create(_, { host, port = syslogTlsPort, ca, certificate, privateKey }, { readSecret }): Sink {
    if (!certificate !== !privateKey) throw new Error('certificate and privateKey must be set together: one is missing')
    const secureContext = createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca && { ca: readSecret(ca) }),
      ...(certificate && { cert: readSecret(certificate) }),
      ...(privateKey && { key: readSecret(privateKey) }),
    })
    // The name to verify, also for an IP address; SNI knows names only.
    const server = { host, port, secureContext, ...(isIP(host) === 0 && { servername: host }) }
    const sender = { host: printable(hostname(), 255), process: String(process.pid) }
    return {
      write: (records, signal) =>
        sendAll(Buffer.concat(records.map((record) => frameOf(messageOf(record, sender)))), server, signal),
      check: (signal) => sendAll(Buffer.alloc(0), server, signal),
    }
  },
})

/**
 * Sends all bytes on a new connection and closes it. Syslog acknowledges nothing, so the batch counts as sent when the server has closed
 * its side without an error after that. A server that is killed just then may not have read all of it.
 */
function sendAll(bytes: Buffer, server: ConnectionOptions, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined
    let isRead = false
    const socket = connect(server)
    const end = (error: Error) => {
      failure ??= error
      socket.destroy()
    }
    const timer = setTimeout(
      () => end(new Error(`the server did not read and close within ${batchTimeoutMs} ms`)),
      batchTimeoutMs,
    )
    const stop = () => end(signal.reason)
    signal.addEventListener('abort', stop)
    // TLS hides a reset that its closing message meets, so a reset that is here already is read before.
    socket.once('secureConnect', () =>
      socket.write(bytes, () => setTimeout(() => setImmediate(() => socket.end()), settleMs)),
    )
    socket.once('end', () => {
      isRead = socket.writableFinished
    })
    socket.once('error', (error) => {
      failure ??= error
    })
    socket.once('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      if (isRead && !failure) resolve()
      else reject(failure ?? new Error('the server closed the connection too early'))
    })
    socket.resume()
    if (signal.aborted) stop()
  })
}

/** Octet counting. (RFC 5425, 4.3.1) */
export const frameOf = (message: string): Buffer => {
  const bytes = Buffer.from(message)
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes])
}

/** RFC 5424, 6: the JSON is ASCII, so it needs no byte order mark. */
export function messageOf(
  { type, occurredAt, severity, json }: StreamRecord,
  sender: { readonly host: string; readonly process: string },
): string {
  const time = new Date(occurredAt).toISOString()
  return `<${logAudit * 8 + severity}>1 ${time} ${sender.host} ringfence ${sender.process} ${type} - ${json}`
}

/** The printable ASCII of a text, `-` for none. (RFC 5424, 6: HOSTNAME) */
const printable = (text: string, most: number) => text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, most) || '-'
