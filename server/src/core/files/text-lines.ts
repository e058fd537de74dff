// What are the lines of a large text file? One after the other, with their numbers and in bounded memory.

import { createReadStream } from 'node:fs'

export interface TextLine {
  /** Longer than `longestLine` when the line is too long: its beginning is gone. */
  readonly text: string
  /** From 1. */
  readonly line: number
  /** Bytes of the file up to its end. */
  readonly bytes: number
}

/** A file without line breaks would fill the memory. */
export const longestLine = 4_096

/** Opens it when the first line is read, so that a missing file is an error of the reader. `-` is stdin. */
export async function* openFile(file: string): AsyncGenerator<Uint8Array> {
  yield* file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 })
}

/** @throws Error of the file system */
export async function* textLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  for await (const lines of textLinesInChunks(source)) yield* lines
}

/** The same, all lines of a chunk at once: an `await` for each of millions would cost more than reading them. */
export async function* textLinesInChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly TextLine[]> {
  let rest = Buffer.alloc(0)
  let line = 0
  let bytes = 0
  let isTooLong = false
  const tooLong = 'x'.repeat(longestLine + 1)
  for await (const chunk of source) {
    const block = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    const lines: TextLine[] = []
    let from = 0
    for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, from)) {
      bytes += end + 1 - from
      line++
      const text = isTooLong ? tooLong : block.toString('utf8', from, end)
      isTooLong = false
      lines.push({ text: withoutMark(text, line), line, bytes })
      from = end + 1
    }
    rest = block.subarray(from)
    if (rest.length > 8 * longestLine) {
      bytes += rest.length
      rest = Buffer.alloc(0)
      isTooLong = true
    }
    yield lines
  }
  if (rest.length > 0 || isTooLong) {
    const text = isTooLong ? tooLong : rest.toString()
    yield [{ text: withoutMark(text, line + 1), line: line + 1, bytes: bytes + rest.length }]
  }
}

/** A byte order mark is what spreadsheets write first. */
const withoutMark = (text: string, line: number) => (line === 1 ? text.replace(/^\uFEFF/, '') : text)
