// GET /v1/telecom/batches/{batchId}/results: what is known of each line, in their order, as NDJSON or CSV.

import { type BatchFormat, type BatchResult, type BatchResultsRequest, batchTypes } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { csvLine } from '../../core/files/csv-line.ts'
import { LinesAnswer } from '../../core/json/lines-answer.ts'
import type { TelecomNeeds } from '../room.ts'
import { type PartRow, partOfLine, readParts } from '../store/batch-parts.ts'
import type { BatchRow } from '../store/batches.ts'
import { ownBatch } from './batch-calls.ts'
import { type BatchHead, openHead, openLines, openResults, type StoredLine, type StoredResult } from './batch-record.ts'
import { resultCells, resultColumns } from './result-columns.ts'

const partsAtOnce = 4

type Needs = Pick<TelecomNeeds, keyof Core | 'heavyWork'>

/** Ends before the first line without a result. Refuses with `batchUnknown`. */
export async function readBatchResults(
  { batchId, after = '0', format }: BatchResultsRequest,
  call: Call,
  needs: Needs,
): Promise<LinesAnswer> {
  const { row, keys } = await ownBatch(batchId, call, needs)
  const as: BatchFormat = format ?? (call.accepts?.includes(batchTypes.csv) ? 'csv' : 'ndjson')
  return new LinesAnswer(batchTypes[as], texts(row, { after: Number(after), as, keys, needs }))
}

interface Reading {
  readonly after: number
  readonly as: BatchFormat
  readonly keys: TenantKeys
  readonly needs: Needs
}

async function* texts(row: BatchRow, { after, as, keys, needs }: Reading): AsyncGenerator<string> {
  const {
    database,
    settings,
    heavyWork: { answerTurns },
  } = needs
  const head = openHead(row, keys)
  const { tenantId, id: batchId } = row
  if (as === 'csv' && after === 0) yield `${csvLine(['phoneNumber', ...head.columns, ...resultColumns(head.checks)])}\n`
  // The response has begun, so its deadline no longer counts; each read has its own deadline.
  const inTime = <T>(work: () => T) => database.within(performance.now() + settings.deadlineMs, work)
  for (let from = await inTime(() => partOfLine(database, { tenantId, batchId }, after + 1)); from < row.parts; ) {
    const parts = await inTime(() => readParts(database, { tenantId, batchId, from, limit: partsAtOnce }))
    if (parts.length === 0) return
    for (const part of parts) {
      if (!part.isDone) return
      const text = await inTurn(() => textOf(part))
      if (text !== '') yield text
    }
    from = parts.at(-1)!.part + 1
  }

  /** Live traffic first; and all readers together open one part at a time. */
  async function inTurn(work: () => string): Promise<string> {
    const leave = await answerTurns.enter(tenantId)
    try {
      await answerTurns.breathe()
      return work()
    } finally {
      leave()
    }
  }

  function textOf(part: PartRow): string {
    const results = openResults(part, keys)
    return openLines(part, keys)
      .map((line, place) => (line.l > after ? `${lineOf(resultOf(line, results[place]!, head))}\n` : ''))
      .join('')
  }

  function lineOf(result: BatchResult): string {
    if (as === 'ndjson') return JSON.stringify(result)
    const { phoneNumber = '', data = {} } = result
    const own = head.columns.map((name) => (Object.hasOwn(data, name) ? data[name]! : ''))
    return csvLine([phoneNumber, ...own, ...resultCells(result, head.checks)])
  }
}

function resultOf({ l: line, n, v, d }: StoredLine, { p, c, e }: StoredResult, { columns }: BatchHead): BatchResult {
  const data = v && Object.fromEntries(columns.flatMap((name, place) => (v[place] == null ? [] : [[name, v[place]]])))
  return {
    line,
    ...(n !== undefined && { phoneNumber: n }),
    ...(data && { data }),
    ...(d && { duplicateOf: d[2] }),
    ...(p && { phoneDetail: p }),
    ...(c && { checks: c }),
    ...(e && { error: e }),
  }
}
