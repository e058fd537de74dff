// Was the same sign-in started a moment ago? Then both starts get the same transaction, and no second message is sent.

import { setTimeout as wait } from 'node:timers/promises'
import type { SignInTransaction } from '@ringfence/contract'
import type { Core } from '../../../core/core.ts'
import { Refusal } from '../../../core/errors.ts'
import { findOpenStart, findSignInByStart, type SignInRecord } from '../../store/sign-ins.ts'
import type { SignInNeeds } from '../room.ts'
import type { SignInContext } from '../sign-in-context.ts'
import { openSignIn, transactionAnswer } from '../transaction.ts'
import type { MessagePlan } from './plan.ts'

/** Equal for starts that are the same sign-in. Another OTP length, redirect URL, code challenge or user to add to makes another one. */
export async function hashOfStart(
  { request, channel, recipient, redirectUrl, order }: MessagePlan,
  { tenantId, sessionId, addsTo }: SignInContext,
  { tenantKeyring }: Pick<Core, 'tenantKeyring'>,
): Promise<Uint8Array> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const same = [
    sessionId ?? order?.transactionId ?? order?.codeClient ?? '',
    request.channel,
    channel.name,
    recipient.type,
    recipient.value,
    redirectUrl ?? '',
    redirectUrl === undefined ? '' : (request.codeChallenge ?? ''),
    request.otpLength ?? '',
    addsTo?.personId ?? '',
  ]
  return keys.hash(`start ${JSON.stringify(same)}`)
}

/** The first of the same starts, until its message may be sent again or the sign-in is over. */
export function findFirstStart(
  startHash: Uint8Array,
  { tenantId }: Pick<SignInContext, 'tenantId'>,
  { clock, database, settings }: Pick<Core, 'clock' | 'database' | 'settings'>,
): Promise<SignInRecord | undefined> {
  return findOpenStart(database, { tenantId, startHash, now: clock.now(), attempts: settings.otpAttempts })
}

const pollMs = 50

/**
 * Waits while the first start sends its message. Refuses with `deliveryFailed` if that fails or
 * takes too long.
 */
export async function answerAsFirst(first: SignInRecord, needs: SignInNeeds): Promise<SignInTransaction> {
  const { clock, database, settings } = needs
  const giveUpAt = performance.now() + settings.deliveryTimeoutMs
  let record: SignInRecord | undefined = first
  while (record?.state === 'sending' && performance.now() < giveUpAt) {
    await wait(pollMs)
    record = await findSignInByStart(database, first.tenantId, first.startHash!)
  }
  if (!record || record.state === 'sending') throw new Refusal('deliveryFailed', { retryAfterSeconds: 5 })
  return transactionAnswer(await openSignIn(record, needs), clock)
}
