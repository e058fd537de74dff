// How does a test get a DNS server? A real one on loopback. The test changes its records and makes it silent or failing.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Answer, decode, encode } from 'dns-packet'
import { atEnd, type Ending } from '../../testing/at-end.ts'

export interface DnsServer {
  /** As the setting DNS_SERVERS names it. */
  readonly address: string
  /** Host names of `7.2.0.192.in-addr.arpa`, IP addresses of `host.example`. Other names are NXDOMAIN. */
  readonly records: Record<string, readonly string[]>
  /** Every received question: `PTR 7.2.0.192.in-addr.arpa`. */
  readonly queries: string[]
  /** How it answers; `silence`: not at all. */
  behaviour: 'answer' | 'silence' | 'failure'
}

/** Closed with the test. */
export async function startDnsServer(t: Ending): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(t, () => socket.close())
  const { port } = socket.address() as AddressInfo
  const server: DnsServer = { address: `127.0.0.1:${port}`, records: {}, queries: [], behaviour: 'answer' }
  socket.on('message', (message, from) => {
    const { id, type: kind, questions = [] } = decode(message)
    if (kind !== 'query') return // a late answer to whoever had this port before
    const [question] = questions
    if (!question) return
    const { name, type } = question
    server.queries.push(`${type} ${name}`)
    if (server.behaviour === 'silence') return
    const found = server.records[name.toLowerCase()]
    const isOfType = (data: string) => type === 'PTR' || (type === 'AAAA') === data.includes(':')
    const answers = (found ?? []).filter(isOfType).map((data) => ({ name, type, ttl: 60, data }) as Answer)
    const rcode = server.behaviour === 'failure' ? 2 : found ? 0 : 3
    const answer = encode({ type: 'response', id: id ?? 0, flags: 0x180 | rcode, questions, answers })
    socket.send(answer, from.port, from.address)
  })
  return server
}
