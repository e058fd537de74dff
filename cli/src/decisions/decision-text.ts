// How is a decision shown to people? What to do, why, what is known of each part, and what the rules read.

import { stripVTControlCharacters, styleText } from 'node:util'
import type { Decision } from '@ringfence/contract'
import type { DecisionBasis } from '@ringfence/server/decisions/record.ts'
import type { RuleInput } from '@ringfence/server/rules/vocabulary.ts'
import { minuteText, table } from '../table.ts'

export interface ShownDecision {
  readonly decision: Decision
  readonly input: RuleInput
  readonly shadow: DecisionBasis['shadow']
}

export function decisionText({ decision, input, shadow }: ShownDecision): string {
  const { decisionId, createdAt, action, score, message, reasons, rules, missing, challenge, review } = decision
  const heading = `Decision ${decisionId}, ${minuteText(Date.parse(createdAt))}: ${styleText('bold', action)}, score ${score}`
  return [
    heading,
    fields([
      ['about', aboutOf(input)],
      ['message', message],
      [
        'challenge',
        challenge && `${challenge.state}, until ${challenge.expiresAt}, with ${challenge.identityTypes.join(' or ')}`,
      ],
      [
        'review',
        review &&
          [review.state, review.by && `by ${review.by}`, review.resolvedAt, review.note].filter(Boolean).join(', '),
      ],
      ['rules', `version ${rules.version}: ${rules.fired.join(', ') || 'none fired'}`],
      ['decisive', rules.decisive],
      ['shadow', shadow && `version ${shadow.version}: ${shadow.action} (${shadow.fired.join(', ') || 'none fired'})`],
      ['missing', missing.map(({ what, why }) => `${what} (${why})`).join(', ')],
    ]),
    reasons.length === 0
      ? 'No reason raised the score.'
      : table(
          ['REASON', 'WEIGHT', 'FROM', 'TEXT'],
          reasons.map(({ code, weight, source, text }) => [code, String(weight), source, safe(text)]),
        ),
    ...parts(decision),
    `What the rules read:\n${fields(leavesOf(input))}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

const aboutOf = ({ action, userId, phoneNumber, email, ip }: RuleInput) =>
  [action, userId && `user ${userId}`, phoneNumber && `number ${phoneNumber}`, email, ip].filter(Boolean).join(', ')

function parts({ phone, login, device }: Decision): string[] {
  return [
    phone &&
      `Phone:\n${fields([
        ['operator', phone.phoneDetail.operator ?? phone.phoneDetail.homeOperator],
        ['country', phone.phoneDetail.country],
        [
          'SIM swap',
          phone.simSwap &&
            `${yes(phone.simSwap.swapped)} within ${phone.simSwap.maxAgeHours} h, as of ${phone.simSwap.asOf}`,
        ],
        [
          'forwarding',
          phone.callForwarding && `${yes(phone.callForwarding.active)}, as of ${phone.callForwarding.asOf}`,
        ],
        ['ported', phone.portability && yes(phone.portability.ported)],
      ])}`,
    login &&
      `Sign-in:\n${fields([
        ['user', login.userId],
        ['when', login.timestamp],
        ['by', login.identities.map(({ identityType, channel }) => `${identityType} (${channel})`).join(', ')],
        ['IP address', login.network?.ip],
      ])}`,
    device &&
      `Device:\n${fields([
        ['deviceId', device.deviceId],
        ['new', yes(device.newDevice)],
        ['session risk', String(device.sessionRiskScore)],
        ['device risk', String(device.deviceRiskScore)],
        ['IP address', device.ip],
        ['recognised by', device.identification?.by],
        ['known to the user', device.identification?.knownForAccount],
      ])}`,
  ].filter((text) => text !== undefined)
}

const yes = (value: boolean) => (value ? 'yes' : 'no')

/** Names in one column; absent and empty values are left out. */
function fields(rows: readonly (readonly [name: string, value: string | undefined])[]): string {
  const shown = rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '')
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `  ${safe(name).padEnd(width)}  ${safe(value)}`).join('\n')
}

/** What a page or backend sent must not move the cursor. */
const safe = (text: string) => stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ')

/** `telecom.simSwap.swapped`, in the order of the input. */
function leavesOf(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`))
}
