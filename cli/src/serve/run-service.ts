// How does the service run as a process? Configuration, log, sandbox, service; then it waits for a signal and stops.

import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { type Service, startService } from '@ringfence/server'
import type { Config } from '@ringfence/server/core/config/config.ts'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import { storeSettings } from '@ringfence/server/core/config/store-settings.ts'
import { Refusal } from '@ringfence/server/core/errors.ts'
import { logForReader } from '@ringfence/server/core/telemetry/log.ts'
import type { OutboxMessage } from '@ringfence/server/sign-in/authentication/messages/outbox.ts'
import type { Logger } from 'pino'
import { type PlaceOptions, withSource } from '../configuration.ts'
import { type Demo, startDemo } from '../demo/start-demo.ts'
import { reachableUrl } from '../export-command.ts'
import { listenFailure } from '../failure.ts'
import { assertStoreExists } from '../store.ts'
import { configurationSummary } from './configuration-summary.ts'
import { listensAt } from './listens-at.ts'
import { ownerLink } from './owner-link.ts'
import { sandboxApp, sandboxCredentials, sandboxCredentialsPath } from './sandbox-credentials.ts'
import { settle } from './settle.ts'
import { stopSignal } from './stop-signal.ts'
import { warmUp } from './warm-up.ts'
import { warnOfProduction, warnOfSandbox } from './warnings.ts'
import { type RunningSandbox, sandboxWelcome } from './welcome.ts'
import { WorkerLink, workerPlace } from './workers/worker.ts'

/** The options of `ringfence serve`; serve.ts declares them. */
export interface ServeOptions extends PlaceOptions {
  host?: string
  port?: number
  logLevel?: Settings['logLevel']
  logFormat?: Settings['logFormat']
  workers?: Settings['workers']
  create?: true
  sandbox?: true
  sandboxPort: number
  /** False: without demo traffic. */
  demo: boolean
}

/** Resolves when a signal, or the first process, has stopped the service. Throws when it cannot start, after closing everything it opened. */
export async function runService(config: Config, options: ServeOptions): Promise<void> {
  const place = workerPlace()
  const link = place === undefined ? undefined : new WorkerLink()
  const bySignal: Promise<Stop> = stopSignal().then(() => ({ isReplaced: false }))
  const stopRequested = link ? Promise.race([bySignal, link.stopRequested]) : bySignal
  const { logFormat } = config.settings
  // Several processes write to one pipe, where only short writes stay whole.
  const ofReader = await logForReader(
    2,
    logFormat,
    { level: logLevelOf(options, config) },
    { isShared: link !== undefined },
  )
  const log = place === undefined ? ofReader : ofReader.child({ worker: place })
  try {
    if (!options.create && !options.sandbox) await assertStoreExists(config.settings, ', or start with --create')
    if (options.sandbox) await runWithSandbox(config, options, log, stopRequested)
    else
      await run(config, { environment: process.env, log, stopRequested, link }, async ({ parts: needs }) => {
        // Once is enough.
        if ((place ?? 1) === 1) await warnOfProduction(config, needs, log)
        return ''
      })
  } catch (error) {
    throw withSource(error, config)
  } finally {
    await link?.close()
  }
}

/** How the service ends. `isReplaced`: another process goes on in its place. */
interface Stop {
  readonly isReplaced: boolean
}

interface Running {
  readonly environment: NodeJS.ProcessEnv
  readonly log: Logger
  readonly stopRequested: Promise<Stop>
  readonly link?: WorkerLink | undefined
}

/** In the sandbox, request lines would bury the messages with one-time passwords, unless somebody chose a level. */
function logLevelOf({ sandbox, logLevel }: ServeOptions, { settings, file }: Config): Settings['logLevel'] {
  const isChosen = logLevel !== undefined || process.env.LOG_LEVEL || file?.settings.includes('logLevel')
  return sandbox && !isChosen ? 'warn' : settings.logLevel
}

