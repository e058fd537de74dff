// `ringfence data`: which IP data, keys and status lists does the service use? Shows source, age and licence, and fetches newer data.

import { existsSync } from 'node:fs'
import {
  defaultSignatureAgents,
  isTooOld,
  type StoredAgent,
  signatureAgentFile,
} from '@ringfence/server/bots/signature-agents.ts'
import { readStoredAgents } from '@ringfence/server/bots/stored-agents.ts'
import { updateSignatureAgents } from '@ringfence/server/bots/update-signature-agents.ts'
import { type RevocationSources, revocationSources } from '@ringfence/server/core/config/attestation-settings.ts'
import type { SignatureAgents } from '@ringfence/server/core/config/bot-settings.ts'
import type { PublishedLists } from '@ringfence/server/core/config/ip-data-settings.ts'
import { type TableStatus, tableStatus } from '@ringfence/server/core/dated-data/tables.ts'
import { type TableUpdate, updateTables } from '@ringfence/server/core/dated-data/update-tables.ts'
import { DataFileError } from '@ringfence/server/core/files/data-file-error.ts'
import { ageMs, type Dated, dayAheadMs, isInFuture, type Renewal } from '@ringfence/server/core/files/renewal.ts'
import {
  entriesIn,
  isStale,
  missingLists,
  readStoredRevocations,
  revocationFile,
  type StoredRevocations,
} from '@ringfence/server/device/attestation/android/revocation-list.ts'
import { updateRevocations } from '@ringfence/server/device/attestation/android/update-revocations.ts'
import { type AddressFileStatus, addressFileStatus } from '@ringfence/server/ip/files/address-files.ts'
import { type FileUpdate, updateFiles } from '@ringfence/server/ip/files/update-files.ts'
import type { StoredList } from '@ringfence/server/ip/lists/address-lists.ts'
import { readAddressLists } from '@ringfence/server/ip/lists/address-lists.ts'
import { isOutdated } from '@ringfence/server/ip/lists/list-age.ts'
import { defaultLists } from '@ringfence/server/ip/lists/published-lists.ts'
import { addressListFile, updateLists } from '@ringfence/server/ip/lists/update-lists.ts'
import type { Command } from 'commander'
import { type Answer, answering } from './answer.ts'
import { configurationOf, type PlaceOptions } from './configuration.ts'
import { minuteText, printable, table } from './table.ts'

type Options = Pick<PlaceOptions, 'config' | 'data'>

export function addData(ringfence: Command): void {
  const data = ringfence
    .command('data')
    .description(
      'Manage IP data: place and network operator of an IP address, lists of Tor exits, VPNs, relays and clouds; keys of agents; and withdrawn certificates of Android phones',
    )
    .addHelpText(
      'after',
      `
Examples:
  ringfence data status                              files and lists in use
  ringfence data update --data /var/lib/ringfence    fetch newer ones, once a day`,
    )
  data
    .command('status')
    .description('Show the files, lists and keys of agents in use: source, date, licence')
    .option('--config <file>', 'configuration file (CONFIG_FILE; default ringfence.yaml, if it exists)')
    .option('--data <folder>', 'data folder, which has the lists (DATA_FOLDER; default ringfence-data)')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', '\nTo use your own files, set IP_CITY_FILES and IP_ASN_FILES: see docs/guides/ip-data.md.')
    .action(answering(status))
  data
    .command('update')
    .description(
      'Fetch the lists, the configured files and tables, the keys of agents and the status lists of certificates; running servers use them at once',
    )
    .option(
      '--config <file>',
      'configuration file with ipLists, ipFiles, dataTables, signatureAgents and attestation (CONFIG_FILE; default ringfence.yaml, if it exists)',
    )
    .option('--data <folder>', 'data folder, which gets the lists (DATA_FOLDER; default ringfence-data)')
    .option('--force', 'accept a list or file even if it is older, or has lost more than half of its entries')
    .option('--json', 'print one line of JSON')
    .addHelpText('after', '\nRun it once a day, or every hour for Tor: see docs/guides/ip-data.md.')
    .action(answering(update))
}

/** Exits with 1 when a list could not be fetched, so that a daily job reports it. */
async function update({ force, ...place }: Options & { force?: true }): Promise<Answer> {
  const {
    settings,
    ipLists = defaultLists,
    ipFiles = {},
    signatureAgents = defaultSignatureAgents,
    dataTables = {},
    attestation,
  } = configurationOf(place)
  const into = { dataFolder: settings.dataFolder, now: Date.now(), ...(force && { force }) }
  const lists = await updateLists({ ...into, lists: ipLists })
  const files = await updateFiles({ ...into, files: ipFiles })
  const { dataFolder, now } = into
  const agents = await updateSignatureAgents({ dataFolder, now, agents: signatureAgents })
  const tables = await updateTables({ dataFolder, now, tables: dataTables })
  const revocations = await updateRevocations({ ...into, lists: revocationSources(attestation) })
  const updates = [...lists, ...files, ...agents, ...tables, ...revocations]
  const rows = [
    ...lists.map((each) => rowOf(each, ipLists[each.name]?.kind, each.entries.toLocaleString('en'))),
    ...files.map((each) => rowOf(each, ipFiles[each.name]?.kind, megabytes(each.sizeBytes))),
    ...agents.map((each) => rowOf(each, 'agent', `${each.entries} ${each.entries === 1 ? 'key' : 'keys'}`)),
    ...tables.map((each) => rowOf(each, 'table', `dated ${each.asOf}`)),
    ...revocations.map((each) => rowOf(each, 'revocations', each.entries.toLocaleString('en'))),
  ]
  if (updates.some(({ outcome }) => outcome !== 'updated')) process.exitCode = 1
  return [updates, table(['NAME', 'TYPE', 'RESULT', 'ENTRIES', 'REASON'], rows)]
}

