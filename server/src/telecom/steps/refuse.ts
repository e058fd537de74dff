// Which refusal does a failure of a check become? The `phoneDetail` is returned with a failed check (specification 4.1.3, 4.2.3).

import type { FailureName, OperatorCheckName } from '@ringfence/contract'
import { Refusal, type RefusalDetails } from '../../core/errors.ts'
import { logged, UpstreamRefusal } from '../../upstream/upstream-error.ts'
import {
  CheckUnsupported,
  ParametersUnsupported,
  type SupportedWindow,
  WindowUnsupported,
} from '../connectors/connector.ts'
import { CostCapReached } from '../costs/costs.ts'
import type { CheckContext } from './check-context.ts'
import { count } from './count.ts'

interface CheckRefusals {
  readonly unsupported: FailureName
  readonly window: FailureName
  readonly failed: FailureName
}

const shared: CheckRefusals = {
  unsupported: 'checkUnsupported',
  window: 'checkWindowUnsupported',
  failed: 'checkFailed',
}

/** Checks without a row of their own share three. */
const refusalsOf: Partial<Record<OperatorCheckName, CheckRefusals>> = {
  simSwap: { unsupported: 'simSwapUnsupported', window: 'simSwapWindowUnsupported', failed: 'simSwapFailed' },
  callForwarding: { ...shared, unsupported: 'callForwardingUnsupported', failed: 'callForwardingFailed' },
}

export const refusalsFor = (name: OperatorCheckName) => refusalsOf[name] ?? shared

export function refuse<Name extends OperatorCheckName>(check: CheckContext<Name>, cause: unknown): Refusal {
  const { name, row, subject, routes, call, needs, paid } = check
  const { title } = row
  const { phoneDetail } = subject
  const refusals = refusalsFor(name)
  const cost = paid.cost()
  const isCapped = cause instanceof CostCapReached
  count(check, cause instanceof UpstreamRefusal ? 'unsupported' : isCapped ? 'capped' : 'failed', 'operator')
  if (isCapped) return new Refusal('costCapReached', { phoneDetail, title, cost, cause })
  if (cause instanceof CheckUnsupported) return new Refusal(refusals.unsupported, { title, cost, cause })
  if (cause instanceof WindowUnsupported)
    return new Refusal(refusals.window, { ...windowDetails(cause.supported), cost, cause })
  if (cause instanceof ParametersUnsupported)
    return new Refusal('checkParametersUnsupported', { title, hint: cause.hint, cost, cause })
  const connector = routes.map((route) => route.name).join(', ')
  needs.log.warn({ connector, check: name, requestId: call.requestId, ...logged(cause) }, 'check failed')
  return new Refusal(refusals.failed, { phoneDetail, title, cost, cause })
}

/** What to ask in place of this window. */
export function windowDetails(supported: SupportedWindow): Pick<RefusalDetails, 'window' | 'limitHours'> {
  if ('onlyHours' in supported) {
    const { onlyHours } = supported
    if (onlyHours === undefined) return { window: 'answers for one window only, and does not say how long it is' }
    return { window: `answers for a window of ${onlyHours} hours only: send maxAge ${onlyHours}` }
  }
  const { limitHours } = supported
  if (limitHours === undefined) return { window: 'looks back less far: ask about a shorter time' }
  return { limitHours, window: `looks back at most ${limitHours} hours` }
}