async function runWithSandbox(
  configured: Config,
  { sandboxPort, demo: isDemo }: ServeOptions,
  log: Logger,
  stopRequested: Promise<Stop>,
): Promise<void> {
  // Only now: with it comes a second HTTP server, which a service in production never uses.
  const { startSandboxBeside } = await import('./sandbox-configuration.ts')
  const { sandbox, config, environment } = await startSandboxBeside({
    config: configured,
    environment: process.env,
    port: sandboxPort,
    // /sandbox/calls lists the calls; the log of the service only shows the sandbox's problems.
    logger: log.child({ name: 'sandbox' }, { level: 'warn' }),
  })
  let demo: Demo | undefined
  // It stops before the service, which it calls nothing of, so that no process writes to a store that is closed.
  const stopping = stopRequested.then(async (how) => {
    await demo?.stop()
    return how
  })
  try {
    await run(config, { environment, log, stopRequested: stopping }, async (service) => {
      const { url, parts: needs } = service
      warnOfSandbox(configured, log)
      const { dataFolder } = config.settings
      // Only here: a terminal or log of production must never contain an OTP.
      needs.signIn.outbox.onMessage((message) => console.log(messageText(message)))
      needs.signIn.outbox.show()
      // It could reach a real operator, which charges for it.
      if (isDemo && configured.operators.length === 0) {
        await warmUp(service)
        sandbox.calls.clear()
      }
      const credentials = await sandboxCredentials(needs, dataFolder)
      const app = await sandboxApp(needs)
      const running: RunningSandbox = {
        url,
        callsUrl: `${sandbox.url}/sandbox/calls`,
        credentials,
        credentialsPath: sandboxCredentialsPath(dataFolder),
        appId: app.id,
        dataFolder: dataFolder === Reflect.get(storeSettings.dataFolder, 'default') ? undefined : resolve(dataFolder),
        ownerLink: await ownerLink(needs, app.tenantId, reachableUrl(url)),
        configuration: configurationSummary(configured),
        showsMessages: Object.values(config.channels).every(isOutbox),
        canSignIn: offersCodes(needs, app),
      }
      // The first thing that it says comes after the welcome.
      const say = (line: string) => setImmediate(() => console.log(`${line}\n`))
      if (isDemo) demo = startDemo({ needs, tenantId: app.tenantId, say })
      return sandboxWelcome(running)
    })
  } finally {
    await sandbox.close()
  }
}

async function run(
  config: Config,
  { environment, log, stopRequested, link }: Running,
  /** What follows the first line on stdout. */
  welcome: (service: Service) => Promise<string>,
): Promise<void> {
  const service = await start(config, environment, log)
  let how: Stop = { isReplaced: false }
  const stopping = new AbortController()
  try {
    const { url, parts: needs } = service
    log.info({ url, engine: needs.database.engine, configurationFile: config.file?.path }, 'listening')
    const further = await welcome(service)
    if (link) link.ready(url, needs.metrics)
    else console.log(listensAt(url) + further)
    if (needs.addresses.auth() === url && listensEverywhere.test(url)) log.warn({ url }, noPublicUrl)
    void settle({ inFlight: () => needs.heavyWork.overload.inFlight(), signal: stopping.signal })
    how = await stopRequested
    log.info('stopping')
  } finally {
    stopping.abort()
    await service.stop(how)
    log.info('stopped')
  }
}

/** Whether the login example works: it sends a code to a phone number. */
function offersCodes(
  { signIn: { channels } }: Service['parts'],
  app: Parameters<typeof channels.forMessages>[0],
): boolean {
  try {
    channels.forMessages(app, 'MOBILE', undefined)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

const messageText = ({ method, to, text }: OutboxMessage) =>
  `${styleText('bold', `${method} to ${to}`)} (shown here, not sent)\n\n  ${text.replaceAll('\n', '\n  ')}\n`

const isOutbox = ({ type }: { type: string }) => type === 'outbox'

const listensEverywhere = /^http:\/\/(0\.0\.0\.0|\[::\]):/

const noPublicUrl =
  'magic links, redirects and the issuer of ID tokens contain a URL that only this machine can open. Set BASE_URL, or AUTH_URL, to the public URL of the service'

async function start(config: Config, environment: NodeJS.ProcessEnv, log: Logger): Promise<Service> {
  const { host, port } = config.settings
  try {
    return await startService({ config, log, environment })
  } catch (error) {
    throw listenFailure(error, host, port, '--port N or PORT=N')
  }
}
