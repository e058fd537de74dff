// How often did each rule fire, day by day, and which people did it hit?

import Type, { type Static } from 'typebox'
import { closed, time } from '../../schema-parts.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** The days that the figures of rules have. */
export const ruleFigureDays = 30

export const RuleFigures = Type.Object(
  {
    from: time('Where the first day begins'),
    countedUntil: Type.Optional(time('Later events are not counted yet; absent before the first count')),
    rules: Type.Array(
      Type.Object(
        {
          rule: Type.String({ description: 'Id of the rule' }),
          byDay: Type.Array(count('Decisions of a day (UTC) in which it fired'), {
            description: `The last ${ruleFigureDays} days, today last`,
          }),
          decided: count('Decisions that it decided'),
          bad: count('Decisions in which it fired, with a bad label'),
          good: count('The same with the label legitimate'),
          goodStopped: count('Of these, those that were stopped: good people who were hit'),
          overturned: count('Decisions in which it fired that a reviewer approved'),
        },
        closed,
      ),
      { description: 'Those that fired, at most 1,000. What follows a decision counts on its day' },
    ),
  },
  { $id: 'RuleFigures', ...closed, description: 'What each rule did in the last 30 days' },
)
export type RuleFigures = Static<typeof RuleFigures>
