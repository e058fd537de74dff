// /admin/v1/account/passkeys, account/confirm and sign-in/passkey: how a person uses passkeys.

import type {
  AddPasskeyRequest,
  ConfirmedPerson,
  ConfirmPersonRequest,
  Me,
  NoFields,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
  Passkeys,
  RemovedPasskey,
  RemovePasskeyRequest,
  RenamePasskeyRequest,
  SignInWithPasskeyRequest,
} from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { ActorCall, AdminCall } from '../call.ts'
import { openPasskey, passkeyIdOf, sealPasskey } from '../passkeys/passkey.ts'
import { openPerson } from '../people/person.ts'
import { confirmedMs, sessionIdOf } from '../people/sessions.ts'
import type { AdminNeeds } from '../room.ts'
import { putConfirmation } from '../store/console-sessions.ts'
import { deletePasskey, type PasskeyRow, passkeysOf, replaceSealedPasskey } from '../store/passkeys.ts'
import { findPerson } from '../store/people.ts'
import { isoTime } from './iso-time.ts'
import { confirmedSession, lockedSession, ownSession } from './own-session.ts'
import { admitted } from './sign-in.ts'

export async function adminBeginPasskeySignIn(
  _: NoFields,
  { response }: AdminCall,
  { admin: { passkeys } }: AdminNeeds,
): Promise<PasskeyRequest> {
  const binding = passkeys.newBinding()
  response.passkeyToken = binding
  return { options: await passkeys.requestOptions({ purpose: 'signIn', binding }) }
}

export async function adminSignInWithPasskey(
  { credential }: SignInWithPasskeyRequest,
  call: AdminCall,
  needs: AdminNeeds,
): Promise<Me> {
  const {
    admin: { passkeys, people },
  } = needs
  const { passkeyToken: binding } = call
  if (!binding) throw new Refusal('passkeyRefused', { mistake: 'the cookie of the beginning is missing' })
  const { person, use } = await passkeys.prove(credential, { purpose: 'signIn', binding }, people.failureFrom(call))
  const signedIn = await people.admit(person, ['passkey'], call, use)
  call.response.passkeyToken = null
  return admitted(signedIn, call, needs)
}

export async function adminBeginConfirmation(
  _: NoFields,
  call: ActorCall,
  { admin: { passkeys } }: AdminNeeds,
): Promise<PasskeyRequest> {
  const { sessionId: binding, personId } = ownSession(call)
  return { options: await passkeys.requestOptions({ purpose: 'confirm', binding }, personId) }
}

export async function adminConfirmPerson(
  { password, code, credential }: ConfirmPersonRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<ConfirmedPerson> {
  const {
    database,
    admin: { people, passkeys },
    clock,
  } = needs
  const { personId, sessionId } = ownSession(call)
  const use = credential ? await byPasskey(credential) : await byPassword().then(() => async () => undefined)
  const own = (await people.sessions.list(personId)).find((row) => sessionIdOf(row) === sessionId)
  if (!own) throw new Refusal('notSignedIn')
  const at = clock.now()
  await database.transaction(async (tx) => {
    await use(tx)
    await putConfirmation(tx, { tokenHash: own.tokenHash, at })
  })
  return { confirmedUntil: isoTime(at + confirmedMs) }

  async function byPassword(): Promise<void> {
    if (password === undefined || code === undefined)
      throw new Refusal('fieldInvalid', { mistake: 'send password and code, or credential' })
    await people.confirm(personId, { password, code }, call)
  }

  async function byPasskey(sent: NonNullable<ConfirmPersonRequest['credential']>) {
    const proof = await passkeys.prove(sent, { purpose: 'confirm', binding: sessionId }, people.failureFrom(call))
    if (proof.person.id !== personId) throw new Refusal('passkeyRefused', { mistake: 'it belongs to somebody else' })
    return proof.use
  }
}

export async function adminListPasskeys(_: NoFields, call: ActorCall, needs: AdminNeeds): Promise<Passkeys> {
  const rows = await passkeysOf(needs.database, ownSession(call).personId)
  return { passkeys: rows.map((row) => shown(row, needs)) }
}

export async function adminBeginPasskey(_: NoFields, call: ActorCall, needs: AdminNeeds): Promise<PasskeyCreation> {
  const { personId, sessionId } = confirmedSession(call, needs)
  return { options: await needs.admin.passkeys.creationOptions(personId, sessionId) }
}

export async function adminAddPasskey(
  request: AddPasskeyRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<Passkey> {
  const session = confirmedSession(call, needs)
  const store = await needs.admin.passkeys.add(session.personId, request, session.sessionId)
  const added = await needs.database.transaction(async (tx) => {
    await lockedSession(tx, session)
    return store(tx)
  })
  return shown(added, needs)
}

export async function adminRenamePasskey(
  { passkeyId, name }: RenamePasskeyRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<Passkey> {
  const { database, keyring } = needs
  const session = ownSession(call)
  const { personId } = session
  return database.transaction(async (tx) => {
    await lockedSession(tx, session)
    const row = await ownPasskey(tx, personId, passkeyId)
    if (!row) throw new Refusal('passkeyUnknown')
    const sealed = sealPasskey(row.credentialHash, { ...openPasskey(row, keyring), name }, keyring)
    if (!(await replaceSealedPasskey(tx, row, sealed))) throw new Refusal('passkeyUnknown')
    return shown({ ...row, sealed }, needs)
  })
}

export async function adminRemovePasskey(
  { passkeyId }: RemovePasskeyRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<RemovedPasskey> {
  const { database, keyring } = needs
  const session = confirmedSession(call, needs)
  const { personId } = session
  return database.transaction(async (tx) => {
    await lockedSession(tx, session)
    const all = await passkeysOf(tx, personId)
    const row = all.find((each) => passkeyIdOf(each) === passkeyId)
    if (!row) return { removed: false }
    const person = await findPerson(tx, personId)
    const hasPassword = person && openPerson(person, keyring).password !== undefined
    if (!hasPassword && all.length === 1) throw new Refusal('lastWayIn')
    return { removed: await deletePasskey(tx, row.credentialHash) }
  })
}

/** Passkeys of others are not found. */
const ownPasskey = async (tx: Queryable, personId: string, passkeyId: string): Promise<PasskeyRow | undefined> =>
  (await passkeysOf(tx, personId)).find((row) => passkeyIdOf(row) === passkeyId)

function shown(row: PasskeyRow, { keyring }: Pick<AdminNeeds, 'keyring'>): Passkey {
  const { name, backedUp } = openPasskey(row, keyring)
  return {
    passkeyId: passkeyIdOf(row),
    ...{ name, backedUp, createdAt: isoTime(row.createdAt) },
    ...(row.lastUsedAt !== null && { lastUsedAt: isoTime(row.lastUsedAt) }),
  }
}
