// How are rows of a table saved? As CSV, in which no cell is a formula of a spreadsheet.

import type { EntityRow } from './filters.ts'

export function csvOf(idTitle: string, rows: readonly EntityRow[]): string {
  const head = [
    idTitle,
    'state',
    'firstSeenAt',
    'lastSeenAt',
    'shared',
    'decisions',
    'refused',
    'badLabels',
    'topReason',
  ]
  const lines = rows.map(({ id, state, firstSeenAt, lastSeenAt, shared, decisions, refused, badLabels, topReason }) => [
    ...[id, state.level, firstSeenAt, lastSeenAt, shared, decisions, refused, badLabels, topReason ?? ''],
  ])
  return [head, ...lines].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number): string {
  const text = String(value)
  const safe = typeof value === 'string' && /^[\s\0]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
