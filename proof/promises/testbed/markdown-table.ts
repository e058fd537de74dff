// How are figures printed? As a table that can be copied into docs/promises.md.

type Row = Readonly<Record<string, string | number>>

/** A Markdown table with the columns of the first row. */
export function markdownTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((name) => row[name]))),
  ].join('\n')
}
