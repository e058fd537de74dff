// How is a price or a sum shown? "0.012 EUR"

import type { Cost } from '@ringfence/contract'

/** Exact, since it is a whole number of millionths. */
export function amountText({ micros, currency }: Cost): string {
  const digits = String(micros).padStart(7, '0')
  const parts = `${digits.slice(0, -6)}.${digits.slice(-6)}`
  return `${parts.replace(/\.?0+$/, '')} ${currency}`
}
