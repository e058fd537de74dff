// Which settings are there? Name, environment variable, default, meaning and check of each; docs/reference/configuration.md is made from it.

import { deadlineMs, maxAgeHours } from '@ringfence/contract'
import Type, { type Static } from 'typebox'
import { signInSettings } from '../authentication/sign-in-settings.ts'

const day = 86_400

/** A setting with its environment variable. */
const setting = <const Options extends { env: string; description: string }>(options: Options) => options

/**
 * Every setting. The name is its key under `settings:` in the configuration file, `env` its environment variable.
 * A command-line option beats the environment, the environment beats the file, the file beats the default.
 */
export const Settings = Type.Object(
  {
    host: Type.String({
      ...setting({ env: 'HOST', description: 'Address to listen on; 0.0.0.0 for all' }),
      minLength: 1,
      default: '127.0.0.1',
    }),
    port: Type.Integer({
      ...setting({ env: 'PORT', description: 'Port to listen on; 0 picks a free one' }),
      minimum: 0,
      maximum: 65_535,
      default: 8080,
    }),
    baseUrl: Type.Optional(
      Type.String({
        ...setting({
          env: 'BASE_URL',
          description: 'Public address of the service, as its clients reach it; the OpenAPI document names it',
        }),
        pattern: '^https?://[^/]+$',
      }),
    ),
    authUrl: Type.Optional(
      Type.String({
        ...setting({
          env: 'AUTH_URL',
          description:
            'Public address of sign-in and tokens, where it is another than baseUrl; id tokens name it as their issuer. Without both, the address that is listened on',
        }),
        pattern: '^https?://[^/]+$',
      }),
    ),
    dataFolder: Type.String({
      ...setting({ env: 'DATA_FOLDER', description: 'Folder of the embedded store, the master key and number data' }),
      minLength: 1,
      default: 'ringfence-data',
    }),
    databaseUrl: Type.Optional(
      Type.String({
        ...setting({ env: 'DATABASE_URL', description: 'PostgreSQL to use instead of the embedded store' }),
        pattern: '^postgres(ql)?://',
      }),
    ),
    masterKey: Type.Optional(
      Type.String({
        ...setting({
          env: 'MASTER_KEY',
          description:
            'Key above all others, 32 bytes in base64; without it, the file master.key in the data folder, made at first start. Servers that share a database must share it',
        }),
        pattern: '^[A-Za-z0-9+/_-]{43}=?$',
      }),
    ),
    logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      ...setting({ env: 'LOG_LEVEL', description: 'Least severe log lines that are written' }),
      default: 'info',
    }),
    metricsToken: Type.Optional(
      Type.String({
        ...setting({ env: 'METRICS_TOKEN', description: 'Bearer token that /metrics then asks for' }),
        minLength: 16,
      }),
    ),
    deadlineMs: Type.Integer({
      ...setting({
        env: 'DEADLINE_MS',
        description: 'A telecom check answers within this time when the caller names none',
      }),
      minimum: deadlineMs.minimum,
      maximum: deadlineMs.maximum,
      default: deadlineMs.default,
    }),
    simSwapMaxAgeHours: Type.Integer({
      ...setting({ env: 'SIM_SWAP_MAX_AGE_HOURS', description: 'Lookback window of a SIM swap check that names none' }),
      ...maxAgeHours,
      default: 240,
    }),
    simSwapReuseSeconds: Type.Integer({
      ...setting({
        env: 'SIM_SWAP_REUSE_SECONDS',
        description: 'How long an answer to a SIM swap check is reused for the same window; 0: never',
      }),
      minimum: 0,
      maximum: 30 * day,
      default: 0,
    }),
    callForwardingReuseSeconds: Type.Integer({
      ...setting({
        env: 'CALL_FORWARDING_REUSE_SECONDS',
        description: 'How long an answer to a call forwarding check is reused; 0: never',
      }),
      minimum: 0,
      maximum: 30 * day,
      default: 0,
    }),
    portabilityReuseSeconds: Type.Integer({
      ...setting({
        env: 'PORTABILITY_REUSE_SECONDS',
        description:
          'How long an answer of a remote portability source is reused; 0: never. Imported number data and the sandbox are always asked',
      }),
      minimum: 0,
      maximum: 30 * day,
      default: day,
    }),
    telecomKnownSeconds: Type.Integer({
      ...setting({
        env: 'TELECOM_KNOWN_SECONDS',
        description:
          'How long rules know what operators and remote portability sources answered; kept sealed for as long, where the tenant has an app and rules that read it. 0: as long as it is reused',
      }),
      minimum: 0,
      maximum: 30 * day,
      default: day,
    }),
    tokenLifetimeSeconds: Type.Integer({
      ...setting({ env: 'TOKEN_LIFETIME_SECONDS', description: 'How long a frontend token is accepted' }),
      minimum: 1,
      maximum: day,
      default: 300,
    }),
    tokenUses: Type.Enum(['many', 'once'], {
      ...setting({
        env: 'TOKEN_USES',
        description:
          'How often a token is accepted until it expires; once: one time by token verification and one time by secure info',
      }),
      default: 'many',
    }),
    idTokenAlgorithm: Type.Enum(['RS256', 'ES256'], {
      ...setting({ env: 'ID_TOKEN_ALGORITHM', description: 'How id tokens are signed; every client knows RS256' }),
      default: 'RS256',
    }),
    idTokenKeyDays: Type.Integer({
      ...setting({
        env: 'ID_TOKEN_KEY_DAYS',
        description: 'How long one key signs id tokens; the next one is published a day before it signs',
      }),
      minimum: 2,
      maximum: 3650,
      default: 90,
    }),
    ...signInSettings,
    deviceRetentionDays: Type.Integer({
      ...setting({
        env: 'DEVICE_RETENTION_DAYS',
        description:
          'How long the analysis of a device, and its report, are kept; a change counts for those that are there, too',
      }),
      minimum: 1,
      maximum: 3650,
      default: 30,
    }),
    deviceHistoryDays: Type.Integer({
      ...setting({
        env: 'DEVICE_HISTORY_DAYS',
        description:
          'How long it is remembered when a device was seen, what was found of it and how its sessions turned out; a report can be labelled for as long. A device that was not seen for as long is forgotten',
      }),
      minimum: 7,
      maximum: 3650,
      default: 180,
    }),
    bodyLimitBytes: Type.Integer({
      ...setting({ env: 'BODY_LIMIT_BYTES', description: 'Largest body of a request' }),
      minimum: 1024,
      maximum: 16_777_216,
      default: 65_536,
    }),
    sdkBodyLimitBytes: Type.Integer({
      ...setting({
        env: 'SDK_BODY_LIMIT_BYTES',
        description: 'Largest body of a call that may bring the facts of a device',
      }),
      minimum: 1024,
      maximum: 16_777_216,
      default: 262_144,
    }),
    requestTimeoutMs: Type.Integer({
      ...setting({
        env: 'REQUEST_TIMEOUT_MS',
        description: 'A request must have arrived whole within this time, else 408',
      }),
      minimum: 100,
      maximum: 300_000,
      default: 10_000,
    }),
    clientRatePerSecond: Type.Integer({
      ...setting({
        env: 'CLIENT_RATE_PER_SECOND',
        description: 'Requests that one client may send in a second, else 429',
      }),
      minimum: 1,
      maximum: 1_000_000,
      default: 5000,
    }),
    appRatePerSecond: Type.Integer({
      ...setting({
        env: 'APP_RATE_PER_SECOND',
        description:
          'Requests a second that one address may send for one app, or to the pages of sign-ins, in the long run, else 429',
      }),
      minimum: 1,
      maximum: 1_000_000,
      default: 10,
    }),
    appRateBurst: Type.Integer({
      ...setting({
        env: 'APP_RATE_BURST',
        description: 'Requests that it may send at once before that; no less than APP_RATE_PER_SECOND',
      }),
      minimum: 1,
      maximum: 1_000_000,
      default: 50,
    }),
    concurrentRequests: Type.Integer({
      ...setting({
        env: 'CONCURRENT_REQUESTS',
        description: 'Requests that may be under way at once; more are refused with 503',
      }),
      minimum: 1,
      maximum: 1_000_000,
      default: 2000,
    }),
    overloadDelayMs: Type.Integer({
      ...setting({
        env: 'OVERLOAD_DELAY_MS',
        description:
          'While the process is busy without a break, requests that may have waited longer than this to be read are refused with 503',
      }),
      minimum: 5,
      maximum: 60_000,
      default: 10,
    }),
    ipCityFiles: Type.Optional(
      Type.String({
        ...setting({
          env: 'IP_CITY_FILES',
          description:
            'MMDB file that tells the place of an address (DB-IP Lite, GeoLite2 City, commercial); several, as one for IPv4 and one for IPv6, separated by commas. Without it, the starter data',
        }),
        minLength: 1,
      }),
    ),
    ipAsnFiles: Type.Optional(
      Type.String({
        ...setting({
          env: 'IP_ASN_FILES',
          description:
            'MMDB file that tells the network operator of an address (GeoLite2 ASN, DB-IP, commercial); several separated by commas. Without it, the starter data',
        }),
        minLength: 1,
      }),
    ),
    trustedProxies: Type.Optional(
      Type.String({
        ...setting({
          env: 'TRUSTED_PROXIES',
          description:
            'Addresses and blocks (`10.0.0.0/8, 2001:db8::/32`) of the proxies in front of the service, whose header tells the address of the person',
        }),
        minLength: 1,
      }),
    ),
    forwardedHeader: Type.Enum(['x-forwarded-for', 'forwarded'], {
      ...setting({
        env: 'FORWARDED_HEADER',
        description: 'The header that the trusted proxies write; the other one is not read',
      }),
      default: 'x-forwarded-for',
    }),
    tcpFingerprintHeader: Type.Optional(
      Type.String({
        ...setting({
          env: 'TCP_FINGERPRINT_HEADER',
          description:
            'The header in which the trusted proxies tell how a person’s TCP connection began: `ip.fp(3)` of HAProxy in hex, or JA4T. They must set it, whatever the person sent',
        }),
        pattern: '^x-[a-z0-9-]{1,60}$',
      }),
    ),
    tlsFingerprintHeader: Type.Optional(
      Type.String({
        ...setting({
          env: 'TLS_FINGERPRINT_HEADER',
          description:
            'The header in which the trusted proxies tell JA4 of a person’s TLS greeting. They must set it, whatever the person sent',
        }),
        pattern: '^x-[a-z0-9-]{1,60}$',
      }),
    ),
    dnsServers: Type.Optional(
      Type.String({
        ...setting({
          env: 'DNS_SERVERS',
          description:
            'DNS servers that are asked whether a crawler is the one that it says to be (`10.0.0.2, [2001:db8::53]:53`); without it, those of the machine',
        }),
        minLength: 1,
      }),
    ),
    crawlerBudgetMs: Type.Integer({
      ...setting({
        env: 'CRAWLER_BUDGET_MS',
        description:
          'How long the analysis of a crawler may wait for DNS; what is not verified by then is a bad bot until it is. 0: DNS is not asked',
      }),
      minimum: 0,
      maximum: 5000,
      default: 300,
    }),
    drainMs: Type.Integer({
      ...setting({
        env: 'DRAIN_MS',
        description:
          'After SIGTERM /ready answers 503 and requests are still served for this long, so that a load balancer can look elsewhere',
      }),
      minimum: 0,
      maximum: 600_000,
      default: 0,
    }),
  },
  { additionalProperties: false },
)
export type Settings = Static<typeof Settings>

export type SettingName = keyof Settings

/** Environment variable of each setting. */
export const environmentOf = Object.fromEntries(
  Object.entries(Settings.properties).map(([name, schema]) => [name, (schema as unknown as { env: string }).env]),
) as Record<SettingName, string>
