// How much may an integrator add to a visit? `additionalInput` of the engine call and the params of the push, together.

import { customInputLimits } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { exceededLimit } from '../../core/json/json-size.ts'

/**
 * Refuses with `fieldInvalid` what is too large. Anyone who knows the app id can send it, and it is stored with the report, so its
 * limits are far below those of a body. A value that is no object is dropped later, and passes.
 */
export function checkCustomInput(...given: readonly unknown[]): void {
  const limit = exceededLimit(given, customInputLimits)
  if (limit === undefined) return
  throw new Refusal('fieldInvalid', { mistake: `params and updateInfo.additionalInput together may ${limit}` })
}
