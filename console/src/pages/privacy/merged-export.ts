// What is in the file when a person is exported by several subjects? Each record once.

import type { AnswerOf } from '../../api/call.ts'

type Export = AnswerOf<'exportSubject'>

/** An event names user and number, so that the exports of both have it. */
export function mergedExport(exports: readonly Export[]): Export {
  const records = new Map(exports.flatMap((each) => each.records).map((record) => [JSON.stringify(record), record]))
  return {
    exportedAt: exports.at(-1)!.exportedAt,
    complete: exports.every(({ complete }) => complete),
    records: [...records.values()],
  }
}
