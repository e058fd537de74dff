// What does the reference of rules say about velocities? Its section, with the limits of the code.

import { caps } from '@ringfence/server/rules/language/rule.ts'
import { mostDistinct } from '@ringfence/server/rules/language/velocity-limits.ts'
import { velocitySubjects } from '@ringfence/server/rules/velocities/read-velocities.ts'
import { code, table } from './markdown.ts'

export const velocitiesSection = (): string =>
  [
    '## Your own velocities\n',
    `A rule set may declare at most ${caps.velocities} under \`velocity\`, beside \`rules\`. Rules read each by its name: \`velocity.cards\`.
It includes the present decision, and is absent when its key is not known. [The guide](velocities.md) has examples.\n`,
    table(
      ['key', 'value', 'meaning'],
      [
        [code('count'), code('decisions'), 'counts decisions'],
        [code('distinct'), 'a path', `counts its different values; ${many} means at least ${many}`],
        [code('sum'), 'a path', 'adds its numbers, to four decimals; numbers below 0 are not added'],
        [
          code('per'),
          velocitySubjects.map(code).join(', '),
          'counts for the user, phone number, device, installation, IP address, or IPv4 /24 and IPv6 /64 of the decision',
        ],
        ['', `${code('params.')}*key*`, 'counts for the value of this param'],
        [
          code('within'),
          '`5m` to `30d`',
          'the window: minutes, hours or days. It is at most a tenth longer, never shorter',
        ],
        [code('when'), 'a condition', 'optional: counts only decisions for which it is true'],
      ],
    ),
  ].join('\n')

const many = mostDistinct.toLocaleString('en')
