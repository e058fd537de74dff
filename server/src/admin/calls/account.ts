// /admin/v1/account: how a person changes how they sign in.

import type {
  AuthenticatorSetup,
  ChangedPassword,
  ChangePasswordRequest,
  MyFactors,
  NewRecoveryCodes,
  NoFields,
  RenewRecoveryCodesRequest,
  ReplaceAuthenticatorRequest,
  ReplacedAuthenticator,
} from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { findTenant } from '../../core/storage/tenants.ts'
import type { ActorCall } from '../call.ts'
import { newTotpSecret, openTotpSecret } from '../people/invitation.ts'
import { newRecoveryCodes } from '../people/people.ts'
import { openPerson, refuseChangedFactors, sealPerson } from '../people/person.ts'
import { sessionIdOf } from '../people/sessions.ts'
import { recoveryCodeHash } from '../people/sign-in.ts'
import { base32Of, readTotp, stepOfCode, totpUri } from '../people/totp.ts'
import type { AdminNeeds } from '../room.ts'
import { countRecoveryCodes, deleteRecoveryCodes, endSessionsOfPerson, putSealedPerson } from '../store/members.ts'
import { findPerson, insertRecoveryCode } from '../store/people.ts'
import { confirmedSession, lockedSession, ownSession } from './own-session.ts'

export async function adminReadFactors(
  _: NoFields,
  call: ActorCall,
  { database, keyring }: AdminNeeds,
): Promise<MyFactors> {
  const { personId } = ownSession(call)
  const person = openPerson((await findPerson(database, personId))!, keyring)
  const recoveryCodes = await countRecoveryCodes(database, personId)
  return { authenticatorApp: person.totpSecret !== undefined, recoveryCodes }
}

export async function adminChangePassword(
  { newPassword, ...proof }: ChangePasswordRequest,
  call: ActorCall,
  { database, keyring, admin: { people } }: AdminNeeds,
): Promise<ChangedPassword> {
  const { personId, sessionId } = ownSession(call)
  const person = await people.confirm(personId, proof, call)
  const known = openPerson(person, keyring)
  const by = { isKnown: true, address: call.address }
  const password = await people.passwords.hash(newPassword, known, by, known.password)
  const own = (await people.sessions.list(personId)).find((row) => sessionIdOf(row) === sessionId)
  const endedSessions = await database.transaction(async (tx) => {
    const row = await refuseChangedFactors(tx, person, keyring)
    const sealed = sealPerson(personId, { ...openPerson(row, keyring), password }, keyring)
    await putSealedPerson(tx, { ...row, sealed })
    return endSessionsOfPerson(tx, personId, own?.tokenHash)
  })
  return { endedSessions }
}

export async function adminBeginAuthenticator(
  _: NoFields,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<AuthenticatorSetup> {
  const { personId, sessionId } = confirmedSession(call, needs)
  if (openPerson((await findPerson(needs.database, personId))!, needs.keyring).sso) throw new Refusal('personBySso')
  const { name } = (await findTenant(needs.database, call.actor.tenantId))!
  call.response.hasSecret = true
  const { secret, sealed } = newTotpSecret(setupOf(sessionId), needs.keyring)
  return { secret: base32Of(secret), uri: totpUri(secret, name), setup: sealed }
}

/** The present app works until this call has a code of the new one. */
export async function adminReplaceAuthenticator(
  { setup, code, newRecoveryCodes: renews = false }: ReplaceAuthenticatorRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ReplacedAuthenticator> {
  const { database, keyring, clock } = needs
  const session = confirmedSession(call, needs)
  const { personId, sessionId } = session
  const secret = openTotpSecret(setup, setupOf(sessionId), keyring)
  const lastCodeStep = secret && stepOfCode(readTotp(code), secret, clock.now())
  if (!secret || lastCodeStep === undefined) throw new Refusal('consoleSignInFailed')
  const totpSecret = Buffer.from(secret).toString('base64')
  if (renews) call.response.hasSecret = true
  const recoveryCodes = renews ? newRecoveryCodes() : []
  const endedSessions = await database.transaction(async (tx) => {
    const { tokenHash } = await lockedSession(tx, session)
    const row = (await findPerson(tx, personId))!
    const sealed = sealPerson(personId, { ...openPerson(row, keyring), totpSecret }, keyring)
    await putSealedPerson(tx, { ...row, sealed, lastCodeStep })
    if (renews) await deleteRecoveryCodes(tx, personId)
    for (const each of recoveryCodes) await insertRecoveryCode(tx, personId, recoveryCodeHash(each, keyring))
    return endSessionsOfPerson(tx, personId, tokenHash)
  })
  return { endedSessions, ...(renews && { recoveryCodes }) }
}

/** A new secret is sealed for the session that began. */
const setupOf = (sessionId: string) => `session ${sessionId}`

export async function adminRenewRecoveryCodes(
  proof: RenewRecoveryCodesRequest,
  call: ActorCall,
  { database, keyring, admin: { people } }: AdminNeeds,
): Promise<NewRecoveryCodes> {
  const { personId } = ownSession(call)
  const person = await people.confirm(personId, proof, call)
  call.response.hasSecret = true
  const recoveryCodes = newRecoveryCodes()
  await database.transaction(async (tx) => {
    await refuseChangedFactors(tx, person, keyring)
    await deleteRecoveryCodes(tx, personId)
    for (const code of recoveryCodes) await insertRecoveryCode(tx, personId, recoveryCodeHash(code, keyring))
  })
  return { recoveryCodes }
}
