// Whose request is it, before anything is verified or looked up in the store? Callers share the process by this.

import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { claimedClient } from '../../camara-front/access-tokens.ts'
import { type Address, subscriberNetwork } from '../../core/address/address.ts'
import { sharerOf } from '../../core/address/network-tree.ts'
import { ExpiringMap } from '../../core/expiring-map.ts'
import type { FlowName } from '../../core/heavy-work/waiting-line.ts'
import { readConsoleCookie } from '../cookies/console-cookie.ts'
import type { HttpNeeds } from '../room.ts'
import { isOfPerson } from '../rows.ts'
import type { EndpointRow, Row } from '../surface.ts'

const rememberMs = 60_000
const rememberedClients = 10_000

export interface Traffic {
  flowOf(row: Row | undefined, request: IncomingMessage): FlowName
  /**
   * The credentials of the request were valid. From now on, this client at this IP address belongs to its tenant; without a client id,
   * the client or session that called the admin API.
   */
  prove(request: IncomingMessage, tenantId: string, clientId?: string): void
}

/** Who claims to call the admin API: a client, or a session, whose token is not kept in memory. */
const claimedActor = ({ headers }: IncomingMessage) =>
  headers.clientid ?? hash('sha256', readConsoleCookie(headers.cookie) ?? '')

const isOfActor = (row: EndpointRow, { headers }: IncomingMessage) => row.caller === 'admin' || isOfPerson(row, headers)

/**
 * A client id alone proves nothing, since anyone can send one. So a client shares with the strangers of its network until one of its
 * requests was authenticated, and again after a minute without any.
 */
export function trafficOf(needs: HttpNeeds): Traffic {
  const {
    ip: { clientAddress },
    heavyWork: { overload },
    clock,
  } = needs
  const tenantOf = new ExpiringMap<string, string>({ clock, ttlMs: rememberMs, most: rememberedClients })
  const addressOf = ({ headers, socket }: IncomingMessage) =>
    clientAddress({ peer: socket.remoteAddress, headers })?.address
  const keyOf = (client: unknown, address: Address | undefined) =>
    `${client} ${address ? subscriberNetwork(address) : ''}`

  function claimed(row: EndpointRow, request: IncomingMessage) {
    if (isOfActor(row, request)) return claimedActor(request)
    return row.caller === 'token' ? claimedClient(request.headers.authorization) : request.headers.clientid
  }

  return {
    flowOf(row, request) {
      const address = addressOf(request)
      const network = sharerOf(address)
      if (row?.caller === 'app' || row?.caller === 'session') return { trafficClass: 'sdk', caller: network }
      if (row?.kind !== 'endpoint' || row.caller === 'anyone') return { trafficClass: 'pages', caller: network }
      const tenantId = tenantOf.get(keyOf(claimed(row, request), address))
      if (isOfActor(row, request)) return { trafficClass: 'pages', caller: tenantId ?? network }
      if (tenantId === undefined) return { trafficClass: 'strangers', caller: network }
      const isCheck = row.caller === 'token' || row.path.startsWith('/v1/telecom/')
      return { trafficClass: isCheck ? 'checks' : 'backends', caller: tenantId }
    },
    prove(request, tenantId, clientId) {
      if (overload.isPressed()) tenantOf.set(keyOf(clientId ?? claimedActor(request), addressOf(request)), tenantId)
    },
  }
}
