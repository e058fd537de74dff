// Are the dated tables too old? Numbering plans change every month, browsers and clocks of places every few months.

import { broken, type Finding, ok, warning } from './finding.ts'

const dayMs = 86_400_000
const oldTableDays = 180

/** One line for all tables, which names the oldest, or what is wrong with one. */
export function tableFinding(
  tables: readonly { name: string; datedMs: number; refused?: string }[],
  now: number,
): Finding {
  const refused = tables.find((each) => each.refused !== undefined)?.refused
  if (refused !== undefined) return broken('tables', refused, 'run ringfence data update')
  const [oldest] = tables.toSorted((a, b) => a.datedMs - b.datedMs)
  if (!oldest) return ok('tables', 'there are none')
  const days = Math.max(0, Math.floor((now - oldest.datedMs) / dayMs))
  const text = `${tables.length}, the oldest (${oldest.name}) from ${days} days ago`
  const todo = 'configure dataTables and run ringfence data update, or upgrade (docs/reference/dated-data.md)'
  return days > oldTableDays ? warning('tables', text, todo) : ok('tables', text)
}
