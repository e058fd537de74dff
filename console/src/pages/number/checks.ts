// Which checks can a person order, and what are their results called?

import type { AdminCheckNumberRequest } from '../../api/types.ts'
import type { Tone } from '../../parts/actions.ts'

export type Check = AdminCheckNumberRequest['check']
export type Result = 'yes' | 'no' | 'unknown'

/** Those that a person can order: their question needs nothing but the number. */
export const orderedChecks: readonly Check[] = [
  'simSwap',
  'deviceSwap',
  'callForwarding',
  'portability',
  'roaming',
  'reachability',
]

const found: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  simSwap: ['Swapped', 'Not swapped'],
  deviceSwap: ['Swapped', 'Not swapped'],
  callForwarding: ['Forwarded', 'Not forwarded'],
  portability: ['Ported', 'Not ported'],
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
