// Is a JSON text small enough to parse? Counted over its bytes, up to the first mistake, so that no reader ever sees a wide or deep one.

export interface JsonBounds {
  /** Members of objects and items of arrays, nested ones included. */
  readonly members: number
  readonly depth: number
  /** Of one text as it was written, in bytes. */
  readonly textBytes: number
}

/** Of the name of a member. */
const mostNameBytes = 512
/** A double has at most 767 significant digits. */
const mostNumberBytes = 1024

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Of the bytes outside texts; all others are spaces, letters of a literal, or mistakes that the parser finds. */
const kinds = { nothing: 0, digit: 1, comma: 2, colon: 3, open: 4, close: 5, quote: 6 } as const
const kindOf = new Uint8Array(256)
for (const byte of Buffer.from('-+.eE0123456789')) kindOf[byte] = kinds.digit
for (const byte of [openArray, openObject]) kindOf[byte] = kinds.open
for (const byte of [closeArray, closeObject]) kindOf[byte] = kinds.close
kindOf[comma] = kinds.comma
kindOf[colon] = kinds.colon
kindOf[quote] = kinds.quote

/**
 * Which bound the text exceeds, in words that follow "the body may"; undefined for none. An empty object or array counts as a member.
 * A text that is not JSON may pass: its parser refuses it.
 */
export function exceededBound(bytes: Uint8Array, bounds: JsonBounds): string | undefined {
  const { length } = bytes
  let members = 0
  let depth = 0
  let textBytes = 0
  let digits = 0
  for (let at = 0; at < length; at++) {
    const kind = kindOf[bytes[at]!]!
    if (kind === kinds.nothing) continue
    if (kind === kinds.digit) {
      if (++digits > mostNumberBytes) return `have numbers of at most ${mostNumberBytes} characters`
      continue
    }
    digits = 0
    if (kind === kinds.quote) {
      const start = at + 1
      at = endOfText(bytes, start)
      textBytes = at - start
      if (textBytes > bounds.textBytes) return `have texts of at most ${bounds.textBytes} bytes`
    } else if (kind === kinds.colon) {
      if (textBytes > mostNameBytes) return `have names of at most ${mostNameBytes} bytes`
    } else if (kind === kinds.close) depth--
    else {
      if (++members > bounds.members) return `have at most ${bounds.members} members and items, nested ones included`
      if (kind === kinds.open && ++depth > bounds.depth) return `be nested at most ${bounds.depth} levels deep`
    }
  }
  return undefined
}

/** Where the closing quote is, or the end of the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) break
    if (byte === backslash) at++
  }
  return at
}
