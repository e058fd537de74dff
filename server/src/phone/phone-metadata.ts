// Which carrier, place and time zones does a number range have?

import { countryNamesInEnglish } from '../core/places/country-names.ts'
import { currentTimeZoneName } from '../core/places/time-zone-name.ts'
import { zonesOfCountry } from '../core/places/zones-of-country.ts'
import { keyOf, readPhoneMetadata, valueAt } from './phone-metadata-file.ts'
import { nationalNumberOf, type PhoneNumber, soleTerritoryOf } from './phone-number.ts'

export interface PhoneMetadata {
  /** Package and version of the data. */
  readonly origin: string
  lookUp(number: PhoneNumber): PhoneMetadataAnswer
}

export interface PhoneMetadataAnswer {
  /** English name of the operator that the range was allocated to; only for numbers that may be mobile. */
  carrier?: string
  /** City, region or country in English; absent when the number may belong to several countries or none. */
  place?: string
  /** All possible time zones by prefix, narrowed by the country where it is known; current IANA names, empty when unknown. */
  timeZones: string[]
}

/**
 * Looks up carrier, place and time zones in Google's prefix data by Google's rules (PhoneNumberToCarrierMapper,
 * PhoneNumberOfflineGeocoder, PhoneNumberToTimeZonesMapper). Opening takes a few milliseconds and the size of the file.
 *
 * @param path server/dist/phone-metadata.bin, which scripts/build-phone-metadata.ts builds.
 * @throws DataFileError when the file is missing, truncated, altered or of another version
 */
export function openPhoneMetadata(path: string): PhoneMetadata {
  const { origin, textAt, carriers, places, timeZones } = readPhoneMetadata(path)
  const countryNames = countryNamesInEnglish()

  const textOf = (value: number) => (value === 0 ? undefined : textAt(value))

  /** Texts of Google's data, and the zones in each: there are about 800. */
  const zonesByText = new Map<string, readonly string[]>()
  function zonesOf(text: string): readonly string[] {
    let zones = zonesByText.get(text)
    if (!zones) {
      zones = [...new Set(text.split('&').map(currentTimeZoneName))]
      zonesByText.set(text, zones)
    }
    return zones
  }

  function placeOf(number: PhoneNumber, isGeographic: boolean, country: string | undefined): string | undefined {
    const place = isGeographic ? textOf(valueAt(places, keyOf(digitsWithAreaCodeFirst(number)))) : undefined
    return place ?? (country && countryNames(country))
  }

  return {
    origin,
    lookUp(number) {
      const isGeographic = isGeographical(number)
      const country = soleTerritoryOf(number)
      const zones = textOf(valueAt(timeZones, keyOf(isGeographic ? number.digits : number.callingCode)))
      const answer: PhoneMetadataAnswer = { timeZones: narrowed(zones ? zonesOf(zones) : [], country) }
      const place = placeOf(number, isGeographic, country)
      if (place) answer.place = place
      const carrier = mayBeMobile(number) ? textOf(valueAt(carriers, keyOf(number.digits))) : undefined
      if (carrier) answer.carrier = carrier
      return answer
    },
  }
}

/** Google's data have the zones of a whole calling code for most numbers, and Moscow for Belarus: the country knows better. */
function narrowed(zones: readonly string[], country: string | undefined): string[] {
  if (!country) return [...zones]
  const own = currentZonesOf(country)
  const both = zones.filter((zone) => own.includes(zone))
  return both.length > 0 || own.length === 0 ? both : [...own]
}

const currentZones = new Map<string, readonly string[]>()

/** The zones of a country under their current names; at most one entry for each of the 245 countries. */
function currentZonesOf(country: string): readonly string[] {
  const known = currentZones.get(country)
  if (known) return known
  const zones = [...new Set(zonesOfCountry(country).map(currentTimeZoneName))]
  currentZones.set(country, zones)
  return zones
}

function mayBeMobile({ type }: PhoneNumber): boolean {
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' || type === 'PAGER'
}

/** Mexico, Argentina, Brazil, Indonesia and China: their mobile numbers have area codes. */
const callingCodesOfGeographicMobiles: readonly string[] = ['52', '54', '55', '62', '86']

/** Google's isNumberGeographical: does the number's prefix belong to an area? */
function isGeographical({ type, callingCode }: PhoneNumber): boolean {
  if (type === 'MOBILE') return callingCodesOfGeographicMobiles.includes(callingCode)
  return type === 'FIXED_LINE' || type === 'FIXED_LINE_OR_MOBILE'
}

/** An Argentine mobile number has a 9 before its area code. */
function digitsWithAreaCodeFirst(number: PhoneNumber): string {
  const { digits, callingCode } = number
  return callingCode === '54' && digits[2] === '9' ? callingCode + nationalNumberOf(number).slice(1) : digits
}
