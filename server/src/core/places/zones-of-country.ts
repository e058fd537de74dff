// Which time zones does a country have, and which country does a time zone belong to?

// Old and new names of each zone, by country. Made with Intl.Locale's getTimeZones of Node 26 (ICU 78, Unicode licence), which takes
// 120 ms for all countries.
import countryZones from './country-zones.json' with { type: 'json' }

const zonesByCountry: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(countryZones))
const countryByZone: ReadonlyMap<string, string> = new Map(
  Object.entries(countryZones).flatMap(([country, zones]) => zones.map((zone) => [zone, country] as const)),
)

/** Territories with phone numbers or IP addresses of their own, whose clocks IANA has under another country. */
const clocksOf: ReadonlyMap<string, string> = new Map([
  ['AC', 'SH'],
  ['TA', 'SH'],
  ['XK', 'RS'],
])

/** IANA names of a country's zones, old and new, by its ISO 3166-1 alpha-2 code; empty for an unknown code. */
export function zonesOfCountry(code: string): readonly string[] {
  return zonesByCountry.get(clocksOf.get(code) ?? code) ?? []
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
