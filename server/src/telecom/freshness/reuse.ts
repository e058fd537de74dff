// For how long may an answer of a check be reused? The operator's entry says so, else the configuration, else a setting.

import { type AnyCheck, type CheckName, checks, type OperatorCheckName, operatorCheckNames } from '@ringfence/contract'
import Type, { type TInteger, type TOptional } from 'typebox'
import type { Settings } from '../../config/settings.ts'

/** Checks whose answers may be stored. */
const reusable = operatorCheckNames.filter((name) => (checks[name] as AnyCheck).keyOf !== undefined)

const properties = Object.fromEntries(
  reusable.map((name) => [name, Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000 }))]),
) as { [Name in OperatorCheckName]: TOptional<TInteger> }

/** The key `reuseSeconds` of the configuration file. */
export const ReuseSeconds = Type.Object(properties, {
  additionalProperties: false,
  description:
    'for how many seconds an answer of each check is reused; 0: every check calls the operator. Default: the setting of the check, where there is one, else 0',
})

/** The key `reuseSeconds` of an operator. */
export const OperatorReuseSeconds = Type.Object(properties, {
  additionalProperties: false,
  description: 'the same for numbers of this operator, before reuseSeconds of the file',
})

type Seconds = Partial<Record<CheckName, number>>

export interface Reuse {
  /** In seconds; 0: every check calls the operator. `operator`: its id. */
  secondsOf(check: CheckName, operator?: string): number
  /** The longest of any check and operator. */
  readonly longestSeconds: number
}

export function reuse(config: {
  readonly settings: Settings
  readonly reuseSeconds?: Seconds
  readonly operators: readonly { readonly id: string; readonly reuseSeconds?: Seconds }[]
}): Reuse {
  const { simSwapReuseSeconds, callForwardingReuseSeconds, portabilityReuseSeconds } = config.settings
  const usual: Seconds = {
    simSwap: simSwapReuseSeconds,
    callForwarding: callForwardingReuseSeconds,
    ...config.reuseSeconds,
    portability: portabilityReuseSeconds,
  }
  const own = new Map(config.operators.map(({ id, reuseSeconds = {} }) => [id, reuseSeconds]))
  return {
    secondsOf: (check, operator = '') => own.get(operator)?.[check] ?? usual[check] ?? 0,
    longestSeconds: Math.max(...[usual, ...own.values()].flatMap((seconds) => Object.values(seconds))),
  }
}
