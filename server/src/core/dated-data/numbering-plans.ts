// Which numbering plans are in use? Those of libphonenumber-js that come with the release, or newer ones.

import metadata from 'libphonenumber-js/max/metadata'
import Type from 'typebox'
import { Day, datedTable } from './dated-table.ts'
import { isBoundedPattern } from './pattern-ways.ts'

const Plan = Type.Array(Type.Unknown(), { minItems: 4, maxItems: 64 })

/** metadata.max.json of libphonenumber-js (its METADATA.md), and the day of its release. */
const NumberingPlans = Type.Object({
  version: Type.Literal(4),
  asOf: Day,
  country_calling_codes: Type.Record(Type.String({ pattern: '^[1-9]\\d{0,2}$' }), Type.Array(Type.String())),
  countries: Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), Plan),
  nonGeographic: Type.Record(Type.String({ pattern: '^[1-9]\\d{0,2}$' }), Plan),
})

/** The release of libphonenumber-js that package.json pins. */
const releasedOn = '2026-11-10'

export const numberingPlans = datedTable({
  schema: NumberingPlans,
  shipped: { ...metadata, version: 4, asOf: releasedOn } as unknown as typeof metadata & { version: 4; asOf: string },
  implausible({ countries, country_calling_codes: codes, nonGeographic }) {
    const lost = Object.keys(metadata.countries).filter((country) => !Object.hasOwn(countries, country))
    if (lost.length > 5) return `it has no numbering plan for ${lost.length} countries, such as ${lost[0]}`
    const homeless = Object.values(codes)
      .flat()
      .find((country) => !Object.hasOwn(countries, country))
    if (homeless !== undefined) return `it has a calling code, and no numbering plan, for ${homeless}`
    for (const [name, plan] of [...Object.entries(countries), ...Object.entries(nonGeographic)]) {
      const problem = problemOf(plan)
      if (problem) return `its numbering plan of ${name} ${problem}`
    }
    return undefined
  },
})

/** Patterns are at the places that numbering-plan.ts reads. */
function problemOf([, , anyNumber, lengths, ...rest]: readonly unknown[]): string | undefined {
  const isOfLengths = Array.isArray(lengths) && lengths.length > 0 && lengths.every((each) => each > 0 && each < 30)
  if (!isOfLengths) return 'has no lengths'
  const lines = rest[7]
  if (!Array.isArray(lines)) return 'has no lines'
  const patterns = [
    anyNumber,
    rest[1],
    rest[3],
    rest[6],
    ...lines.map((line: unknown) => Array.isArray(line) && line[0]),
  ]
  if (typeof anyNumber !== 'string' || anyNumber === '') return 'has no pattern'
  return patterns.some((pattern) => typeof pattern === 'string' && !isBoundedPattern(pattern))
    ? 'has a pattern that cannot be read, or may run long'
    : undefined
}
