// What can a handler use? All parts of one running service.

import type { Logger } from 'pino'
import { type Apps, apps as appsOf } from './apps/apps.ts'
import { type Outbox, outbox } from './authentication/messages/outbox.ts'
import { type Channels, openChannels } from './authentication/open-channels.ts'
import { type Credentials, credentials } from './clients/credentials.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import { secretsOf } from './config/secret-reference.ts'
import type { Settings } from './config/settings.ts'
import { openKeyring } from './crypto/open-keyring.ts'
import { type TenantKeyring, tenantKeyring } from './crypto/tenant-keyring.ts'
import { appleAppAttestRoot } from './device/attestation/apple-root.ts'
import { type LocalRates, localRates } from './device/history/local-rates.ts'
import { type Compression, openCompression } from './device/store/compression.ts'
import { type BrowserSdk, openBrowserSdk } from './http/browser-sdk.ts'
import { type Documentation, openDocumentation } from './http/documentation.ts'
import { type Overload, overload } from './http/overload.ts'
import { type IdTokens, idTokens } from './identity-tokens/id-token.ts'
import { type SigningKeys, signingKeys } from './identity-tokens/signing-keys.ts'
import { type ClientAddress, clientAddressBehind } from './ip/client-address.ts'
import { type ConnectionFingerprints, connectionFingerprints } from './ip/connection-fingerprint.ts'
import { type CrawlerCheck, crawlerCheck } from './ip/crawlers/crawler-check.ts'
import { hostNames } from './ip/crawlers/host-names.ts'
import { type AddressListLookUp, openAddressListLookUp } from './ip/lists/address-list-look-up.ts'
import { type IpLookUp, openIpLookUp } from './ip/look-up.ts'
import { type Metrics, metrics } from './metrics.ts'
import { type RuleSets, readTelecom, ruleSets } from './rules/rule-sets.ts'
import type { Database } from './storage/database.ts'
import { openTelecom, type Telecom } from './telecom/telecom.ts'

export interface Platform {
  settings: Settings
  clock: Clock
  log: Logger
  metrics: Metrics
  overload: Overload
  database: Database
  tenantKeyring: TenantKeyring
  credentials: Credentials
  apps: Apps
  /** Where an IP address is. */
  ip: IpLookUp
  /** Which published lists contain an IP address. */
  addressLists: AddressListLookUp
  /** Whether a crawler is the one that it claims to be. */
  crawlers: CrawlerCheck
  /** How bad the sessions of an IP address were. */
  localRates: LocalRates
  clientAddress: ClientAddress
  connectionFingerprint: ConnectionFingerprints
  rules: RuleSets
  compression: Compression
  browserSdk: BrowserSdk
  documentation: Documentation
  /** PEM of the root certificate of App Attest. */
  appAttestRoot: string
  telecom: Telecom
  signingKeys: SigningKeys
  idTokens: IdTokens
  /** The public URL of sign-in and tokens: AUTH_URL, or BASE_URL, or the URL on which the service listens. */
  authAddress(): string
  /** Sets the URL on which the service listens. */
  listensAt(url: string): void
  /** The sign-in channels. */
  channels: Channels
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
  /** Environment variables, for the secrets of the configuration file. */
  environment: Readonly<Record<string, string | undefined>>
}

/** Throws a ConfigurationError when the configuration is wrong, and an Error when the master key is missing or does not match the database. */
export async function openPlatform({
  config,
  database,
  clock,
  log,
  environment,
}: PlatformResources): Promise<Platform> {
  const { settings } = config
  const load = overload({ concurrentRequests: settings.concurrentRequests, delayMs: settings.overloadDelayMs })
  const counted = metrics({ requestsInFlight: load.inFlight })
  const keys = await openKeyring(database, settings)
  const tenantKeys = tenantKeyring(database, keys, clock)
  const readSecret = secretsOf(environment)
  const messages = outbox()
  const channels = openChannels(config.channels, { clock, log, readSecret, outbox: messages })
  const apps = appsOf(database, clock)
  const rules = ruleSets({ database, tenantKeyring: tenantKeys, clock, log })
  const telecom = await openTelecom({
    config,
    database,
    tenantKeyring: tenantKeys,
    clock,
    log,
    metrics: counted,
    readSecret,
    async knownSeconds(tenantId) {
      if (settings.telecomKnownSeconds === 0 || !(await apps.tenantHasApps(tenantId))) return 0
      return readTelecom(await rules.current(tenantId)) ? settings.telecomKnownSeconds : 0
    },
  })
  const signing = signingKeys({ database, keyring: keys, clock, settings })
  const names = hostNames(settings)
  let listening: string | undefined
  const authAddress = () => {
    const address = settings.authUrl ?? settings.baseUrl ?? listening
    if (address === undefined)
      throw new Error('the service does not listen yet, and neither AUTH_URL nor BASE_URL is set')
    return address
  }
  let draining = false
  return {
    settings,
    clock,
    log,
    metrics: counted,
    overload: load,
    database,
    tenantKeyring: tenantKeys,
    credentials: credentials({ database, keyring: keys, clock, log }),
    apps,
    ip: openIpLookUp({ settings, log, clock }),
    addressLists: openAddressListLookUp({ dataFolder: settings.dataFolder, clock, log }),
    crawlers: crawlerCheck({ hostNames: names, clock, budgetMs: settings.crawlerBudgetMs }),
    clientAddress: clientAddressBehind(settings),
    connectionFingerprint: connectionFingerprints(settings),
    localRates: localRates({ database, clock }),
    appAttestRoot: appleAppAttestRoot,
    rules,
    compression: openCompression(),
    browserSdk: openBrowserSdk(),
    documentation: openDocumentation(),
    telecom,
    signingKeys: signing,
    idTokens: idTokens({ issuer: authAddress, keys: signing, clock }),
    authAddress,
    listensAt(url) {
      listening = url
    },
    channels,
    outbox: messages,
    draining: () => draining,
    drain() {
      draining = true
    },
    async close() {
      names.close()
      await Promise.all([telecom.close(), channels.close()])
    },
  }
}
