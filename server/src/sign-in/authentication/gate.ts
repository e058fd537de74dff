// May a message go to this number now? Runs the telecom checks of the app's policy and decides what follows.

import { randomUUID } from 'node:crypto'
import type { GateCheck, GateOutcome, GatePolicy } from '../../apps/gate-policy.ts'
import type { Provenance } from '../../core/call.ts'
import { describeRefusal, Refusal } from '../../core/errors.ts'
import { reasonsOf } from '../../rules/reasons/reasons-of.ts'
import { codeOfUnchecked } from '../../rules/reasons/refusal-reasons.ts'
import { checkCallForwarding } from '../../telecom/call-forwarding.ts'
import { checkPortability } from '../../telecom/portability.ts'
import { checkSimSwap } from '../../telecom/sim-swap.ts'
import { before } from '../../upstream/deadline.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'

/** found: swapped, forwarded or ported. clear: not so. failed: the check has no result. capped: nor has it, as the daily cost cap is reached. */
export type GateFinding = 'found' | 'clear' | 'failed' | 'capped'

export interface GateFindings {
  /** The strictest outcome of all checks. `record` sends the message. */
  readonly outcome: GateOutcome
  readonly checks: Readonly<Partial<Record<GateCheck, GateFinding>>>
}

/** The codes of what the checks found, strongest first, and of those without a result. For audit lines: whoever signs in must not learn them. */
export function gateReasons({ checks }: GateFindings): string[] {
  const telecom = {
    simSwap: { swapped: checks.simSwap === 'found' },
    callForwarding: { active: checks.callForwarding === 'found' },
    portability: { ported: checks.portability === 'found' },
  }
  const unchecked = (Object.keys(checks) as GateCheck[]).filter((check) => isUnchecked(checks[check]))
  return [...reasonsOf({ telecom }).reasons.map(({ code }) => code), ...unchecked.map(codeOfUnchecked)]
}

const isUnchecked = (finding: GateFinding | undefined) => finding === 'failed' || finding === 'capped'

type GateContext = Pick<SignInContext, 'tenantId' | 'appId' | 'requestId' | 'provenance'>

export const defaultDeadlineMs = 3000
const byStrictness: readonly GateOutcome[] = ['record', 'stepUp', 'refuse']

/**
 * Runs all checks of the policy at once and returns at its deadline at the latest. A check without
 * a result by then has failed. Never throws: an error of ours is a failed check, which blocks only
 * if the policy says so.
 */
export async function passGate(
  phoneNumber: string,
  policy: GatePolicy,
  { tenantId, appId, requestId, provenance }: GateContext,
  needs: SignInNeeds,
): Promise<GateFindings> {
  const signal = AbortSignal.timeout(policy.deadlineMs ?? defaultDeadlineMs)
  // Not the correlator of the caller, a page: a text that the operator's firewall refuses would make the check fail.
  const correlator = randomUUID()
  // Not the answer's own either: its age would show a stranger when somebody checked the number.
  const ofChecks: Provenance = { sandbox: false }
  const call = { requestId, correlator, provenance: ofChecks, signal, caller: { tenantId } }
  const consent = policy.consent ?? needs.telecom.purposes.automatic(tenantId)
  const stated = consent && { consent }
  const run: Readonly<Record<GateCheck, () => Promise<boolean>>> = {
    simSwap: async () => {
      const maxAge = policy.simSwap?.maxAgeHours
      const window = maxAge !== undefined && { maxAge }
      const result = await checkSimSwap({ phoneNumber, ...window, ...stated }, call, needs)
      return result.success && result.swapped
    },
    callForwarding: async () => {
      const result = await checkCallForwarding({ phoneNumber, ...stated }, call, needs)
      return result.success && result.callForwarding
    },
    portability: async () => {
      const result = await checkPortability({ phoneNumber, ...stated }, call, needs)
      return result.success === true && result.phoneDetail.isPorted
    },
  }
  const checks = (Object.keys(run) as GateCheck[]).filter((check) => policy[check] !== undefined)
  const onRefused = (why: string) =>
    needs.log.warn(
      { appId, tenantId, why },
      'the gate makes no check: set gate.consent of the app, or consent.automatic',
    )
  const findings = await Promise.all(checks.map((check) => findingOf(run[check], signal, onRefused)))
  if (ofChecks.sandbox) provenance.sandbox = true
  const outcomes = checks.map((check, i): GateOutcome => {
    const { onFound, onFailure } = policy[check]!
    if (findings[i] === 'found') return onFound
    // Strangers can make a tenant reach its cap, so by default a capped check lets nothing through that it exists to stop.
    if (findings[i] === 'capped') return onFailure ?? onFound
    return findings[i] === 'failed' ? (onFailure ?? 'record') : 'record'
  })
  const outcome = byStrictness[Math.max(0, ...outcomes.map((one) => byStrictness.indexOf(one)))]!
  const found = Object.fromEntries(checks.map((check, i) => [check, findings[i]!]))
  if (findings.includes('capped')) {
    needs.log.warn({ appId, tenantId, outcome }, 'the gate makes no check: the daily cost cap is reached; raise it')
  }
  if (checks.length > 0) {
    const reasons = gateReasons({ outcome, checks: found })
    const line = { audit: true, requestId, correlator, appId, gate: found, outcome, reasons }
    needs.log.info(line, 'telecom gate')
    needs.telemetry.auditLog?.write(line, 'telecom gate')
    needs.metrics.count('gateOutcomes', outcome)
  }
  return { outcome, checks: found }
}

async function findingOf(
  check: () => Promise<boolean>,
  deadline: AbortSignal,
  onRefused: (why: string) => void,
): Promise<GateFinding> {
  try {
    return (await before(deadline, check(), () => new Error('no answer at the deadline'))) ? 'found' : 'clear'
  } catch (error) {
    if (error instanceof Refusal && error.failure === 'costCapReached') return 'capped'
    const isAboutConsent = error instanceof Refusal && /^consent/.test(error.failure)
    if (isAboutConsent) onRefused(describeRefusal(error))
    return 'failed'
  }
}
