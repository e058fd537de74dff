// How suspicious is the device, in one number? The sum of the points of everything found.

import type { DevicePlatform } from '@ringfence/contract'
import type { Verdicts } from '../signals/index.ts'
import type { SuspectScoreResult } from '../signals/verdicts.ts'
import { firedOf, type SignalWeight, weights } from './weights.ts'

export interface SuspectContribution {
  readonly source: string
  readonly weight: number
}

/** Everything that was found and has points on this platform. */
export function suspectContributionsOf(weights: Readonly<Record<string, SignalWeight>>) {
  const firedIn = firedOf(weights)
  return (verdicts: Verdicts, platform: DevicePlatform): SuspectContribution[] =>
    firedIn(verdicts).flatMap((name) => {
      const { suspect, publishedAs = name } = weights[name]!
      const weight = suspect?.[platform] ?? 0
      return weight > 0 ? [{ source: publishedAs, weight }] : []
    })
}

/** `undefined` when no signal answered. */
export function suspectScoreOf(weights: Readonly<Record<string, SignalWeight>>) {
  const contributionsOf = suspectContributionsOf(weights)
  return (verdicts: Verdicts, platform: DevicePlatform): SuspectScoreResult | undefined => {
    if (Object.keys(verdicts).length === 0) return undefined
    return { result: contributionsOf(verdicts, platform).reduce((sum, { weight }) => sum + weight, 0) }
  }
}

export const suspectContributions = suspectContributionsOf(weights)
export const suspectScore = suspectScoreOf(weights)
