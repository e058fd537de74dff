// Which settings exist? Name, environment variable, default, allowed values and meaning; docs/reference/configuration.md is made from it.

import { deadlineMs, decisionDeadlineMs, maxAgeHours } from '@ringfence/contract'
import Type, { type Static } from 'typebox'
import { appLimits } from './app-limits.ts'
import { batches } from './batch-settings.ts'
import { eventSettings } from './event-settings.ts'
import { proxies } from './proxy-settings.ts'
import { serverSettings } from './server-settings.ts'
import { signInSettings } from './sign-in-settings.ts'
import { storeSettings } from './store-settings.ts'
import { telemetrySettings } from './telemetry-settings.ts'
import { watching } from './watching-settings.ts'

/** `env`: environment variable. `form`: which texts are allowed, in words that follow "must be". */
type Described = { readonly env: string; readonly description: string; readonly form?: string }

const number = (options: Described & { minimum: number; maximum: number; default: number }) => Type.Integer(options)

const optionalText = (options: Described & { pattern?: string; minLength?: number }) =>
  Type.Optional(Type.String({ minLength: 1, ...options }))

const day = 86_400

const telecom = {
  deadlineMs: number({
    env: 'DEADLINE_MS',
    description: 'Milliseconds within which a check answers, unless the request has `x-ringfence-deadline-ms`.',
    minimum: deadlineMs.minimum,
    maximum: deadlineMs.maximum,
    default: deadlineMs.default,
  }),
  decisionDeadlineMs: number({
    env: 'DECISION_DEADLINE_MS',
    description:
      'Milliseconds after which a decision goes on without what has not arrived, unless the request has `deadlineMs`. `serve --sandbox` waits at least 4000: its operator shares the machine.',
    ...decisionDeadlineMs,
  }),
  simSwapMaxAgeHours: number({
    env: 'SIM_SWAP_MAX_AGE_HOURS',
    description:
      'How many hours a check of SIM swap or device swap looks back, unless the request has `maxAge` or the operator its own window.',
    ...maxAgeHours,
    default: 240,
  }),
  simSwapReuseSeconds: number({
    env: 'SIM_SWAP_REUSE_SECONDS',
    description:
      'Seconds for which a SIM swap result is reused for the same `maxAge`. 0: every check queries the operator.',
    minimum: 0,
    maximum: 30 * day,
    default: 0,
  }),
  callForwardingReuseSeconds: number({
    env: 'CALL_FORWARDING_REUSE_SECONDS',
    description: 'Seconds for which a call forwarding result is reused. 0: every check queries the operator.',
    minimum: 0,
    maximum: 30 * day,
    default: 0,
  }),
  portabilityReuseSeconds: number({
    env: 'PORTABILITY_REUSE_SECONDS',
    description:
      'Seconds for which the result of a remote portability source is reused. 0: every check queries the source. Imported number data and the sandbox are always read.',
    minimum: 0,
    maximum: 30 * day,
    default: day,
  }),
  telecomKnownSeconds: number({
    env: 'TELECOM_KNOWN_SECONDS',
    description:
      'Seconds for which rules can read telecom results. Results are stored, encrypted, for that long if the tenant has an app and rules that read them. 0: only as long as results are reused.',
    minimum: 0,
    maximum: 30 * day,
    default: day,
  }),
}

