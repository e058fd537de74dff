// What does a table say of the first characters of a text? The longest entry that fits counts.

export function longestPrefix(table: ReadonlyMap<string, string>, text: string): string | undefined {
  for (let length = text.length; length > 0; length--) {
    const found = table.get(text.slice(0, length))
    if (found !== undefined) return found
  }
  return undefined
}
