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
 * What no benchmark measures: how many requests one action is, estimated from the code.
 * A request counts like a token verification, which has the same steps around one read.
 */
export const counted = {
  requestsOfSignIn: 4,
  /** Connections of one server to PostgreSQL. */
  connections: defaultPools.read + defaultPools.write,
  /** PostgreSQL's own default. */
  maxConnections: 100,
  /** A backup that is made every night has ended by then. */
  longestBackupHours: 24,
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
    analysisBytes: held('analysis'),
    sealedBytes: held('analysis: sealed'),
    eventBytes: held('event'),
    deviceBytes: held('device'),
    idleMb: measured('start', startTable, 'resident when idle', 'MB'),
    addressDataMb: measured('ip', 'Address files, first look-up', 'memory added, ours', 'MB resident'),
    userBytes: held('user'),
    userIndexBytes: held('user: indexes'),
    deviceIndexBytes: held('device: indexes'),
    backupSecondsPerGb: measured('filled', 'Backup', 'made, restored and read', 's per GB of the store'),
    serversConnected: measured(
      'filled',
      'Connections',
      `servers that use all their connections, max_connections = ${counted.maxConnections}`,
      'servers',
    ),
    commitsPerCore: 1 / inserts,
    readsPerCore: 1 / reads,
  }
}

const logTable = 'Write-ahead log and events of a request'
/** Rows of that table. */
const loggedFlows = {
  visit: 'visit, 1,000,000 in 30 days',
  newDevice: 'visit of a new device',
  signIn: 'sign-in by SMS',
  check: 'SIM swap check, one call of the operator',
} as const

/** Bytes that one of them writes to PostgreSQL's log, with and without `wal_compression`. */
export const logOf = (flow: keyof typeof loggedFlows, compression: 'on' | 'off'): number =>
  measured('filled', logTable, `${loggedFlows[flow]}, wal_compression = ${compression}`, 'bytes')

const eventsOf = (flow: keyof typeof loggedFlows): number =>
  measured('filled', logTable, `${loggedFlows[flow]}: recorded`, 'events')

const held = (row: string) => measured('filled', 'Held by PostgreSQL', row, 'bytes')

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
  /** Of devices and users, whose keys are random: PostgreSQL is slow when they do not fit its memory. */
  indexBytes: number
  backupHours: number
  /** What PostgreSQL writes, archives and sends to each replica. */
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
  const stored = storedBytes(traffic)
  const { storeBytes } = stored
  return {
    traffic,
    checks,
    signIns,
    visits,
    commits,
    servers,
    postgresCores: Math.max(2, Math.ceil(databaseCores)),
    ...stored,
    backupHours: hoursOfBackup(storeBytes),
    logBytesPerDay: loggedPerDay(traffic, 'off'),
    compressedLogBytesPerDay: loggedPerDay(traffic, 'on'),
    serverMemoryMb: f.idleMb + f.addressDataMb,
    diskBytes: 2 * storeBytes,
    connections: servers * counted.connections,
    bottlenecks: bottlenecks({ users: traffic.users, serverCores, databaseCores, storeBytes }),
  }
}

function loggedPerDay({ users, checks, signIns, visits }: Traffic, compression: 'on' | 'off'): number {
  const ofVisit = (1 - newDeviceShare) * logOf('visit', compression) + newDeviceShare * logOf('newDevice', compression)
  const ofUser = visits * ofVisit + signIns * logOf('signIn', compression) + checks * logOf('check', compression)
  return (users * ofUser) / 30
}

const defaultOf = (name: 'deviceRetentionDays' | 'deviceHistoryDays' | 'eventDays'): number =>
  (Settings.properties[name] as unknown as { default: number }).default

const hoursOfBackup = (bytes: number) => (bytes / 1e9) * (figures().backupSecondsPerGb / 3600)

function storedBytes({ users, checks, signIns, visits }: Traffic): Pick<Estimate, 'storeBytes' | 'indexBytes'> {
  const f = figures()
  const contentMonths = defaultOf('deviceRetentionDays') / 30
  const historyMonths = Math.max(contentMonths, defaultOf('deviceHistoryDays') / 30)
  const ofVisits =
    users *
    visits *
    (f.analysisBytes * contentMonths + (f.analysisBytes - f.sealedBytes) * (historyMonths - contentMonths))
  const events = visits * eventsOf('visit') + signIns * eventsOf('signIn') + checks * eventsOf('check')
  const ofEvents = users * events * f.eventBytes * (defaultOf('eventDays') / 30)
  const devices = visits === 0 ? 0 : users * (1 + visits * newDeviceShare * historyMonths)
  return {
    storeBytes: ofVisits + ofEvents + devices * f.deviceBytes + users * f.userBytes,
    indexBytes: devices * f.deviceIndexBytes + users * f.userIndexBytes,
  }
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
      users: usersAt(figures().serversConnected - 1, serverCores),
      remedy: 'raise `max_connections`, or put PgBouncer in session mode in front',
    },
    {
      what: `cores of one PostgreSQL primary: ${counted.largestPostgresCores}`,
      users: usersAt(counted.largestPostgresCores, databaseCores),
      remedy: 'distribute the tables ([Citus](distribution.md)), or give each large tenant its own installation',
    },
    {
      what: `a backup, made, restored and read: ${counted.longestBackupHours} hours`,
      users: usersAt(counted.longestBackupHours, hoursOfBackup(storeBytes)),
      remedy:
        'archive the log ([point in time](guides/backup.md#to-a-point-in-time)), and shorten `DEVICE_RETENTION_DAYS` and `DEVICE_HISTORY_DAYS`',
    },
  ].toSorted((a, b) => a.users - b.users)
}
