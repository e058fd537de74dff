// How is a text copied for another person? Its ids, times and addresses become gaps, which each copy fills in another way.

export interface CopiedText {
  with(values: Readonly<Record<string, string>>): string
}

/** `values`: by the name of the gap; one that is undefined or empty has none. A value within another is no gap. */
export function copiedText(text: string, values: Readonly<Record<string, string | undefined>>): CopiedText {
  const gaps = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const nameOf = new Map(gaps.map(([name, value]) => [value, name]))
  const longestFirst = [...nameOf.keys()].toSorted((a, b) => b.length - a.length)
  if (longestFirst.length === 0) return { with: () => text }
  // Odd parts are values, since the pattern captures them.
  const parts = text.split(new RegExp(`(${longestFirst.map(RegExp.escape).join('|')})`))
  const names = parts.map((part, index) => (index % 2 === 1 ? nameOf.get(part)! : ''))
  return {
    with(filling) {
      let copy = ''
      for (let index = 0; index < parts.length; index++) {
        copy += index % 2 === 1 ? (filling[names[index]!] ?? parts[index]!) : parts[index]!
      }
      return copy
    },
  }
}
