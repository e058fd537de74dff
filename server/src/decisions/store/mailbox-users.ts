// Who made decisions with email addresses of one mailbox, and how lately? Read along one index, which has all that is asked for.

import type { Queryable } from '../../core/storage/database.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'

/** Windows in days. */
export const mailboxDays = [1, 7, 30] as const

/** Decisions of a mailbox that are read, the newest: backends send one address for everybody who has none. */
const mostDecisions = 200
const dayMs = 86_400_000

export interface MailboxUser {
  readonly userHash: Uint8Array | null
  readonly emailHash: Uint8Array | null
  /** The shortest window that has a decision of both. */
  readonly days: number
}

const sql = `select user_hash as "userHash", email_hash as "emailHash",
                    min(case when decision_id >= $3 then 1 when decision_id >= $4 then 7 else 30 end) as "days"
               from (select user_hash, email_hash, decision_id from decision
                      where mailbox_hash = $1 and tenant_hash = $2 and decision_id >= $5
                      order by decision_id desc limit ${mostDecisions}) as newest
              group by user_hash, email_hash`

export const usersOfMailbox = (
  database: Queryable,
  { tenantId, mailboxHash, now }: { tenantId: string; mailboxHash: Uint8Array; now: number },
): Promise<MailboxUser[]> =>
  database.query<MailboxUser>(sql, [
    mailboxHash,
    tenantHash(tenantId),
    ...mailboxDays.map((days) => lowestIdAt(now - days * dayMs)),
  ])