const tokens = {
  tokenLifetimeSeconds: number({
    env: 'TOKEN_LIFETIME_SECONDS',
    description: 'Seconds for which a token is valid.',
    minimum: 1,
    maximum: day,
    default: 300,
  }),
  tokenUses: Type.Enum(['many', 'once'], {
    env: 'TOKEN_USES',
    description:
      'How often a token is accepted before it expires. `once`: once for token verification, and once for secure info. Tokens that a server issues with `once` are accepted once by every server.',
    default: 'many',
  }),
  decisionTokenUses: Type.Enum(['once', 'many'], {
    env: 'DECISION_TOKEN_USES',
    description:
      'How often a decision accepts a token before it expires. `once`: in one decision, which a repeated Idempotency-Key does not make again. A stolen token is then of no use after the sign-in was decided. Token verification is not affected.',
    default: 'once',
  }),
  idTokenAlgorithm: Type.Enum(['RS256', 'ES256'], {
    env: 'ID_TOKEN_ALGORITHM',
    description: 'How ID tokens are signed. Every OpenID Connect client supports RS256.',
    default: 'RS256',
  }),
  idTokenKeyDays: number({
    env: 'ID_TOKEN_KEY_DAYS',
    description: 'Days for which one key signs ID tokens. The next key is published a day before it signs.',
    minimum: 2,
    maximum: 3650,
    default: 90,
  }),
}

const devices = {
  deviceRetentionDays: number({
    env: 'DEVICE_RETENTION_DAYS',
    description: 'Days for which device analyses and reports are stored. A new value also applies to stored ones.',
    minimum: 1,
    maximum: 3650,
    default: 30,
  }),
  deviceHistoryDays: number({
    env: 'DEVICE_HISTORY_DAYS',
    description:
      'Days for which visits, their signals and labels are stored, and for which you can label a report. A device that does not return within this time is deleted.',
    minimum: 7,
    maximum: 3650,
    default: 180,
  }),
  decisionDays: number({
    env: 'DECISION_DAYS',
    description: 'Days for which decisions are stored, and for which you can read and label one.',
    minimum: 1,
    maximum: 3650,
    default: 180,
  }),
  emailFolding: Type.Enum(['providers', 'tags', 'none'], {
    env: 'EMAIL_FOLDING',
    description:
      'Which email addresses count as one mailbox. `providers`: those that a provider documents as one, such as `+tag`, and dots at Gmail. `tags`: `+tag` at every other domain too. `none`: no two. Counts begin again with a new value.',
    default: 'providers',
  }),
  keyAttestationRoots: optionalText({
    env: 'KEY_ATTESTATION_ROOTS',
    description:
      'PEM file with the root certificates, or their public keys, that attest the keys of Android phones. Default: the two keys that Google publishes.',
  }),
  newDevicesPerNetwork: number({
    env: 'NEW_DEVICES_PER_NETWORK',
    description:
      'New devices of one network (/24 of IPv4, /48 of IPv6) within NEW_DEVICES_WINDOW_HOURS. For more, `missing.device` is `crowded` for a day, which the default rules answer with a challenge, and no visit is matched to them by similarity.',
    minimum: 1,
    maximum: 1_000_000,
    default: 300,
  }),
  newDevicesPerMobileNetwork: number({
    env: 'NEW_DEVICES_PER_MOBILE_NETWORK',
    description: 'The same for a network of a mobile operator, where many users share an IP address.',
    minimum: 1,
    maximum: 1_000_000,
    default: 3000,
  }),
  newDevicesWindowHours: number({
    env: 'NEW_DEVICES_WINDOW_HOURS',
    description: 'Hours for which the new devices of a network are counted.',
    minimum: 1,
    maximum: 24,
    default: 1,
  }),
}

