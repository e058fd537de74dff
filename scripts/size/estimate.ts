// How large an installation do so many users need? Computed from the measured figures and the traffic of a user.

import { Settings } from '@ringfence/server/core/config/settings.ts'
import { defaultPools } from '@ringfence/server/core/storage/postgres/pools.ts'
import { costOfFlows } from '@ringfence/server/testing/cost-of-flows.ts'
import { coresOf, measured } from './figures.ts'

/** What a user does in a month. */
export interface Traffic {
  users: number
  checks: number
  signIns: number
  visits: number
}

export const usualTraffic: Omit<Traffic, 'users'> = { checks: 2, signIns: 2, visits: 8 }

/** Traffic of the busiest minutes, by the average of the month. */
export const peak = 4
/** Cores are planned this full at the peak, so that answers stay fast and one server may fail. */
export const utilisation = 0.5
/** Of the visits of a month; these store a device. */
export const newDeviceShare = 0.1

/**
 * What no benchmark measures: how many requests one action is, and the bytes of a user, estimated from the code.
 * A request counts like a token verification, which has the same steps around one read.
 */
export const counted = {
  requestsOfSignIn: 4,
  /** app_user and one identity: widths of columns and indexes. */
  bytesOfUser: 700,
  /** Connections of one server to PostgreSQL. */
  connections: defaultPools.read + defaultPools.write,
  /** PostgreSQL's own default. */
  maxConnections: 100,
  /** Beyond this, a backup and a new replica take most of a day. */
  largestStoreBytes: 4e12,
  /** A large machine for one primary. */
  largestPostgresCores: 64,
} as const

const monthSeconds = 30 * 86_400
const analysisTable = 'Whole device analysis, 100,000 devices known'
const storageTable = 'Storage on PostgreSQL, 100,000 rows at the start'
const startTable = 'Start and idle memory of `ringfence serve`'
const customerTable = 'One request of a customer'
const visitOf = 'device visit, engine call to report'

/** The figures of the benchmarks that an estimate uses. */
export function figures() {
  const inserts = coreSecondsOfPostgres('inserts, 100 at once')
  const reads = coreSecondsOfPostgres('point reads, 100 at once')
  return {
    checksPerCore: customersPerCore('SIM swap check, one call of the operator'),
    requestsPerCore: customersPerCore('token verification'),
    returningPerCore: customersPerCore(visitOf),
    newPerCore: customersPerCore(visitOf) * shareOfNewDevice(),
    analysisBytes: measured('analysis', analysisTable, 'analysis with its report and visit', 'bytes of the store'),
    sealedBytes: measured('analysis', analysisTable, '… of that sealed', 'bytes'),
    deviceBytes: measured('analysis', analysisTable, 'installation with its keys and history', 'bytes of the store'),
    idleMb: measured('start', startTable, 'resident when idle', 'MB'),
    addressDataMb: measured('ip', 'Address files, first look-up', 'memory added, ours', 'MB resident'),
    logOfVisitBytes: measured('filled', logTable, `${olderVisits}, wal_compression = off`, 'bytes'),
    compressedLogOfVisitBytes: measured('filled', logTable, `${olderVisits}, wal_compression = on`, 'bytes'),
    commitsPerCore: 1 / inserts,
    readsPerCore: 1 / reads,
  }
}

const logTable = 'Write-ahead log of a returning visit'
const olderVisits = '1,000,000 visits of 30 days'

/** Over HTTP, with an app, default rules and a webhook, at the load that a core is filled with. */
const customersPerCore = (what: string) => 1e6 / measured('customer', customerTable, `${what}, 64 at once`, 'µs of CPU')

/** How many new devices are as dear as one that returns; measured without HTTP alone. */
function shareOfNewDevice(): number {
  const perCore = (row: string) => measured('analysis', analysisTable, row, 'analyses per CPU-second')
  return perCore('new devices') / perCore('devices that return with their key')
}

/** At most: the cores of the machine that the measuring process did not use. */
function coreSecondsOfPostgres(row: string): number {
  const perSecond = measured('storage', storageTable, row, 'per second')
  const ours = perSecond / measured('storage', storageTable, row, 'per CPU-second')
  return (coresOf('storage') - ours) / perSecond
}

