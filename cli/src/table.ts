// How is a list printed for people? In aligned columns, with a bold head on a terminal.

import { stripVTControlCharacters, styleText } from 'node:util'

/** The lines of a table, without a final line break. Cells may contain colours. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(width)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat(widths[column]! - width(cell)))
      .join('  ')
      .trimEnd()
  return [line(head.map((title) => styleText('bold', title))), ...rows.map(line)].join('\n')
}

/** With a row for each item, or a sentence when there is none. */
export const tableOf = <Item>(
  items: readonly Item[],
  none: string,
  head: readonly string[],
  cells: (item: Item) => readonly string[],
): string => (items.length === 0 ? none : table(head, items.map(cells)))

const width = (cell: string) => [...stripVTControlCharacters(cell)].length

/** What a page or backend sent must not control the terminal. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')

/** As `--json` prints it: 2026-11-21T05:41:00.000Z */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString()

/** The same where there may be no time. */
export const isoTimeOr = <None extends null | undefined>(epochMs: number | None): string | None =>
  typeof epochMs === 'number' ? isoTime(epochMs) : epochMs

/** "2026-11-21 05:41 UTC" */
export function minuteText(epochMs: number): string {
  return `${isoTime(epochMs).slice(0, 16).replace('T', ' ')} UTC`
}
