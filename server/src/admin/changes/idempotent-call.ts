// Was this change made already? A request that is repeated with its Idempotency-Key gets the answer of the first, and changes nothing.

import { timingSafeEqual } from 'node:crypto'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import { JsonText } from '../../core/json/json-text.ts'
import type { Also, Change } from '../audit/audited-call.ts'
import type { ActorCall } from '../call.ts'
import {
  type AdminCallRow,
  claimAdminCall,
  dropAdminCallsBefore,
  findAdminCall,
  storeAdminAnswer,
} from '../store/admin-calls.ts'

const storedHours = 24
/** A longer answer is not stored: a repetition is refused with `idempotencyKeyInUse`. */
const longestAnswer = 65_536

/** Somebody else has made the same change between our look-up and our transaction, which is rolled back. */
class MadeMeanwhile extends Error {}

export const adminCallContext = (tenantId: string, keyHash: Uint8Array): string =>
  `admin call ${tenantId} ${Buffer.from(keyHash).toString('base64')}`

/**
 * Keys are those of one actor and one endpoint, for 24 hours. The key is stored in the transaction of the change, and the answer after
 * it, sealed. Only changes that were made are stored: one that was refused can be tried again with the same key.
 */
export function onceForEachKey(
  action: string,
  handler: (...call: [...Parameters<Change>, Also?]) => Promise<unknown>,
): Change {
  return async (body, call, needs) => {
    const { idempotencyKey, actor } = call
    if (idempotencyKey === undefined) return handler(body, call, needs)
    const { tenantKeyring, database, clock, log } = needs
    const { tenantId } = actor
    const keys = await tenantKeyring.keysOf(tenantId)
    const keyHash = keys.hash(`admin call ${JSON.stringify([actor.id, action, idempotencyKey])}`)
    const bodyHash = keys.hash(`admin call body ${JSON.stringify(body)}`)
    const answerOfFirst = async () => {
      const row = await findAdminCall(database, { tenantId, keyHash })
      return row && row.endsAt > clock.now() ? { answer: answerOf(row, bodyHash, call, keys) } : undefined
    }
    const before = await answerOfFirst()
    if (before) return before.answer

    let answer: unknown
    try {
      answer = await handler(body, call, needs, async (tx) => {
        const now = clock.now()
        const claim = { tenantId, keyHash, bodyHash, endsAt: now + storedHours * 3_600_000 }
        if (!(await claimAdminCall(tx, claim, now))) throw new MadeMeanwhile()
      })
    } catch (error) {
      if (!(error instanceof MadeMeanwhile)) throw error
      const made = await answerOfFirst()
      if (made) return made.answer
      throw new Refusal('idempotencyKeyInUse')
    }
    const text = JSON.stringify({
      version: call.response.version,
      answer: answer instanceof JsonText ? answer.text : JSON.stringify(answer),
    })
    if (text.length <= longestAnswer && !call.response.hasSecret) {
      const sealed = keys.seal(text, adminCallContext(tenantId, keyHash))
      // The change is made, so the caller gets its answer in any case.
      await storeAdminAnswer(database, { tenantId, keyHash, sealed }).catch((error: unknown) =>
        log.warn({ err: error, action }, 'the answer of a change cannot be repeated'),
      )
    }
    return answer
  }
}

/** Refuses with `idempotencyKeyReused` when the body was another one, and with `idempotencyKeyInUse` when there is no answer yet. */
function answerOf(row: AdminCallRow, bodyHash: Uint8Array, { response }: ActorCall, keys: TenantKeys): unknown {
  if (!timingSafeEqual(row.bodyHash, bodyHash)) throw new Refusal('idempotencyKeyReused', { mistake: 'body' })
  if (row.sealed === null) throw new Refusal('idempotencyKeyInUse')
  const stored = keys.open(row.sealed, adminCallContext(row.tenantId, row.keyHash))
  const { version, answer } = JSON.parse(stored) as { version?: string; answer: string }
  if (version !== undefined) response.version = version
  response.isVersionCompared = true
  return new JsonText(answer)
}

/** For maintenance. */
export const dropEndedCalls = ({ database, clock }: Pick<Core, 'database' | 'clock'>): Promise<void> =>
  dropAdminCallsBefore(database, clock.now())
