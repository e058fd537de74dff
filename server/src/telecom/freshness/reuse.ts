// For how long may an answer of a check be reused? The operator's entry says so, else the settings.

import { type AnyCheck, type CheckName, checks, type OperatorCheckName, operatorCheckNames } from '@ringfence/contract'
import Type, { type TInteger, type TOptional } from 'typebox'
import type { Settings } from '../../config/settings.ts'

/** Checks whose answers may be stored. */
const reusable = operatorCheckNames.filter((name) => (checks[name] as AnyCheck).keyOf !== undefined)

/** The key `reuseSeconds` of an operator. */
export const ReuseSeconds = Type.Object(
  Object.fromEntries(
    reusable.map((name) => [name, Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000 }))]),
  ) as { [Name in OperatorCheckName]: TOptional<TInteger> },
  {
    additionalProperties: false,
    description:
      'for how long an answer of each check is reused, instead of the setting; 0: every check calls the operator',
  },
)

/** The entry of an operator. */
interface Reuse {
  readonly reuseSeconds?: Partial<Record<OperatorCheckName, number>>
}

/** In seconds; 0: every check queries the operator. */
export function reuseSecondsOf(check: CheckName, settings: Settings, operator: Reuse = {}): number {
  const configured = check === 'portability' ? undefined : operator.reuseSeconds?.[check]
  if (configured !== undefined) return configured
  if (check === 'simSwap' || check === 'deviceSwap') return settings.simSwapReuseSeconds
  if (check === 'portability') return settings.portabilityReuseSeconds
  return check === 'callForwarding' ? settings.callForwardingReuseSeconds : 0
}
