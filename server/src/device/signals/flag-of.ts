// What do the reasons of a flag say, and what when there are none?

import type { Facts } from '@ringfence/contract'
import type { Evidence } from '../analysis/evidence.ts'
import { isWhole } from '../analysis/whole-facts.ts'
import type { Finding } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/** One reason is enough. Without any, these facts must be there as a whole: else one that is missing could be a reason. */
export function flagOf(
  evidence: Evidence,
  names: readonly (keyof Facts)[],
  reasons: readonly string[],
): Finding<FlagResult> | undefined {
  const isFound = reasons.length > 0
  return isFound || names.every((name) => isWhole(evidence, name))
    ? { verdict: { result: isFound }, reasons }
    : undefined
}
