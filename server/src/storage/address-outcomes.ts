// How did the sessions from an address, and from those around it, turn out? Kept for as long as the visits of devices.

import type { Outcome } from '../rules/label.ts'
import type { Queryable } from './database.ts'

/** An address and the block around it; HMACs under the tenant's look-up key, cut to 64 bits. */
export interface AddressHashes {
  prefixHash: Uint8Array
  addressHash: Uint8Array
}

export interface AddressOutcome extends AddressHashes {
  tenantId: string
  dfrId: string
  outcome: Outcome
  knownAt: number
}

/** More outcomes of one block, and of one tenant, tell no more. */
const mostOfPrefix = 200
const mostOfTenant = 1000

/** Keeps the outcome of a report's session, unless one is kept that was known later. */
export async function putAddressOutcome(database: Queryable, outcome: AddressOutcome): Promise<void> {
  const { tenantId, prefixHash, addressHash, dfrId, outcome: name, knownAt } = outcome
  await database.query(
    `insert into address_outcome (tenant_id, prefix_hash, address_hash, dfr_id, outcome, known_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, prefix_hash, dfr_id) do update
        set outcome = excluded.outcome, known_at = excluded.known_at
      where address_outcome.known_at <= excluded.known_at`,
    [tenantId, prefixHash, addressHash, dfrId, name, knownAt],
  )
}

/** Outcomes of the block around an address. */
export async function outcomesOfPrefix(
  database: Queryable,
  { tenantId, prefixHash }: Pick<AddressOutcome, 'tenantId' | 'prefixHash'>,
): Promise<Pick<AddressOutcome, 'addressHash' | 'outcome' | 'knownAt'>[]> {
  return database.query<Pick<AddressOutcome, 'addressHash' | 'outcome' | 'knownAt'>>(
    `select address_hash as "addressHash", outcome, known_at as "knownAt" from address_outcome
      where tenant_id = $1 and prefix_hash = $2 limit ${mostOfPrefix}`,
    [tenantId, prefixHash],
  )
}

/** The newest outcomes of a tenant, whatever address they are of. */
export async function newestOutcomes(
  database: Queryable,
  tenantId: string,
): Promise<Pick<AddressOutcome, 'outcome' | 'knownAt'>[]> {
  return database.query<Pick<AddressOutcome, 'outcome' | 'knownAt'>>(
    `select outcome, known_at as "knownAt" from address_outcome
      where tenant_id = $1 order by known_at desc limit ${mostOfTenant}`,
    [tenantId],
  )
}

/** Drops at most `limit` outcomes that were known before this time, and says how many. */
export async function dropAddressOutcomesBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from address_outcome where (tenant_id, prefix_hash, dfr_id) in
       (select tenant_id, prefix_hash, dfr_id from address_outcome where known_at < $1 limit ${limit})
     returning dfr_id`,
    [before],
  )
  return dropped.length
}
