// What is counted per kind of browser? Splits and merges of visits.

import type { SimulatedDevice } from './device.ts'

export type Group = 'Chromium' | 'Firefox' | 'Safari' | 'Android' | 'iPhone'

export function groupOf({ kind }: SimulatedDevice): Group {
  if (kind === 'androidChrome') return 'Android'
  if (kind === 'iphone') return 'iPhone'
  if (kind === 'macSafari') return 'Safari'
  return kind.endsWith('Firefox') ? 'Firefox' : 'Chromium'
}

/** Decisions about visits: all, and those of known devices. */
export interface Outcomes {
  visits: number
  merges: number
  returns: number
  splits: number
  /** Splits where the answer names the own device as the likely one. */
  doubts: number
}

export type ByGroup<Of> = Record<Group, Of>
export const byGroup = <Of>(make: () => Of): ByGroup<Of> => ({
  Chromium: make(),
  Firefox: make(),
  Safari: make(),
  Android: make(),
  iPhone: make(),
})
export const noOutcomes = (): Outcomes => ({ visits: 0, merges: 0, returns: 0, splits: 0, doubts: 0 })

/** The decision about a visit: its own device, another one, or new. */
export function count(
  its: Outcomes,
  isReturn: boolean,
  taken: 'own' | 'other' | undefined,
  { isLikelyOwn = false } = {},
): void {
  its.visits++
  if (taken === 'other') its.merges++
  if (!isReturn) return
  its.returns++
  if (taken !== 'own') its.splits++
  if (taken !== 'own' && isLikelyOwn) its.doubts++
}
