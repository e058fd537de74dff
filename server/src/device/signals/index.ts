// Which signals are there, and what do they say of one device?

import type { SecureInfoDetail } from '@ringfence/contract'
import type { Evidence } from '../evidence.ts'
import type { Signal } from './signal.ts'

/** Each under the name of its detector in the contract. */
export const signals: Readonly<Partial<Record<keyof SecureInfoDetail, Signal<unknown>>>> = {}

export interface Judgement {
  /** A signal that the evidence does not answer is absent. */
  readonly verdicts: SecureInfoDetail
  /** What each verdict rests on; for whoever investigates, never for a client. */
  readonly grounds: Readonly<Record<string, readonly string[]>>
  /** Of the signals that answered, so that a stored verdict can be told from a newer one's. */
  readonly versions: Readonly<Record<string, number>>
}

/** Asks every signal of the platform. Pure: the same evidence gets the same judgement. */
export function judgeAll(evidence: Evidence): Judgement {
  const found = Object.entries(signals).flatMap(([name, signal]) => {
    const finding = signal.platforms.includes(evidence.platform) ? signal.judge(evidence) : undefined
    return finding ? [{ name, version: signal.version, ...finding }] : []
  })
  return {
    verdicts: Object.fromEntries(found.map(({ name, verdict }) => [name, verdict])),
    grounds: Object.fromEntries(found.map(({ name, grounds }) => [name, grounds])),
    versions: Object.fromEntries(found.map(({ name, version }) => [name, version])),
  }
}
