// Can every configured third party be reached, and do its credentials get a token? No phone number is checked, nothing is sent.

import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import { callbackFindings } from '@ringfence/server/admin/doctor/callback-findings.ts'
import { broken, type Finding, ok, unknown, warning } from '@ringfence/server/admin/doctor/finding.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import type { Config } from '@ringfence/server/core/config/config.ts'
import { openKind } from '@ringfence/server/core/config/open-kind.ts'
import { routesWithoutOperator } from '@ringfence/server/core/config/routing-settings.ts'
import { firstMistake } from '@ringfence/server/core/config/schema-errors.ts'
import { secretsOf } from '@ringfence/server/core/config/secret-reference.ts'
import { passOn } from '@ringfence/server/core/telemetry/tracing.ts'
import {
  authorityMissing,
  withoutAuthority,
} from '@ringfence/server/sign-in/authentication/channels/identity-providers/authority.ts'
import { channelKinds } from '@ringfence/server/sign-in/authentication/channels/index.ts'
import { callbackPath } from '@ringfence/server/sign-in/authentication/start-by-redirect.ts'
import type { Connector } from '@ringfence/server/telecom/connectors/connector.ts'
import { connectorKinds } from '@ringfence/server/telecom/connectors/index.ts'
import { verificationCallbackPath } from '@ringfence/server/telecom/number-verification/verification.ts'
import { operatorRegistry } from '@ringfence/server/telecom/operator-registry.ts'
import { portabilitySourceKinds } from '@ringfence/server/telecom/portability-sources/index.ts'
import { checkRouting } from '@ringfence/server/telecom/routing/check-routing.ts'
import { checkCallbacks } from '@ringfence/server/upstream/oauth/callback-url.ts'
import { pino } from 'pino'
import { localUrl } from '../export-command.ts'
import { explain } from '../failure.ts'

const longestMs = 5_000
const readSecret = secretsOf(process.env)
const resources = {
  clock: systemClock,
  log: pino({ level: 'silent' }),
  metrics: { observe: () => undefined, set: () => undefined },
  tracing: passOn,
  readSecret,
}

/** A connector, or why it cannot be opened. */
type Opened = ReadonlyMap<string, Connector | Error>

const openedBy = ({ connectors }: Pick<Config, 'connectors'>): Opened =>
  new Map(Object.entries(connectors).map(([name, entry]) => [name, openedOf(name, entry)]))

/** Closed when `work` is done. Undefined in place of those of a configuration in which one cannot be opened. */
export async function withConnectors<T>(
  config: Pick<Config, 'connectors'>,
  work: (connectors: readonly Connector[] | undefined) => Promise<T>,
): Promise<T> {
  const opened = [...openedBy(config).values()]
  const working = opened.filter((it): it is Connector => !(it instanceof Error))
  try {
    return await work(working.length === opened.length ? working : undefined)
  } finally {
    await Promise.all(working.map((connector) => connector.close?.()))
  }
}

export async function upstreamFindings(config: Config): Promise<Finding[]> {
  const { portabilitySources, channels } = config
  const opened = openedBy(config)
  const working = new Map([...opened].flatMap(([name, it]) => (it instanceof Error ? [] : [[name, it] as const])))
  try {
    return await Promise.all([
      operatorFinding(config, working),
      ...[...opened].map(([name, connector]) => connectorFinding(name, connector)),
      ...Object.entries(portabilitySources).map(([name, entry]) => sourceFinding(name, entry, opened, working)),
      ...Object.entries(channels).map(([name, entry]) => channelFinding(name, entry)),
    ]).then((found) => [...found, ...redirectFindings(config, working)])
  } finally {
    await Promise.all([...working.values()].map((connector) => connector.close?.()))
  }
}

function redirectFindings({ settings, channels }: Config, connectors: ReadonlyMap<string, Connector>): Finding[] {
  const base = settings.authUrl ?? settings.baseUrl ?? localUrl(settings)
  const providers = Object.entries(channels).flatMap(([name, { type }]) =>
    type === 'oidc' || type === 'oauth2' ? [name] : [],
  )
  const verifying = [...connectors.values()].flatMap(({ name, numberVerification }) =>
    numberVerification ? [name] : [],
  )
  try {
    checkCallbacks('channels', providers)
    checkCallbacks('connectors', verifying)
  } catch (error) {
    return [broken('redirect URIs', explain(error), 'correct it: the service does not start')]
  }
  return [
    ...callbackFindings(base + callbackPath, providers),
    ...callbackFindings(base + verificationCallbackPath, verifying),
  ]
}

function openedOf(name: string, entry: { type: string }): Connector | Error {
  try {
    return openKind('connectors', name, entry, connectorKinds, resources)
  } catch (error) {
    return error as Error
  }
}

const notCalled = 'configured, and not called, since that needs a phone number'
const doesNotStart = 'correct the configuration file: the service does not start with it'

