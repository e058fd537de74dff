// Where do people lawfully use more than one clock? Two governments, two peoples, or a clock that the law does not know.

import Type, { type Static } from 'typebox'
import shipped from './clocks-of-places.json' with { type: 'json' }
import { Day, datedTable } from './dated-table.ts'

const closed = { additionalProperties: false } as const
const text = () => Type.String({ minLength: 1, maxLength: 100 })

/** IANA has about 600 names, old ones included. The engine needs 0.1 ms for each, and takes any case, so there are more writings. */
const mostZones = 640

const ClocksOfPlaces = Type.Object(
  {
    version: Type.Literal(1),
    asOf: Day,
    places: Type.Array(
      Type.Object(
        {
          place: text(),
          at: Type.Array(text(), { minItems: 1, maxItems: 64, description: 'Time zones of the place, IANA names' }),
          regions: Type.Optional(Type.Array(text(), { description: 'Only there: code or name of the region' })),
          clocks: Type.Array(text(), { minItems: 1, maxItems: 64, description: 'Time zones that are lawful there' }),
        },
        closed,
      ),
      { minItems: 1, maxItems: 512 },
    ),
  },
  closed,
)

export const clocksOfPlaces = datedTable({
  schema: ClocksOfPlaces,
  shipped: shipped as Static<typeof ClocksOfPlaces>,
  implausible({ places }) {
    const zones = new Set(places.flatMap(({ at, clocks }) => [...at, ...clocks]))
    if (zones.size > mostZones) return `it names more than ${mostZones} time zones`
    const unknown = [...zones].find((zone) => !isZone(zone))
    return unknown === undefined ? undefined : `it names a time zone that does not exist: ${unknown}`
  },
})

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
