// How does a list become a file? CSV that an import reads again, and that a spreadsheet runs nothing of.

import type { ListPage } from '../../../api/types.ts'

/** A spreadsheet would run a cell that begins like this as a formula. */
const formula = /^'*\s*[=+\-@＝＋－＠]/

/** A text that could be a formula begins with an apostrophe, as OWASP advises; an import leaves it out. */
const cell = (field: string): string => {
  const safe = formula.test(field) ? `'${field}` : field
  return /[",\r\n\t]|^\s|\s$|^#/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** With the line ends of RFC 4180. */
export const csvOf = (entries: ListPage['entries']): string =>
  [['value', 'expires', 'note', 'by', 'added'], ...entries.map(columns)]
    .map((fields) => `${fields.map(cell).join(',')}\r\n`)
    .join('')

const columns = ({ value, expiresAt = '', note = '', by, addedAt }: ListPage['entries'][number]) => [
  value,
  expiresAt,
  note,
  by,
  addedAt,
]
