// What do browsers state that is not so? Versions of systems that they have frozen, and the token that has a browser's own version.

import Type, { type Static } from 'typebox'
import { Day, datedTable } from './dated-table.ts'
import shipped from './frozen-values.json' with { type: 'json' }

const closed = { additionalProperties: false } as const
/** Literal texts only: a pattern from a file could run long. */
const literal = (description: string) => Type.String({ minLength: 1, maxLength: 64, description })

const FrozenSystem = Type.Object(
  {
    system: literal('As Bowser names it'),
    versions: Type.Array(literal('A version that says nothing any more'), { minItems: 1, maxItems: 64 }),
    onlyBefore: Type.Optional(
      Type.Array(literal('Frozen only if this follows the version: a model that browsers write for every phone')),
    ),
    notIn: Type.Optional(Type.Array(literal('A browser with this token states the true version'))),
    versionOfBrowserFrom: Type.Optional(
      Type.Integer({ description: 'From this version of Safari, the system has the version of Safari (`Version/`)' }),
    ),
    statedAfter: Type.Optional(Type.Array(literal('An app states the true version behind this text'))),
  },
  closed,
)
const OwnToken = Type.Object(
  {
    token: literal('The version follows it, after "/" or a space'),
    beside: Type.Optional(literal('The user agent has this text too')),
    name: literal('The browser'),
  },
  closed,
)

const FrozenValues = Type.Object(
  {
    version: Type.Literal(1),
    asOf: Day,
    systems: Type.Array(FrozenSystem, { minItems: 1, maxItems: 64 }),
    browsers: Type.Array(OwnToken, { minItems: 1, maxItems: 256 }),
  },
  closed,
)
export type FrozenSystem = Static<typeof FrozenSystem>

export const frozenValues = datedTable({ schema: FrozenValues, shipped: shipped as Static<typeof FrozenValues> })
