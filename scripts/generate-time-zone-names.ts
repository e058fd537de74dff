// Which old name does each IANA time zone have? Writes server/src/core/places/time-zone-names.json from CLDR's BCP 47 data.
//
// Run it after an update of cldr-bcp47: node scripts/generate-time-zone-names.ts

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

interface Zone {
  /** All names of the zone; the first is CLDR's, which never changes. */
  readonly _alias?: string
  /** IANA's name, if it is another one. */
  readonly _iana?: string
}

const data = createRequire(import.meta.url)('cldr-bcp47/bcp47/timezone.json') as {
  keyword: { u: { tz: Record<string, Zone | string> } }
}
const names: Record<string, string> = {}
for (const zone of Object.values(data.keyword.u.tz)) {
  if (typeof zone === 'string' || !zone._alias) continue
  const all = zone._alias.split(' ')
  const canonical = zone._iana ?? all[0]!
  // Etc/… are offsets. UTC and GMT are how everybody writes them.
  if (canonical.startsWith('Etc/')) continue
  for (const name of all) if (name !== canonical) names[name] = canonical
}
const sorted = Object.fromEntries(Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(
  new URL('../server/src/core/places/time-zone-names.json', import.meta.url),
  `${JSON.stringify(sorted, undefined, 2)}\n`,
)
