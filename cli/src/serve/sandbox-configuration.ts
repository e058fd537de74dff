// What does `--sandbox` add to a configuration? A sandbox operator in this process, and the parts that point at it.

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { operators, type Sandbox, type SandboxOptions, startSandbox } from '@ringfence/sandbox'
import { type Clock, systemClock } from '@ringfence/server/clock.ts'
import { type Config, ConfigurationError } from '@ringfence/server/config/config.ts'
import type { OperatorEntry } from '@ringfence/server/telecom/operator-registry.ts'
import { listenFailure } from '../failure.ts'

/** Name of the connector and of the portability source. */
const name = 'sandbox'
const keyVariable = 'RINGFENCE_SANDBOX_PRIVATE_KEY'
const host = '127.0.0.1'

export interface SandboxBeside {
  sandbox: Sandbox
  /** The configuration with the sandbox in it, after everything of its own. */
  config: Config
  /** Holds the private key that the configuration refers to. It lives in this process only. */
  environment: Readonly<Record<string, string | undefined>>
}

export interface SandboxBesideOptions {
  config: Config
  environment: Readonly<Record<string, string | undefined>>
  /** 0: any free one. */
  port: number
  logger: NonNullable<SandboxOptions['logger']>
  clock?: Clock
}

/**
 * Starts the sandbox on loopback, with a client that signs in by private_key_jwt, as CAMARA's operators ask.
 * Throws a ConfigurationError when the configuration has parts of the same names, CommandFailed when the port is taken.
 */
export async function startSandboxBeside(options: SandboxBesideOptions): Promise<SandboxBeside> {
  const { config, environment, port, logger, clock = systemClock } = options
  refuseClashes(config)
  const clientId = `ringfence-${randomUUID()}`
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const clients = [{ clientId, jwks: { keys: [publicKey.export({ format: 'jwk' })] } }] as SandboxOptions['clients']
  const sandbox = await startSandbox({ host, port, clock, clients, logger }).catch((error) => {
    throw listenFailure(error, host, port, '--sandbox-port N')
  })
  return {
    sandbox,
    config: withSandbox(config, sandbox.url, clientId),
    environment: { ...environment, [keyVariable]: String(privateKey.export({ format: 'pem', type: 'pkcs8' })) },
  }
}

/** Nothing of a configuration file is replaced without a word. */
function refuseClashes(config: Config): void {
  const clash = (key: string) =>
    new ConfigurationError(
      `${key} is there already, and --sandbox adds one: give yours another name, or leave --sandbox out`,
    )
  for (const part of ['connectors', 'portabilitySources'] as const) {
    if (Object.hasOwn(config[part], name)) throw clash(`${part}.${name}`)
  }
  for (const { id, name: operatorName, aliases = [] } of config.operators) {
    const taken = operators.find((made) =>
      [id, operatorName, ...aliases].some((word) => [made.id, made.name].includes(word)),
    )
    if (taken) throw clash(`operators: ${taken.id} ${taken.name}`)
  }
}

function withSandbox(
  { settings, connectors, portabilitySources, channels, operators: own }: Config,
  url: string,
  clientId: string,
): Config {
  const token = {
    endpoint: `${url}/oauth2/token`,
    clientId,
    authentication: 'private_key_jwt',
    privateKey: { env: keyVariable },
  }
  const connector = { type: 'camara', baseUrl: url, token, simSwap: {}, callForwarding: {}, sandbox: true }
  const source = { type: 'sandbox', baseUrl: url, token }
  const entries = operators.map(
    ({ id, name: operatorName, offersChecks }): OperatorEntry => ({
      id,
      name: operatorName,
      ...(offersChecks && { connector: name }),
    }),
  )
  return {
    settings,
    connectors: { ...connectors, [name]: connector },
    // Last, so that made-up data never hide what a source of the file knows.
    portabilitySources: { ...portabilitySources, [name]: source },
    channels,
    operators: [...own, ...entries],
  }
}
