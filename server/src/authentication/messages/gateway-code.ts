// Is it the code that a gateway made itself? It is asked, and a question without an answer says nothing about the code.

import type { Platform } from '../../platform.ts'
import { before } from '../../upstream/deadline.ts'
import { ChannelFailed, type CodeOutcome, deliveryTooLate, type OwnCodes } from '../channel.ts'
import type { SignInContent } from '../transaction.ts'

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
  { gatewayCodes, comparedBy }: SignInContent,
  otp: string,
  { since, isRight }: Ours,
  platform: Platform,
): Promise<CodeOutcome | 'notChecked'> {
  const { recentDeliveries } = platform
  if (!gatewayCodes) {
    if (comparedBy !== undefined && !(await recentDeliveries.imitate(comparisonsOf(comparedBy), since)))
      return 'notChecked'
    return isRight()
  }
  const { channel: name, ids } = gatewayCodes
  const channel = platform.channels.named(name)
  const ownCodes = channel?.form === 'message' ? channel.ownCodes : undefined
  const outcome = ownCodes ? await askedOf(name, ownCodes, ids, otp, platform) : 'notChecked'
  recentDeliveries.note(comparisonsOf(name), performance.now() - since, outcome !== 'notChecked')
  return outcome
}

const comparisonsOf = (channel: string) => `${channel} comparisons`

/** The newest code first; the one before it only where that one is wrong. */
async function askedOf(
  channel: string,
  ownCodes: OwnCodes,
  ids: readonly string[],
  otp: string,
  { log, settings }: Platform,
): Promise<CodeOutcome | 'notChecked'> {
  const deadline = AbortSignal.timeout(settings.deliveryTimeoutMs)
  let first: CodeOutcome | undefined
  try {
    for (const id of ids) {
      const outcome = await before(deadline, ownCodes.validate(id, otp, deadline), deliveryTooLate)
      if (outcome === 'right') return outcome
      first ??= outcome
      if (outcome !== 'wrong') break
    }
    return first ?? 'notChecked'
  } catch (error) {
    const failure = error instanceof ChannelFailed ? error : undefined
    const cause = failure?.message ?? (error as Error).name
    log.warn({ channel, reason: failure?.reason ?? 'unreachable', cause }, 'a code could not be checked')
    return 'notChecked'
  }
}
