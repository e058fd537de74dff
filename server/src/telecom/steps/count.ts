// How did a check end? In the metrics, by its operator.

import type { OperatorCheckName } from '@ringfence/contract'
import type { CheckContext } from './check-context.ts'

export function count(
  { name, operator, needs }: Pick<CheckContext<OperatorCheckName>, 'name' | 'operator' | 'needs'>,
  result: 'yes' | 'no' | 'unsupported' | 'failed' | 'capped',
  source: 'operator' | 'stored',
): void {
  // Only a configured name is sure to be no phone number: a source may write anything as an operator.
  const label = operator ? (operator.entry?.name ?? 'other') : 'unknown'
  needs.metrics.count('checks', name, label, result, source)
}
