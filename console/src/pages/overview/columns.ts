// Where is each column of the chart? One for each step of the range, also for steps without decisions.

import type { Overview } from '../../api/types.ts'

export const actionsInOrder = ['ALLOW', 'WARN', 'REVIEW', 'CHALLENGE', 'BLOCK'] as const

export interface Column {
  readonly at: string
  readonly until: string
  readonly total: number
  readonly counts: Overview['decisions']
}

export function columnsOf({ from, to, stepSeconds, steps }: Overview): readonly Column[] {
  const stepMs = stepSeconds * 1000
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const byTime = new Map(steps.map(({ at, decisions }) => [Date.parse(at), decisions]))
  return Array.from({ length: Math.ceil((end - start) / stepMs) }, (_, i) => {
    const at = start + i * stepMs
    const counts = byTime.get(at) ?? {}
    return {
      at: new Date(at).toISOString(),
      until: new Date(Math.min(end, at + stepMs)).toISOString(),
      total: sumOf(counts),
      counts,
    }
  })
}

export const sumOf = (counts: Overview['decisions']): number =>
  actionsInOrder.reduce((sum, action) => sum + (counts[action] ?? 0), 0)

/** The next round number: 1, 2, 5, 10, 20, 50 … */
export function roundUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10)
}
