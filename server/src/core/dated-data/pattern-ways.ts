// How long may a pattern from a file run? As long as there are ways through it; one with loops has no bound.

const part = /\\d|\d|\[(?:\d(?:-\d)?)+\]|\(\?:|\(|\)|\||[$^]/y
const quantifier = /\?|\{(\d{1,2})(?:,(\d{1,2}))?\}/y

const longestPattern = 4000
/** The numbering plans of the release have at most 761. */
const mostWays = 20_000

/** Whether a pattern of digits can be read and cannot run long, whatever the text. */
export function isBoundedPattern(text: string): boolean {
  if (text.length > longestPattern || (waysThrough(text) ?? Number.POSITIVE_INFINITY) > mostWays) return false
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}

/**
 * In how many ways a text may go through a pattern of digits as libphonenumber has them. Undefined for any other pattern, such as one with
 * loops, repeated groups or back references.
 */
function waysThrough(pattern: string): number | undefined {
  /** For each open group: the ways of its alternatives that are complete, and of the one that is being read. */
  const open = [{ complete: 0, ways: 1 }]
  for (let at = 0; at < pattern.length; ) {
    part.lastIndex = at
    const text = part.exec(pattern)?.[0]
    if (text === undefined) return undefined
    at += text.length
    if (text.startsWith('(')) {
      open.push({ complete: 0, ways: 1 })
      continue
    }
    const current = open.at(-1)!
    if (text === '|') {
      current.complete += current.ways
      current.ways = 1
      continue
    }
    quantifier.lastIndex = at
    const [repeats = '', least = '0', most = least] = quantifier.exec(pattern) ?? []
    at += repeats.length
    if (text === ')') {
      if (open.length === 1 || repeats.startsWith('{')) return undefined
      open.pop()
      open.at(-1)!.ways *= current.complete + current.ways + (repeats === '?' ? 1 : 0)
    } else if (repeats === '?') current.ways *= 2
    else current.ways *= 1 + Math.max(0, Number(most) - Number(least))
  }
  const [{ complete, ways } = { complete: 0, ways: 0 }, ...unclosed] = open
  return unclosed.length > 0 ? undefined : complete + ways
}
