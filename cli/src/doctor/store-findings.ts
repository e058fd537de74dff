// Is the store there, writable and safe, do its keys open, and does its clock agree with this machine?

import { attestationFinding } from '@ringfence/server/admin/doctor/attestation-finding.ts'
import { collectFinding } from '@ringfence/server/admin/doctor/collect-finding.ts'
import { broken, type Finding, ok, unknown, warning } from '@ringfence/server/admin/doctor/finding.ts'
import { type ListStore, listFinding } from '@ringfence/server/admin/doctor/list-finding.ts'
import { checkFinding, ruleFinding } from '@ringfence/server/admin/doctor/rule-finding.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import type { Config } from '@ringfence/server/core/config/config.ts'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import { adviceOnMasterKey, openKeyring } from '@ringfence/server/core/crypto/open-keyring.ts'
import { tenantKeyring } from '@ringfence/server/core/crypto/tenant-keyring.ts'
import type { Database } from '@ringfence/server/core/storage/database.ts'
import { readMigrations } from '@ringfence/server/core/storage/migrate.ts'
import { isPostgresUrl } from '@ringfence/server/core/storage/open-database.ts'
import { logAdvice, logSettingsOf } from '@ringfence/server/core/storage/postgres/log-settings.ts'
import { openPostgres } from '@ringfence/server/core/storage/postgres/postgres.ts'
import { replicationOf, replicationWarning } from '@ringfence/server/core/storage/postgres/replication.ts'
import { limitsOfOthers } from '@ringfence/server/core/storage/postgres/time-limits.ts'
import { openSqlite } from '@ringfence/server/core/storage/sqlite/sqlite.ts'
import { storeExists } from '@ringfence/server/core/storage/store-exists.ts'
import { listTenants } from '@ringfence/server/core/storage/tenants.ts'
import { findLedger, judge } from '@ringfence/server/core/storage/upgrade/ledger.ts'
import { MigrationRefused } from '@ringfence/server/core/storage/upgrade/migration.ts'
import type { RuleStore } from '@ringfence/server/rules/stored-version.ts'
import { SigningKeys } from '@ringfence/server/sign-in/identity-tokens/signing-keys.ts'
import { explain } from '../failure.ts'
import { diskFinding } from './disk-finding.ts'
import { streamFindings, webhookFinding } from './stream-findings.ts'
import { withConnectors } from './upstream-findings.ts'
import { workerFindings } from './worker-findings.ts'

const dayMs = 86_400_000
/** A clock this wrong expires sessions and tokens early or late. */
const largestSkewMs = 5_000

export async function storeFindings({
  settings,
  connectors,
  eventStreams = {},
}: Pick<Config, 'settings' | 'connectors' | 'eventStreams'>): Promise<Finding[]> {
  const disk = await diskFinding(settings.dataFolder)
  const place = settings.databaseUrl ?? settings.dataFolder
  let database: Database
  try {
    if (!(await storeExists(place))) {
      const where = settings.databaseUrl === undefined ? settings.dataFolder : 'the database'
      const todo = 'name the right one with --data DIR or DATABASE_URL, or create it with ringfence init'
      return [
        broken('store', `${where} has no store`, todo),
        ...disk,
        ...(await streamFindings(eventStreams, undefined)),
      ]
    }
    // Not openDatabase, which would migrate.
    database = isPostgresUrl(place) ? await openPostgres(place) : await openSqlite(place)
  } catch (error) {
    const [text = '', todo = 'correct it, and run ringfence doctor again'] = explain(error).split('; ')
    return [broken('store', text, todo), ...disk, ...(await streamFindings(eventStreams, undefined))]
  }
  try {
    const migrations = await migrationFinding(database)
    const postgres = database.engine === 'postgres' ? await postgresFindings(database) : []
    const workers = await workerFindings(database, settings)
    const store = [await writeFinding(database), migrations.finding, ...postgres, ...workers, ...disk]
    const keys = migrations.complete
      ? await keyFindings(database, { settings, connectors })
      : [unknown('master key', 'not checked, because the migrations differ')]
    const streams = await streamFindings(eventStreams, migrations.complete ? database : undefined)
    const webhooks = migrations.complete ? await webhookFinding(database) : []
    return [...store, ...keys, await clockFinding(database), ...streams, ...webhooks]
  } finally {
    await database.close()
  }
}

async function writeFinding(database: Database): Promise<Finding> {
  try {
    await database.ping()
    return ok('store', `${database.engine === 'sqlite' ? 'embedded' : 'PostgreSQL'}, can be read and written`)
  } catch (error) {
    return broken(
      'store',
      `cannot be written: ${explain(error)}`,
      'look at the disk, at permissions, or at the primary of PostgreSQL',
    )
  }
}

