// What is the offset of a time zone from UTC, and which time zones does a country have?

// Old and new names of each zone, by country. Made with Intl.Locale's getTimeZones of Node 26 (ICU 78, Unicode licence), which takes
// 120 ms for all countries.
import countryZones from './country-zones.json' with { type: 'json' }

const zonesByCountry: Readonly<Record<string, readonly string[]>> = countryZones
const countryByZone: ReadonlyMap<string, string> = new Map(
  Object.entries(countryZones).flatMap(([country, zones]) => zones.map((zone) => [zone, country] as const)),
)

/** Minutes east of UTC at a time (epoch milliseconds); `undefined` for an unknown zone. */
export function utcOffsetMinutes(zone: string, time: number): number | undefined {
  try {
    return typeof Temporal === 'undefined' ? offsetByIntl(zone, time) : offsetByTemporal(zone, time)
  } catch {
    return undefined // unknown zone
  }
}

const offsetByTemporal = (zone: string, time: number) =>
  Math.trunc(Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9)

/** For Node 24, which has no Temporal; it takes 100 times as long. */
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

/** The country of a zone, as ISO 3166-1 alpha-2, or `unknown`: UTC belongs to no country. */
export function countryOfZone(zone: string): string {
  return countryByZone.get(zone) ?? countryByZone.get(canonicalName(zone) ?? '') ?? 'unknown'
}

function canonicalName(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined // unknown zone
  }
}
