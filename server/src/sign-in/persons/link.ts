// POST /auth/v1/users/link: the backend says which of its users signed in.

import type { LinkedUser, LinkUserRequest } from '@ringfence/contract'
import { moveAccountIn } from '../../accounts/move.ts'
import { effectiveUserId, effectiveUserIdIn, linksIn, mostPersons, personIn, personsIn } from '../../accounts/person.ts'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import { writeEvents } from '../../events/events.ts'
import { acceptToken } from '../tokens/exchange.ts'
import { linked } from './person-events.ts'
import type { PersonsNeeds } from './room.ts'

/**
 * Records no use of the token. Repeating it is a success. Of two calls at the same time that name different users, the second one is refused.
 * Refuses as `acceptToken` does, and with `tokenWithoutSignIn`, `userLinkedElsewhere` and `usersLimited`.
 */
export async function linkUser(
  { token, userId: named }: LinkUserRequest,
  { caller: { tenantId }, requestId }: Call,
  needs: PersonsNeeds,
): Promise<LinkedUser> {
  const { personId } = (await acceptToken(token, 'login', tenantId, needs)).basis
  if (personId === undefined) throw new Refusal('tokenWithoutSignIn')
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const record = await needs.events.recorder(tenantId)
  const userId = await needs.database.transaction(async (tx) => {
    const person = await personIn(tx, { tenantId, personId }, keys)
    // The user was erased since.
    if (!person) throw new Refusal('tokenWithoutSignIn')
    const customerId = await effectiveUserIdIn(tx, { tenantId, userId: named }, keys)
    if (effectiveUserId(person) === customerId) return customerId
    if (person.customerId !== undefined) throw new Refusal('userLinkedElsewhere')
    if ((await personsIn(tx, { tenantId, userId: customerId }, keys)).length >= mostPersons)
      throw new Refusal('usersLimited')
    for (const { sql, params } of await linksIn(tx, { tenantId, personId, customerId }, keys))
      await tx.query(sql, params)
    await moveAccountIn(tx, { tenantId, from: personId, to: customerId }, keys)
    await writeEvents(tx, record([linked({ userId: customerId, personId, by: 'BACKEND' }, requestId)]))
    return customerId
  })
  return { status: 'SUCCESS', userId, personId }
}
