// How far is a zone from UTC, and which zones has a country?

// By country, old and new names of one zone beside each other. From ICU 78 (Unicode licence) as Node 26 tells it: Intl.Locale's
// getTimeZones; asking for all of them takes 120 ms.
import countryZones from './country-zones.json' with { type: 'json' }

const zonesByCountry: Readonly<Record<string, readonly string[]>> = countryZones
const countryByZone: ReadonlyMap<string, string> = new Map(
  Object.entries(countryZones).flatMap(([country, zones]) => zones.map((zone) => [zone, country] as const)),
)

/** Minutes east of UTC at a time (epoch milliseconds); `undefined` for what is no zone. */
export function utcOffsetMinutes(zone: string, time: number): number | undefined {
  try {
    return typeof Temporal === 'undefined' ? offsetByIntl(zone, time) : offsetByTemporal(zone, time)
  } catch {
    return undefined // not a zone
  }
}

const offsetByTemporal = (zone: string, time: number) =>
  Math.trunc(Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9)

/** On Node 24, which has no Temporal; it takes a hundred times as long. */
function offsetByIntl(zone: string, time: number): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const text = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(text) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

/** IANA names of a country's zones, by its ISO 3166-1 alpha-2 code. */
export function zonesOfCountry(code: string): readonly string[] {
  return zonesByCountry[code] ?? []
}

/** The country that a zone lies in, as ISO 3166-1 alpha-2, or `unknown`: UTC lies in none. */
export function countryOfZone(zone: string): string {
  return countryByZone.get(zone) ?? countryByZone.get(canonicalName(zone) ?? '') ?? 'unknown'
}

function canonicalName(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined // not a zone
  }
}
