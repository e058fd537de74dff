// How is a file split for the service? Into pieces of whole lines, small enough for a call.

import { locale } from '../../../parts/values/locale.ts'

/** Bounds of a file in the browser; the command line imports larger ones. */
export const mostBytes = 10_000_000
const mostLines = 100_000

/** Of a call, whose body has at most 64 KiB. */
const linesOfPiece = 1_000
const bytesOfPiece = 45_000

export interface Piece {
  readonly lines: string
  /** From 1. */
  readonly fromLine: number
  /** The first line of the file that says something, for pieces after it: it may name the columns. */
  readonly head?: string
}

/** Says what is wrong with a file that is too large. */
export function piecesOf(text: string): Piece[] | { readonly tooLarge: string } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length > mostLines)
    return { tooLarge: `The file has ${lines.length.toLocaleString(locale)} lines; at most 100,000 are imported here.` }
  const headAt = lines.findIndex((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  const pieces: Piece[] = []
  let from = 0
  let size = 0
  const end = (to: number) => {
    const hasHead = headAt >= 0 && headAt < from
    const part = lines.slice(from, to)
    if (part.some((line) => line !== ''))
      pieces.push({
        lines: part.join('\n'),
        fromLine: from + 1,
        ...(hasHead && { head: lines[headAt]!.slice(0, 1_000) }),
      })
    from = to
    size = 0
  }
  for (const [at, line] of lines.entries()) {
    const bytes = sizeInCall(line)
    if (at - from >= linesOfPiece || size + bytes > bytesOfPiece) end(at)
    size += bytes
    // One line alone is too long for a call: what is sent of it is malformed in any case.
    if (bytes > bytesOfPiece) lines[at] = line.slice(0, 5_000)
  }
  end(lines.length)
  return pieces
}

/** In JSON, with its line end. */
const sizeInCall = (line: string): number => new TextEncoder().encode(JSON.stringify(line)).length
