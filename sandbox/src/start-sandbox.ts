// How does the sandbox operator start? Assembles its parts and listens.

import { type AddressInfo, isIPv6 } from 'node:net'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { adminRoutes } from './admin/routes.ts'
import { addBehaviour, serverOptions } from './behaviour.ts'
import { callLog } from './call-log.ts'
import { checkRoutes } from './camara/check-routes.ts'
import { numberVerificationRoutes } from './camara/number-verification.ts'
import { oneTimePasswordRoutes } from './camara/one-time-password-sms.ts'
import { sentCodes } from './camara/sent-codes.ts'
import { swapSubscriptionRoutes } from './camara/swap-subscriptions.ts'
import { type Clock, type MovableClock, movableClock } from './clock.ts'
import { activeFaults } from './faults.ts'
import { linesOf } from './lines.ts'
import type { Network } from './network.ts'
import { accessTokens } from './oauth/access-tokens.ts'
import { assertionsOf } from './oauth/assertion.ts'
import { authorizationCodes } from './oauth/authorization-codes.ts'
import { authorizationEndpoint } from './oauth/authorization-endpoint.ts'
import { registeredClients, type SandboxClient } from './oauth/clients.ts'
import { idTokensOf } from './oauth/id-tokens.ts'
import { tokenEndpoint } from './oauth/token-endpoint.ts'
import { callingPhones } from './phones.ts'
import { portabilityRoutes } from './portability.ts'
import { responseFaults } from './response-faults.ts'

export interface SandboxOptions {
  /** Default 0: any free port. */
  port?: number
  /** Default 127.0.0.1. The admin API answers this machine only, wherever the sandbox listens. */
  host?: string
  /** URL that clients use for the sandbox, when it differs from the one it listens at (a container, a proxy). */
  issuer?: string
  /** The sandbox moves a MovableClock itself, and puts its own shift on any other. */
  clock: Clock | MovableClock
  clients: readonly SandboxClient[]
  /** Default: no log. The log never contains a full phone number or a secret. */
  logger?: FastifyBaseLogger
  /** Adds routes to the admin API. */
  moreAdmin?: (admin: FastifyInstance) => void
}

/** A running sandbox, with direct access to what the admin API changes. */
export interface Sandbox extends Pick<Network, 'lines' | 'phones' | 'faults' | 'clock'> {
  /** "http://127.0.0.1:9091", without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly calls: Pick<Network['calls'], 'last' | 'clear'>
  /** The one-time passwords that it sent. */
  readonly sentCodes: Pick<Network['sentCodes'], 'messages' | 'clear'>
  /** Closes the port and all connections, also those with a call in progress. */
  close(): Promise<void>
}

/** Starts the operator. Throws InvalidInput for a wrong client registration, and Node's error when the port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', clock: base, logger } = options
  const app: FastifyInstance = Fastify({ ...serverOptions, ...(logger && { loggerInstance: logger }) })
  const clock = 'shiftMs' in base ? base : movableClock(base)
  const clients = registeredClients(options.clients)
  const issuer = () => options.issuer ?? urlOf(app)
  const network: Network = {
    clock,
    lines: linesOf(clock),
    phones: callingPhones(),
    faults: activeFaults(),
    responseFaults: responseFaults(),
    calls: callLog(),
    sentCodes: sentCodes(),
    clients,
    tokens: accessTokens(clock),
    authorizationCodes: authorizationCodes(clock),
    idTokens: await idTokensOf(base, issuer),
    assertions: assertionsOf(clients, base, () => [`${issuer()}/oauth2/token`, issuer()]),
    issuer,
  }
  addBehaviour(app, network)
  await app.register((scope) => tokenEndpoint(scope, network))
  await app.register((scope) => authorizationEndpoint(scope, network))
  await app.register((scope) => checkRoutes(scope, network))
  await app.register((scope) => numberVerificationRoutes(scope, network))
  await app.register((scope) => swapSubscriptionRoutes(scope, network))
  await app.register((scope) => oneTimePasswordRoutes(scope, network))
  await app.register((scope) => portabilityRoutes(scope, network))
  await app.register(async (scope) => {
    await adminRoutes(scope, network)
    options.moreAdmin?.(scope)
  })
  await app.listen({ port, host })
  return {
    url: urlOf(app),
    port: (app.server.address() as AddressInfo).port,
    lines: network.lines,
    phones: network.phones,
    faults: network.faults,
    clock,
    calls: network.calls,
    sentCodes: network.sentCodes,
    close: () => app.close(),
  }
}

/** Where this machine reaches the server: 127.0.0.1 when it listens on all IP addresses. */
function urlOf(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
