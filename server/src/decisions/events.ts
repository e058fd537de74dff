// Which events does a decision have? One that it was made, for receivers and for search.

import type { Decision } from '@ringfence/contract'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { NewEvent } from '../core/event-recorder.ts'
import { accountHashOf, deviceHashOf, emailHashOf, mailboxHashOf, numberHashOf } from '../events/subject-hashes.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import type { DecisionSubjectHashes } from './store/decisions.ts'

/** Events about one decision reach a receiver in their order. */
export const orderOfDecision = (decisionId: string) => `decision ${decisionId}`

/** What a receiver and a search learn of a decision: codes and subjects, not what the rules read. */
export function eventsOf(
  { decisionId, action, verdict, score, reasons, rules, missing, device }: Decision,
  { action: operation, userId, phoneNumber, ip: ipAddress }: RuleInput,
  { requestId, hashes, aside }: { requestId: string } & Pick<NewEvent, 'hashes' | 'aside'>,
): NewEvent[] {
  const deviceId = device?.deviceId || undefined
  const subjects = { userId, phoneNumber, deviceId, ipAddress }
  return [
    {
      type: 'decision.created',
      data: {
        decisionId,
        action,
        operation,
        score,
        verdict,
        reasons: reasons.map(({ code }) => code),
        rules: rules.fired,
        missing: missing.length > 0 ? [...new Set(missing.map(({ what }) => what))] : undefined,
        ...subjects,
      },
      ...(aside && { aside }),
      orderedBy: orderOfDecision(decisionId),
      subjects: { ...subjects, requestId },
      hashes,
      outcome: action,
    },
  ]
}

/** Under which hashes a decision is found. */
export const subjectsOf = (
  { device }: Decision,
  { userId, phoneNumber, email }: RuleInput,
  accountHash: Uint8Array | undefined,
  keys: Pick<TenantKeys, 'hash'>,
): DecisionSubjectHashes => ({
  userHash: accountHash ?? (userId === undefined ? null : accountHashOf(userId, keys)),
  numberHash: phoneNumber === undefined ? null : numberHashOf(phoneNumber, keys),
  emailHash: email?.address === undefined ? null : emailHashOf(email.address, keys),
  mailboxHash: email?.mailbox === undefined ? null : mailboxHashOf(email.mailbox, keys),
  deviceHash: device?.deviceId ? deviceHashOf(device.deviceId, keys) : null,
})
