// Does the same sign-in start several times at once? One start runs, on whatever server, and all get its answer.

import { setTimeout as wait } from 'node:timers/promises'
import type { SignInTransaction } from '@ringfence/contract'
import { Refusal } from '../../../core/errors.ts'
import { claimStart, dropStartClaim } from '../../../core/storage/start-claims.ts'
import { defaultDeadlineMs } from '../gate.ts'
import type { SignInNeeds } from '../room.ts'
import type { SignInContext } from '../sign-in-context.ts'
import { answerAsFirst, findFirstStart } from './repeated-start.ts'

const pollMs = 50

/** Time for the store and for an identity provider, on top of the gate and the gateway. */
const marginMs = 10_000

/** A client that repeats its start and closes the first connection still waits for the same answer. */
const neverAborted = new AbortController().signal

/**
 * Runs `start` unless an equal start did, or does now. Within a server all get the same promise, so a refusal too. A server that waits
 * for another one starts automatically when the other was refused.
 *
 * @param isClaimed work that may cost something comes before the sign-in is stored: other servers wait for it. Otherwise the row of the
 *   sign-in keeps a second one out.
 */
export function startOnce(
  startHash: Uint8Array,
  isClaimed: boolean,
  context: SignInContext,
  needs: SignInNeeds,
  start: () => Promise<SignInTransaction>,
): Promise<SignInTransaction> {
  const key = Buffer.from(startHash).toString('base64')
  return needs.signIn.starts.join(key, neverAborted, async () => {
    if (isClaimed) return startAmongServers(startHash, context, needs, start)
    const first = await findFirstStart(startHash, context, needs)
    return first ? answerAsFirst(first, needs) : start()
  })
}

async function startAmongServers(
  startHash: Uint8Array,
  context: SignInContext,
  needs: SignInNeeds,
  start: () => Promise<SignInTransaction>,
): Promise<SignInTransaction> {
  const { clock, database, log, settings } = needs
  const longestMs = settings.deliveryTimeoutMs + (context.settings.gate?.deadlineMs ?? defaultDeadlineMs) + marginMs
  const giveUpAt = performance.now() + longestMs
  do {
    const first = await findFirstStart(startHash, context, needs)
    if (first) return answerAsFirst(first, needs)
    const now = clock.now()
    const claim = { startHash, claimedUntil: now + longestMs }
    if (await claimStart(database, claim, now)) {
      try {
        // Another server may have finished between the two statements.
        const finished = await findFirstStart(startHash, context, needs)
        return finished ? await answerAsFirst(finished, needs) : await start()
      } finally {
        await dropStartClaim(database, claim).catch((error) => log.warn({ err: error }, 'could not end a start claim'))
      }
    }
    await wait(pollMs)
  } while (performance.now() < giveUpAt)
  throw new Refusal('deliveryFailed', { retryAfterSeconds: 5 })
}