const rowOf = ({ name, outcome, reason = '' }: FileUpdate | Renewal | TableUpdate, kind = '', entries: string) => [
  name,
  kind,
  outcome,
  entries,
  printable(reason),
]

/** The lists that servers use (none before the first update), or why their file is unusable. */
function storedLists(dataFolder: string): readonly StoredList[] | DataFileError {
  const path = addressListFile(dataFolder)
  try {
    return existsSync(path) ? readAddressLists(path).lists : []
  } catch (error) {
    return asDataFileError(error)
  }
}

/** Throws any other error. */
function asDataFileError(error: unknown): DataFileError {
  if (error instanceof DataFileError) return error
  throw error
}

/** The stored lists, and the configured lists that were never fetched. */
function listTable(lists: readonly StoredList[], published: PublishedLists, now: number): string {
  if (lists.length === 0)
    return 'There are no lists of Tor exits, VPNs, relays and clouds yet. Fetch them: ringfence data update'
  const missing = Object.entries(published).filter(([name]) => !lists.some((list) => list.name === name))
  return table(
    ['LIST', 'TYPE', 'FETCHED', 'AGE', 'ENTRIES', 'STATE', 'LICENCE', 'SOURCE'],
    [
      ...lists.map(({ name, kind, datedMs, entries }) => [
        name,
        kind,
        minuteText(datedMs),
        ageText({ datedMs }, now),
        entries.toLocaleString('en'),
        stateOf({ kind, datedMs }, now),
        published[name]?.licence ?? '',
        published[name]?.url ?? '',
      ]),
      ...missing.map(([name, { kind, licence = '', url }]) => [name, kind, '', '', '', 'missing', licence, url]),
    ],
  )
}

async function status(place: Options): Promise<Answer> {
  const {
    settings,
    ipLists = defaultLists,
    signatureAgents = defaultSignatureAgents,
    attestation,
  } = configurationOf(place)
  const files = addressFileStatus(settings)
  const found = storedLists(settings.dataFolder)
  const damaged = found instanceof DataFileError ? found : undefined
  const lists = found instanceof DataFileError ? [] : found
  const now = Date.now()
  const foundAgents = await readStoredAgents(signatureAgentFile(settings.dataFolder)).catch(asDataFileError)
  const refused = foundAgents instanceof DataFileError ? foundAgents : undefined
  const agents = foundAgents instanceof DataFileError ? [] : foundAgents
  const tables = tableStatus(settings.dataFolder, now)
  const foundRevocations = await readStoredRevocations(revocationFile(settings.dataFolder)).catch(asDataFileError)
  const wrong = foundRevocations instanceof DataFileError ? foundRevocations : undefined
  const revocations = foundRevocations instanceof DataFileError ? [] : foundRevocations
  const listsAsJson = lists.map((list) => ({ ...asJson(list), state: stateOf(list, now) }))
  const agentsAsJson = agents.map(({ keys, ...agent }) => ({
    ...asJson(agent),
    keys: keys.map(({ keyid }) => keyid),
    state: stateOfKeys(agent, now),
  }))
  const revocationsAsJson = revocations.map(({ entries, ...list }) => ({
    ...asJson(list),
    entries: entriesIn({ entries }),
    state: stateOfRevocations(list, now),
  }))
  const inUse = {
    files: files.map(asJson),
    lists: listsAsJson,
    agents: agentsAsJson,
    tables: tables.map(asJson),
    revocations: revocationsAsJson,
  }
  const problem = damaged ?? refused ?? wrong
  const ofLists = damaged ? `Refused: ${printable(damaged.message)}` : listTable(lists, ipLists, now)
  const ofAgents = refused ? `Refused: ${printable(refused.message)}` : agentTable(agents, signatureAgents, now)
  const ofRevocations = wrong
    ? `Refused: ${printable(wrong.message)}`
    : revocationTable(revocations, revocationSources(attestation), now)
  if (problem ?? tables.find((each) => each.refused)) process.exitCode = 1
  return [
    { ...inUse, ...(problem && { refused: problem.message }) },
    [asTable(files, now), notesOn(files).join('\n'), ofLists, ofAgents, tableOfTables(tables, now), ofRevocations].join(
      '\n\n',
    ),
  ]
}

