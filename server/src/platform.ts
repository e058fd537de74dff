// What can a handler use? All parts of one running service.

import { camaraTokenEndpoint } from '@ringfence/contract'
import type { Logger } from 'pino'
import { type Audit, audit } from './admin/audit/audit.ts'
import { auditedDatabase } from './admin/audit/audited-database.ts'
import { type LiveStreams, liveStreams } from './admin/live/live-streams.ts'
import { type Passkeys, passkeys } from './admin/passkeys/passkeys.ts'
import { type People, people } from './admin/people/people.ts'
import { type SsoProviders, ssoProviders } from './admin/sso/provider.ts'
import { type Apps, apps as appsOf } from './apps/apps.ts'
import { type StorageBudget, storageBudget } from './apps/storage-budget.ts'
import { type Outbox, outbox } from './authentication/messages/outbox.ts'
import { type RecentDeliveries, recentDeliveries } from './authentication/messages/recent-deliveries.ts'
import { type Channels, openChannels } from './authentication/open-channels.ts'
import { type AgentCheck, agentCheck } from './bots/agent-check.ts'
import { openSignatureAgentLookUp } from './bots/stored-agents.ts'
import { type AccessTokens, accessTokens } from './camara-front/access-tokens.ts'
import { type ClientAssertions, clientAssertions } from './clients/client-assertions.ts'
import { type Credentials, credentials } from './clients/credentials.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import { secretsOf } from './config/secret-reference.ts'
import type { Settings } from './config/settings.ts'
import type { StoreKeyring } from './crypto/keyring.ts'
import { adviceOnMasterKey, openKeyring } from './crypto/open-keyring.ts'
import { type TenantKeyring, tenantKeyring } from './crypto/tenant-keyring.ts'
import { appleAppAttestRoot } from './device/attestation/apple-root.ts'
import { type LocalRates, localRates } from './device/history/local-rates.ts'
import { type Compression, openCompression } from './device/store/compression.ts'
import { type Events, events } from './events/events.ts'
import { type Receivers, receivers } from './events/receivers.ts'
import { type EventStream, openStreams, streamReceivers } from './events/streams/index.ts'
import { type Slices, slices } from './heavy-work/slices.ts'
import { type BrowserSdk, openBrowserSdk } from './http/browser-sdk.ts'
import { type Console, openConsole } from './http/console/console.ts'
import { type Overload, overload } from './http/overload/overload.ts'
import { type Documentation, openDocumentation } from './http/pages/documentation.ts'
import type { RateLimitResources } from './http/rate-limit.ts'
import { type IdTokens, idTokens } from './identity-tokens/id-token.ts'
import { type SigningKeys, signingKeys } from './identity-tokens/signing-keys.ts'
import { type ClientAddresses, clientAddressBehind } from './ip/client-address.ts'
import { type ConnectionFingerprints, connectionFingerprints } from './ip/connection-fingerprint.ts'
import { type CrawlerCheck, crawlerCheck } from './ip/crawlers/crawler-check.ts'
import { hostNames } from './ip/crawlers/host-names.ts'
import { type AddressListLookUp, openAddressListLookUp } from './ip/lists/address-list-look-up.ts'
import { type IpLookUp, openIpLookUp } from './ip/look-up.ts'
import { type Dated, readGauges } from './metrics/gauges.ts'
import { type Metrics, metrics } from './metrics/metrics.ts'
import { observedDatabase } from './metrics/observed-database.ts'
import { type RunningBacktests, runningBacktests } from './rule-changes/running-backtests.ts'
import { type RuleChecks, ruleChecks } from './rules/editing/rule-checks.ts'
import { type ListLookUps, listLookUps } from './rules/lists/list-look-ups.ts'
import { type Lists, lists } from './rules/lists/lists.ts'
import { type RuleSets, readTelecom, ruleSets } from './rules/rule-sets.ts'
import { type Readiness, readiness } from './servers/readiness.ts'
import type { Servers } from './servers/servers.ts'
import type { Database } from './storage/database.ts'
import { leaseRequests } from './storage/servers/request-counts.ts'
import { type Turns, turns } from './telecom/batches/turns.ts'
import { openTelecom, type Telecom } from './telecom/telecom.ts'
import { type TenantPace, tenantPace } from './telecom/watching/tenant-pace.ts'
import { type AuditLog, openAuditLog } from './telemetry/audit.ts'
import { openTelemetry } from './telemetry/telemetry.ts'
import type { Tracing } from './telemetry/tracing.ts'
import { type SingleFlight, singleFlight } from './upstream/single-flight.ts'
import { type WatchedUpstreams, watchedUpstreams } from './upstream/upstream-health.ts'

