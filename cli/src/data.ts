// `ringfence data`: which address data are used, whose are they, how old, and under which licence? Are there newer lists?

import { existsSync } from 'node:fs'
import { DataFileError } from '@ringfence/server/files/data-file-error.ts'
import { type AddressFileStatus, addressFileStatus } from '@ringfence/server/ip/files/address-files.ts'
import { updateFiles } from '@ringfence/server/ip/files/update-files.ts'
import type { StoredList } from '@ringfence/server/ip/lists/address-lists.ts'
import { readAddressLists } from '@ringfence/server/ip/lists/address-lists.ts'
import { isOutdated } from '@ringfence/server/ip/lists/list-age.ts'
import { defaultLists, type PublishedLists } from '@ringfence/server/ip/lists/published-lists.ts'
import { addressListFile, updateLists } from '@ringfence/server/ip/lists/update-lists.ts'
import type { Command } from 'commander'
import { configurationOf, type PlaceOptions } from './configuration.ts'
import { minuteText, table } from './table.ts'

interface Options extends Pick<PlaceOptions, 'config' | 'data'> {
  json?: true
}

interface UpdateOptions extends Options {
  force?: true
}

export function addData(ringfence: Command): void {
  const data = ringfence
    .command('data')
    .description(
      'Address data: place and network operator of an IP address, and lists of Tor exits, VPNs, relays and clouds',
    )
  data
    .command('status')
    .description('Which files and lists are used: origin, date, licence')
    .option('--config <file>', 'configuration file (CONFIG_FILE; default ringfence.yaml, if there is one)')
    .option('--data <folder>', 'where the lists are (DATA_FOLDER; default ringfence-data)')
    .option('--json', 'one line of JSON')
    .addHelpText('after', '\nFiles of your own are named with IP_CITY_FILES and IP_ASN_FILES: docs/guides/ip-data.md.')
    .action(status)
  data
    .command('update')
    .description(
      'Fetch the lists of Tor exits, VPNs, relays and clouds, and files that are configured, from their publishers; servers take them up at once',
    )
    .option(
      '--config <file>',
      'configuration file with ipLists and ipFiles (CONFIG_FILE; default ringfence.yaml, if there is one)',
    )
    .option('--data <folder>', 'where the lists are kept (DATA_FOLDER; default ringfence-data)')
    .option('--force', 'take a list or file that has lost more than half, or is older, too')
    .option('--json', 'one line of JSON')
    .addHelpText('after', '\nRun it once a day, every hour for Tor: docs/guides/ip-data.md.')
    .action(update)
}

/** Exits with 1 when a list could not be fetched, so that whoever runs it every day hears of it. */
async function update({ json, force, ...place }: UpdateOptions): Promise<void> {
  const { settings, ipLists = defaultLists, ipFiles = {} } = configurationOf(place)
  const into = { dataFolder: settings.dataFolder, now: Date.now(), ...(force && { force }) }
  const lists = await updateLists({ ...into, lists: ipLists })
  const files = await updateFiles({ ...into, files: ipFiles })
  const updates = [...lists, ...files]
  const rows = updates.map((each) => [
    each.name,
    ('entries' in each ? ipLists : ipFiles)[each.name]?.kind ?? '',
    each.outcome,
    'entries' in each ? each.entries.toLocaleString('en') : megabytes(each.sizeBytes),
    each.reason ?? '',
  ])
  console.log(json ? JSON.stringify(updates) : table(['NAME', 'OF', 'OUTCOME', 'ENTRIES', 'BECAUSE'], rows))
  if (updates.some(({ outcome }) => outcome !== 'updated')) process.exitCode = 1
}

/** The lists that servers use, none before the first update; or why their file cannot be used. */
function keptLists(dataFolder: string): readonly StoredList[] | DataFileError {
  const path = addressListFile(dataFolder)
  try {
    return existsSync(path) ? readAddressLists(path).lists : []
  } catch (error) {
    if (error instanceof DataFileError) return error
    throw error
  }
}