/** The agents whose keys are stored, and the configured ones that were never fetched. */
function agentTable(agents: readonly StoredAgent[], configured: SignatureAgents, now: number): string {
  if (agents.length === 0)
    return 'There are no keys of agents that sign (Web Bot Auth) yet. Fetch them: ringfence data update'
  const missing = Object.entries(configured).filter(([id]) => !agents.some((agent) => agent.id === id))
  return table(
    ['AGENT', 'NAME', 'OPERATOR', 'CATEGORY', 'FETCHED', 'KEYS', 'STATE', 'DIRECTORY'],
    [
      ...agents.map((agent) => [
        agent.id,
        agent.name,
        agent.operator,
        agent.category,
        minuteText(agent.datedMs),
        String(agent.keys.length),
        stateOfKeys(agent, now),
        agent.url,
      ]),
      ...missing.map(([id, { name, operator, category, url }]) => [
        ...[id, name, operator, category, '', '', 'missing', url],
      ]),
    ],
  )
}

function tableOfTables(tables: readonly TableStatus[], now: number): string {
  return table(
    ['TABLE', 'DATED', 'AGE', 'STATE'],
    tables.map(({ name, datedMs, isStored, refused }) => [
      name,
      new Date(datedMs).toISOString().slice(0, 10),
      ageText({ datedMs, aheadMs: dayAheadMs }, now),
      refused === undefined
        ? isStored
          ? 'fetched'
          : 'of the release'
        : `of the release. Refused: ${printable(refused)}`,
    ]),
  )
}

/** The stored status lists, and the configured ones that were never fetched. */
function revocationTable(lists: readonly StoredRevocations[], configured: RevocationSources, now: number): string {
  if (lists.length === 0)
    return 'There is no list of withdrawn certificates of Android phones yet. Fetch it: ringfence data update'
  return table(
    ['REVOCATIONS', 'FETCHED', 'AGE', 'ENTRIES', 'STATE', 'SOURCE'],
    [
      ...lists.map(({ name, datedMs, entries, url }) => [
        name,
        minuteText(datedMs),
        ageText({ datedMs }, now),
        entriesIn({ entries }).toLocaleString('en'),
        stateOfRevocations({ datedMs }, now),
        url,
      ]),
      ...missingLists(lists, configured).map((name) => [name, '', '', '', 'missing', configured[name]?.url ?? '']),
    ],
  )
}

/** A stale list counts all the same. */
const stateOfRevocations = (list: Pick<StoredRevocations, 'datedMs'>, now: number) =>
  isStale(list, now) ? 'stale' : 'in use'

const stateOfKeys = (agent: Pick<StoredAgent, 'datedMs'>, now: number) => (isTooOld(agent, now) ? 'too old' : 'in use')

/** The service ignores a list that is too old. */
const stateOf = (list: Pick<StoredList, 'kind' | 'datedMs'>, now: number) =>
  isOutdated(list, now) ? 'too old' : 'in use'

function asJson<Dated extends { datedMs: number }>({ datedMs, ...file }: Dated) {
  return { ...file, dated: new Date(datedMs).toISOString() }
}

function asTable(files: readonly AddressFileStatus[], now: number): string {
  return table(
    ['DATA', 'SOURCE', 'DATED', 'AGE', 'SIZE', 'RANGES', 'LICENCE', 'FILE'],
    files.map(({ kind, origin, starter, datedMs, sizeBytes, ranges, licence, path }) => [
      kind === 'city' ? 'place' : 'network operator',
      starter ? `${origin} (starter data)` : origin,
      new Date(datedMs).toISOString().slice(0, 10),
      ageText({ datedMs }, now),
      megabytes(sizeBytes),
      ranges === undefined ? '' : ranges.toLocaleString('en'),
      licence.name,
      path,
    ]),
  )
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

function ageText(dated: Dated, now: number): string {
  if (isInFuture(dated, now)) return 'not known: dated in the future'
  const days = Math.floor(ageMs(dated, now) / 86_400_000)
  return days === 1 ? '1 day' : `${days} days`
}

/** Notes below the table: licences, required attributions, and a warning about starter data. */
function notesOn(files: readonly AddressFileStatus[]): string[] {
  const licences = files.flatMap(({ licence: { name, link } }) => (link ? [`${name}: ${link}`] : []))
  const attributions = files.flatMap(({ licence }) =>
    licence.attributions.map(({ text, link }) => `  ${text}: ${link}`),
  )
  const starter = `Starter data comes with the installation. Its publisher no longer updates it and says that it contains errors.
In production, set newer files with IP_CITY_FILES and IP_ASN_FILES (docs/guides/ip-data.md).`
  return [
    ...new Set(licences),
    ...(attributions.length > 0 ? ['Pages that show results must name and link:', ...new Set(attributions)] : []),
    ...(files.some((file) => file.starter) ? ['', starter] : []),
  ]
}
