// How did the sessions of reports turn out? One outcome for each report and tenant: the one that was known last.

import type { Outcome } from '../rules/label.ts'
import type { Queryable } from './database.ts'

/** By which of its two ids a report is named. */
export interface ReportKey {
  kind: 'requestId' | 'dfrId'
  id: string
}

/**
 * Keeps how a session turned out, and says whether it did: an outcome that was known before the one that is kept changes
 * nothing, so that labels may come in any order and again.
 */
export async function putOutcome(
  database: Queryable,
  tenantId: string,
  { kind, id }: ReportKey,
  { outcome, knownAt, labelledAt }: { outcome: Outcome; knownAt: number; labelledAt: number },
): Promise<boolean> {
  const kept = await database.query(
    `insert into outcome_label (tenant_id, report_id, id_kind, outcome, known_at, labelled_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, report_id, id_kind) do update
       set outcome = excluded.outcome, known_at = excluded.known_at, labelled_at = excluded.labelled_at
       where outcome_label.known_at <= excluded.known_at
     returning report_id`,
    [tenantId, id, kind, outcome, knownAt, labelledAt],
  )
  return kept.length === 1
}

/** Drops at most `limit` labels that were told before this time, and says how many. */
export async function dropLabelsBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from outcome_label where (tenant_id, report_id, id_kind) in
       (select tenant_id, report_id, id_kind from outcome_label where labelled_at < $1 limit ${limit})
     returning report_id`,
    [before],
  )
  return dropped.length
}

/** So many reports are looked up by one statement, which is one text for whatever number. */
const atOnce = 50
const places = Array.from({ length: 2 * atOnce }, (_, index) => `$${index + 2}`).join(', ')

/**
 * How these reports turned out, in their order; undefined where nobody has said. A report is labelled under either of its
 * ids; of two labels that known last counts.
 */
export async function findOutcomes(
  database: Queryable,
  tenantId: string,
  reports: readonly { requestId: string; dfrId?: string }[],
): Promise<(Outcome | undefined)[]> {
  const found: (Outcome | undefined)[] = []
  for (let from = 0; from < reports.length; from += atOnce) {
    const some = reports.slice(from, from + atOnce)
    const ids = some.flatMap(({ requestId, dfrId }) => [requestId, dfrId ?? requestId])
    const padding = Array<string>(2 * atOnce - ids.length).fill(ids[0]!)
    const rows = await database.query<{ id: string; kind: ReportKey['kind']; outcome: Outcome; knownAt: number }>(
      `select report_id as id, id_kind as kind, outcome, known_at as "knownAt"
         from outcome_label where tenant_id = $1 and report_id in (${places})`,
      [tenantId, ...ids, ...padding],
    )
    const byKey = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
    for (const { requestId, dfrId } of some) {
      const labels = [byKey.get(`requestId ${requestId}`), byKey.get(`dfrId ${dfrId}`)].filter(
        (row) => row !== undefined,
      )
      found.push(labels.sort((a, b) => b.knownAt - a.knownAt)[0]?.outcome)
    }
  }
  return found
}
