// Who owns the console of a sandbox? Whoever opens the link that its start prints, until there is an owner.

import { appendAuditLine } from '@ringfence/server/admin/audit/chain.ts'
import { invite, linkUrl } from '@ringfence/server/admin/people/invitation.ts'
import { countWithRole, deleteInvitationsBy } from '@ringfence/server/admin/store/members.ts'
import type { Parts } from '@ringfence/server/parts.ts'
import { userName } from '../user-name.ts'

/** Whose links a start replaces. */
const madeBy = 'command:serve'
const linkMinutes = 60

/** A new one-time link at each start; the one of the start before ends. Undefined when the tenant has an owner. */
export async function ownerLink(
  { database, tenantKeyring, keyring, clock }: Pick<Parts, 'database' | 'tenantKeyring' | 'keyring' | 'clock'>,
  tenantId: string,
  url: string,
): Promise<string | undefined> {
  if ((await countWithRole(database, tenantId, 'owner')) > 0) return undefined
  const keys = await tenantKeyring.keysOf(tenantId)
  const at = clock.now()
  const expiresAt = at + linkMinutes * 60_000
  const details = { name: userName(), given: 'owner', expiresAt: new Date(expiresAt).toISOString() }
  const link = await database.transaction(async (tx) => {
    await deleteInvitationsBy(tx, tenantId, madeBy)
    await appendAuditLine(tx, { tenantId, at, actor: madeBy, action: 'invite', details }, keys)
    const made = { by: { id: madeBy, name: userName() }, at, keys }
    return invite(tx, { tenantId, role: 'owner', expiresAt, made }, keyring)
  })
  return linkUrl(url, link)
}
