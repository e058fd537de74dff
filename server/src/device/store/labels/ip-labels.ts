// How did the sessions from an IP address, and from its neighbours, turn out?

import type { Queryable } from '../../../core/storage/database.ts'
import type { Label } from './report-labels.ts'

/** An IP address and the prefix around it: keyed hashes of 8 bytes. */
export interface IpHashes {
  ipPrefixHash: Uint8Array
  ipHash: Uint8Array
}

export interface IpLabel extends IpHashes {
  tenantId: string
  dfrId: string
  label: Label
  knownAt: number
}

/** More labels of one prefix, or of one tenant, hardly change a rate. */
const mostOfPrefix = 200
const mostOfTenant = 1000

/** Stores the label of a report, unless the stored one has a later `knownAt`. */
export async function putIpLabel(database: Queryable, ipLabel: IpLabel): Promise<void> {
  const { tenantId, ipPrefixHash, ipHash, dfrId, label, knownAt } = ipLabel
  await database.query(
    `insert into ip_label (tenant_id, ip_prefix_hash, ip_hash, dfr_id, label, known_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, ip_prefix_hash, dfr_id) do update
        set label = excluded.label, known_at = excluded.known_at
      where ip_label.known_at <= excluded.known_at`,
    [tenantId, ipPrefixHash, ipHash, dfrId, label, knownAt],
  )
}

/** The newest labels of the IP addresses that share a prefix. */
export async function labelsOfPrefix(
  database: Queryable,
  { tenantId, ipPrefixHash }: Pick<IpLabel, 'tenantId' | 'ipPrefixHash'>,
): Promise<Pick<IpLabel, 'ipHash' | 'label' | 'knownAt'>[]> {
  return database.query<Pick<IpLabel, 'ipHash' | 'label' | 'knownAt'>>(
    `select ip_hash as "ipHash", label, known_at as "knownAt" from ip_label
      where tenant_id = $1 and ip_prefix_hash = $2 order by known_at desc limit ${mostOfPrefix}`,
    [tenantId, ipPrefixHash],
  )
}

/** The newest labels of a tenant, for any IP address. */
export async function newestLabels(
  database: Queryable,
  tenantId: string,
): Promise<Pick<IpLabel, 'label' | 'knownAt'>[]> {
  return database.query<Pick<IpLabel, 'label' | 'knownAt'>>(
    `select label, known_at as "knownAt" from ip_label
      where tenant_id = $1 order by known_at desc limit ${mostOfTenant}`,
    [tenantId],
  )
}

/** Deletes at most `limit` labels with an earlier `knownAt`. @returns how many */
export async function dropIpLabelsBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from ip_label where (tenant_id, ip_prefix_hash, dfr_id) in
       (select tenant_id, ip_prefix_hash, dfr_id from ip_label where known_at < $1 limit ${limit})
     returning dfr_id`,
    [before],
  )
  return dropped.length
}
