// Which client calls our CAMARA API? The one whose access token it sends, while that client is not revoked.

import { correlatorPattern } from '@ringfence/contract'
import { bearerToken } from '../../camara-front/access-tokens.ts'
import { refuseUnlessAllowed } from '../../clients/restrictions.ts'
import { Refusal } from '../../core/errors.ts'
import type { Progress } from '../progress.ts'
import type { HttpNeeds } from '../room.ts'
import type { TokenContext } from './caller-context.ts'

interface Counted {
  /** The token was wrong. */
  wrong(): Promise<void>
  call(clientId: string): Promise<void>
}

/**
 * Refuses with accessTokenInvalid, clientExpired and clientRestricted; with fieldInvalid for an x-correlator that is not CAMARA's.
 *
 * @param oneOf the scopes of the call
 */
export async function admitToken(
  oneOf: readonly string[],
  progress: Pick<Progress, 'headers' | 'address'>,
  { camaraFront: { accessTokens }, clients: credentials }: Pick<HttpNeeds, 'camaraFront' | 'clients'>,
  count: Counted,
): Promise<TokenContext> {
  const { headers } = progress
  const token = bearerToken(headers.authorization)
  if (token === undefined) throw new Refusal('accessTokenInvalid')
  const { clientId, scope, phone } = await accessTokens.verify(token).catch(async (error) => {
    await count.wrong()
    throw error
  })
  const caller = await credentials.live(clientId)
  if (!caller) throw new Refusal('accessTokenInvalid')
  if (caller.restrictions) refuseUnlessAllowed(caller.restrictions, 'telecom', progress.address?.connection)
  await count.call(caller.clientId)
  if (!oneOf.some((name) => scope.allowed.includes(name)))
    throw new Refusal('clientRestricted', { mistake: `the access token lacks the scope ${oneOf[0]}` })
  // CAMARA's form allows an empty one.
  const correlator = headers['x-correlator'] || undefined
  if (correlator !== undefined && !(typeof correlator === 'string' && correlatorPattern.test(correlator)))
    throw new Refusal('fieldInvalid', { mistake: `x-correlator must match ${correlatorPattern.source}` })
  return { caller, granted: scope, phone }
}
