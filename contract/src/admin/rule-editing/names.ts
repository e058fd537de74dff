// What are rules called that a figure or an event names by id?

import Type, { type Static } from 'typebox'
import { closed } from '../../schema-parts.ts'

export const RuleNamesRequest = Type.Object(
  {
    rules: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 200,
      description: 'Ids of rules',
    }),
  },
  { $id: 'RuleNamesRequest' },
)
export type RuleNamesRequest = Static<typeof RuleNamesRequest>

export const RuleNames = Type.Object(
  {
    names: Type.Record(Type.String(), Type.String(), {
      description:
        'By id, as the live version names the rule, else the latest one that has it. Absent: no version has it',
    }),
  },
  { $id: 'RuleNames', ...closed, description: 'What rules are called' },
)
export type RuleNames = Static<typeof RuleNames>
