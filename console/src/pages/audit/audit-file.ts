// How is the audit log saved? As one line of JSON for each audit line, or as a table for spreadsheets.

import { withApostrophe } from '@ringfence/server/core/files/csv-line.ts'
import type { AuditLine } from '../../api/types.ts'
import { addressOf, detailOf, nameOf, sentOf } from './lines.ts'

export const formats = {
  csv: { name: 'CSV, for spreadsheets', type: 'text/csv', write: csv },
  ndjson: { name: 'NDJSON, a line of JSON each', type: 'application/x-ndjson', write: ndjson },
} as const
export type Format = keyof typeof formats

const columns = {
  line: ({ number }: AuditLine) => String(number),
  at: ({ at }: AuditLine) => at,
  actor: ({ actor }: AuditLine) => actor,
  name: nameOf,
  role: (line: AuditLine) => detailOf(line, 'role'),
  action: ({ action }: AuditLine) => action,
  ipAddress: addressOf,
  requestId: (line: AuditLine) => detailOf(line, 'requestId'),
  sent: (line: AuditLine) => {
    const sent = sentOf(line)
    return sent && JSON.stringify(sent)
  },
  erased: ({ erased }: AuditLine) => String(erased),
  hash: ({ hash }: AuditLine) => hash,
}

function csv(lines: readonly AuditLine[]): string {
  const rows = lines.map((line) => Object.values(columns).map((read) => cell(read(line) ?? '')))
  return [Object.keys(columns), ...rows].map((cells) => `${cells.join(',')}\r\n`).join('')
}

/** Quoted as RFC 4180 says. No spreadsheet runs a part of it. */
const cell = (text: string) => `"${withApostrophe(text).replaceAll('"', '""')}"`

function ndjson(lines: readonly AuditLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
