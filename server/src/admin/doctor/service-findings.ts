// Can a running server do its work, and what should be changed? The checks of `ringfence doctor` that it can make about itself.

import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { listApps } from '../../apps/stored-apps.ts'
import { adviceOnMasterKey } from '../../core/crypto/open-keyring.ts'
import { readMigrations } from '../../core/storage/migrate.ts'
import { findLedger, judge } from '../../core/storage/upgrade/ledger.ts'
import { listReceivers } from '../../events/store/receivers.ts'
import { authorityMissing } from '../../sign-in/authentication/channels/identity-providers/authority.ts'
import { callbackPath } from '../../sign-in/authentication/start-by-redirect.ts'
import { verificationCallbackPath } from '../../telecom/number-verification/verification.ts'
import { attestationFinding, attestsAndroid } from './attestation-finding.ts'
import { callbackFindings } from './callback-findings.ts'
import { collectFinding } from './collect-finding.ts'
import { broken, type Finding, futureFinding, ok, type State, unknown, warning } from './finding.ts'
import { listFinding } from './list-finding.ts'
import type { DoctorNeeds } from './room.ts'
import { checkFinding, ruleFinding } from './rule-finding.ts'
import { tableFinding } from './table-finding.ts'

const dayMs = 86_400_000
/** As the alert RingfenceOldLists. */
const oldListDays = 2
const oldFileDays = 60
/** A clock this wrong expires sessions and tokens early or late. */
const largestSkewMs = 5_000
const leastFreeBytes = 100e6
const littleFreeBytes = 1e9

const order: readonly State[] = ['broken', 'warning', 'unknown', 'ok']

/** Broken ones first. A check that cannot be made is `unknown`, and hides no other. */
export async function serviceFindings(needs: DoctorNeeds, tenantId: string): Promise<Finding[]> {
  const checks: Readonly<Record<string, () => Finding[] | Promise<Finding[]>>> = {
    store: () => storeFinding(needs),
    migrations: () => migrationFinding(needs),
    clock: () => clockFinding(needs),
    disk: () => diskFinding(needs.settings.dataFolder),
    keys: () => keyFindings(needs),
    'data files': () => dataFindings(needs),
    upstreams: () => upstreamFindings(needs),
    channels: () => channelFindings(needs),
    'redirect URIs': () => redirectFindings(needs),
    webhooks: () => webhookFinding(needs, tenantId),
    rules: async () => [await ruleFinding(needs, tenantId)],
    'telecom checks': async () => [await checkFinding(needs, tenantId, needs.telecom.connectors.values())],
    lists: async () => [await listFinding(needs, tenantId)],
    facts: async () => [(await collectFinding(needs.database, tenantId)) ?? []].flat(),
    attestation: () => attestationFindings(needs, tenantId),
    'public URL': () => frontFindings(needs),
  }
  const found = await Promise.all(
    Object.entries(checks).map(async ([subject, check]) => {
      try {
        return await check()
      } catch (error) {
        needs.log.warn({ err: error, subject }, 'a check of the service failed')
        return [unknown(subject, 'it could not be checked now; the log says why')]
      }
    }),
  )
  return found.flat().sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
}

async function storeFinding({ servers: { readiness }, database }: DoctorNeeds): Promise<Finding[]> {
  const state = await readiness.check()
  const engine = database.engine === 'sqlite' ? 'embedded' : 'PostgreSQL'
  if (state === 'ready') return [ok('store', `${engine}, can be read and written`)]
  const todo =
    state === 'schema too new'
      ? 'a newer version has upgraded the store: upgrade this server too'
      : 'look at the disk, at permissions, or at the primary of PostgreSQL'
  return [broken('store', state, todo)]
}

