// Is it the code that a gateway made itself? It is asked, and a question without an answer says nothing about the code.

import { before } from '../../../upstream/deadline.ts'
import { replaceContent } from '../../store/sign-ins.ts'
import { ChannelFailed, type CodeOutcome, deliveryTooLate, type OwnCodes } from '../channel.ts'
import type { SignInNeeds } from '../room.ts'
import { type SignIn, sealContent } from '../transaction.ts'

/** How a code of ours is compared, and when the call began on the clock of performance.now(). */
interface Ours {
  readonly since: number
  isRight(): 'right' | 'wrong'
}

/**
 * Compares a code of ours, or asks the gateway that made it. What the telecom gate decided does not show: where the page sees a gateway
 * that compares, a comparison without it takes as long, and fails as often.
 */
export async function compared(
  signIn: SignIn,
  otp: string,
  { since, isRight }: Ours,
  needs: SignInNeeds,
): Promise<CodeOutcome | 'notChecked'> {
  const {
    signIn: { recentDeliveries },
  } = needs
  const { gatewayCodes, comparedBy } = signIn.content
  if (!gatewayCodes) {
    if (comparedBy !== undefined && !(await recentDeliveries.imitate(comparisonsOf(comparedBy), since)))
      return 'notChecked'
    return isRight()
  }
  const { channel: name, ids } = gatewayCodes
  // The gateway accepts none of them any more, so it is not asked again.
  if (ids.length === 0) return 'expired'
  const channel = needs.signIn.channels.named(name)
  const ownCodes = channel?.form === 'message' ? channel.ownCodes : undefined
  const { outcome, live = ids } = ownCodes
    ? await askedOf(name, ownCodes, ids, otp, needs)
    : { outcome: 'notChecked' as const }
  recentDeliveries.note(comparisonsOf(name), performance.now() - since, outcome !== 'notChecked')
  if (live.length < ids.length) await keepLive(signIn, { channel: name, ids: live }, needs)
  return outcome
}

/** A resend at the same time wins: its new code must not be lost. */
async function keepLive(
  { record, content }: SignIn,
  gatewayCodes: NonNullable<SignIn['content']['gatewayCodes']>,
  { database, tenantKeyring }: SignInNeeds,
): Promise<void> {
  const keys = await tenantKeyring.keysOf(record.tenantId)
  await replaceContent(database, record, sealContent(keys, record.idHash, { ...content, gatewayCodes }))
}

const comparisonsOf = (channel: string) => `${channel} comparisons`

interface Asked {
  readonly outcome: CodeOutcome | 'notChecked'
  /** The codes that have not expired, if one has: those before it were sent earlier. */
  readonly live?: readonly string[]
}

/** The newest code first; the one before it only where that one is wrong. Wrong for one of them is an attempt, whatever follows. */
async function askedOf(
  channel: string,
  ownCodes: OwnCodes,
  ids: readonly string[],
  otp: string,
  { log, settings }: SignInNeeds,
): Promise<Asked> {
  const deadline = AbortSignal.timeout(settings.deliveryTimeoutMs)
  let first: CodeOutcome | undefined
  try {
    for (const [place, id] of ids.entries()) {
      const outcome = await before(deadline, ownCodes.validate(id, otp, deadline), deliveryTooLate)
      if (outcome === 'right') return { outcome }
      first ??= outcome
      if (outcome === 'expired') return { outcome: first, live: ids.slice(0, place) }
      if (outcome !== 'wrong') break
    }
  } catch (error) {
    const failure = error instanceof ChannelFailed ? error : undefined
    const cause = failure?.message ?? (error as Error).name
    log.warn({ channel, reason: failure?.reason ?? 'unreachable', cause }, 'a code could not be checked')
  }
  return { outcome: first ?? 'notChecked' }
}
