// What do sign-in, telecom checks, accounts and velocities have about a subject? Everything that is not an event, decision or report.

import type { ErasedKind, PrivacySubject } from '@ringfence/contract'
import type { Knowledge } from '../../accounts/knowledge.ts'
import { readKnowledge } from '../../accounts/learn.ts'
import { type Account, sealKnowledge } from '../../accounts/stored-knowledge.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Pause } from '../../core/heavy-work/slices.ts'
import type { Database, Queryable } from '../../core/storage/database.ts'
import { deleteMessageCounts } from '../../core/storage/message-counts.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import { accountKinds, numberKinds, ofHash, packed, type SeenKind, unpacked } from '../../device/history/seen-values.ts'
import { deleteAccountDevices, devicesOfAccount } from '../../device/store/account-devices.ts'
import {
  accountsWithNumber,
  deleteAccountNumber,
  deleteKnowledge,
  knowledgeStatement,
} from '../../device/store/account-knowledge.ts'
import { historiesOf, replaceSeen } from '../../device/store/device-history.ts'
import { foldings, mailboxOf } from '../../email/mailbox.ts'
import { accountHashOf, deviceHashOf, numberHashOf } from '../../events/subject-hashes.ts'
import { deleteVelocities } from '../../rules/store/velocity-counts.ts'
import { keyHashOf } from '../../rules/velocities/forget.ts'
import { messageSubjectHashes } from '../../sign-in/authentication/messages/limits.ts'
import { contextOf as signInContext } from '../../sign-in/authentication/transaction.ts'
import { hasContact } from '../../sign-in/authentication/users.ts'
import { forgetImported, type ImportedPerson } from '../../sign-in/customers/forget.ts'
import { hashOfIdentity } from '../../sign-in/identity-hash.ts'
import { deleteSignIn, signInsAfter } from '../../sign-in/store/sign-ins.ts'
import { deleteIdentity, deleteUser, usersOfIdentities } from '../../sign-in/store/users.ts'
import { deleteVerifications } from '../../telecom/store/number-verifications.ts'
import { deleteWatchOfNumber } from '../../telecom/store/number-watches.ts'
import { deleteTelecomAnswers } from '../../telecom/store/telecom-answers.ts'
import { subjectFinder } from './find-subject.ts'
import { type KnownSubject, userIdsOf, valuesOf } from './subject.ts'

export interface Subject {
  readonly tenantId: string
  readonly subject: KnownSubject
  readonly keys: TenantKeys
  /** Rows of a whole tenant are opened in slices. */
  readonly pause: Pause
}

/** Counts by kind. */
export type Add = (kind: ErasedKind, rows: number) => void

/** The identities of users that are this subject, under which sign-in stores them. */
export const identityHashesOf = (subject: PrivacySubject, keys: TenantKeys): Uint8Array[] => {
  if (subject.kind !== 'phoneNumber' && subject.kind !== 'email') return []
  const identityType = subject.kind === 'phoneNumber' ? 'MOBILE' : 'EMAIL'
  return valuesOf(subject).map((identityValue) => hashOfIdentity(keys, { identityType, identityValue }))
}

/** The users who signed in as this subject. */
export async function usersOfSubject(database: Queryable, { tenantId, subject, keys }: Subject): Promise<string[]> {
  if (subject.kind === 'userId') return userIdsOf(subject)
  const owners = await usersOfIdentities(database, tenantId, identityHashesOf(subject, keys))
  return [...new Set(owners.filter((owner) => owner !== null))]
}

/** A user whose last number or email address it was goes with it, with the accounts at identity providers. */
export async function eraseUsers(tx: Queryable, about: Subject, add: Add): Promise<void> {
  const { tenantId, subject, keys } = about
  const users = await usersOfSubject(tx, about)
  for (const identity of identityHashesOf(subject, keys)) {
    add('identity', await deleteIdentity(tx, tenantId, identity))
  }
  for (const userId of users) {
    if (subject.kind !== 'userId' && (await hasContact(tx, { tenantId, userId }, keys))) continue
    const deleted = await deleteUser(tx, tenantId, userId)
    add('user', deleted.users)
    add('identity', deleted.identities)
  }
}

/** The same for customers that the tenant imported. */
export async function eraseImported(database: Database, about: Subject, add: Add): Promise<void> {
  const { customers, contacts } = await forgetImported(database, importedPersonOf(about), about.keys)
  add('importedCustomer', customers)
  add('importedContact', contacts)
}

export const importedPersonOf = ({ tenantId, subject, keys }: Subject): ImportedPerson => ({
  tenantId,
  customerIds: userIdsOf(subject),
  identityHashes: identityHashesOf(subject, keys),
})

/** The hashes of the devices of the account of a user. */
export async function devicesOfPerson(tx: Queryable, { subject, keys }: Subject): Promise<Uint8Array[]> {
  const devices: Uint8Array[] = []
  for (const userId of userIdsOf(subject)) {
    for (const { deviceId } of await devicesOfAccount(tx, accountHashOf(userId, keys), 0))
      devices.push(deviceHashOf(uuidText(deviceId), keys))
  }
  return devices
}

export async function eraseAccounts(tx: Queryable, { tenantId, subject, keys }: Subject, add: Add): Promise<void> {
  for (const userId of userIdsOf(subject)) {
    const accountHash = accountHashOf(userId, keys)
    const { row } = await readKnowledge(tx, { tenantId, accountHash }, keys)
    await deleteKnowledge(tx, accountHash)
    add('habits', row ? 1 : 0)
    add('accountDevice', await deleteAccountDevices(tx, accountHash))
  }
  if (subject.kind === 'phoneNumber') {
    const numberHash = numberHashOf(subject.value, keys)
    for (const accountHash of await accountsWithNumber(tx, numberHash)) {
      await forgetNumberOf(tx, { tenantId, accountHash }, numberHash, keys)
      await deleteAccountNumber(tx, { numberHash, accountHash })
      add('numberOfAccount', 1)
    }
  }
}

