// How is an event written as a line of a file? As NDJSON, or as CSV that spreadsheets open without running anything.

import type { FoundEvent } from '@ringfence/contract'
import { csvLine } from '@ringfence/server/core/files/csv-line.ts'

export type EventFormat = 'ndjson' | 'csv'

const csvColumns = [
  'id',
  'type',
  'timestamp',
  'outcome',
  'userId',
  'phoneNumber',
  'deviceId',
  'ipAddress',
  'data',
] as const

/** What the file begins with. */
export const headOf = (format: EventFormat): string => (format === 'csv' ? `${csvColumns.join(',')}\r\n` : '')

/** One event is one line: neither form has a line break within. */
export function lineOf(event: FoundEvent, format: EventFormat): string {
  if (format === 'ndjson') return `${JSON.stringify(event)}\n`
  const { id, type, timestamp, outcome, data } = event
  const { userId, phoneNumber, deviceId, ipAddress, identity } = data
  const number = phoneNumber ?? mobileOf(identity)
  const values = [id, type, timestamp, outcome, userId, number, deviceId, ipAddress, JSON.stringify(data)]
  return `${values.map(csvCell).join(',')}\r\n`
}

/** The id of an event's line; undefined for the head of the file and for anything else. */
export function idOfLine(line: string): string | undefined {
  return /^(?:\{"id":")?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[",]/.exec(line)?.[1]
}

/** A cell without line breaks, of which no spreadsheet runs a part. */
export function csvCell(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value).replace(/[\r\n\t\0]+/g, ' ')
  return csvLine([text])
}

function mobileOf(identity: unknown): unknown {
  if (typeof identity !== 'object' || identity === null) return undefined
  const { type, value } = identity as { type?: unknown; value?: unknown }
  return type === 'MOBILE' ? value : undefined
}
