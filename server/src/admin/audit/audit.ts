// Who did what through the admin API, or signed in to the console? The audit log of each tenant.

import type { Clock } from '../../core/clock.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { AuditedDatabase } from './audited-database.ts'
import { appendAuditLine, type NewAuditLine } from './chain.ts'

export interface Audit {
  /** Runs a change. Its first commit contains the line, and what `also` writes. */
  during<T>(line: Omit<NewAuditLine, 'at'>, work: () => Promise<T>, also?: (tx: Queryable) => Promise<void>): Promise<T>
  /** What appends the line in a transaction. Call it before the transaction begins. */
  line(line: Omit<NewAuditLine, 'at'>): Promise<(tx: Queryable) => Promise<void>>
}

interface Resources {
  database: AuditedDatabase
  tenantKeyring: TenantKeyring
  clock: Clock
}

export function audit({ database, tenantKeyring, clock }: Resources): Audit {
  async function lineOf(line: Omit<NewAuditLine, 'at'>) {
    const keys = await tenantKeyring.keysOf(line.tenantId)
    return (tx: Queryable) => appendAuditLine(tx, { ...line, at: clock.now() }, keys)
  }
  return {
    line: lineOf,
    async during(line, work, also) {
      const append = await lineOf(line)
      const both = async (tx: Queryable) => {
        await also?.(tx)
        await append(tx)
      }
      return database.auditing(both, work)
    },
  }
}
