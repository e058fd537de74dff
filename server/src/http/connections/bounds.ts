// Which connections stay open? Anyone can open one and send half a request, so those without an authenticated client are few.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { parseConnectionAddress, unwrapped } from '../../core/address/address.ts'
import { nat64Prefixes } from '../../core/address/nat64-prefixes.ts'
import { type NetworkLevel, type NetworkOfTree, networksOf, quotaOf } from '../../core/address/network-tree.ts'
import type { Settings } from '../../core/config/settings.ts'
import { trustedBlocks } from '../../ip/trusted-proxies.ts'

/** Of one IPv4 address or /64 of IPv6; larger networks have more. */
const mostOfNetwork = 256
const mostOfAll = 4096
/** A connection that waited for less than this for its next request is never closed. It is more than Retry-After. */
const settledMs = 2000
/** A connection on which nothing moved for this long is closed: its caller does not read the answer. */
export const silentMs = 60_000
/** Connections that the kernel holds while the process is busy. With Node's 511, it resets those of a burst of 2,000 calls. */
export const connectionBacklog = 4096

interface Connection {
  readonly socket: Socket
  readonly networks: readonly NetworkOfTree[]
  since: number
}

export interface ConnectionLimits {
  /** The networks of a connection; undefined for a trusted proxy, whose connections are not counted. */
  networksOf(socket: Socket): readonly NetworkOfTree[] | undefined
  now?: () => number
  /** How many processes share the port: each has an equal part of the bounds. Default: 1. */
  processes?: number
}

/**
 * Bounds the connections that wait for a request and never brought an authenticated one. When a network, or all of them, have more,
 * the one that waited longest is closed: that of an attacker sooner than that of a person who is about to send.
 */
export class Connections {
  readonly #networksOf: ConnectionLimits['networksOf']
  readonly #now: () => number
  readonly #processes: number
  /** Those that are counted, in the order in which they began to wait. */
  readonly #ofNetwork = new Map<string, Set<Connection>>()
  readonly #crowded = new Map<Set<Connection>, number>()
  readonly #all = new Set<Connection>()
  readonly #connectionOf = new WeakMap<Socket, Connection>()
  #isClosing = false

  constructor(server: Server, { networksOf, now = () => performance.now(), processes = 1 }: ConnectionLimits) {
    this.#networksOf = networksOf
    this.#now = now
    this.#processes = processes
    server.on('connection', (socket: Socket) => this.#opened(socket))
  }

  /** The connection brought a request with valid credentials of a client. It is not counted any more. */
  prove(socket: Socket): void {
    const connection = this.#connectionOf.get(socket)
    if (!connection) return
    this.#connectionOf.delete(socket)
    this.#leave(connection)
  }

  #opened(socket: Socket): void {
    const networks = this.#networksOf(socket)
    if (networks === undefined) return
    const connection: Connection = { socket, networks, since: 0 }
    this.#connectionOf.set(socket, connection)
    socket.once('close', () => this.#leave(connection))
    this.#wait(connection)
  }

  /** A request starts: until it is answered, the connection waits for us, not for its caller. */
  brought(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.#connectionOf.get(socket)
    if (!connection) return
    let isAnswered = false
    if (request.complete || hasNoBody(request)) this.#leave(connection)
    // The rest of a body that nobody waited for is no request that we answer.
    else
      request.once('end', () => {
        if (!isAnswered) this.#leave(connection)
      })
    response.once('prefinish', () => {
      isAnswered = true
      if (this.#connectionOf.has(socket) && !socket.destroyed) this.#wait(connection)
    })
  }

  #wait(connection: Connection): void {
    this.#leave(connection) // it counts as the newest
    connection.since = this.#now()
    this.#all.add(connection)
    for (const { level, name } of connection.networks) {
      const others = this.#ofNetwork.get(name) ?? new Set()
      this.#ofNetwork.set(name, others)
      others.add(connection)
      const most = this.#part(mostOf(level))
      if (others.size > most) this.#crowded.set(others, most)
    }
    if (this.#crowded.size > 0 || this.#all.size > this.#part(mostOfAll)) this.#closeSoon()
  }

  #leave(connection: Connection): void {
    this.#all.delete(connection)
    for (const { name } of connection.networks) {
      const others = this.#ofNetwork.get(name)
      others?.delete(connection)
      if (others?.size === 0) this.#ofNetwork.delete(name)
    }
  }

  /** After the event loop has read all sockets once more: on a busy machine, requests have arrived that nobody read yet. */
  #closeSoon(): void {
    if (this.#isClosing) return
    this.#isClosing = true
    setImmediate(() => setImmediate(() => this.#closeCrowded()))
  }

  #closeCrowded(): void {
    this.#isClosing = false
    for (const [others, most] of this.#crowded) this.#closeOldest(others, most)
    this.#crowded.clear()
    this.#closeOldest(this.#all, this.#part(mostOfAll))
  }

  /** The first process hands out connections in turn, so each has as many as the others. */
  #part(ofAll: number): number {
    return Math.ceil(ofAll / this.#processes)
  }

  #closeOldest(connections: Set<Connection>, most: number): void {
    for (const connection of connections) {
      if (connections.size <= most || this.#now() - connection.since < settledMs) return
      this.#leave(connection)
      connection.socket.destroy()
    }
  }
}

export const hasNoBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

const mostOf = (level: NetworkLevel) => quotaOf('traffic', level, mostOfNetwork)

/** The networks around the other end of a connection that have less than all together; undefined for a trusted proxy. */
export function networksOfPeer(
  settings: Pick<Settings, 'trustedProxies' | 'nat64Prefixes'>,
): ConnectionLimits['networksOf'] {
  const trusted = trustedBlocks(settings)
  const nat64 = nat64Prefixes(settings)
  return ({ remoteAddress = '' }) => {
    const address = parseConnectionAddress(remoteAddress)
    if (!address || trusted.contains(address)) return undefined
    return networksOf(unwrapped(address, nat64)).filter(({ level }) => mostOf(level) < mostOfAll)
  }
}
