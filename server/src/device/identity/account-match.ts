// Is this one of an account's own devices? Compared with those alone, a visit needs less to be recognised than among all devices.

import calibration from './calibration.json' with { type: 'json' }
import type { Family } from './components.ts'
import type { Curve } from './confidence.ts'
import { read } from './confidence.ts'
import type { Fingerprint, KnownFingerprint } from './fingerprint.ts'
import { cannotBeOne, compare, models } from './score.ts'

/** A record of one of the account's devices. */
export interface AccountRecord {
  readonly fingerprint: KnownFingerprint
  /** Epoch milliseconds. */
  readonly lastSeenAt: number
}

export interface AccountMatch<Known> {
  /** That the visit is of one of these devices, 0 to 1. */
  readonly probability: number
  /** The record that fits best. Absent when none fits well enough. */
  readonly record?: Known
}

interface AccountCalibration {
  /** In nats. Of visits by other devices, one in 250 is above. */
  readonly likely: number
  readonly curve: Curve
}

const accounts = calibration.accounts as unknown as Readonly<Record<Family, AccountCalibration>>

/**
 * Compares a visit with the devices of the account that it names. How rare the visit is among all devices does not count: the
 * question is only whether it is one of these few. Devices that look all the same are never known.
 * @param now epoch milliseconds
 */
export function matchAccount<Known extends AccountRecord>(
  visit: Fingerprint,
  records: readonly Known[],
  now: number,
): AccountMatch<Known> {
  if (visit.isIndistinguishable) return { probability: 0 }
  const { score } = models[visit.family]
  const { likely, curve } = accounts[visit.family]
  let best: { record: Known; score: number } | undefined
  for (const record of records) {
    const outcomes = compare(record.fingerprint, visit)
    if (cannotBeOne(record.fingerprint, visit, outcomes)) continue
    const its = score(outcomes, [], now - record.lastSeenAt)
    if (!best || its > best.score) best = { record, score: its }
  }
  if (!best) return { probability: 0 }
  const probability = read(curve, best.score)
  return best.score < likely ? { probability } : { probability, record: best.record }
}
