// Which checks can a person order, and what are their results called?

import type { AdminCheckNumberRequest } from '../../api/types.ts'
import type { Tone } from '../../parts/actions.ts'

export type Check = AdminCheckNumberRequest['check']
export type Result = 'yes' | 'no' | 'unknown'

/** Those that a person can order. All but the last one need nothing but the number. */
export const orderedChecks: readonly Check[] = [
  'simSwap',
  'deviceSwap',
  'callForwarding',
  'portability',
  'roaming',
  'reachability',
  'kycMatch',
]

const found: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  simSwap: ['Swapped', 'Not swapped'],
  deviceSwap: ['Swapped', 'Not swapped'],
  callForwarding: ['Forwarded', 'Not forwarded'],
  portability: ['Ported', 'Not ported'],
  kycMatch: ['Something does not match', 'Matches'],
}

export function resultText(check: string, result: Result): string {
  const [yes, no] = found[check] ?? ['Warning', 'No warning']
  return result === 'yes' ? yes : result === 'no' ? no : 'Not known'
}
export const resultTone = (result: Result): Tone => (result === 'yes' ? 'amber' : result === 'no' ? 'green' : 'neutral')

/** Rounded down to its largest unit: `4 minutes`. */
export function lastingText(seconds: number): string {
  const [length, unit] = (
    [
      [86_400, 'day'],
      [3_600, 'hour'],
      [60, 'minute'],
    ] as const
  ).find(([each]) => seconds >= each) ?? [1, 'second']
  const count = Math.floor(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** What a person compares with the subscriber, by its label. */
export const particulars = { name: 'Name', birthdate: 'Birth date', address: 'Address', email: 'Email' } as const
export type Particulars = Partial<Record<keyof typeof particulars, string>>

/** Those that are filled in. */
export const filledIn = (typed: Particulars): Particulars =>
  Object.fromEntries(Object.entries(typed).filter(([, text]) => text.trim() !== ''))

/** `Birth date does not match. Address is not known to the operator.` */
export function comparedText(
  sent: Particulars,
  fields: Readonly<Record<string, { match: boolean; score?: number }>>,
): string {
  return (Object.keys(sent) as (keyof Particulars)[])
    .map((name) => {
      const { match, score } = fields[name] ?? {}
      if (match === undefined) return `${particulars[name]} is not known to the operator.`
      if (match) return `${particulars[name]} matches.`
      return `${particulars[name]} does not match${score === undefined ? '' : ` (similarity ${score} of 100)`}.`
    })
    .join(' ')
}
