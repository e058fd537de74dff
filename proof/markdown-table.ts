// How are figures printed? As tables that can be copied into a page of docs/.

type Cells = readonly (string | number)[]

/** The lines of a table. @param ruleOf how a column is aligned: `---`, or `---:` for numbers */
export function markdownTable(
  head: readonly string[],
  rows: readonly Cells[],
  ruleOf: (column: number) => string = () => '---',
): string[] {
  const line = (cells: Cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => ruleOf(column))), ...rows.map(line)]
}

/** The first column is words, the others are numbers. */
export const numbersAfterFirst = (column: number): string => (column === 0 ? '---' : '---:')

/** With the columns of the first row. */
export function tableOfRecords(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const columns = Object.keys(rows[0] ?? {})
  return markdownTable(
    columns,
    rows.map((row) => columns.map((name) => row[name]!)),
  ).join('\n')
}
