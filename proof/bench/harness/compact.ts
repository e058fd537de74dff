// How are fitted figures written? As JSON with one line for each list of numbers, so that a new fit is easy to compare.

export function compact(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  const joined = text.replace(
    /\[[\s\d.,eE+-]*\]/g,
    (list) =>
      `[${list
        .slice(1, -1)
        .trim()
        .split(/\s*,\s*/)
        .join(', ')}]`,
  )
  return joined.replace(
    /\[\s+((?:\[[^\]]*\],?\s*)+)\]/g,
    (_, lists: string) => `[${lists.trim().replaceAll(/\s*\n\s*/g, ' ')}]`,
  )
}
