// How is the sandbox operator put together and started?

import { type AddressInfo, isIPv6 } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { adminRoutes } from './admin/routes.ts'
import { addBehaviour, serverOptions } from './behaviour.ts'
import { callLog } from './call-log.ts'
import { callForwardingRoutes } from './camara/call-forwarding.ts'
import { simSwapRoutes } from './camara/sim-swap.ts'
import { type Clock, movableClock } from './clock.ts'
import { pendingFaults } from './fault-injection.ts'
import { faultSwitches } from './faults.ts'
import { linesOf } from './lines.ts'
import type { Network } from './network.ts'
import { accessTokens } from './oauth/access-tokens.ts'
import { assertionsOf } from './oauth/assertion.ts'
import { registeredClients, type SandboxClient } from './oauth/clients.ts'
import { tokenEndpoint } from './oauth/token-endpoint.ts'
import { portabilityRoutes } from './portability.ts'

export interface SandboxOptions {
  /** 0, the default: any free port. */
  port?: number
  /** Default 127.0.0.1. Elsewhere the admin surface still answers to this machine only. */
  host?: string
  /** The address under which clients know the sandbox, where it is not the one it listens at (a container, a proxy). */
  issuer?: string
  clock: Clock
  clients: readonly SandboxClient[]
  /** Default: silent. Never gets a full phone number or a secret. */
  logger?: FastifyBaseLogger
}

/** A running sandbox, and what is behind its admin surface for those who run it in their own process. */
export interface Sandbox extends Pick<Network, 'lines' | 'faults' | 'clock'> {
  /** "http://127.0.0.1:9091", without a slash at the end. */
  readonly url: string
  readonly port: number
  readonly calls: Pick<Network['calls'], 'last' | 'clear'>
  /** Closes the port and every connection, answered or not. */
  close(): Promise<void>
}

/** Starts the operator. Throws InvalidInput for a wrong registration, and node's own error when the port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', clock: base, logger } = options
  const app: FastifyInstance = Fastify({ ...serverOptions, ...(logger && { loggerInstance: logger }) })
  const clock = movableClock(base)
  const clients = registeredClients(options.clients)
  const issuer = () => options.issuer ?? addressOf(app)
  const network: Network = {
    clock,
    lines: linesOf(clock),
    faults: faultSwitches(),
    pendingFaults: pendingFaults(),
    calls: callLog(),
    clients,
    tokens: accessTokens(clock),
    assertions: assertionsOf(clients, base, () => [`${issuer()}/oauth2/token`, issuer()]),
    issuer,
  }
  addBehaviour(app, network)
  await app.register((scope) => tokenEndpoint(scope, network))
  await app.register((scope) => simSwapRoutes(scope, network))
  await app.register((scope) => callForwardingRoutes(scope, network))
  await app.register((scope) => portabilityRoutes(scope, network))
  await app.register((scope) => adminRoutes(scope, network))
  await app.listen({ port, host })
  return {
    url: addressOf(app),
    port: (app.server.address() as AddressInfo).port,
    lines: network.lines,
    faults: network.faults,
    clock,
    calls: network.calls,
    close: () => app.close(),
  }
}

/** Where this machine reaches the server: 127.0.0.1 when it listens everywhere. */
function addressOf(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
