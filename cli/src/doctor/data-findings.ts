// How old are the lists of IP addresses and of certificates, the IP files, the number data and the dated tables?

import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { broken, type Finding, futureFinding, ok, warning } from '@ringfence/server/admin/doctor/finding.ts'
import { tableFinding } from '@ringfence/server/admin/doctor/table-finding.ts'
import { type RevocationSources, revocationSources } from '@ringfence/server/core/config/attestation-settings.ts'
import type { Config } from '@ringfence/server/core/config/config.ts'
import { tableStatus } from '@ringfence/server/core/dated-data/tables.ts'
import { ageMs, dayAheadMs } from '@ringfence/server/core/files/renewal.ts'
import {
  missingLists,
  readStoredRevocations,
  revocationFile,
} from '@ringfence/server/device/attestation/android/revocation-list.ts'
import { addressFileStatus } from '@ringfence/server/ip/files/address-files.ts'
import { readAddressLists } from '@ringfence/server/ip/lists/address-lists.ts'
import { isOutdated } from '@ringfence/server/ip/lists/list-age.ts'
import { addressListFile } from '@ringfence/server/ip/lists/update-lists.ts'
import { readManifest } from '@ringfence/server/telecom/portability-sources/manifest.ts'
import { explain } from '../failure.ts'

const dayMs = 86_400_000
/** `data update` runs once a day. As the alert RingfenceOldLists. */
const oldListDays = 2
const oldFileDays = 60
/** Numbers are ported every day; what a publisher delivers less often is old at its arrival. */
const oldNumberDays = 35

export async function dataFindings({ settings, attestation }: Config): Promise<Finding[]> {
  return Promise.all([
    guarded('IP lists', () => listFinding(settings.dataFolder)),
    guarded('IP files', () => fileFinding(settings)),
    guarded('number data', () => numberFinding(settings.dataFolder)),
    guarded('tables', () => tableFinding(tableStatus(settings.dataFolder, Date.now()), Date.now())),
    guarded('revocations', () => revocationFinding(settings.dataFolder, revocationSources(attestation))),
  ])
}

async function guarded(subject: string, check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return broken(subject, explain(error), 'fetch or import it again')
  }
}

function listFinding(dataFolder: string): Finding {
  const subject = 'IP lists'
  const todo = 'run ringfence data update once a day (docs/guides/ip-data.md)'
  const path = addressListFile(dataFolder)
  const lists = existsSync(path) ? readAddressLists(path).lists : []
  if (lists.length === 0)
    return warning(subject, 'there are none: no VPN, no open proxy and no Tor exit is known', todo)
  const now = Date.now()
  const future = futureFinding(subject, lists, now, todo)
  if (future) return future
  const outdated = lists.filter((list) => isOutdated(list, now)).map(({ name }) => name)
  if (outdated.length > 0) return warning(subject, `too old to count: ${outdated.join(', ')}`, todo)
  const days = Math.floor(Math.max(...lists.map((list) => ageMs(list, now))) / dayMs)
  const text = `${lists.length}, the oldest from ${daysText(days)}`
  return days >= oldListDays ? warning(subject, text, todo) : ok(subject, text)
}

function fileFinding(settings: Config['settings']): Finding {
  const subject = 'IP files'
  const files = addressFileStatus(settings)
  const starter = files
    .filter((file) => file.starter)
    .map(({ kind }) => (kind === 'city' ? 'places' : 'network operators'))
  const todo = 'use newer files: IP_CITY_FILES, IP_ASN_FILES or ipFiles (docs/guides/ip-data.md)'
  if (starter.length > 0)
    return warning(
      subject,
      `starter data for ${[...new Set(starter)].join(' and ')}, which is old and has errors`,
      todo,
    )
  const now = Date.now()
  const named = files.map(({ path, datedMs }) => ({ name: basename(path), datedMs }))
  const days = Math.floor(Math.max(...files.map((each) => ageMs(each, now))) / dayMs)
  const future = futureFinding(subject, named, now, todo)
  if (future) return future
  return days > oldFileDays
    ? warning(subject, `the oldest from ${daysText(days)}`, todo)
    : ok(subject, `the oldest from ${daysText(days)}`)
}

function numberFinding(dataFolder: string): Finding {
  const subject = 'number data'
  const { dataSets } = readManifest(dataFolder)
  if (dataSets.length === 0) return ok(subject, 'none imported; operators come from portability sources')
  const now = Date.now()
  const todo = 'import newer files: docs/guides/number-data.md'
  const named = dataSets.map(({ source, asOf }) => ({ name: source, datedMs: asOf, aheadMs: dayAheadMs }))
  const future = futureFinding(subject, named, now, todo)
  if (future) return future
  const days = Math.floor(Math.max(...named.map((each) => ageMs(each, now))) / dayMs)
  const text = `${dataSets.map(({ source }) => source).join(', ')}; the oldest from ${daysText(days)}`
  return days > oldNumberDays ? warning(subject, text, todo) : ok(subject, text)
}

/** Certificates of Android phones whose keys leaked pass until a list names them. */
async function revocationFinding(dataFolder: string, configured: RevocationSources): Promise<Finding> {
  const subject = 'revocations'
  const todo = 'run ringfence data update once a day (docs/reference/key-attestation.md)'
  const lists = await readStoredRevocations(revocationFile(dataFolder))
  const missing = missingLists(lists, configured)
  if (missing.length > 0) {
    const text = `missing: ${missing.join(', ')}; withdrawn certificates of Android phones are not all known`
    return warning(subject, text, todo)
  }
  if (lists.length === 0) return ok(subject, 'no list is configured; certificates of Android phones are not looked up')
  const now = Date.now()
  const days = Math.floor((now - Math.min(...lists.map(({ datedMs }) => datedMs))) / dayMs)
  const text = `${lists.length}, the oldest from ${daysText(days)}`
  if (days >= oldListDays) return warning(subject, text, todo)
  return futureFinding(subject, lists, now, todo) ?? ok(subject, text)
}

const daysText = (days: number) => (days <= 0 ? 'today' : days === 1 ? 'a day ago' : `${days} days ago`)