export interface Platform {
  settings: Settings
  clock: Clock
  log: Logger
  /** Has audit lines beside the log; see audit.ts. */
  auditLog: AuditLog | undefined
  /** The audit log of each tenant, in the store. */
  audit: Audit
  /** Who may use the console. */
  people: People
  /** How they sign in without a password. */
  passkeys: Passkeys
  metrics: Metrics
  tracing: Tracing
  overload: Overload
  /** Answers of many lines: a part at a time, whoever reads them. */
  answerTurns: Turns
  /** Heavy calls, such as an erasure: a few milliseconds at a time. */
  slices: Slices
  database: Database
  readiness: Readiness
  /** The keys of the store. */
  keyring: StoreKeyring
  tenantKeyring: TenantKeyring
  credentials: Credentials
  apps: Apps
  /** How much the SDK calls of an app may store. */
  storageBudget: StorageBudget
  /** Where an IP address is. */
  ip: IpLookUp
  /** Which published lists contain an IP address. */
  addressLists: AddressListLookUp
  /** The files and lists that answers rest on, with the dates of their data. */
  dataDates: () => Promise<readonly Dated[]>
  /** Whether a crawler is the one that it claims to be. */
  crawlers: CrawlerCheck
  /** Whether an agent that signs its requests is the one that it names. */
  agents: AgentCheck
  /** How bad the sessions of an IP address were. */
  localRates: LocalRates
  clientAddress: ClientAddresses
  connectionFingerprint: ConnectionFingerprints
  rules: RuleSets
  /** Reads rules files in another thread. */
  ruleChecks: RuleChecks
  runningBacktests: RunningBacktests
  /** The lists of each tenant, and what rules look up in them. */
  lists: Lists
  listLookUps: ListLookUps
  events: Events
  eventReceivers: Receivers
  /** By receiver id. */
  eventStreams: ReadonlyMap<string, EventStream>
  /** Who watches events as they happen. */
  liveStreams: LiveStreams
  /** The identity providers with which people sign in to the console. */
  sso: SsoProviders
  compression: Compression
  browserSdk: BrowserSdk
  console: Console
  documentation: Documentation
  /** PEM of the root certificate of App Attest. */
  appAttestRoot: string
  telecom: Telecom
  /** How often the watched numbers of a tenant are polled. */
  watchPace: TenantPace
  /** How the third parties are doing that this server has called. */
  upstreams: Pick<WatchedUpstreams, 'health'>
  signingKeys: SigningKeys
  idTokens: IdTokens
  /** Access tokens of our CAMARA API. */
  accessTokens: AccessTokens
  /** Clients that authenticate with a key pair at its token endpoint. */
  clientAssertions: ClientAssertions
  /** The public URL of the service: BASE_URL, or the URL on which it listens. */
  baseAddress(): string
  /** The public URL of sign-in and tokens: AUTH_URL, or BASE_URL, or the URL on which the service listens. */
  authAddress(): string
  /** Sets the URL on which the service listens. */
  listensAt(url: string): void
  /** The sign-in channels. */
  channels: Channels
  /** What rate limits need to count over all servers. */
  requestCounts: RateLimitResources
  /** Starts of sign-ins that run now, by hash. */
  starts: SingleFlight
  /** How long gateways took lately. */
  recentDeliveries: RecentDeliveries
  /** Messages of the outbox channels, which send nothing. */
  outbox: Outbox
  /** Whether the service is stopping. */
  draining(): boolean
  /** From now on `/ready` returns 503, and responses close their connection. */
  drain(): void
  /** Closes everything but the database. */
  close(): Promise<void>
}

export interface PlatformResources {
  config: Config
  /** With the schema of this program; it stays open when the platform is closed. */
  database: Database
  clock: Clock
  log: Logger
  /** How far the machine's clock is ahead of the store's, for the metrics. */
  clockSkewMs?: () => number | undefined
  /** The servers that share the store; by default this one only. */
  servers?: Servers
  /** Environment variables, for the secrets of the configuration file. */
  environment: Readonly<Record<string, string | undefined>>
}

