// From where does a person come? Address → the `network` object of specification 2.4: place, time zone, network operator.

import zoneAt from '@photostructure/tz-lookup'
import type { IpLocation, Network } from '@ringfence/contract'
import type { Logger } from 'pino'
import { type Clock, systemClock } from '../clock.ts'
import type { Settings } from '../config/settings.ts'
import { type Address, cidrOf, parseAddress } from './address.ts'
import { type AddressFilePaths, addressFilePaths } from './files/address-files.ts'
import { checkAsnFile, readAsnFile } from './files/asn-file.ts'
import { fileVersion, lookEveryMs } from './files/file-version.ts'
import { type MmdbFile, openMmdb, readMmdbHead } from './files/mmdb-file.ts'
import { type AutonomousSystem, autonomousSystemOf, type Place, placeOf } from './place.ts'
import { isPublic } from './public-address.ts'

export interface IpLookUp {
  /**
   * The `network` object of an IPv4 or IPv6 address. `ipLocation` is empty unless the address is public; there, `city` and
   * `subdivisions` are `{}` when unknown, and every other unknown part is omitted. Never fails for want of data: a file that cannot
   * be read is logged, and nothing is known. Throws a RangeError for a text that is no address.
   */
  networkOf(address: string): Promise<Network>
  /** Reads the files now, if they are not those that were read; otherwise look-ups do. Throws an AddressFileError. */
  load(): Promise<void>
}

export interface IpLookUpResources {
  settings: Pick<Settings, 'ipCityFiles' | 'ipAsnFiles'> & Partial<Pick<Settings, 'dataFolder'>>
  log: Pick<Logger, 'error'>
  /** The machine's, unless another one is given. */
  clock?: Clock
}

/** Kilometres within which a person probably is, where the file names none: known to the city, to the region, to the country. */
const usualRadiusKm = { city: 20, region: 200, country: 1000 }

/** Complaints about data that fail again and again are made once in this time. */
const complainEveryMs = 60_000

/**
 * Checks the heads of the files at once (a millisecond) and throws an AddressFileError when one cannot be used. They are read whole
 * into memory, off the event loop, when they are first needed: a service that is asked for telecom checks only never pays for them.
 * Files that change are read anew beside those in use, which stay in use where the new ones are damaged.
 */
export function openIpLookUp({ settings, log, clock = systemClock }: IpLookUpResources): IpLookUp {
  const paths = addressFilePaths(settings)
  for (const path of paths.city) readMmdbHead(path, paths.remedies.city)
  if ('starter' in paths.asn) checkAsnFile(paths.asn.starter)
  else for (const path of paths.asn) readMmdbHead(path, paths.remedies.asn)
  let data: AddressData | undefined
  /** What was read last, or refused. */
  let seen: string | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let complainedAt = Number.NEGATIVE_INFINITY

  /** Reads the files where they are not those that were read. Throws an AddressFileError; what was read before stays. */
  async function renew(): Promise<void> {
    // Asked anew: files may have been fetched since.
    const paths = addressFilePaths(settings)
    const files = [...paths.city, ...('starter' in paths.asn ? [paths.asn.starter] : paths.asn)]
    const found = await Promise.all(files.map(fileVersion))
    // One that is gone for a moment, as while it is replaced, is no reason to forget it.
    if (data && (found.includes(undefined) || found.join() === seen)) return
    seen = found.join()
    data = await readAddressData(paths)
  }

  /** One reading at a time. */
  function renewOnce(): Promise<void> {
    lookedAt = clock.now()
    reading ??= renew().finally(() => {
      reading = undefined
    })
    return reading
  }

  function complain(err: unknown, text: string): void {
    const now = clock.now()
    if (Math.abs(now - complainedAt) < complainEveryMs) return
    complainedAt = now
    log.error({ err }, text)
  }

  return {
    async networkOf(text) {
      const address = parseAddress(text)
      if (!address) throw new RangeError('That is no IP address')
      if (!isPublic(address)) return { ip: address.text, ipLocation: {} }
      try {
        if (!data) await renewOnce()
        else if (Math.abs(clock.now() - lookedAt) >= lookEveryMs) {
          // Nobody waits for it; the clock may jump back.
          renewOnce().catch((err) => complain(err, 'new address data cannot be used; those read before stay in use'))
        }
        return networkOf(address, data!)
      } catch (err) {
        complain(err, 'address data cannot be used; the place of an address stays unknown')
        return { ip: address.text, ipLocation: { city: {}, subdivisions: {} } }
      }
    },
    load: renewOnce,
  }
}

async function readAddressData({ city, asn, remedies }: AddressFilePaths): Promise<AddressData> {
  const openAll = (paths: readonly string[], remedy: string) => Promise.all(paths.map((path) => openMmdb(path, remedy)))
  const [cityFiles, asnFiles] = await Promise.all([
    openAll(city, remedies.city),
    'starter' in asn ? undefined : openAll(asn, remedies.asn),
  ])
  const starter = 'starter' in asn ? readAsnFile(asn.starter) : undefined
  return {
    countryName: countryNames(),
    placeOf: (address) => placeOf(firstFound(cityFiles, address)?.record),
    autonomousSystemOf(address) {
      if (starter) return starter.find(address)
      const found = asnFiles && firstFound(asnFiles, address)
      const system = found && autonomousSystemOf(found.record)
      return system && { ...system, prefixLength: found.prefixLength }
    },
  }
}

interface AddressData {
  countryName(code: string): string | undefined
  placeOf(address: Address): Place
  autonomousSystemOf(address: Address): (AutonomousSystem & { prefixLength: number }) | undefined
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
  return { ip: address.text, ...(timezone && { timezone }), ipLocation }
}

function usualRadiusOf({ city, subdivision, countryCode }: Place): number | undefined {
  if (city) return usualRadiusKm.city
  if (subdivision.name || subdivision.code) return usualRadiusKm.region
  return countryCode ? usualRadiusKm.country : undefined
}

/** The first file that knows the address: files may be split by family. */
function firstFound(files: readonly MmdbFile[], address: Address): ReturnType<MmdbFile['find']> {
  for (const file of files) {
    const found = file.find(address)
    if (found) return found
  }
  return undefined
}

/** English names by code, each asked of ICU once (0.7 µs; to make ready for it takes 12 ms). */
function countryNames(): (code: string) => string | undefined {
  const displayNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const names = new Map<string, string | undefined>()
  return (code) => {
    if (!names.has(code)) names.set(code, displayNames.of(code))
    return names.get(code)
  }
}
