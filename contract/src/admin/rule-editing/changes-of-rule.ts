// In which versions did one rule change, who changed it, and how?

import Type, { type Static } from 'typebox'
import { closed, time } from '../../schema-parts.ts'
import { ChangedFields } from './editing.ts'

export const ChangesOfRuleRequest = Type.Object(
  { rule: Type.String({ minLength: 1, maxLength: 100, description: 'Id of the rule' }) },
  { $id: 'ChangesOfRuleRequest' },
)
export type ChangesOfRuleRequest = Static<typeof ChangesOfRuleRequest>

const Version = Type.Integer({ minimum: 0, description: 'Number of a version; 0 is the default rules' })

export const ChangesOfRule = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          version: Version,
          versionBefore: { ...Version, description: 'The version that was live before' },
          change: Type.Enum(['added', 'removed', 'changed']),
          fields: ChangedFields,
          liveAt: time('When the version became live'),
          liveBy: Type.String({ description: 'Who made it live' }),
          storedBy: Type.Optional(Type.String({ description: 'Who stored the version. Absent for the default rules' })),
          note: Type.String({ description: 'Why; may be empty' }),
        },
        closed,
      ),
      { description: 'Newest first, at most 50' },
    ),
  },
  { $id: 'ChangesOfRule', ...closed, description: 'The live versions in which a rule changed' },
)
export type ChangesOfRule = Static<typeof ChangesOfRule>