const limits = {
  listsMemoryMb: number({
    env: 'LISTS_MEMORY_MB',
    description:
      'Megabytes for lists in memory, about 40,000 entries each. The store answers look-ups in lists that do not fit.',
    minimum: 0,
    maximum: 65_536,
    default: 256,
  }),
  bodyLimitBytes: number({
    env: 'BODY_LIMIT_BYTES',
    description: 'Largest request body in bytes; a larger one is refused with 413.',
    minimum: 1024,
    maximum: 16_777_216,
    default: 65_536,
  }),
  sdkBodyLimitBytes: number({
    env: 'SDK_BODY_LIMIT_BYTES',
    description: 'Largest body, in bytes, of an SDK call that contains the facts of a device.',
    minimum: 1024,
    maximum: 16_777_216,
    default: 262_144,
  }),
  requestTimeoutMs: number({
    env: 'REQUEST_TIMEOUT_MS',
    description: 'Milliseconds within which a whole request must arrive; a later one is refused with 408.',
    minimum: 100,
    maximum: 300_000,
    default: 10_000,
  }),
  clientRatePerSecond: number({
    env: 'CLIENT_RATE_PER_SECOND',
    description: 'Requests per second of one client; more are refused with 429.',
    minimum: 1,
    maximum: 1_000_000,
    default: 5000,
  }),
  ...appLimits,
  overloadDelayMs: number({
    env: 'OVERLOAD_DELAY_MS',
    description:
      'Milliseconds that a request may wait for its start when more requests arrive than the process can serve. Then the newest requests start first, and those that waited longer than a fifth of this are refused with 503.',
    minimum: 5,
    maximum: 60_000,
    default: 50,
  }),
  maskedSearchesPerDay: number({
    env: 'MASKED_SEARCHES_PER_DAY',
    description:
      'Different phone numbers, email addresses and IP addresses that one person or key whose role sees them masked may search for, or try in lists and decisions, on one day (UTC).',
    minimum: 1,
    maximum: 100_000,
    default: 50,
  }),
}

const ipData = {
  ipCityFiles: optionalText({
    env: 'IP_CITY_FILES',
    description:
      'MMDB files that map an IP address to a place: DB-IP Lite, GeoLite2 City or a commercial one. Default: the starter data.',
    form: 'one text with paths, separated by commas',
  }),
  ipAsnFiles: optionalText({
    env: 'IP_ASN_FILES',
    description:
      'MMDB files that map an IP address to its network operator: GeoLite2 ASN, DB-IP or a commercial one. Default: the starter data.',
    form: 'one text with paths, separated by commas',
  }),
  ssoTargets: Type.Enum(['public', 'any'], {
    env: 'SSO_TARGETS',
    description:
      'Where the identity providers of tenants may be, with which people sign in to the console. `public`: only over https, at public IP addresses. `any`: also over http and inside your network; then the owner of a tenant can reach it.',
    default: 'public',
  }),
  dnsServers: optionalText({
    env: 'DNS_SERVERS',
    description: 'DNS servers that verify crawlers. Default: those of the machine.',
    form: 'one text with IP addresses, separated by commas, each with its port if that is not 53, such as `10.0.0.2, [2001:db8::53]:5353`',
  }),
  crawlerBudgetMs: number({
    env: 'CRAWLER_BUDGET_MS',
    description:
      'Milliseconds that the analysis of a crawler waits for DNS. A crawler that is not verified by then counts as a bad bot. 0: DNS is not queried.',
    minimum: 0,
    maximum: 5000,
    default: 300,
  }),
}

/** Every setting, by topic. */
export const settingGroups = {
  Server: serverSettings,
  'Store and keys': storeSettings,
  'Logs, metrics and traces': telemetrySettings,
  'Telecom checks': telecom,
  'Watched numbers': watching,
  Batches: batches,
  Tokens: tokens,
  'Sign-in': signInSettings,
  Devices: devices,
  Events: eventSettings,
  Limits: limits,
  Proxies: proxies,
  'IP data and crawlers': ipData,
}

/**
 * Every setting. Its name is the key under `settings:` in the configuration file, `env` its environment variable.
 * A command-line option overrides the environment, the environment the file, the file the default.
 */
export const Settings = Type.Object(
  {
    ...serverSettings,
    ...storeSettings,
    ...telemetrySettings,
    ...telecom,
    ...watching,
    ...batches,
    ...tokens,
    ...signInSettings,
    ...devices,
    ...eventSettings,
    ...limits,
    ...proxies,
    ...ipData,
  },
  { additionalProperties: false },
)
export type Settings = Static<typeof Settings>

export type SettingName = keyof Settings

/** The environment variable of each setting. */
export const environmentOf = Object.fromEntries(
  Object.entries(Settings.properties).map(([name, schema]) => [name, (schema as unknown as { env: string }).env]),
) as Record<SettingName, string>
