// How does the service run as a process? Configuration, log, sandbox and demo tenant, and an end by signal.

import { styleText } from 'node:util'
import { type Service, startService } from '@ringfence/server'
import type { OutboxMessage } from '@ringfence/server/authentication/messages/outbox.ts'
import { type Config, ConfigurationError } from '@ringfence/server/config/config.ts'
import { logTo } from '@ringfence/server/log.ts'
import type { Logger } from 'pino'
import { configurationFileOf, configurationOf } from '../configuration.ts'
import { listenFailure } from '../failure.ts'
import { startSandboxBeside } from './sandbox-configuration.ts'
import { demoAppId, demoCredentials, demoCredentialsPath } from './sandbox-credentials.ts'
import type { ServeOptions } from './serve.ts'
import { stopSignal } from './stop-signal.ts'
import { welcome } from './welcome.ts'

/** Answers when a signal has ended the service. Throws when it cannot start; everything is closed then. */
export async function runService(options: ServeOptions): Promise<void> {
  const stopAsked = stopSignal()
  const { host, port, logLevel } = options
  const configured = configurationOf(options, {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(logLevel !== undefined && { logLevel }),
  })
  const config = options.tryOut && Object.keys(configured.channels).length === 0 ? withOutbox(configured) : configured
  const tryOut = options.tryOut === true && config.operators.length === 0
  const log = logTo(2, { level: config.settings.logLevel })
  const beside =
    options.sandbox || tryOut ? await startSandboxBeside(sandboxOptions(config, options.sandboxPort, log)) : undefined
  try {
    const service = await start(beside?.config ?? config, beside?.environment ?? process.env, log).catch((error) => {
      throw withFile(error, configurationFileOf(options))
    })
    try {
      const { dataFolder } = config.settings
      const demo =
        options.demo || tryOut
          ? {
              credentials: await demoCredentials(service.platform, dataFolder),
              appId: await demoAppId(service.platform),
              path: demoCredentialsPath(dataFolder),
            }
          : undefined
      console.log(welcome({ url: service.url, sandboxUrl: beside?.sandbox.url, demo }))
      service.platform.outbox.onMessage((message) => console.log(shownMessage(message)))
      log.info({ url: service.url, engine: service.platform.database.engine }, 'listening')
      if ((beside?.config ?? config).operators.length === 0) log.warn(noOperators)
      if (isUnreachable(service)) log.warn({ address: service.platform.authAddress() }, noPublicAddress)
      await stopAsked
      log.info('stopping')
    } finally {
      await service.stop()
    }
  } finally {
    await beside?.sandbox.close()
  }
}

/** Where nobody configured who sends messages, `npm start` shows them: a sign-in can be tried at once. */
const withOutbox = (config: Config): Config => ({
  ...config,
  channels: {
    sms: { type: 'outbox', recipient: 'MOBILE' },
    email: { type: 'outbox', recipient: 'EMAIL' },
  } as Config['channels'],
})

const shownMessage = ({ method, to, text }: OutboxMessage) =>
  `${styleText('bold', `${method} to ${to}`)} (not sent, shown here)\n\n  ${text.replaceAll('\n', '\n  ')}\n`

const noOperators =
  'no operators are configured, so neither SIM swap nor call forwarding can be checked: give a configuration file with operators (--config FILE, docs/guides/connect-an-operator.md), or --sandbox for made-up ones'

/** It listens on every address of the machine, and was not told by which of them others know it. */
const isUnreachable = ({ platform, url }: Service) =>
  platform.authAddress() === url && /^http:\/\/(0\.0\.0\.0|\[::\]):/.test(url)

const noPublicAddress =
  'magic links, redirects of providers and the issuer of id tokens bear an address that nobody else can open: set BASE_URL, or AUTH_URL, to the public address of the service'

const sandboxOptions = (config: Config, port: number, log: Logger) => ({
  config,
  environment: process.env,
  port,
  // What it was asked stands in its own log of calls; here only its trouble.
  logger: log.child({ name: 'sandbox' }, { level: 'warn' }),
})

/** A part of the configuration file that cannot work is checked when it is started, where the file is no longer known. */
function withFile(error: unknown, file: string | undefined): unknown {
  if (!(error instanceof ConfigurationError) || file === undefined) return error
  return new ConfigurationError(`${file}: ${error.message}`, { cause: error })
}

async function start(config: Config, environment: NodeJS.ProcessEnv, log: Logger): Promise<Service> {
  const { host, port } = config.settings
  try {
    return await startService({ config, log, environment })
  } catch (error) {
    throw listenFailure(error, host, port, '--port N or PORT=N')
  }
}
