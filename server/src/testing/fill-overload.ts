// How does a test overload a service? With requests that never end.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Overload } from '../core/heavy-work/overload.ts'

/** Fills every place. Resolves with a function that ends them all. */
export async function fill(overload: Overload): Promise<() => void> {
  let started = 0
  let hasEnded = false
  const start = () => {
    started++
    if (hasEnded) overload.leave()
  }
  const flow = { trafficClass: 'pages', caller: 'fill' } as const
  for (let before = -1; before < started; await nextTurn()) {
    before = started
    for (let request = 0; request < 100; request++) overload.arrive({ start, refuse() {} }, () => flow)
  }
  return () => {
    hasEnded = true
    for (let left = 0, all = started; left < all; left++) overload.leave()
  }
}
