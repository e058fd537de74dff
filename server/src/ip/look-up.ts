// Where is an IP address, and who operates its network? The `network` object of specification 2.4.

import zoneAt from '@photostructure/tz-lookup'
import type { IpLocation, Network } from '@ringfence/contract'
import type { Logger } from 'pino'
import { type Address, cidrOf, parseAddress } from '../core/address/address.ts'
import { isPublic } from '../core/address/public-address.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Settings } from '../core/config/settings.ts'
import { fileVersion, NewerFiles } from '../core/files/newer-files.ts'
import { countryNamesInEnglish } from '../core/places/country-names.ts'
import { currentTimeZoneName } from '../core/places/time-zone-name.ts'
import { type AddressFilePaths, addressFilePaths } from './files/address-files.ts'
import { checkAsnFile, readAsnFile } from './files/asn-file.ts'
import { type MmdbFile, openMmdb, readMmdbHead } from './files/mmdb-file.ts'
import { type AutonomousSystem, autonomousSystemOf, type Place, placeOf } from './place.ts'

export interface IpLookUp {
  /**
   * The `network` object of an IPv4 or IPv6 address. `ipLocation` is empty unless the address is public. Unknown `city` and
   * `subdivisions` are `{}`, and every other unknown part is omitted. When a file cannot be read, the look-up logs it and
   * returns nothing else. Throws a RangeError for a text that is not an IP address.
   */
  networkOf(address: string): Promise<Network>
  /** The network operator, at once. Undefined when it is not known, or no look-up has read the files yet. */
  asnOf(address: Address): number | undefined
  /** Reads the files now if they have changed; otherwise look-ups do. Throws a DataFileError. */
  load(): Promise<void>
}

export interface IpLookUpResources {
  settings: Pick<Settings, 'ipCityFiles' | 'ipAsnFiles'> & Partial<Pick<Settings, 'dataFolder'>>
  log: Pick<Logger, 'error'>
  /** Default: the clock of the machine. */
  clock?: Clock
}

/** The accuracy radius in km when the file has none, by what is known: the city, the region or the country. */
const usualRadiusKm = { city: 20, region: 200, country: 1000 }

/** How often look-ups check for newer files. */
const checkEveryMs = 5_000
/** Data that cannot be used are logged at most once in this time. */
const logEveryMs = 60_000

/**
 * Checks the heads of the files (about a millisecond) and throws a DataFileError when one cannot be used. The first look-up reads
 * the files whole into memory, off the event loop, so a service that only checks phone numbers never pays for them. Newer files
 * are read while those in use stay in use.
 */
export function openIpLookUp({ settings, log, clock = systemClock }: IpLookUpResources): IpLookUp {
  const paths = addressFilePaths(settings)
  for (const path of paths.city) readMmdbHead(path, paths.remedies.city)
  if ('starter' in paths.asn) checkAsnFile(paths.asn.starter)
  else for (const path of paths.asn) readMmdbHead(path, paths.remedies.asn)
  let data: AddressData | undefined
  let loggedAt = Number.NEGATIVE_INFINITY

  const files = new NewerFiles({
    async version() {
      // Resolved each time: files may have been fetched since.
      const { city, asn } = addressFilePaths(settings)
      const versions = await Promise.all([...city, ...('starter' in asn ? [asn.starter] : asn)].map(fileVersion))
      // A file may be missing for a moment while it is replaced.
      return data && versions.includes(undefined) ? undefined : versions.join()
    },
    async load() {
      data = await readAddressData(addressFilePaths(settings))
    },
    everyMs: checkEveryMs,
    clock,
    onProblem: (err) => log.error({ err }, 'cannot use newer IP data; continuing with the previous data'),
  })

  function logSometimes(err: unknown, text: string): void {
    const now = clock.now()
    // The clock may jump back.
    if (Math.abs(now - loggedAt) < logEveryMs) return
    loggedAt = now
    log.error({ err }, text)
  }

  return {
    async networkOf(text) {
      const address = parseAddress(text)
      if (!address) throw new RangeError('not an IP address')
      if (!isPublic(address)) return { ip: address.text, ipLocation: {} }
      try {
        if (data) void files.look()
        else await files.load()
        return networkOf(address, data!)
      } catch (err) {
        logSometimes(err, 'cannot use the IP data; the location of IP addresses stays unknown')
        return { ip: address.text, ipLocation: { city: {}, subdivisions: {} } }
      }
    },
    asnOf(address) {
      try {
        return data?.asnOf(address)
      } catch {
        return undefined // A damaged place of the file; networkOf logs it.
      }
    },
    load: () => files.load(),
  }
}

async function readAddressData({ city, asn, remedies }: AddressFilePaths): Promise<AddressData> {
  const openAll = (paths: readonly string[], remedy: string) => Promise.all(paths.map((path) => openMmdb(path, remedy)))
  const [cityFiles, asnFiles] = await Promise.all([
    openAll(city, remedies.city),
    'starter' in asn ? undefined : openAll(asn, remedies.asn),
  ])
  const starter = 'starter' in asn ? readAsnFile(asn.starter) : undefined
  const systemOf = (address: Address) => {
    if (starter) return starter.find(address)
    const found = asnFiles && firstFound(asnFiles, address)
    const system = found && autonomousSystemOf(found.record)
    return system && { ...system, prefixLength: found.prefixLength }
  }
  return {
    countryName: countryNamesInEnglish(),
    placeOf: (address) => placeOf(firstFound(cityFiles, address)?.record),
    autonomousSystemOf: systemOf,
    asnOf: (address) => (starter ? starter.asnOf(address) : systemOf(address)?.asn),
  }
}

interface AddressData {
  countryName(code: string): string | undefined
  placeOf(address: Address): Place
  autonomousSystemOf(address: Address): (AutonomousSystem & { prefixLength: number }) | undefined
  asnOf(address: Address): number | undefined
}

function networkOf(address: Address, data: AddressData): Network {
  const place = data.placeOf(address)
  const system = data.autonomousSystemOf(address)
  const { city, subdivision, countryCode, continentCode, coordinates, accuracyRadiusKm, timeZone } = place
  const accuracyRadius = accuracyRadiusKm ?? usualRadiusOf(place)
  const countryName = countryCode && data.countryName(countryCode)
  const timezone = timeZone ?? (coordinates && zoneAt(coordinates.latitude, coordinates.longitude))
  const ipLocation: IpLocation = {
    ...(coordinates && accuracyRadius && { accuracyRadius }),
    city: city ? { name: city } : {},
    subdivisions: {
      ...(subdivision.code && { code: subdivision.code }),
      ...(subdivision.name && { name: subdivision.name }),
    },
    ...(countryCode && { country: { code: countryCode, ...(countryName && { name: countryName }) } }),
    ...(continentCode && { continent: { code: continentCode } }),
    ...coordinates,
    ...(system && {
      asn: {
        asn: String(system.asn),
        ...(system.name && { name: system.name }),
        network: cidrOf(address, system.prefixLength),
      },
    }),
  }
  return { ip: address.text, ...(timezone && { timezone: currentTimeZoneName(timezone) }), ipLocation }
}

function usualRadiusOf({ city, subdivision, countryCode }: Place): number | undefined {
  if (city) return usualRadiusKm.city
  if (subdivision.name || subdivision.code) return usualRadiusKm.region
  return countryCode ? usualRadiusKm.country : undefined
}

/** Files may be split by family, so the first one that knows the address counts. */
function firstFound(files: readonly MmdbFile[], address: Address): ReturnType<MmdbFile['find']> {
  for (const file of files) {
    const found = file.find(address)
    if (found) return found
  }
  return undefined
}