/** The lists that are kept, and those that are configured but were never fetched, as no address is known to be on them. */
function listTable(lists: readonly StoredList[], published: PublishedLists, now: number): string {
  if (lists.length === 0) return 'No lists of Tor exits, VPNs, relays and clouds yet: ringfence data update'
  const missing = Object.entries(published).filter(([name]) => !lists.some((list) => list.name === name))
  return table(
    ['LIST', 'OF', 'FETCHED', 'AGE', 'ENTRIES', 'STATE', 'LICENCE', 'FROM'],
    [
      ...lists.map(({ name, kind, datedMs, entries }) => [
        name,
        kind,
        minuteText(datedMs),
        ageText(now - datedMs),
        entries.toLocaleString('en'),
        stateOf({ kind, datedMs }, now),
        published[name]?.licence ?? '',
        published[name]?.url ?? '',
      ]),
      ...missing.map(([name, { kind, licence = '', url }]) => [name, kind, '', '', '', 'missing', licence, url]),
    ],
  )
}

async function status({ json, ...place }: Options): Promise<void> {
  const { settings, ipLists = defaultLists } = configurationOf(place)
  const files = addressFileStatus(settings)
  const found = keptLists(settings.dataFolder)
  const damaged = found instanceof DataFileError ? found : undefined
  const lists = found instanceof DataFileError ? [] : found
  const now = Date.now()
  if (json) {
    const told = lists.map((list) => ({ ...asJson(list), state: stateOf(list, now) }))
    console.log(JSON.stringify({ files: files.map(asJson), lists: told, ...(damaged && { refused: damaged.message }) }))
  } else {
    const ofLists = damaged ? `Refused: ${damaged.message}` : listTable(lists, ipLists, now)
    console.log([asTable(files, now), notesOn(files).join('\n'), ofLists].join('\n\n'))
  }
  if (damaged) process.exitCode = 1
}

/** A list that is too old is in the file, and counts for nothing. */
const stateOf = (list: Pick<StoredList, 'kind' | 'datedMs'>, now: number) =>
  isOutdated(list, now) ? 'too old' : 'in use'

function asJson<Dated extends { datedMs: number }>({ datedMs, ...file }: Dated) {
  return { ...file, dated: new Date(datedMs).toISOString() }
}

function asTable(files: readonly AddressFileStatus[], now: number): string {
  return table(
    ['TELLS', 'ORIGIN', 'DATED', 'AGE', 'SIZE', 'RANGES', 'LICENCE', 'FILE'],
    files.map(({ kind, origin, starter, datedMs, sizeBytes, ranges, licence, path }) => [
      kind === 'city' ? 'place' : 'network operator',
      starter ? `${origin} (starter data)` : origin,
      new Date(datedMs).toISOString().slice(0, 10),
      ageText(now - datedMs),
      megabytes(sizeBytes),
      ranges === undefined ? '' : ranges.toLocaleString('en'),
      licence.name,
      path,
    ]),
  )
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`

function ageText(ageMs: number): string {
  const days = Math.max(0, Math.floor(ageMs / 86_400_000))
  return days === 1 ? '1 day' : `${days} days`
}

/** What is to be known of the files beside the table: licences, whom to name, and that starter data are a start. */
function notesOn(files: readonly AddressFileStatus[]): string[] {
  const licences = files.flatMap(({ licence: { name, link } }) => (link ? [`${name}: ${link}`] : []))
  const attributions = files.flatMap(({ licence }) =>
    licence.attributions.map(({ text, link }) => `  ${text}: ${link}`),
  )
  const starter = `Starter data come with the installation. Their publisher no longer renews them and says that they contain errors:
for use in earnest, name newer files with IP_CITY_FILES and IP_ASN_FILES (docs/guides/ip-data.md).`
  return [
    ...new Set(licences),
    ...(attributions.length > 0 ? ['Pages that show results must name and link:', ...new Set(attributions)] : []),
    ...(files.some((file) => file.starter) ? ['', starter] : []),
  ]
}
