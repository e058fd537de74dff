// How does a test receive syslog? A server for TLS that reads RFC 5425 frames and treats a connection as a script says.

import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { atEnd, type Ending } from '../../testing/at-end.ts'
import type { SelfSigned } from '../../upstream/testing/self-signed-certificate.ts'

export interface SyslogServer {
  readonly port: number
  /** Complete messages, in the order in which they arrived. */
  readonly messages: string[]
  readonly connections: { count: number }
}

/** `onConnection`: may end or pause a connection. */
export async function syslogServer(
  t: Ending,
  { certificate, key }: SelfSigned,
  onConnection: (socket: TLSSocket, server: SyslogServer) => void = () => undefined,
): Promise<SyslogServer> {
  const messages: string[] = []
  const connections = { count: 0 }
  const open = new Set<TLSSocket>()
  const server = createServer({ cert: certificate, key }, (socket) => {
    connections.count++
    open.add(socket)
    let rest: Buffer = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      for (;;) {
        const space = rest.indexOf(' ')
        const length = Number(rest.subarray(0, Math.max(0, space)).toString())
        if (space < 1 || rest.length < space + 1 + length) return
        messages.push(rest.subarray(space + 1, space + 1 + length).toString())
        rest = rest.subarray(space + 1 + length)
      }
    })
    onConnection(socket, found)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const found: SyslogServer = { port: (server.address() as AddressInfo).port, messages, connections }
  return found
}