export interface Estimate {
  traffic: Traffic
  /** At the peak, per second. */
  checks: number
  signIns: number
  visits: number
  commits: number
  /** Of all Ringfence servers, with one core each. */
  servers: number
  serverMemoryMb: number
  postgresCores: number
  storeBytes: number
  /** What PostgreSQL writes for visits, archives and sends to each replica. */
  logBytesPerDay: number
  compressedLogBytesPerDay: number
  /** Of each PostgreSQL machine: the store, its log, and room for vacuum. */
  diskBytes: number
  connections: number
  bottlenecks: { what: string; users: number; remedy: string }[]
}

export function estimate(traffic: Traffic): Estimate {
  const f = figures()
  const perSecond = (each: number) => (traffic.users * each * peak) / monthSeconds
  const [checks, signIns, visits] = [traffic.checks, traffic.signIns, traffic.visits].map(perSecond) as [
    number,
    number,
    number,
  ]
  const { check, signIn, visit } = costOfFlows
  const coresBusy =
    checks / f.checksPerCore +
    (signIns * counted.requestsOfSignIn) / f.requestsPerCore +
    visits * ((1 - newDeviceShare) / f.returningPerCore + newDeviceShare / f.newPerCore)
  const commits = checks * check.commits + signIns * signIn.commits + visits * visit.commits
  const reads = checks * check.reads + signIns * signIn.reads + visits * visit.reads
  const serverCores = coresBusy / utilisation
  const servers = Math.max(2, Math.ceil(serverCores) + 1)
  const databaseCores = (commits / f.commitsPerCore + reads / f.readsPerCore) / utilisation
  const storeBytes = storedBytes(traffic)
  const visitsPerDay = (traffic.users * traffic.visits) / 30
  return {
    traffic,
    checks,
    signIns,
    visits,
    commits,
    servers,
    postgresCores: Math.max(2, Math.ceil(databaseCores)),
    storeBytes,
    logBytesPerDay: visitsPerDay * f.logOfVisitBytes,
    compressedLogBytesPerDay: visitsPerDay * f.compressedLogOfVisitBytes,
    serverMemoryMb: f.idleMb + f.addressDataMb,
    diskBytes: 2 * storeBytes,
    connections: servers * counted.connections,
    bottlenecks: bottlenecks({ users: traffic.users, serverCores, databaseCores, storeBytes }),
  }
}

const defaultOf = (name: 'deviceRetentionDays' | 'deviceHistoryDays'): number =>
  (Settings.properties[name] as unknown as { default: number }).default

function storedBytes({ users, visits }: Traffic): number {
  const f = figures()
  const contentMonths = defaultOf('deviceRetentionDays') / 30
  const historyMonths = Math.max(contentMonths, defaultOf('deviceHistoryDays') / 30)
  const ofVisits =
    users *
    visits *
    (f.analysisBytes * contentMonths + (f.analysisBytes - f.sealedBytes) * (historyMonths - contentMonths))
  const devices = visits === 0 ? 0 : users * (1 + visits * newDeviceShare * historyMonths)
  return ofVisits + devices * f.deviceBytes + users * counted.bytesOfUser
}

interface Needs {
  users: number
  serverCores: number
  databaseCores: number
  storeBytes: number
}

/** Each limit, and at how many users of this traffic it is met; the first one comes first. */
function bottlenecks({ users, serverCores, databaseCores, storeBytes }: Needs): Estimate['bottlenecks'] {
  const usersAt = (limit: number, used: number) =>
    used === 0 ? Number.POSITIVE_INFINITY : Math.floor((users * limit) / used)
  return [
    {
      what: `connections: PostgreSQL accepts ${counted.maxConnections}`,
      users: usersAt(counted.maxConnections / counted.connections - 1, serverCores),
      remedy: 'raise `max_connections`, or put PgBouncer in session mode in front',
    },
    {
      what: `cores of one PostgreSQL primary: ${counted.largestPostgresCores}`,
      users: usersAt(counted.largestPostgresCores, databaseCores),
      remedy: 'distribute the tables ([Citus](distribution.md)), or give each large tenant its own installation',
    },
    {
      what: `size of one store: ${counted.largestStoreBytes / 1e12} TB`,
      users: usersAt(counted.largestStoreBytes, storeBytes),
      remedy: 'shorten `DEVICE_RETENTION_DAYS` and `DEVICE_HISTORY_DAYS`, then distribute the tables',
    },
  ].toSorted((a, b) => a.users - b.users)
}