/** Throws a ConfigurationError when the configuration is wrong, and an Error when the master key is missing or does not match the database. */
export async function openPlatform({
  config,
  database: store,
  clock,
  log,
  environment,
  clockSkewMs = () => undefined,
  servers = { count: () => 1 },
}: PlatformResources): Promise<Platform> {
  const { settings } = config
  const load = overload({ delayMs: settings.overloadDelayMs })
  const counted = metrics()
  const database = auditedDatabase(observedDatabase(store, { log, metrics: counted }))
  const telemetry = await openTelemetry(settings, counted, log)
  const { tracing } = telemetry
  const auditLog = openAuditLog(settings.auditLog, { clock, log })
  const keys = await openKeyring(database, settings, environment)
  const advice = adviceOnMasterKey(keys, settings.dataFolder)
  if (advice !== undefined) log.warn(advice)
  const tenantKeys = tenantKeyring(database, keys, clock, log)
  const readSecret = secretsOf(environment)
  const messages = outbox()
  const channels = openChannels(config.channels, {
    ...{ clock, log, readSecret, tracing, metrics: counted },
    outbox: messages,
  })
  const apps = appsOf(database, clock)
  const ip = openIpLookUp({ settings, log, clock })
  const stored = storageBudget({ database, clock, settings, log, ip })
  const eventStreams = openStreams(config.eventStreams ?? {}, { readSecret })
  const eventReceivers = receivers({ database, clock, streams: streamReceivers(config.eventStreams) })
  const recordedEvents = events({
    tenantKeyring: tenantKeys,
    clock,
    receivers: eventReceivers,
    recorded: settings.recordedEvents,
  })
  const rules = ruleSets({ database, tenantKeyring: tenantKeys, clock, log, events: recordedEvents })
  const listed = listLookUps({
    database,
    tenantKeyring: tenantKeys,
    clock,
    log,
    metrics: counted,
    mostBytes: settings.listsMemoryMb * 1_000_000,
  })
  const upstreams = watchedUpstreams(counted, clock)
  const telecom = await openTelecom({
    config,
    database,
    tenantKeyring: tenantKeys,
    clock,
    log,
    metrics: upstreams.metrics,
    tracing,
    readSecret,
    async knownSeconds(tenantId) {
      if (settings.telecomKnownSeconds === 0 || !(await apps.tenantHasApps(tenantId))) return 0
      return readTelecom(await rules.current(tenantId)) ? settings.telecomKnownSeconds : 0
    },
  })
  const signing = signingKeys({ database, keyring: keys, clock, settings })
  const names = hostNames(settings)
  const addressLists = openAddressListLookUp({ dataFolder: settings.dataFolder, clock, log })
  const dataDates = readGauges({ metrics: counted, overload: load, clockSkewMs, addressLists, settings, clock, log })
  const live = liveStreams({ database, tenantKeyring: tenantKeys, clock, log })
  let listening: string | undefined
  const baseAddress = () => {
    const address = settings.baseUrl ?? listening
    if (address === undefined) throw new Error('the service does not listen yet, and BASE_URL is not set')
    return address
  }
  const authAddress = () => settings.authUrl ?? baseAddress()
  const clients = credentials({ database, keyring: keys, clock, log })
  const tokens = accessTokens({ authAddress, keys: signing, clock })
  const audiences = () => [tokens.issuer(), authAddress() + camaraTokenEndpoint.path]
  const audited = audit({ database, tenantKeyring: tenantKeys, clock })
  const requestCounts: RateLimitResources = {
    clock,
    servers,
    lease: (requests, window) => leaseRequests(database, requests, window),
    hash: (text) =>
      Buffer.from(keys.hashSecret(`request count ${text}`))
        .subarray(0, 16)
        .toString('hex'),
  }
  const sso = ssoProviders({ clock, settings, requestCounts })
  const checks = ruleChecks()
  const jobs = runningBacktests()
  let draining = false
  return {
    settings,
    clock,
    log,
    auditLog,
    audit: audited,
    people: people({ database, keyring: keys, clock, audit: audited, requestCounts }),
    passkeys: passkeys({ database, keyring: keys, clock, requestCounts, baseAddress }),
    metrics: counted,
    tracing,
    overload: load,
    answerTurns: turns(1, load),
    slices: slices({ requestsWaiting: load.waiting }),
    database,
    readiness: readiness({ database, clock, log }),
    keyring: keys,
    tenantKeyring: tenantKeys,
    credentials: clients,
    apps,
    storageBudget: stored,
    ip,
    addressLists,
    dataDates,
    crawlers: crawlerCheck({ hostNames: names, clock, budgetMs: settings.crawlerBudgetMs }),
    agents: agentCheck({
      agents: openSignatureAgentLookUp({ dataFolder: settings.dataFolder, clock, log }),
      database,
      clock,
    }),
    clientAddress: clientAddressBehind(settings),
    connectionFingerprint: connectionFingerprints(settings),
    localRates: localRates({ database, clock }),
    appAttestRoot: appleAppAttestRoot,
    rules,
    ruleChecks: checks,
    runningBacktests: jobs,
    lists: lists({ database, tenantKeyring: tenantKeys, clock, events: recordedEvents }),
    listLookUps: listed,
    events: recordedEvents,
    eventReceivers,
    eventStreams,
    liveStreams: live,
    sso,
    compression: openCompression(),
    browserSdk: openBrowserSdk(),
    console: openConsole(),
    documentation: openDocumentation(settings.baseUrl),
    telecom,
    watchPace: tenantPace({ database, settings, telecom, clock }),
    upstreams,
    signingKeys: signing,
    idTokens: idTokens({ issuer: authAddress, keys: signing, clock }),
    accessTokens: tokens,
    clientAssertions: clientAssertions({ database, credentials: clients, clock, audiences }),
    baseAddress,
    authAddress,
    listensAt(url) {
      listening = url
    },
    channels,
    requestCounts,
    starts: singleFlight(),
    outbox: messages,
    recentDeliveries: recentDeliveries(),
    draining: () => draining,
    drain() {
      draining = true
    },
    async close() {
      names.close()
      live.close()
      await Promise.all([jobs.close(), checks.close()])
      await Promise.all([listed.close(), telecom.close(), channels.close(), sso.close(), stored.close()])
      await telemetry.close()
      auditLog?.close()
    },
  }
}
