// Which place and which network operator does a record of an MMDB file name? Converts the shapes of all publishers to one.

import { type ContinentCode, continentOf, isContinentCode } from './continents.ts'

/** The place of an IP address. Unknown parts are undefined. */
export interface Place {
  readonly city: string | undefined
  readonly subdivision: { readonly code: string | undefined; readonly name: string | undefined }
  readonly countryCode: string | undefined
  readonly continentCode: ContinentCode | undefined
  readonly coordinates: { readonly latitude: number; readonly longitude: number } | undefined
  readonly accuracyRadiusKm: number | undefined
  readonly timeZone: string | undefined
}

/** The network operator of an IP address. */
export interface AutonomousSystem {
  readonly asn: number
  readonly name: string | undefined
}

/**
 * Reads both shapes: the flat one of ip-location-db (`country_code`, `state1`, `city`, coordinates perhaps in strings) and
 * MaxMind's nested one, which DB-IP's own and most commercial files have too (`country.iso_code`, `city.names.en`, `location`).
 */
export function placeOf(record: unknown): Place {
  const fields = fieldsOf(record)
  const location = fieldsOf(fields.location)
  const largest = fieldsOf(Array.isArray(fields.subdivisions) ? fields.subdivisions[0] : undefined)
  const countryCode = countryCodeOf(textOf(fields.country_code) ?? textOf(fieldsOf(fields.country).iso_code))
  const continentCode = textOf(fieldsOf(fields.continent).code)
  return {
    city: nameOf(fields.city),
    subdivision: { code: textOf(largest.iso_code), name: textOf(fields.state1) ?? nameOf(largest) },
    countryCode,
    continentCode: continentCode && isContinentCode(continentCode) ? continentCode : continentOf(countryCode ?? ''),
    coordinates: coordinatesOf(fields.latitude ?? location.latitude, fields.longitude ?? location.longitude),
    accuracyRadiusKm: positive(location.accuracy_radius),
    timeZone: textOf(fields.timezone) ?? textOf(location.time_zone),
  }
}

/** Reads GeoLite2 ASN, DB-IP and ip-location-db (number and organisation at the top) and files with both under `traits`. */
export function autonomousSystemOf(record: unknown): AutonomousSystem | undefined {
  const fields = fieldsOf(record)
  const holder = fields.autonomous_system_number === undefined ? fieldsOf(fields.traits) : fields
  const asn = positive(holder.autonomous_system_number)
  return asn === undefined ? undefined : { asn, name: textOf(holder.autonomous_system_organization) }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : noFields
}

const noFields = Object.freeze({})

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A plain name, or the English one of several languages. */
function nameOf(value: unknown): string | undefined {
  return textOf(value) ?? textOf(fieldsOf(fieldsOf(value).names).en)
}

/** ZZ means unknown in some files. */
function countryCodeOf(code: string | undefined): string | undefined {
  return code && /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? code : undefined
}

function numberOf(value: unknown): number {
  return typeof value === 'string' && value.trim() !== ''
    ? Number(value)
    : typeof value === 'number'
      ? value
      : Number.NaN
}

function positive(value: unknown): number | undefined {
  const number = numberOf(value)
  return number > 0 && Number.isFinite(number) ? number : undefined
}

/** Rounded to 11 m: files hold 32-bit floats, and further digits mean nothing. 0° 0° means unknown. */
function coordinatesOf(north: unknown, east: unknown): Place['coordinates'] {
  const latitude = Math.round(numberOf(north) * 1e4) / 1e4
  const longitude = Math.round(numberOf(east) * 1e4) / 1e4
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isOnEarth && (latitude !== 0 || longitude !== 0) ? { latitude, longitude } : undefined
}
