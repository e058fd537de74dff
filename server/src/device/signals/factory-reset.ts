// Finds when the device was last reset, by the dates of its volumes.

import { number } from '../../core/path-types.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { type Finding, signal } from './signal.ts'
import type { FactoryResetResult } from './verdicts.ts'

const dayMs = 86_400_000
/** The first iPhone; Android devices came later. */
const earliest = Date.UTC(2007, 5, 29)

/** A reset creates these volumes again. An impossible date gives no verdict. */
export const factoryReset = signal({
  name: 'factoryReset',
  question: 'When was the device last reset?',
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FactoryResetResult> | undefined {
    const at = resetTime(evidence)
    if (at === undefined) return undefined
    const time = new Date(at).toISOString().replace('.000Z', 'Z')
    return { verdict: { time, timestamp: at / 1000 }, reasons: [JSON.stringify(evidence.facts.volumeDates)] }
  },
  report: {
    field: 'factoryResetTime',
    value: ({ timestamp }) => timestamp * 1000,
    unknown: -1,
    rule: {
      type: number('When the last factory reset was made', 'epoch milliseconds'),
      read: ({ factoryResetTime }) => factoryResetTime,
    },
  },
  secureInfo: { returnedBy: 'both', unknown: { time: '1970-01-01T00:00:00Z', timestamp: 0 } },
})

/** Epoch milliseconds, in whole seconds; undefined when unknown or impossible. */
export function resetTime({ facts: { volumeDates = {} }, now }: Evidence): number | undefined {
  const seconds = volumeDates.volume ?? volumeDates.data
  const at = seconds === undefined ? undefined : seconds * 1000
  // A clock may run a day ahead.
  return at !== undefined && at >= earliest && at <= now + dayMs ? at : undefined
}
