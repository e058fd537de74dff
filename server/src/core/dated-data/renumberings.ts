// Which numbers got other digits? What national regulators changed, as far as the metadata of libphonenumber do not rewrite it themselves.

import Type, { type Static } from 'typebox'
import { Day, datedTable } from './dated-table.ts'
import { isBoundedPattern } from './pattern-ways.ts'
import shipped from './renumberings.json' with { type: 'json' }

const closed = { additionalProperties: false } as const

const Renumberings = Type.Object(
  {
    version: Type.Literal(1),
    /** When it was last compared with the numbering plans. */
    asOf: Day,
    renumberings: Type.Array(
      Type.Object(
        {
          since: Type.String({ ...Day, description: 'From when on only the present form works' }),
          old: Type.String({
            pattern: '^\\^[1-9][0-9()\\[\\]{}|,?:-]*\\$$',
            maxLength: 120,
            description: 'Matches all digits of an old number, with the calling code',
          }),
          present: Type.Optional(
            Type.String({
              pattern: '^[0-9$]{1,15}$',
              description: 'Replaces `old`; absent: it does not follow from it',
            }),
          ),
          says: Type.String({ minLength: 1, maxLength: 200, description: 'What changed, in words' }),
        },
        closed,
      ),
      { maxItems: 500 },
    ),
  },
  closed,
)

export const renumberings = datedTable({
  schema: Renumberings,
  shipped: shipped as Static<typeof Renumberings>,
  implausible({ renumberings: rows }) {
    const wrong = rows.find(({ old }) => !isBoundedPattern(old))
    return wrong && `it has a pattern that cannot be read, or may run long: ${wrong.old}`
  },
})
