// Which label of a decision or report was counted last? Another one replaces it in the counts.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import type { Label } from '../../device/store/labels/report-labels.ts'
import { groupsOf, inGroups, places, valuesOf } from './groups.ts'

export interface FoldedLabel {
  /** 16 bytes: decisionId or dfrId. */
  readonly subject: Uint8Array
  readonly decidedAt: number
  readonly label: Label
  readonly knownAt: number
}

export const foldedLabels = (
  database: Queryable,
  tenantId: string,
  subjects: readonly Uint8Array[],
): Promise<FoldedLabel[]> =>
  inGroups(subjects, (group) =>
    database.query<{ subject: Uint8Array; decidedAt: number; label: Label; knownAt: number }>(
      `select subject, decided_at as "decidedAt", label, known_at as "knownAt" from folded_label
        where tenant_hash = $1 and subject in (${places(2)})`,
      [tenantHash(tenantId), ...group],
    ),
  )

export const foldedLabelsPut = (tenantId: string, labels: readonly FoldedLabel[]): BatchStatement[] =>
  groupsOf(labels).map((group) => ({
    sql: `insert into folded_label (tenant_hash, subject, decided_at, label, known_at)
          values ${valuesOf(group.length, 5)}
          on conflict (tenant_hash, subject) do update set label = excluded.label, known_at = excluded.known_at`,
    params: group.flatMap(({ subject, decidedAt, label, knownAt }) => [
      ...[tenantHash(tenantId), subject, decidedAt, label, knownAt],
    ]),
  }))

/** Those of a person or device that is erased: at most a hundred. */
export async function deleteFoldedLabels(
  tx: Queryable,
  tenantId: string,
  subjects: readonly Uint8Array[],
): Promise<void> {
  await inGroups(subjects, (group) =>
    tx.query(`delete from folded_label where tenant_hash = $1 and subject in (${places(2)})`, [
      tenantHash(tenantId),
      ...group,
    ]),
  )
}

/** Deletes at most `limit` labels of decisions from before this time. @returns how many */
export async function dropFoldedLabels(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from folded_label where (tenant_hash, subject) in
       (select tenant_hash, subject from folded_label where decided_at < $1 limit ${limit}) returning 1 as dropped`,
    [before],
  )
  return dropped.length
}
