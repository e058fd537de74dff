// What did a decision know that a rule could ask for? What was asked, and the flags that were true.

import type { InvestigatedDecision } from '../../../api/types.ts'

type Known = Pick<InvestigatedDecision, 'device' | 'phone' | 'subject'>

export function factsOf({ device, phone, subject }: Known): Record<string, boolean | string> {
  const checks = {
    'telecom.simSwap.swapped': phone?.simSwap?.swapped,
    'telecom.callForwarding.active': phone?.callForwarding?.active,
    'telecom.portability.ported': phone?.portability?.ported,
  }
  const known = [...Object.entries(checks), ...Object.entries(device ?? {})].filter(([, value]) => value === true)
  return {
    ...(subject.operation !== undefined && { action: subject.operation }),
    ...Object.fromEntries(known.map(([path]) => [path, true])),
  }
}
