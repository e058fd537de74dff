// How many accounts use one mailbox? Users whose decisions named an address of it, and addresses where no user was named.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { accountHashOf, emailHashOf, mailboxHashOf } from '../../events/subject-hashes.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import type { DecisionsNeeds } from '../room.ts'
import { type MailboxUser, mailboxDays, usersOfMailbox } from '../store/mailbox-users.ts'

type MailboxCounts = Pick<
  NonNullable<RuleInput['velocity']>,
  'accountsPerMailbox24h' | 'accountsPerMailbox7d' | 'accountsPerMailbox30d'
>

/** With this decision. `now`: epoch milliseconds. Asked at a sign-up only: a customer who signs in daily would pay for each earlier decision. */
export async function useOfMailbox(
  { address, mailbox }: { readonly address: string; readonly mailbox: string },
  userId: string | undefined,
  { tenantId, keys, now }: { readonly tenantId: string; readonly keys: TenantKeys; readonly now: number },
  { database }: Pick<DecisionsNeeds, 'database'>,
): Promise<Required<MailboxCounts>> {
  const mailboxHash = mailboxHashOf(mailbox, keys)
  const stored = await usersOfMailbox(database, { tenantId, mailboxHash, now })
  const present: MailboxUser = {
    userHash: userId === undefined ? null : accountHashOf(userId, keys),
    emailHash: emailHashOf(address, keys),
    days: mailboxDays[0],
  }
  const [day, week, month] = mailboxDays.map((days) => accountsIn([...stored, present], days)) as [
    number,
    number,
    number,
  ]
  return { accountsPerMailbox24h: day, accountsPerMailbox7d: week, accountsPerMailbox30d: month }
}

/** An address that a user has is not another account: people sign up before they have an id. */
function accountsIn(all: readonly MailboxUser[], days: number): number {
  const owned = new Set(all.flatMap(({ userHash, emailHash }) => (userHash && emailHash ? [hexOf(emailHash)] : [])))
  const accounts = all
    .filter((each) => each.days <= days)
    .flatMap(({ userHash, emailHash }) => {
      if (userHash) return [`user ${hexOf(userHash)}`]
      return emailHash && !owned.has(hexOf(emailHash)) ? [`address ${hexOf(emailHash)}`] : []
    })
  return new Set(accounts).size
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
