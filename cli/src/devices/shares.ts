// How are shares and calibration written in the tables of `ringfence devices quality`?

import type { Quality } from '@ringfence/server/device/identity/quality.ts'

export function calibrationError(bins: Quality['calibration']): number {
  const all = bins.reduce((sum, { decisions }) => sum + decisions, 0)
  return bins.reduce((sum, { said, right }) => sum + Math.abs(said - right), 0) / Math.max(1, all)
}

export const percent = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`

/** "12 (0.4 %)" */
export const share = (count: number, all: number) => `${count} (${percent(count, all)})`
