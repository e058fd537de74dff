// `ringfence data`: which files of address data are used, whose are they, how old, and under which licence?

import { type AddressFileStatus, addressFileStatus } from '@ringfence/server/ip/address-files.ts'
import type { Command } from 'commander'
import { configurationOf, type PlaceOptions } from './configuration.ts'
import { table } from './table.ts'

interface Options extends Pick<PlaceOptions, 'config'> {
  json?: true
}

export function addData(ringfence: Command): void {
  const data = ringfence.command('data').description('Address data: place and network operator of an IP address')
  data
    .command('status')
    .description('Which files are used: origin, date, licence')
    .option('--config <file>', 'configuration file (CONFIG_FILE; default ringfence.yaml, if there is one)')
    .option('--json', 'one line of JSON')
    .addHelpText('after', '\nFiles of your own are named with IP_CITY_FILES and IP_ASN_FILES: docs/guides/ip-data.md.')
    .action(status)
}

async function status({ json, ...place }: Options): Promise<void> {
  const files = addressFileStatus(configurationOf(place).settings)
  console.log(
    json ? JSON.stringify(files.map(asJson)) : `${asTable(files, Date.now())}\n\n${notesOn(files).join('\n')}`,
  )
}

function asJson({ datedMs, ...file }: AddressFileStatus) {
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
      `${(sizeBytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`,
      ranges === undefined ? '' : ranges.toLocaleString('en'),
      licence.name,
      path,
    ]),
  )
}

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