/** `complete`: the keys can be checked. */
async function migrationFinding(database: Database): Promise<{ finding: Finding; complete: boolean }> {
  const subject = 'migrations'
  const incomplete = (finding: Finding) => ({ finding, complete: false })
  const complete = (finding: Finding) => ({ finding, complete: true })
  try {
    const known = await readMigrations()
    const ledger = await findLedger(database)
    const { missing, newer } = ledger ? judge(ledger, known) : { missing: known, newer: [] }
    if (missing.length > 0) {
      const text = ledger ? `${missing.length} of ${known.length} are not applied yet` : 'some are not applied yet'
      return incomplete(warning(subject, text, 'make a backup, then start the service, which applies them'))
    }
    const unbuilt = await database.query<{ name: string }>('select name from schema_index order by name')
    if (unbuilt.length > 0) {
      const names = unbuilt.map(({ name }) => name).join(', ')
      const todo = 'wait for the server that builds it, or start one'
      return complete(warning(subject, `not built yet: index ${names}`, todo))
    }
    if (newer.length === 0) return complete(ok(subject, `all ${known.length} are applied`))
    const text = `the store has ${newer.at(-1)} of a newer version, with which this version works`
    return complete(warning(subject, text, 'upgrade the other servers too'))
  } catch (error) {
    if (error instanceof MigrationRefused) return incomplete(broken(subject, error.reason, error.todo))
    const todo = 'restore a backup, or look at the permissions of the database role'
    return incomplete(broken(subject, explain(error), todo))
  }
}

async function postgresFindings(database: Database): Promise<Finding[]> {
  return [...(await replicationFinding(database)), ...(await limitFinding(database)), await logFinding(database)]
}

/** What PostgreSQL writes, archives and sends to its standbys. */
async function logFinding(database: Database): Promise<Finding> {
  const subject = 'write-ahead log'
  const settings = await logSettingsOf(database).catch(() => undefined)
  if (!settings) return unknown(subject, 'PostgreSQL does not say how it writes it')
  const advice = logAdvice(settings)
  if (advice.length === 0) return ok(subject, 'compressed, checkpoints at least 15 minutes apart')
  const todo = `set ${advice.join(', ')}, and reload PostgreSQL`
  const text = settings.wholePages
    ? 'PostgreSQL logs more for each visit than it has to'
    : 'a crash may damage the store, unless its file system never writes half of a page'
  return warning(subject, text, todo)
}

/** Behind PgBouncer, which drops the limits that Ringfence sends. */
async function limitFinding(database: Database): Promise<Finding[]> {
  const subject = 'time limits'
  const limits = await limitsOfOthers(database).catch(() => 'unknown' as const)
  if (limits === 'unknown') return [unknown(subject, 'PostgreSQL does not say which ones apply')]
  if (!limits) return []
  const { statement, lock } = limits
  const seconds = `statement_timeout ${statement / 1000} s, lock_timeout ${lock / 1000} s`
  if (statement === 0 || lock === 0) {
    const text = `those of Ringfence do not arrive, so a write that hangs may not end (${seconds}; 0: no limit)`
    return [warning(subject, text, 'set them on the role: docs/guides/several-servers.md#pgbouncer')]
  }
  const upgrades = 'start the first server of an upgrade with the URL of PostgreSQL itself'
  return [ok(subject, `${seconds}, also for the build of an index: ${upgrades}`)]
}

async function replicationFinding(database: Database): Promise<Finding[]> {
  const replication = await replicationOf(database)
  if (!replication) return [unknown('replication', 'PostgreSQL does not say how it replicates')]
  const text = replicationWarning(replication)
  const [what = '', todo = ''] = text?.split('. ') ?? []
  if (text !== undefined) return [warning('replication', what, todo)]
  const { standbys } = replication
  if (standbys === 0)
    return [
      warning('replication', 'PostgreSQL has no standby now', 'add one, unless an outage of the machine is acceptable'),
    ]
  return [ok('replication', `synchronous, ${standbys} ${standbys === 1 ? 'standby' : 'standbys'}`)]
}

