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
import type { ActorCall, AdminCall } from '../../call.ts'
import { Refusal } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { putConfirmation } from '../../storage/admin/console-sessions.ts'
import { deletePasskey, type PasskeyRow, passkeysOf, replaceSealedPasskey } from '../../storage/admin/passkeys.ts'
import { findPerson } from '../../storage/admin/people.ts'
import type { Queryable } from '../../storage/database.ts'
import { openPasskey, passkeyIdOf, sealPasskey } from '../passkeys/passkey.ts'
import { openPerson } from '../people/person.ts'
import { confirmedMs, sessionIdOf } from '../people/sessions.ts'
import { isoTime } from './iso-time.ts'
import { confirmedSession, lockedSession, ownSession } from './own-session.ts'
import { admitted } from './sign-in.ts'

export async function adminBeginPasskeySignIn(
  _: NoFields,
  { response }: AdminCall,
  { passkeys }: Platform,
): Promise<PasskeyRequest> {
  const binding = passkeys.newBinding()
  response.passkeyToken = binding
  return { options: await passkeys.requestOptions({ purpose: 'signIn', binding }) }
}

export async function adminSignInWithPasskey(
  { credential }: SignInWithPasskeyRequest,
  call: AdminCall,
  platform: Platform,
): Promise<Me> {
  const { passkeys, people } = platform
  const { passkeyToken: binding } = call
  if (!binding) throw new Refusal('passkeyRefused', { mistake: 'the cookie of the beginning is missing' })
  const { person, use } = await passkeys.prove(credential, { purpose: 'signIn', binding }, people.failureFrom(call))
  const signedIn = await people.admit(person, ['passkey'], call, use)
  call.response.passkeyToken = null
  return admitted(signedIn, call, platform)
}

export async function adminBeginConfirmation(
  _: NoFields,
  call: ActorCall,
  { passkeys }: Platform,
): Promise<PasskeyRequest> {
  const { sessionId: binding, personId } = ownSession(call)
  return { options: await passkeys.requestOptions({ purpose: 'confirm', binding }, personId) }
}

export async function adminConfirmPerson(
  { password, code, credential }: ConfirmPersonRequest,
  call: ActorCall,
  platform: Platform,
): Promise<ConfirmedPerson> {
  const { database, people, passkeys, clock } = platform
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

export async function adminListPasskeys(_: NoFields, call: ActorCall, platform: Platform): Promise<Passkeys> {
  const rows = await passkeysOf(platform.database, ownSession(call).personId)
  return { passkeys: rows.map((row) => shown(row, platform)) }
}

export async function adminBeginPasskey(_: NoFields, call: ActorCall, platform: Platform): Promise<PasskeyCreation> {
  const { personId, sessionId } = confirmedSession(call, platform)
  return { options: await platform.passkeys.creationOptions(personId, sessionId) }
}

export async function adminAddPasskey(
  request: AddPasskeyRequest,
  call: ActorCall,
  platform: Platform,
): Promise<Passkey> {
  const session = confirmedSession(call, platform)
  const store = await platform.passkeys.add(session.personId, request, session.sessionId)
  const added = await platform.database.transaction(async (tx) => {
    await lockedSession(tx, session)
    return store(tx)
  })
  return shown(added, platform)
}

export async function adminRenamePasskey(
  { passkeyId, name }: RenamePasskeyRequest,
  call: ActorCall,
  platform: Platform,
): Promise<Passkey> {
  const { database, keyring } = platform
  const session = ownSession(call)
  const { personId } = session
  return database.transaction(async (tx) => {
    await lockedSession(tx, session)
    const row = await ownPasskey(tx, personId, passkeyId)
    if (!row) throw new Refusal('passkeyUnknown')
    const sealed = sealPasskey(row.credentialHash, { ...openPasskey(row, keyring), name }, keyring)
    if (!(await replaceSealedPasskey(tx, row, sealed))) throw new Refusal('passkeyUnknown')
    return shown({ ...row, sealed }, platform)
  })
}

export async function adminRemovePasskey(
  { passkeyId }: RemovePasskeyRequest,
  call: ActorCall,
  platform: Platform,
): Promise<RemovedPasskey> {
  const { database, keyring } = platform
  const session = confirmedSession(call, platform)
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

function shown(row: PasskeyRow, { keyring }: Pick<Platform, 'keyring'>): Passkey {
  const { name, backedUp } = openPasskey(row, keyring)
  return {
    passkeyId: passkeyIdOf(row),
    ...{ name, backedUp, createdAt: isoTime(row.createdAt) },
    ...(row.lastUsedAt !== null && { lastUsedAt: isoTime(row.lastUsedAt) }),
  }
}
