// Which parts of a condition are words, texts, numbers or signs?

const token = /("(?:[^"\\]|\\.)*")|\b(and|or|not|in|true|false)\b|(?<![\w.])(\d+(?:\.\d+)?[a-z]?)\b|([<>=!]=?)/g

interface Piece {
  readonly at: number
  readonly text: string
  readonly kind: string | undefined
}

/** Text between two coloured pieces is a piece too. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = []
  let end = 0
  for (const match of text.matchAll(token)) {
    if (match.index > end) found.push({ at: end, text: text.slice(end, match.index), kind: undefined })
    const [all, quoted, word, figure] = match
    found.push({ at: match.index, text: all, kind: quoted ? 'text' : word ? 'word' : figure ? 'figure' : 'sign' })
    end = match.index + all.length
  }
  if (end < text.length) found.push({ at: end, text: text.slice(end), kind: undefined })
  return found
}
