// How did the sessions of reports turn out? Each id of a report, request id or dfrId, has one label: the one with the latest `knownAt`.

import type { ReportLabel } from '@ringfence/contract'
import type { Queryable } from '../../../core/storage/database.ts'

/** How a session turned out. */
export type Label = ReportLabel['outcome']

/** A report is identified by its request id or by its dfrId; a decision by its own id. */
export interface ReportKey {
  kind: 'requestId' | 'dfrId' | 'decisionId'
  id: string
}

/**
 * Stores the label of a report, unless the stored one has a later `knownAt`: labels may arrive in any order, and twice.
 * @returns whether it was stored
 */
export async function putReportLabel(
  database: Queryable,
  tenantId: string,
  { kind, id }: ReportKey,
  { label, knownAt, labelledAt }: { label: Label; knownAt: number; labelledAt: number },
): Promise<boolean> {
  const stored = await database.query(
    `insert into report_label (tenant_id, report_id, id_kind, label, known_at, labelled_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, report_id, id_kind) do update
       set label = excluded.label, known_at = excluded.known_at, labelled_at = excluded.labelled_at
       where report_label.known_at <= excluded.known_at
     returning report_id`,
    [tenantId, id, kind, label, knownAt, labelledAt],
  )
  return stored.length === 1
}

/** Every label of a decision and of its device report, the one that became known last first. */
export async function labelsOfDecision(
  database: Queryable,
  tenantId: string,
  { decisionId, dfrId }: { decisionId: string; dfrId: string | null },
): Promise<{ kind: ReportKey['kind']; label: Label; knownAt: number; labelledAt: number }[]> {
  const rows = await database.query<{
    id: string
    kind: ReportKey['kind']
    label: Label
    knownAt: number
    labelledAt: number
  }>(
    `select report_id as id, id_kind as kind, label, known_at as "knownAt", labelled_at as "labelledAt"
       from report_label where tenant_id = $1 and report_id in ($2, $3)`,
    [tenantId, decisionId, dfrId ?? ''],
  )
  return rows
    .filter(({ id, kind }) => (kind === 'decisionId' ? id === decisionId : kind === 'dfrId' && id === dfrId))
    .map(({ id: _, ...row }) => row)
    .sort((one, other) => other.knownAt - one.knownAt)
}

/** Deletes at most `limit` labels that arrived before this time. @returns how many */
export async function dropReportLabelsBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from report_label where (tenant_id, report_id, id_kind) in
       (select tenant_id, report_id, id_kind from report_label where labelled_at < $1 limit ${limit})
     returning report_id`,
    [before],
  )
  return dropped.length
}

/** One statement looks up this many reports; its text is the same for fewer, so that it is prepared once. */
const atOnce = 50
const places = Array.from({ length: 2 * atOnce }, (_, index) => `$${index + 2}`).join(', ')

/**
 * The labels of these reports and decisions, in their order; undefined where one has none. A report may have a label under each of its
 * ids: the one with the later `knownAt` counts.
 */
export async function findReportLabels(
  database: Queryable,
  tenantId: string,
  reports: readonly { requestId?: string; dfrId?: string; decisionId?: string }[],
): Promise<(Label | undefined)[]> {
  const found: (Label | undefined)[] = []
  for (let from = 0; from < reports.length; from += atOnce) {
    const some = reports.slice(from, from + atOnce)
    const ids = some.flatMap(({ requestId, dfrId, decisionId }) => [requestId ?? decisionId ?? '', dfrId ?? ''])
    const padding = Array<string>(2 * atOnce - ids.length).fill('')
    const rows = await database.query<{ id: string; kind: ReportKey['kind']; label: Label; knownAt: number }>(
      `select report_id as id, id_kind as kind, label, known_at as "knownAt"
         from report_label where tenant_id = $1 and report_id in (${places})`,
      [tenantId, ...ids, ...padding],
    )
    const byKey = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
    for (const { requestId, dfrId, decisionId } of some) {
      const keys = [`requestId ${requestId}`, `dfrId ${dfrId}`, `decisionId ${decisionId}`]
      const labels = keys.flatMap((key) => byKey.get(key) ?? [])
      found.push(labels.sort((a, b) => b.knownAt - a.knownAt)[0]?.label)
    }
  }
  return found
}

/**
 * The labels of decisions in the order of their ids, which are UUIDs of version 7; undefined where one has none. One range of the key
 * costs less than each of them.
 */
export async function findDecisionLabels(
  database: Queryable,
  tenantId: string,
  decisions: readonly { decisionId?: string }[],
): Promise<(Label | undefined)[]> {
  const [first = '', last = ''] = [decisions[0]?.decisionId, decisions.at(-1)?.decisionId]
  const rows = await database.query<{ id: string; label: Label }>(
    `select report_id as id, label from report_label
      where tenant_id = $1 and report_id >= $2 and report_id <= $3 and id_kind = 'decisionId'`,
    [tenantId, first, last],
  )
  if (rows.length === 0) return []
  const labels = new Map(rows.map(({ id, label }) => [id, label]))
  return decisions.map(({ decisionId = '' }) => labels.get(decisionId))
}
