// What are checks and their results called?

import type { Tone } from '../../parts/actions.ts'

export const checkNames = {
  simSwap: 'SIM swap',
  callForwarding: 'Call forwarding',
  portability: 'Portability',
} as const
export type Check = keyof typeof checkNames
export type Result = 'yes' | 'no' | 'unknown'

const results: Readonly<Record<Check, Readonly<Record<Result, string>>>> = {
  simSwap: { yes: 'Swapped', no: 'Not swapped', unknown: 'Not known' },
  callForwarding: { yes: 'Forwarded', no: 'Not forwarded', unknown: 'Not known' },
  portability: { yes: 'Ported', no: 'Not ported', unknown: 'Not known' },
}

export const resultText = (check: Check, result: Result): string => results[check][result]
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
