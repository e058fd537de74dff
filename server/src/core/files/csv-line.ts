// How is a line of CSV read and written? By RFC 4180, and so that no spreadsheet runs a cell of it.

/**
 * The fields of a line (RFC 4180), or what is wrong. A field in quotes ends on its line.
 *
 * @param wrong makes something else of what is wrong, and of where its field begins
 */
export function fieldsOf(text: string, separator: string): string[] | string
export function fieldsOf<Wrong>(
  text: string,
  separator: string,
  wrong: (mistake: string, at: number) => Wrong,
): string[] | Wrong
export function fieldsOf(
  text: string,
  separator: string,
  wrong: (mistake: string, at: number) => unknown = (mistake) => mistake,
): unknown {
  const line = text.replace(/\r$/, '')
  if (!line.includes('"')) return line.split(separator)
  const fields: string[] = []
  for (let at = 0; ; ) {
    if (line[at] !== '"') {
      const end = line.indexOf(separator, at)
      fields.push(line.slice(at, end < 0 ? undefined : end))
      if (end < 0) return fields
      at = end + 1
      continue
    }
    let end = at + 1
    while (end < line.length && (line[end] !== '"' || line[end + 1] === '"')) end += line[end] === '"' ? 2 : 1
    if (line[end] !== '"') return wrong('a field in quotes has no closing "', at)
    fields.push(line.slice(at + 1, end).replaceAll('""', '"'))
    if (end + 1 === line.length) return fields
    if (line[end + 1] !== separator)
      return wrong(`after a field in quotes comes ${separator === '\t' ? 'a tab' : separator}`, at)
    at = end + 2
  }
}

/** Where a spreadsheet would run what follows as a formula: it may split at semicolons and tabs, and ignore our quotes then. */
const formula = String.raw`(?<=^|[;\t\r\n])`
const begins = String.raw`(?=['"\s]*[=+\-@＝＋－＠])`
const unguarded = new RegExp(formula + begins, 'g')
const guarded = new RegExp(`${formula}'${begins}`, 'g')

/** A text in which each part that could be a formula begins with an apostrophe, as OWASP advises. */
export const withApostrophe = (field: string) => field.replace(unguarded, "'")

/** A line of fields separated by commas, which `fieldsOf` reads. No spreadsheet runs a part of it. */
export const csvLine = (fields: readonly string[]): string =>
  fields
    .map(withApostrophe)
    .map((field) => (/[",\r\n\t]|^\s|\s$|^#/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(',')

/** A cell of a file that we wrote, as it was before. */
export const withoutApostrophe = (field: string) => field.replace(guarded, '')
