// How are many rows read or written? In groups of one size, so that there is one text to prepare.

/** Rows of one statement. */
const groupSize = 100

/** The placeholders of a group; the first one has this number. */
export const places = (from: number): string => Array.from({ length: groupSize }, (_, i) => `$${i + from}`).join(', ')

/** The values of a group in lists of `size`, each in brackets. */
export const rowPlaces = (from: number, size: number): string =>
  Array.from(
    { length: groupSize },
    (_, row) => `(${Array.from({ length: size }, (__, i) => `$${from + row * size + i}`).join(', ')})`,
  ).join(', ')

/** The last value of a group is repeated until it is full. */
export async function inGroups<Value, Row>(
  values: readonly Value[],
  query: (group: readonly Value[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let first = 0; first < values.length; first += groupSize) {
    const group = values.slice(first, first + groupSize)
    rows.push(...(await query([...group, ...Array<Value>(groupSize - group.length).fill(group.at(-1)!)])))
  }
  return rows
}

/** A list in parts of at most `groupSize`, to write each in one statement. */
export const groupsOf = <Value>(values: readonly Value[]): Value[][] =>
  Array.from({ length: Math.ceil(values.length / groupSize) }, (_, i) =>
    values.slice(i * groupSize, (i + 1) * groupSize),
  )

/** `($1, $2), ($3, $4)` for this many rows. */
export const valuesOf = (rows: number, columns: number): string =>
  Array.from(
    { length: rows },
    (_, row) => `(${Array.from({ length: columns }, (__, column) => `$${row * columns + column + 1}`).join(', ')})`,
  ).join(', ')