/** A connector that cannot be opened has its own finding. */
async function operatorFinding(
  { operators, routing, costs, portabilitySources, connectors }: Config,
  working: ReadonlyMap<string, Connector>,
): Promise<Finding> {
  const subject = 'operators'
  const todo = 'configure them (docs/guides/connect-an-operator.md), unless you only use devices or sign-in'
  const isRouted = routesWithoutOperator(routing)
  if (operators.length === 0 && !isRouted) return warning(subject, 'none are configured', todo)
  try {
    operatorRegistry(operators)
    const isBroken = (name = '') => Object.hasOwn(connectors, name) && !working.has(name)
    const checkable = operators.filter(({ connector }) => !isBroken(connector))
    // Routes may name a broken connector, and have an operator that is left out here.
    const isWhole = working.size === Object.keys(connectors).length
    checkRouting({ operators: checkable, ...(isWhole && { routing, costs, portabilitySources }) }, working)
    if (operators.length === 0) return ok(subject, 'none configured; routing sends checks to connectors')
    return ok(subject, `${operators.length} configured`)
  } catch (error) {
    return broken(subject, explain(error), doesNotStart)
  }
}

async function sourceFinding(
  name: string,
  entry: { type: string; connector?: unknown },
  opened: Opened,
  connectors: ReadonlyMap<string, Connector>,
): Promise<Finding> {
  const subject = `portabilitySources.${name}`
  const asked = String(entry.connector)
  if (opened.get(asked) instanceof Error) {
    return unknown(subject, `not examined: its connector ${asked} is broken`)
  }
  try {
    const all = { ...resources, connectors }
    await openKind('portabilitySources', name, entry, portabilitySourceKinds, all).close?.()
    return unknown(subject, notCalled)
  } catch (error) {
    return broken(subject, withoutSubject(subject, error), doesNotStart)
  }
}

async function connectorFinding(name: string, connector: Connector | Error): Promise<Finding> {
  const subject = `connectors.${name}`
  try {
    if (connector instanceof Error) throw connector
    if (!connector.getToken) return unknown(subject, notCalled)
    await connector.getToken(AbortSignal.timeout(longestMs))
    return ok(subject, 'gives a token')
  } catch (error) {
    return broken(
      subject,
      withoutSubject(subject, error),
      'look at its URL, its credentials and the network: docs/guides/connect-an-operator.md',
    )
  }
}

async function channelFinding(name: string, entry: { type: string }): Promise<Finding> {
  const subject = `channels.${name}`
  const guide = entry.type === 'oidc' || entry.type === 'oauth2' ? 'id-token' : 'sign-in'
  const todo = `look at its keys, its host names and the network: docs/guides/${guide}.md`
  const kind = channelKinds.find(({ type }) => type === entry.type)
  if (!kind) return broken(subject, `${entry.type} is not a kind of channel`, todo)
  if (entry.type === 'outbox')
    return warning(subject, 'shows messages in the terminal and sends nothing', 'configure a gateway')
  const mistake = firstMistake(kind.Config, entry, { at: subject })
  if (mistake) return broken(subject, mistake, todo)
  try {
    readSecrets(entry)
    const places = placesIn(entry)
    await Promise.all(places.map(reach))
    if (withoutAuthority({ [name]: entry }).length > 0)
      return warning(subject, authorityMissing.text, authorityMissing.todo)
    return ok(
      subject,
      places.length === 0 ? 'its keys are complete' : `${places.map(({ text }) => text).join(', ')} can be reached`,
    )
  } catch (error) {
    return broken(subject, withoutSubject(subject, error), todo)
  }
}

function withoutSubject(subject: string, error: unknown): string {
  const text = explain(error)
  return text.startsWith(`${subject}: `) ? text.slice(subject.length + 2) : text
}

/** Reads every secret that the entry refers to. @throws Error that names the variable or file */
function readSecrets(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const [[key, text] = ['', ''], ...others] = Object.entries(value)
  if (others.length === 0 && (key === 'env' || key === 'file') && typeof text === 'string') {
    readSecret(key === 'env' ? { env: text } : { file: text })
  } else for (const each of Object.values(value)) readSecrets(each)
}

interface Place {
  host: string
  port: number
  text: string
}

const defaultPorts: Readonly<Record<string, number>> = { smtp: 587, smpp: 2775 }

/** The hosts of an entry: `host` and `port`, and each text that is a URL. */
function placesIn(entry: { type: string; host?: unknown; port?: unknown; tls?: unknown }): Place[] {
  if (typeof entry.host === 'string') {
    const port = typeof entry.port === 'number' ? entry.port : portOf(entry)
    return [{ host: entry.host, port, text: `${entry.host}:${port}` }]
  }
  const urls = Object.values(entry).flatMap((value) => {
    const url = typeof value === 'string' && /^https?:\/\//.test(value) ? URL.parse(value) : null
    return url ? [url] : []
  })
  const places = urls.map(({ hostname, port, protocol, host }): Place => {
    const bare = hostname.replace(/^\[|\]$/g, '')
    return { host: bare, port: Number(port) || (protocol === 'https:' ? 443 : 80), text: host }
  })
  return [...new Map(places.map((place) => [place.text, place])).values()]
}

function portOf({ type, tls }: { type: string; tls?: unknown }): number {
  if (type === 'smtp' && tls === 'implicit') return 465
  if (type === 'smpp' && tls) return 3550
  return defaultPorts[type] ?? 443
}

async function reach({ host, port, text }: Place): Promise<void> {
  await lookup(host).catch(() => {
    throw new Error(`${host} has no IP address: DNS does not know it`)
  })
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port, timeout: longestMs })
    const end = (settle: () => void) => {
      socket.destroy()
      settle()
    }
    socket.once('connect', () => end(resolve))
    socket.once('timeout', () => end(() => reject(new Error(`${text} does not answer within ${longestMs / 1000} s`))))
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(() => reject(new Error(`${text} cannot be reached (${code})`))),
    )
  })
}
