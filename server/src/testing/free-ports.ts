// Which ports may a program that cannot listen on port 0 use, and on which does nobody listen?

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ports that systems hand out by themselves (Linux from 32768, macOS from 49152): a server on port 0 beside a
// test, or an outgoing connection, never takes one of these.
const lowest = 20_000
const beyond = 32_000

/** `count` different TCP ports of 127.0.0.1 on which nobody listens, and which no other process of the tests gets. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = lowest + Math.floor(Math.random() * (beyond - lowest))
    if ((await isReserved(port)) && (await isFree(port))) ports.add(port)
  }
  return [...ports]
}

/** Until this process ends, by a UDP port that stands for it: a name server listens on the one of the same number too. */
async function isReserved(port: number): Promise<boolean> {
  const reservation = createSocket('udp4').bind({
    port: port - (beyond - lowest),
    address: '127.0.0.1',
    exclusive: true,
  })
  try {
    await once(reservation, 'listening')
  } catch {
    return false
  }
  reservation.unref()
  return true
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