/** The account no longer knows that a session had this number. */
async function forgetNumberOf(
  tx: Queryable,
  account: Account,
  numberHash: Uint8Array,
  keys: TenantKeys,
): Promise<void> {
  const { row, knowledge } = await readKnowledge(tx, account, keys)
  if (!row) return
  const hex = Buffer.from(numberHash).toString('hex')
  const without: Knowledge = knowledge.map(({ before, ...source }) => ({
    ...source,
    values: { ...source.values, number: new Map([...source.values.number].filter(([number]) => number !== hex)) },
    ...(before && {
      before: { ...before, added: before.added.filter(([kind, value]) => kind !== 'number' || value !== hex) },
    }),
  }))
  const sealed = sealKnowledge(without, account, keys)
  const { sql, params } = knowledgeStatement({
    ...row,
    accountHash: account.accountHash,
    version: row.version + 1,
    sealed,
  })
  await tx.query(sql, params)
}

/** A device no longer knows that it saw the subject, and the accounts and numbers of what was erased (`seen`). */
export async function forgetSeen(
  tx: Queryable,
  deviceHash: Uint8Array,
  {
    subject,
    keys,
    seen: also,
  }: Subject & { readonly seen: { readonly accounts: Set<string>; readonly numbers: Set<string> } },
  add: Add,
): Promise<void> {
  const accounts = userIdsOf(subject).map((id) => ofHash(accountHashOf(id, keys)))
  const number = subject.kind === 'phoneNumber' ? ofHash(numberHashOf(subject.value, keys)) : undefined
  const gone = {
    account: also.accounts.union(new Set(accounts)),
    number: number === undefined ? also.numbers : also.numbers.union(new Set([number])),
  }
  for (const { installationHash, seen } of await historiesOf(tx, deviceHash)) {
    const values = unpacked(seen)
    const without = (kinds: readonly SeenKind[], hashes: ReadonlySet<string>) =>
      kinds.map((kind) => [kind, new Map([...values[kind]].filter(([value]) => !hashes.has(value)))] as const)
    const left = [...without(accountKinds, gone.account), ...without(numberKinds, gone.number)]
    if (left.every(([kind, { size }]) => size === values[kind].size)) continue
    const after = packed({ ...values, ...Object.fromEntries(left) })
    await replaceSeen(tx, { deviceHash, installationHash, seen: after })
    add('seenOnDevice', 1)
  }
}

export async function eraseChecks(tx: Queryable, { tenantId, subject, keys }: Subject, add: Add): Promise<void> {
  const { kind, value } = subject
  if (kind === 'phoneNumber') {
    add('telecomAnswer', await deleteTelecomAnswers(tx, tenantId, keys.hash(value)))
    add('numberVerification', await deleteVerifications(tx, tenantId, keys.hash(value)))
    add('watch', await deleteWatchOfNumber(tx, tenantId, keys.hash(value)))
  }
  if (kind === 'phoneNumber' || kind === 'email') {
    // Only canonical addresses get messages.
    for (const hash of messageSubjectHashes({ type: kind === 'email' ? 'EMAIL' : 'MOBILE', value }, keys)) {
      add('messageCount', await deleteMessageCounts(tx, tenantId, hash))
    }
  }
  const counted = [
    ...userIdsOf(subject).map((id) => `user ${id}`),
    ...(kind === 'phoneNumber' ? [`phoneNumber ${value}`] : []),
    ...(kind === 'email' ? foldings.map((folding) => `emailMailbox ${mailboxOf(value, folding)}`) : []),
    ...(kind === 'deviceId' ? [`device ${value}`] : []),
  ]
  for (const key of counted) await deleteVelocities(tx, keyHashOf(keys, key))
}

export interface FoundSignIn {
  readonly idHash: Uint8Array
  readonly content: unknown
}

/** The sign-ins of a subject. All of the last hour are opened: their rows have no hash of the recipient. */
export async function* signInsOf(
  database: Pick<Database, 'query'>,
  { tenantId, subject, keys, pause }: Subject,
): AsyncGenerator<FoundSignIn> {
  const find = subjectFinder(subject)
  for (let after: Uint8Array = new Uint8Array(0); ; ) {
    const rows = await signInsAfter(database, tenantId, after)
    for (const { idHash, sealed, sealedProof } of rows) {
      const content = opened(() => JSON.parse(keys.open(sealed, signInContext('content', idHash))))
      const proof = sealedProof && opened(() => JSON.parse(keys.open(sealedProof, signInContext('proof', idHash))))
      if (find({ content, proof }).found.length > 0) yield { idHash, content: { ...content, ...(proof && { proof }) } }
      await pause()
    }
    const last = rows.at(-1)
    if (!last || rows.length < 500) return
    after = last.idHash
  }
}

export async function eraseSignIns(database: Database, about: Subject, add: Add): Promise<void> {
  const found: Uint8Array[] = []
  for await (const { idHash } of signInsOf(database, about)) found.push(idHash)
  for (const idHash of found) add('signIn', await deleteSignIn(database, idHash))
}

/** Damaged rows name nobody. */
function opened(open: () => Record<string, unknown>): Record<string, unknown> | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
