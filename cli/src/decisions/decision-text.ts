// How is a decision shown to people? What to do, why, what is known of each part, and what the rules read.

import { stripVTControlCharacters, styleText } from 'node:util'
import { checkNames, checks, type Decision } from '@ringfence/contract'
import type { DecisionBasis } from '@ringfence/server/decisions/record/record.ts'
import type { RuleInput } from '@ringfence/server/rules/language/vocabulary.ts'
import { minuteText, table } from '../table.ts'
import { answerText } from '../telecom/answer-text.ts'

export interface ShownDecision {
  readonly decision: Decision
  readonly input: RuleInput
  readonly shadow: DecisionBasis['shadow']
}

type Field = readonly [name: string, value: string | false | undefined]

export function decisionText({ decision, input, shadow }: ShownDecision): string {
  const { decisionId, createdAt, action, verdict, score, message, reasons, rules, missing, challenge, review } =
    decision
  const heading = `Decision ${decisionId}, ${timeText(createdAt)}: ${styleText('bold', action)}, score ${score}`
  return [
    heading,
    safe(verdict),
    fields([
      ['about', aboutOf(input)],
      ['message', message],
      [
        'challenge',
        challenge &&
          [
            challenge.state,
            challenge.passedAt && timeText(challenge.passedAt),
            challenge.state === 'open' && `until ${timeText(challenge.expiresAt)}`,
            challenge.state !== 'passed' && `with ${challenge.identityTypes.join(' or ')}`,
          ]
            .filter(Boolean)
            .join(', '),
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
    ...parts(decision, input),
    `What the rules read:\n${fields(groupsOf(input))}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

const aboutOf = ({ action, userId, phoneNumber, email, ip }: RuleInput) =>
  [
    action,
    userId !== undefined && `user ${userId}`,
    phoneNumber !== undefined && `number ${phoneNumber}`,
    email?.address,
    ip !== undefined && `IP address ${ip}`,
  ]
    .filter(Boolean)
    .join(', ')

function parts({ phone, login, email, device, account }: Decision, { signals }: RuleInput): string[] {
  return [
    phone &&
      `Phone:\n${fields([
        ['operator', phone.phoneDetail.operator ?? phone.phoneDetail.homeOperator],
        ['country', phone.phoneDetail.country],
        ...checkNames.map((name): [string, string | undefined] => [
          checks[name].title,
          phone[name] && answerWithTime(phone[name]),
        ]),
      ])}`,
    login &&
      `Sign-in:\n${fields([
        ['user', login.userId],
        ['when', timeText(login.timestamp)],
        ['with', login.identities.map(({ identityType, channel }) => `${identityType} (${channel})`).join(', ')],
        ['IP address', login.network?.ip],
      ])}`,
    email &&
      `Email:\n${fields([
        ['domain', `${email.domain}${email.freeMail ? ' (large provider)' : ''}`],
        ['disposable', yes(email.disposable)],
        ['typing error', email.suggestedDomain && `probably ${email.suggestedDomain}`],
        ['of a function', yes(email.role)],
        [
          'accounts of the mailbox',
          email.accountsOfMailbox === undefined ? undefined : `${email.accountsOfMailbox} in 30 days`,
        ],
      ])}`,
    device &&
      `Device:\n${fields([
        ['deviceId', device.deviceId],
        ['first visit', yes(device.newDevice)],
        ['recognised by', device.identification?.by],
        ['likely', likelyText(device.identification?.likely)],
        ['known to the user', device.identification?.knownForAccount],
        ['risk', `session ${device.sessionRiskScore}, device ${device.deviceRiskScore}`],
        ['signals', firedOf(signals)],
        ['IP address', device.ip],
        [
          'place',
          [device.ipDetails?.city, device.ipDetails?.country, device.ipDetails?.isp].filter(Boolean).join(', '),
        ],
      ])}`,
    account &&
      `Account:\n${fields([
        ['sessions', sessionsText(account)],
        ['new', namesOf(account, newOfAccount)],
        ['rare', namesOf(account, rareOfAccount)],
        [
          'travel',
          account.travel &&
            `${account.travel.distanceKm} km since the last session, at ${account.travel.speedKmh} km/h${account.travel.impossible ? ': impossible' : ''}`,
        ],
        ['linked accounts', account.linkedAccounts ? String(account.linkedAccounts) : undefined],
      ])}`,
  ].filter((text) => text !== undefined)
}

type Account = NonNullable<Decision['account']>

const newOfAccount = {
  newCountry: 'country',
  newNetwork: 'network of the IP address',
  newOperator: 'mobile operator',
  newNumber: 'phone number',
} as const
const rareOfAccount = { rareCountry: 'country', rareNetwork: 'network of the IP address', unusualHour: 'hour' } as const

const namesOf = (account: Account, names: Partial<Record<keyof Account, string>>): string =>
  Object.entries(names)
    .filter(([name]) => account[name as keyof Account] === true)
    .map(([, text]) => text)
    .join(', ')

function sessionsText({ sessions = 0, ageDays, daysSinceLastSession }: Account): string {
  if (sessions === 0) return 'none proven before'
  const [first, last] = [ageDays, daysSinceLastSession].map((days) => days !== undefined && agoText(days))
  return [`${sessions} proven`, first && `the first ${first}`, last && sessions > 1 && `the last ${last}`]
    .filter(Boolean)
    .join(', ')
}

function agoText(days: number): string {
  const minutes = Math.round(days * 1440)
  if (minutes === 0) return 'just now'
  if (minutes < 120) return `${minutes} min ago`
  return minutes < 2880 ? `${Math.round(minutes / 60)} hours ago` : `${Math.round(days)} days ago`
}

/** Signals that fired; numbers are in what the rules read. */
const firedOf = (signals: RuleInput['signals']): string =>
  Object.entries(signals ?? {})
    .filter(([, value]) => value === true || value === 'bad' || value === 'good')
    .map(([name, value]) => (value === true ? name : `${name} (${value})`))
    .join(', ') || 'none fired'

const yes = (value: boolean) => (value ? 'yes' : 'no')
const timeText = (iso: string) => minuteText(Date.parse(iso))

/** Names in one column; absent and empty values are left out. A long value continues below its beginning. */
function fields(rows: readonly Field[]): string {
  const shown = rows.filter((row): row is [string, string] => Boolean(row[1]))
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  return shown.map(([name, value]) => `  ${safe(name).padEnd(width)}  ${wrapped(safe(value), width + 4)}`).join('\n')
}

const columns = 110

/** Breaks only after a comma, so that values stay whole. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = []
  for (const piece of text.split(/(?<=, )/)) {
    const last = lines.at(-1)
    if (last !== undefined && indent + last.length + piece.trimEnd().length <= columns)
      lines[lines.length - 1] = last + piece
    else lines.push(piece)
  }
  return lines.map((line) => line.trimEnd()).join(`\n${' '.repeat(indent)}`)
}

/** What a page or backend sent must not move the cursor. */
const safe = (text: string) => stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ')

/** One row for each first part of a path: `telecom`, with `simSwap.swapped: true` and the others. */
function groupsOf(input: RuleInput): Field[] {
  return Object.entries(input).map(([name, value]) => [
    name,
    leavesOf(value)
      .map(([path, text]) => (path === '' ? text : `${path}: ${text}`))
      .join(', '),
  ])
}

function leavesOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'number') return [[path, String(Math.round(value * 10_000) / 10_000)]]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`))
}

/** "swapped no, maxAgeHours 240, at 2026-10-31 12:00": what a check says, without lists and objects. */
const answerWithTime = ({ asOf, ...answer }: { readonly asOf?: string }): string =>
  [answerText(answer), ...(asOf === undefined ? [] : [`at ${timeText(asOf)}`])].join(', ')

const likelyText = (likely: { readonly deviceId: string; readonly confidence: number } | undefined) =>
  likely && `${likely.deviceId}, confidence ${likely.confidence.toFixed(3)}`