async function keyFindings(
  database: Database,
  { settings, connectors }: Pick<Config, 'settings' | 'connectors'>,
): Promise<Finding[]> {
  const [tenant] = await listTenants(database)
  if (!tenant) return [warning('tenants', 'there are none, so no client can call', 'run ringfence init')]
  try {
    const keyring = await openKeyring(database, settings, process.env, { create: false })
    const keys = await new SigningKeys({ database, keyring, clock: systemClock, settings }).list()
    const advice = adviceOnMasterKey(keyring, settings.dataFolder)
    const found =
      advice === undefined
        ? ok('master key', `opens the store: ${keyring.masterKey.openedBy}`)
        : warning('master key', advice, 'read docs/guides/keys.md')
    const store = { database, tenantKeyring: tenantKeyring(database, keyring, systemClock), clock: systemClock }
    return [
      ...[found, signingFinding(keys, settings)],
      ...(await ruleFindings(store)),
      ...(await checkFindings(store, connectors)),
      ...(await listFindings(store)),
      ...(await attestationFindings(store)),
      ...(await collectFindings(store)),
    ]
  } catch (error) {
    return [
      broken('master key', explain(error), 'without the right key no client can sign in: restore it from its copy'),
    ]
  }
}

/** One line, or one for each tenant whose rules are too expensive. */
async function ruleFindings(store: RuleStore): Promise<Finding[]> {
  const tenants = await listTenants(store.database)
  const found: Finding[] = []
  for (const { id, name } of tenants) found.push(await ruleFinding(store, id, `rules of ${name}`))
  const expensive = found.filter(({ state }) => state !== 'ok')
  return expensive.length > 0 ? expensive : [ok('rules', 'those of every tenant stay within the budget')]
}

/** One line, or one for each tenant whose rules read what no operator answers. A connector that cannot be opened has its own line. */
const checkFindings = (store: RuleStore, connectors: Config['connectors']): Promise<Finding[]> =>
  withConnectors({ connectors }, async (opened) => {
    const found: Finding[] = []
    for (const { id, name } of opened ? await listTenants(store.database) : [])
      found.push(await checkFinding(store, id, opened!, `telecom checks of ${name}`))
    const unanswered = found.filter(({ state }) => state !== 'ok')
    return unanswered.length > 0 || found.length === 0 ? unanswered : [ok('telecom checks', found[0]!.text)]
  })

/** One line, or one for each tenant with entries that cannot match. */
async function listFindings(store: ListStore): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { id, name } of await listTenants(store.database))
    found.push(await listFinding(store, id, `lists of ${name}`))
  const unmatched = found.filter(({ state }) => state !== 'ok')
  return unmatched.length > 0 ? unmatched : [ok('lists', 'those of every tenant have entries that can match')]
}

/** One line for each tenant whose apps leave no id of a phone. */
async function collectFindings({ database }: RuleStore): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { id, name } of await listTenants(database)) {
    const finding = await collectFinding(database, id, `facts of ${name}`)
    if (finding) found.push(finding)
  }
  return found
}

/** One line for each tenant that has phones attested. */
async function attestationFindings(store: RuleStore): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { id, name } of await listTenants(store.database)) {
    const finding = await attestationFinding(store, id, `attestation of ${name}`)
    if (finding) found.push(finding)
  }
  return found
}

function signingFinding(keys: readonly { use: string; startsAt: number }[], { idTokenKeyDays }: Settings): Finding {
  const subject = 'signing key'
  const inUse = keys.find(({ use }) => use === 'in use')
  if (!inUse) return ok(subject, 'there is none yet; the service creates it when it needs it')
  const days = Math.floor((Date.now() - inUse.startsAt) / dayMs)
  const text = `signs ID tokens for ${days} ${days === 1 ? 'day' : 'days'}, of ${idTokenKeyDays}`
  if (days <= idTokenKeyDays + 1) return ok(subject, text)
  return warning(subject, text, 'start the service, which rotates it, or run ringfence keys rotate')
}

/** The embedded store has the clock of this machine; then only a clock that was set back can be seen. */
async function clockFinding(database: Database): Promise<Finding> {
  const subject = 'clock'
  const before = Date.now()
  try {
    const [row] = await database.query<{ ms: number }>(
      database.engine === 'postgres'
        ? 'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as ms'
        : 'select max(applied_at) as ms from schema_migration',
    )
    const after = Date.now()
    const ms = Number(row?.ms)
    const skew = database.engine === 'postgres' ? Math.max(before - ms, ms - after, 0) : Math.max(ms - after, 0)
    const other = database.engine === 'postgres' ? "the store's clock" : 'the last migration of the store'
    if (skew <= largestSkewMs) return ok(subject, `agrees with ${other}`)
    const text = `differs from ${other} by ${Math.round(skew / 1000)} s`
    return broken(subject, text, 'synchronise the clocks of all machines (chrony, systemd-timesyncd)')
  } catch (error) {
    return unknown(subject, explain(error))
  }
}
