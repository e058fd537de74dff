// May a message go to this number now? The telecom checks that the app's policy asks for, and what follows from them.

import type { Platform } from '../platform.ts'
import { checkCallForwarding } from '../telecom/call-forwarding.ts'
import { checkPortability } from '../telecom/portability.ts'
import { checkSimSwap } from '../telecom/sim-swap.ts'
import { before } from '../upstream/deadline.ts'
import type { GateCheck, GateOutcome, GatePolicy } from './gate-policy.ts'
import type { SignInContext } from './sign-in-context.ts'

/** found: it is so (swapped, forwarded, ported). clear: it is not. failed: it cannot be told. */
export type GateFinding = 'found' | 'clear' | 'failed'

export interface GateFindings {
  /** The gravest outcome of all checks; `record`: the message goes out. */
  readonly outcome: GateOutcome
  readonly checks: Readonly<Partial<Record<GateCheck, GateFinding>>>
}

type GateContext = Pick<SignInContext, 'tenantId' | 'appId' | 'requestId' | 'correlator' | 'provenance'>

const defaultDeadlineMs = 3000
const gravity: readonly GateOutcome[] = ['record', 'stepUp', 'refuse']

/**
 * Asks every check of the policy at once, and answers at its deadline at the latest: what is not told by then has failed.
 * Never throws: trouble of ours is a check that failed, and blocks only where the policy says so.
 */
export async function passGate(
  phoneNumber: string,
  policy: GatePolicy,
  { tenantId, appId, requestId, correlator, provenance }: GateContext,
  platform: Platform,
): Promise<GateFindings> {
  const signal = AbortSignal.timeout(policy.deadlineMs ?? defaultDeadlineMs)
  const asked = { requestId, correlator, provenance, signal, caller: { tenantId } }
  const questions: Readonly<Record<GateCheck, () => Promise<boolean>>> = {
    simSwap: async () => {
      const maxAge = policy.simSwap?.maxAgeHours
      const answer = await checkSimSwap({ phoneNumber, ...(maxAge !== undefined && { maxAge }) }, asked, platform)
      return answer.success && answer.swapped
    },
    callForwarding: async () => {
      const answer = await checkCallForwarding({ phoneNumber }, asked, platform)
      return answer.success && answer.callForwarding
    },
    portability: async () => {
      const answer = await checkPortability({ phoneNumber }, asked, platform)
      return answer.success === true && answer.phoneDetail.isPorted
    },
  }
  const checks = (Object.keys(questions) as GateCheck[]).filter((check) => policy[check] !== undefined)
  const findings = await Promise.all(checks.map((check) => find(questions[check], signal)))
  const outcomes = checks.map((check, i): GateOutcome => {
    const { onFound, onFailure = 'record' } = policy[check]!
    return findings[i] === 'found' ? onFound : findings[i] === 'failed' ? onFailure : 'record'
  })
  const outcome = gravity[Math.max(0, ...outcomes.map((one) => gravity.indexOf(one)))]!
  const found = Object.fromEntries(checks.map((check, i) => [check, findings[i]!]))
  if (checks.length > 0) {
    platform.log.info({ requestId, appId, gate: found, outcome }, 'telecom gate')
  }
  return { outcome, checks: found }
}

async function find(check: () => Promise<boolean>, deadline: AbortSignal): Promise<GateFinding> {
  try {
    return (await before(deadline, check(), () => new Error('no answer at the deadline'))) ? 'found' : 'clear'
  } catch {
    return 'failed'
  }
}
