// Who may answer this check, and what is asked? The connectors for the number, and the question with what the configuration adds.

import {
  type AnyCheck,
  type CheckParams,
  type CheckQuestion,
  checks,
  type OperatorCheckName,
  WindowTooLong,
} from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { CheckCall } from '../check-call.ts'
import { meter } from '../costs/meter.ts'
import type { Operator } from '../operators.ts'
import { routesFor } from '../routing/router.ts'
import { operatorUnknown, type Subject } from '../subject.ts'
import type { CheckContext, CheckNeeds } from './check-context.ts'
import { refusalsFor, windowDetails } from './refuse.ts'

/** Refuses with operatorUnknown, and with the check's own refusals: unsupported, and a window that is too long. */
export function route<Name extends OperatorCheckName>(
  name: Name,
  params: CheckParams<Name>,
  subject: Subject,
  call: CheckCall,
  needs: CheckNeeds,
): CheckContext<Name> {
  const { telecom, metrics, log } = needs
  const plan = telecom.router.planOf(subject)
  if (!plan) throw operatorUnknown(subject)
  const { operator } = plan
  const row = checks[name]
  const routes = routesFor(plan, name)
  if (routes.length === 0) throw new Refusal(refusalsFor(name).unsupported, { title: row.title })
  // A list never mixes a sandbox with real operators.
  if (routes[0]!.connector.sandbox) call.provenance.sandbox = true
  const question = questionOf(name, params, operator, needs)
  const paid = meter({ costs: telecom.costs, metrics, log }, call.caller.tenantId, name)
  return { name, row, question, subject, routes, operator, call, needs, paid }
}

function questionOf<Name extends OperatorCheckName>(
  name: Name,
  params: CheckParams<Name>,
  operator: Operator | undefined,
  { settings }: CheckNeeds,
): CheckQuestion<Name> {
  const { fill }: AnyCheck = checks[name]
  if (!fill) return params as CheckQuestion<Name>
  try {
    const configured = operator?.entry?.[name as 'simSwap'] ?? {}
    return fill(params, configured, { maxAgeHours: settings.simSwapMaxAgeHours })
  } catch (error) {
    if (!(error instanceof WindowTooLong)) throw error
    throw new Refusal(refusalsFor(name).window, windowDetails(error))
  }
}
