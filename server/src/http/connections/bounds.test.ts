import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseAddress } from '../../core/address/address.ts'
import { networksOf } from '../../core/address/network-tree.ts'
import { Connections } from './bounds.ts'

type Fake = Socket & { destroyed: boolean }
type Headers = IncomingMessage['headers']

/** The events of a server, with connections from networks, and a clock that moves by `pass` alone. */
function bounded({ processes = 1 } = {}) {
  const server = new EventEmitter()
  let elapsedMs = 0
  const networks = new Map<Socket, string | undefined>()
  const connections = new Connections(server as unknown as Server, {
    networksOf(socket) {
      const network = networks.get(socket)
      return network === undefined ? undefined : networksOf(parseAddress(network))
    },
    now: () => elapsedMs,
    processes,
  })
  return {
    prove: (socket: Socket) => connections.prove(socket),
    pass: (ms: number) => {
      elapsedMs += ms
    },
    open(network: string | undefined, count = 1): Socket[] {
      return Array.from({ length: count }, () => {
        const socket = Object.assign(new EventEmitter(), { destroyed: false }) as unknown as Fake
        socket.destroy = () => {
          socket.destroyed = true
          socket.emit('close')
          return socket
        }
        networks.set(socket, network)
        server.emit('connection', socket)
        return socket
      })
    },
    /** A request on a connection; returns what ends its body, and what answers it. */
    request(socket: Socket, headers: Headers = {}) {
      const request = Object.assign(new EventEmitter(), { socket, headers, complete: false })
      const response = new EventEmitter()
      connections.brought(request as unknown as IncomingMessage, response as unknown as ServerResponse)
      return { end: () => void request.emit('end'), answer: () => void response.emit('prefinish') }
    },
  }
}

/** All sockets were read once more. */
async function allRead() {
  for (let turn = 0; turn < 3; turn++) await nextTurn()
}

const open = (sockets: readonly Socket[]) => sockets.filter(({ destroyed }) => !destroyed).length

test('closes the oldest half-sent requests of a network, and no connection of another one', async () => {
  const { open: connect, request, pass } = bounded()
  const [person] = connect('192.0.2.1')
  const attackers = connect('198.51.100.7', 256)
  for (const socket of attackers) request(socket, { 'content-length': '5' })
  pass(2000)
  const more = connect('198.51.100.7', 100)
  await allRead()
  assert.deepEqual([open(attackers), open(more)], [156, 100])
  assert.ok(attackers.slice(0, 100).every(({ destroyed }) => destroyed))
  assert.equal(person!.destroyed, false)
})

test('closes no connection that opened within two seconds, and none with a request that the service answers', async () => {
  const { open: connect, request, pass } = bounded()
  const [busy, sending] = connect('192.0.2.1', 2)
  request(busy!)
  const upload = request(sending!, { 'content-length': '5' })
  upload.end()
  const burst = connect('192.0.2.1', 2048)
  await allRead()
  assert.equal(open(burst), 2048)
  pass(2000)
  connect('192.0.2.1', 500)
  await allRead()
  assert.deepEqual([busy!.destroyed, sending!.destroyed], [false, false])
})

test('counts a connection again when its answer was made, as the newest', async () => {
  const { open: connect, request, pass } = bounded()
  const [first] = connect('192.0.2.1')
  const others = connect('192.0.2.1', 255)
  const { answer } = request(first!)
  pass(2000)
  answer()
  connect('192.0.2.1', 10)
  await allRead()
  assert.deepEqual([first!.destroyed, open(others)], [false, 245])
  pass(2000)
  connect('192.0.2.1', 300)
  await allRead()
  assert.equal(first!.destroyed, true, 'a caller that does not read its answer is closed in its turn')
})

test('counts a connection whose request was answered before its body arrived', async () => {
  const { open: connect, request, pass } = bounded()
  const early = connect('192.0.2.1', 256)
  const oldest = request(early[0]!, { 'content-length': '5' })
  for (const socket of early.slice(1)) {
    const { answer, end } = request(socket, { 'content-length': '5' })
    answer()
    end()
  }
  pass(2000)
  oldest.answer()
  connect('192.0.2.1', 100)
  await allRead()
  assert.deepEqual([early[0]!.destroyed, open(early)], [false, 156])
})

test('counts neither connections of trusted proxies nor those of authenticated clients', async () => {
  const { open: connect, prove, pass } = bounded()
  const proxy = connect(undefined, 1000)
  const backend = connect('192.0.2.1', 1000)
  for (const socket of backend) prove(socket)
  pass(5000)
  const person = connect('192.0.2.1', 256)
  await allRead()
  assert.deepEqual([open(proxy), open(backend), open(person)], [1000, 1000, 256])
})

test('one /56 and one /48 of IPv6 hold little more connections than one /64, and leave places to others', async () => {
  for (const [step, most] of [
    [1, 512],
    [0x100, 768],
  ] as const) {
    const { open: connect, pass } = bounded()
    const other = connect('2001:db8:1::1')
    const opened = Array.from(
      { length: 1000 },
      (_, at) => connect(`2001:db8:0:${((at % 200) * step).toString(16)}::1`)[0]!,
    )
    pass(2000)
    const newest = connect(`2001:db8:0:ff::1`)
    await allRead()
    assert.deepEqual([open(opened) + open(newest), open(newest), open(other)], [most, 1, 1])
  }
})

test('bounds the connections of all networks together', async () => {
  const { open: connect, pass } = bounded()
  const opened = Array.from({ length: 4096 }, (_, at) => connect(`10.0.${at >> 8}.${at & 255}`)[0]!)
  pass(2000)
  connect('192.0.2.1', 10)
  await allRead()
  assert.equal(open(opened), 4086)
})

test('closes no connection whose request has arrived while the machine was too busy to read it', async () => {
  const { open: connect, request, pass } = bounded()
  const clients = connect('192.0.2.1', 256)
  pass(2000)
  connect('192.0.2.1', 256)
  for (const socket of clients) request(socket)
  await allRead()
  assert.equal(open(clients), 256)
})

test('processes that share the port have an equal part of each bound', async () => {
  const { open: connect, pass } = bounded({ processes: 2 })
  const clients = connect('192.0.2.1', 128)
  pass(2000)
  const newest = connect('192.0.2.1', 10)
  await allRead()
  assert.deepEqual([open(clients), open(newest)], [118, 10])
})
