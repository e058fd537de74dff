// What is stored of a decision that was made, beside its answer? What the rules read, and what a later call needs.

import type { Decision } from '@ringfence/contract'
import { JsonText } from '../core/json/json-text.ts'
import { challengeMs } from './challenge/identities.ts'
import type { Deciding } from './judge.ts'
import type { Checksums, DecisionBasis, DecisionRecord } from './record/record.ts'

/** With `sent`, a repeated Idempotency-Key finds what differs. */
export const recordOf = (decision: Deciding, answer: Decision, sent: Checksums | undefined): DecisionRecord => ({
  answer: new JsonText(JSON.stringify(answer)),
  input: decision.gathered.state.live,
  basis: { ...basisOf(decision), ...(sent && { sent }) },
  ...(answer.action === 'REVIEW' && { review: { state: 'open' } }),
})

function basisOf({ now, gathered, judged }: Deciding): DecisionBasis {
  const { account, codes, device, link, calls } = gathered
  const {
    outcome: { action, decisive },
    passable,
    shadow,
  } = judged
  return {
    ...(passable && { challenge: { ...passable, ...(link && { link }), expiresAt: now + challengeMs, codes } }),
    ...(device && { appId: device.analysis.appId }),
    ...(account && { shown: account.shown }),
    ...(Object.keys(calls).length > 0 && { calls }),
    ...(action === 'REVIEW' && decisive && { reviewRule: decisive.name }),
    ...(shadow && { shadow }),
  }
}
