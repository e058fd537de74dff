// Which lines of batches are about a person? All stored batches of the tenant are opened: their parts have no hash of the numbers.

import type { Database } from '../../core/storage/database.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import {
  numberIn,
  openLines,
  openResults,
  type StoredLine,
  type StoredResult,
  sealLines,
  sealResults,
} from '../../telecom/batches/batch-record.ts'
import { erasedLine } from '../../telecom/batches/progress.ts'
import { type PartRow, partAfter, readParts, replacePart } from '../../telecom/store/batch-parts.ts'
import type { Add, Subject } from './person.ts'

export interface FoundLine {
  readonly batchId: string
  readonly line: number
  readonly phoneNumber: string
  readonly columns: readonly (string | null)[]
  readonly result?: StoredResult
}

/** Its number is the subject, or one of its other columns is. */
const isAbout =
  ({ subject: { kind, value } }: Pick<Subject, 'subject'>) =>
  ({ n, v = [] }: StoredLine): boolean =>
    n !== undefined && ((kind === 'phoneNumber' && numberIn(n) === value) || v.includes(value))

export async function* batchLinesOf(database: Pick<Database, 'query'>, about: Subject): AsyncGenerator<FoundLine> {
  const { keys } = about
  const isFound = isAbout(about)
  for await (const part of partsOf(database, about)) {
    const lines = openLines(part, keys)
    if (!lines.some(isFound)) continue
    const results = openResults(part, keys)
    for (const [place, line] of lines.entries()) {
      if (!isFound(line)) continue
      const result = results[place]
      yield {
        ...{ batchId: uuidText(part.batchId), line: line.l, phoneNumber: line.n!, columns: line.v ?? [] },
        ...(result && { result }),
      }
    }
  }
}

/** The line stays, without number, columns and result; a server that checks it now notices. */
export async function eraseBatchLines(database: Database, about: Subject, add: Add): Promise<void> {
  const isFound = isAbout(about)
  for await (const part of partsOf(database, about)) {
    let erased = eraseIn(part)
    // A server wrote results of this part meanwhile.
    while (erased && !(await replacePart(database, { ...erased.row, before: erased.before }))) {
      const { tenantId, batchId } = part
      const [now] = await readParts(database, { tenantId, batchId, from: part.part, limit: 1 })
      erased = now?.part === part.part ? eraseIn(now) : undefined
    }
    add('batchLine', erased?.count ?? 0)
  }

  function eraseIn(part: PartRow) {
    const { keys } = about
    const lines = openLines(part, keys)
    const places = lines.flatMap((line, place) => (isFound(line) ? [place] : []))
    if (places.length === 0) return undefined
    const results = openResults(part, keys)
    for (const place of places) {
      lines[place] = { l: lines[place]!.l, erased: true }
      if (results[place]) results[place] = erasedLine
    }
    const sealedResult = part.sealedResult && sealResults(results, part, keys)
    const row = { ...part, sealed: sealLines(lines, part, keys), sealedResult }
    return { row, before: part.sealedResult, count: places.length }
  }
}

async function* partsOf(database: Pick<Database, 'query'>, { tenantId, pause }: Subject): AsyncGenerator<PartRow> {
  for (let after = { batchId: new Uint8Array(0), part: -1 } as Pick<PartRow, 'batchId' | 'part'>; ; ) {
    const part = await partAfter(database, tenantId, after)
    if (!part) return
    yield part
    await pause()
    after = part
  }
}
