// What does `--sandbox` add to a configuration? A sandbox operator in this process, and the parts that call it.

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { type AnyCamaraApi, camaraPath, checks, operatorCheckNames, versionsOf } from '@ringfence/contract'
import { operators, type Sandbox, type SandboxOptions, startSandbox } from '@ringfence/sandbox'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { commandName } from '@ringfence/server/core/command-name.ts'
import { type Config, ConfigurationError } from '@ringfence/server/core/config/config.ts'
import type { OperatorEntry } from '@ringfence/server/core/config/operator-entry.ts'
import { listenFailure } from '../failure.ts'

/** Name of the connector and of the portability source. */
const name = 'sandbox'
const keyVariable = 'RINGFENCE_SANDBOX_PRIVATE_KEY'
const host = '127.0.0.1'

export interface SandboxBeside {
  sandbox: Sandbox
  /** The given configuration, followed by the parts that call the sandbox. */
  config: Config
  /** Has the private key that the configuration refers to. The key never leaves this process. */
  environment: Readonly<Record<string, string | undefined>>
}

export interface SandboxBesideOptions {
  config: Config
  environment: Readonly<Record<string, string | undefined>>
  /** Port of the sandbox operator; 0 for any free port. */
  port: number
  logger: NonNullable<SandboxOptions['logger']>
  clock?: SandboxOptions['clock']
  moreAdmin?: SandboxOptions['moreAdmin']
}

/**
 * Starts the sandbox on loopback, with a client that authenticates with private_key_jwt, as CAMARA operators require.
 * Throws a ConfigurationError when the configuration uses a name of the sandbox, CommandFailed when the port is taken.
 */
export async function startSandboxBeside(options: SandboxBesideOptions): Promise<SandboxBeside> {
  const { config, environment, port, logger, clock = systemClock, moreAdmin } = options
  refuseClashes(config)
  const clientId = `ringfence-${randomUUID()}`
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const clients = [{ clientId, jwks: { keys: [publicKey.export({ format: 'jwk' })] } }] as SandboxOptions['clients']
  const sandbox = await startSandbox({ host, port, clock, clients, logger, ...(moreAdmin && { moreAdmin }) }).catch(
    (error) => {
      throw listenFailure(error, host, port, '--sandbox-port N')
    },
  )
  return {
    sandbox,
    config: withSandbox(config, sandbox.url, clientId),
    environment: { ...environment, [keyVariable]: String(privateKey.export({ format: 'pem', type: 'pkcs8' })) },
  }
}

/** The sandbox never replaces a part of the configuration file. */
function refuseClashes(config: Config): void {
  for (const part of ['connectors', 'portabilitySources'] as const) {
    if (!Object.hasOwn(config[part], name)) continue
    throw new ConfigurationError(
      `${part}.${name} has the name of a part that --sandbox adds: rename yours, or start without --sandbox (${withoutSandbox})`,
    )
  }
  for (const { id, name: operatorName, aliases = [] } of config.operators) {
    const taken = operators.find((sandboxOperator) =>
      [id, operatorName, ...aliases].some((word) => [sandboxOperator.id, sandboxOperator.name].includes(word)),
    )
    if (!taken) continue
    throw new ConfigurationError(
      `operators: ${id} ${operatorName} clashes with ${taken.id} ${taken.name}, which --sandbox adds: give yours another id and name, or start without --sandbox (${withoutSandbox})`,
    )
  }
}

const withoutSandbox = `${commandName} serve`

/** A busy machine must not decide without its made-up operator. */
const sandboxDeadlineMs = 4_000

/** Channels that show messages in the terminal: a newcomer has no gateway. */
const outboxChannels = {
  sms: { type: 'outbox', recipient: 'MOBILE' },
  email: { type: 'outbox', recipient: 'EMAIL' },
} as Config['channels']

function withSandbox(config: Config, url: string, clientId: string): Config {
  const { connectors, portabilitySources, channels, operators: configuredOperators, routing } = config
  const token = {
    endpoint: `${url}/oauth2/token`,
    clientId,
    authentication: 'private_key_jwt',
    privateKey: { env: keyVariable },
  }
  // Every call of an API; the one that says more than yes or no comes last in its row, and first here.
  const offered = Object.fromEntries(
    operatorCheckNames.map((check) => {
      const { api, calls }: AnyCamaraApi = checks[check].camara!
      // The newest version, which has every member.
      const path = camaraPath(api, versionsOf(api).at(-1)!)
      return [check, { path, calls: calls.map(({ resource }) => resource).toReversed() }]
    }),
  )
  // The sandbox cannot know a phone by its network: the hint says which one calls.
  const numberVerification = { authorizationEndpoint: `${url}/oauth2/authorize`, issuer: url, loginHint: true }
  const connector = { type: 'camara', baseUrl: url, token, sandbox: true, ...offered, numberVerification }
  const source = { type: 'sandbox', baseUrl: url, token }
  const sandboxOperators = operators.map(
    ({ id, name: operatorName, offersChecks }): OperatorEntry => ({
      id,
      name: operatorName,
      ...(offersChecks && { connector: name }),
    }),
  )
  // Numbers of the sandbox never take a route by country to a real upstream.
  const noRoutes = Object.fromEntries(operators.flatMap(({ id, offersChecks }) => (offersChecks ? [] : [[id, []]])))
  const { settings } = config
  return {
    ...config,
    settings: { ...settings, decisionDeadlineMs: Math.max(settings.decisionDeadlineMs, sandboxDeadlineMs) },
    connectors: { ...connectors, [name]: connector },
    // Last, so that made-up data never hide the data of a configured source.
    portabilitySources: { ...portabilitySources, [name]: source },
    channels: Object.keys(channels).length === 0 ? outboxChannels : channels,
    operators: [...configuredOperators, ...sandboxOperators],
    ...(routing && { routing: { ...routing, operators: { ...routing.operators, ...noRoutes } } }),
  }
}