async function migrationFinding({ database }: DoctorNeeds): Promise<Finding[]> {
  const known = await readMigrations()
  const ledger = await findLedger(database)
  const { missing, newer } = ledger ? judge(ledger, known) : { missing: known, newer: [] }
  if (missing.length > 0) {
    const text = `${missing.length} of ${known.length} are not applied yet`
    return [warning('migrations', text, 'make a backup, then restart the service, which applies them')]
  }
  if (newer.length === 0) return [ok('migrations', `all ${known.length} are applied`)]
  const text = `the store has ${newer.at(-1)} of a newer version, with which this version works`
  return [warning('migrations', text, 'upgrade the other servers too')]
}

async function clockFinding({ database }: DoctorNeeds): Promise<Finding[]> {
  if (database.engine === 'sqlite') return [ok('clock', 'the store has the clock of this machine')]
  const before = Date.now()
  const [row] = await database.query<{ ms: number }>(
    'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as ms',
  )
  const after = Date.now()
  const skew = Math.max(before - Number(row!.ms), Number(row!.ms) - after, 0)
  if (skew <= largestSkewMs) return [ok('clock', "agrees with the store's clock")]
  const text = `differs from the store's clock by ${Math.round(skew / 1000)} s`
  return [broken('clock', text, 'synchronise the clocks of all machines (chrony, systemd-timesyncd)')]
}

/** Nothing where there is no folder, which PostgreSQL does not need. */
async function diskFinding(folder: string): Promise<Finding[]> {
  if (!existsSync(folder)) return []
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `${(free / 1e9).toFixed(1)} GB free for the data folder`
  if (free < leastFreeBytes) return [broken('disk', text, 'free some space: a full disk stops every write')]
  if (free < littleFreeBytes) return [warning('disk', text, 'free some space')]
  return [ok('disk', text)]
}

async function keyFindings({ keyring, settings, idTokens: { signingKeys }, clock }: DoctorNeeds): Promise<Finding[]> {
  const advice = adviceOnMasterKey(keyring, settings.dataFolder)
  const master =
    advice === undefined
      ? ok('master key', 'opens the store')
      : warning('master key', advice, 'read docs/guides/keys.md')
  const inUse = (await signingKeys.list()).find(({ use }) => use === 'in use')
  if (!inUse) return [master, ok('signing key', 'there is none yet; the service creates it when it needs it')]
  const days = Math.floor((clock.now() - inUse.startsAt) / dayMs)
  const text = `signs ID tokens for ${days} days, of ${settings.idTokenKeyDays}`
  const isLate = days > settings.idTokenKeyDays + 1
  return [master, isLate ? warning('signing key', text, 'run ringfence keys rotate') : ok('signing key', text)]
}

async function dataFindings({ doctor: { dataDates }, clock }: DoctorNeeds): Promise<Finding[]> {
  const all = await dataDates()
  const lists = all.filter(({ name }) => name.startsWith('ip-list '))
  const tables = all.filter(({ name }) => name.startsWith('table '))
  const files = all.filter((each) => !lists.includes(each) && !tables.includes(each))
  const oldest = (dated: typeof all) =>
    Math.floor((clock.now() - Math.min(...dated.map(({ datedMs }) => datedMs))) / dayMs)
  const update = 'run ringfence data update once a day (docs/guides/ip-data.md)'
  const now = clock.now()
  const ofLists =
    futureFinding('IP lists', lists, now, update) ??
    (lists.length === 0
      ? warning('IP lists', 'there are none: no VPN, no open proxy and no Tor exit is known', update)
      : oldest(lists) >= oldListDays
        ? warning('IP lists', `${lists.length}, the oldest from ${oldest(lists)} days ago`, update)
        : ok('IP lists', `${lists.length}, the oldest from ${oldest(lists)} days ago`))
  const ofTables = tables.length > 0 ? [tableFinding(tables, clock.now())] : []
  if (files.length === 0) return [ofLists, ...ofTables]
  const text = `the oldest of ${files.length} from ${oldest(files)} days ago`
  const newer = 'use newer files: docs/guides/ip-data.md, docs/guides/number-data.md'
  const ofFiles =
    futureFinding('data files', files, now, newer) ??
    (oldest(files) > oldFileDays ? warning('data files', text, newer) : ok('data files', text))
  return [ofLists, ofFiles, ...ofTables]
}

