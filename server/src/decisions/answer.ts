// What does a backend get as the answer to a decision, but for its challenge and review, whose state changes?

import type { Decision } from '@ringfence/contract'
import { identificationOf } from '../device-report/include/identification.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import type { Deciding } from './judge.ts'
import type { FoundDevice } from './parts/device.ts'
import { inOrder } from './parts/parts.ts'
import { phoneMember } from './parts/phone.ts'
import type { CheckedRequest } from './request.ts'
import type { DecisionsNeeds } from './room.ts'
import { explained } from './verdict/explained.ts'

/** The address itself is in the request, or in the sign-in. */
const emailMember = (
  { domain = '', disposable = false, freeMail = false, role = false, suggestedDomain }: NonNullable<RuleInput['email']>,
  { accountsPerMailbox30d: accountsOfMailbox }: NonNullable<RuleInput['velocity']> = {},
): NonNullable<Decision['email']> => ({
  ...{ domain, disposable, freeMail, role },
  ...(suggestedDomain !== undefined && { suggestedDomain }),
  ...(accountsOfMailbox !== undefined && { accountsOfMailbox }),
})

/** The answer as it is made now. Reading it later adds only what became of its challenge and review. */
export async function answerTo(
  { tenantId, decisionId, now, gathered, judged: { evaluation, outcome }, rules: { live } }: Deciding,
  consent: CheckedRequest['consent'],
  needs: DecisionsNeeds,
): Promise<Decision> {
  const { state, phone, login, device, account, missing } = gathered
  const { userId, email, velocity } = state.live
  const identification =
    device &&
    (await identificationOf(
      { tenantId, analysis: device.analysis, report: device.report, ...(userId !== undefined && { userId }) },
      needs,
      account?.knowledge.known,
    ))
  const { action, message, decisive, required } = outcome
  const unknown = inOrder(missing, required)
  const isInformed = phone !== undefined || login !== undefined || device !== undefined
  const { reasons, score, verdict } = explained({ live, state, evaluation, outcome, missing: unknown, isInformed })
  return {
    decisionId,
    createdAt: new Date(now).toISOString(),
    action,
    verdict,
    score,
    ...(message !== '' && { message }),
    reasons,
    ...(consent && { consent }),
    ...(phone && { phone: phoneMember(phone, now) }),
    ...(login && { login }),
    ...(email && { email: emailMember(email, velocity) }),
    ...(device && { device: { ...reportNow(device), ...(identification && { identification }) } }),
    ...(account && { account: account.input as NonNullable<Decision['account']> }),
    rules: {
      version: live.version,
      fired: evaluation.fired.map(({ id }) => id),
      ...(decisive && { decisive: decisive.id }),
    },
    missing: unknown,
  }
}

/** The report, under the id that its device has now. */
function reportNow({ analysis: { deviceId }, report }: FoundDevice) {
  return { ...JSON.parse(report.answer.text), ...(deviceId !== undefined && { deviceId }) }
}
