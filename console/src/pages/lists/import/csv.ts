// How does a list become a file? CSV that an import reads again, and that a spreadsheet runs nothing of.

import { csvLine } from '@ringfence/server/core/files/csv-line.ts'
import type { ListPage } from '../../../api/types.ts'

/** With the line ends of RFC 4180. */
export const csvOf = (entries: ListPage['entries']): string =>
  [['value', 'expires', 'note', 'by', 'added'], ...entries.map(columns)]
    .map((fields) => `${csvLine(fields)}\r\n`)
    .join('')

const columns = ({ value, expiresAt = '', note = '', by, addedAt }: ListPage['entries'][number]) => [
  value,
  expiresAt,
  note,
  by,
  addedAt,
]