function upstreamFindings({ upstreams }: DoctorNeeds): Finding[] {
  return upstreams.health().map(({ name, isOpen, calls, failures, lastFailure }) => {
    const subject = `upstream ${name}`
    if (isOpen) {
      const todo = 'look at its URL, its credentials and the network: docs/guides/connect-an-operator.md'
      return broken(subject, `it keeps failing (${lastFailure}), and is called again from time to time`, todo)
    }
    const text = `${calls} calls since the start of this server, ${failures} of them failed`
    return failures * 10 > calls ? warning(subject, text, 'read the log for the reasons') : ok(subject, text)
  })
}

function channelFindings({ signIn: { channels } }: DoctorNeeds): Finding[] {
  const outboxes = channels.all().filter(({ type }) => type === 'outbox')
  const { text, todo } = authorityMissing
  return [
    ...outboxes.map(({ channel }) =>
      warning(`channel ${channel.name}`, 'shows messages and sends nothing', 'configure a gateway'),
    ),
    ...channels.withoutAuthority().map((name) => warning(`channel ${name}`, text, todo)),
  ]
}

function redirectFindings({ signIn: { channels }, telecom, addresses }: DoctorNeeds): Finding[] {
  const redirecting = channels.redirecting.map(({ name }) => name)
  return [
    ...callbackFindings(addresses.auth() + callbackPath, redirecting),
    ...callbackFindings(addresses.auth() + verificationCallbackPath, telecom.verifying),
  ]
}

/** Of one tenant. */
async function webhookFinding({ database }: DoctorNeeds, tenantId: string): Promise<Finding[]> {
  const all = await listReceivers(database, tenantId)
  if (all.length === 0) return []
  const failing = all.filter(({ state, failingSince }) => state === 'active' && failingSince !== null).length
  const disabled = all.filter(({ state }) => state === 'disabled').length
  if (failing + disabled === 0) return [ok('webhooks', `${all.length}, and none fails`)]
  const text = `of ${all.length}, ${failing} ${failing === 1 ? 'fails' : 'fail'} and ${disabled} ${disabled === 1 ? 'is' : 'are'} disabled`
  return [warning('webhooks', text, 'the page Webhooks shows which, and why')]
}

/** The list matters to apps that have Android phones attested. */
async function attestationFindings(needs: DoctorNeeds, tenantId: string): Promise<Finding[]> {
  const { database, device, clock } = needs
  const found = await attestationFinding(needs, tenantId)
  if (!found) return []
  if (!(await listApps(database, tenantId)).some(attestsAndroid)) return [found]
  const lists = await device.keyAttestation.revocations.current()
  const state = lists.stateAt(clock.now())
  const todo = 'run ringfence data update once a day (docs/reference/key-attestation.md)'
  return [
    found,
    state === 'current'
      ? ok('revocations', 'less than a day old')
      : warning('revocations', `${state}: an Android phone whose key leaked counts as attested`, todo),
  ]
}

function frontFindings({ settings: { baseUrl, trustedProxies }, signIn: { channels } }: DoctorNeeds): Finding[] {
  if (baseUrl === undefined) {
    const todo = 'set it to the public https URL: magic links, redirects and the OpenAPI document contain it'
    const text = 'BASE_URL is not set'
    return [
      channels.all().length > 0
        ? warning('public URL', text, todo)
        : unknown('public URL', `${text}, and no sign-in needs it`),
    ]
  }
  const url = baseUrl.startsWith('https://')
    ? ok('public URL', baseUrl)
    : warning('public URL', `${baseUrl} has no TLS`, 'put a proxy with TLS in front, and begin the URL with https://')
  const proxies =
    trustedProxies === undefined || trustedProxies === ''
      ? warning(
          'proxies',
          'TRUSTED_PROXIES is not set, so every request seems to come from the proxy',
          'name the addresses of your proxies: docs/guides/ip-data.md',
        )
      : ok('proxies', 'the trusted ones are named')
  return [url, proxies]
}
