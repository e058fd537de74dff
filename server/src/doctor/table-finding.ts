// Is a dated table too old? Numbering plans change every month, browsers and clocks of places every few months.

import { type Finding, ok, warning } from './finding.ts'

const dayMs = 86_400_000
const oldTableDays = 180

/** @param name such as `table numberingPlans` */
export function tableFinding(name: string, ageMs: number): Finding {
  const text = `from ${Math.max(0, Math.floor(ageMs / dayMs))} days ago`
  return ageMs > oldTableDays * dayMs
    ? warning(name, text, 'configure dataTables and run ringfence data update, or upgrade (docs/guides/dated-data.md)')
    : ok(name, text)
}
