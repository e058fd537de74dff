// How does a foreign file become one of ours? Line by line, decompressed and decoded, with errors at its own lines.

import { open } from 'node:fs/promises'
import { isGzip, UnreadableBytes, unpacked } from '../number-file-bytes.ts'
import { NumberFileError, quoted } from '../number-file-error.ts'
import { type MapRow, rowMapper } from './map-row.ts'
import type { NumberMapping } from './mapping.ts'

const MAX_LINE = 1 << 20
const WRITE_BYTES = 1 << 20

export interface ConvertOptions {
  readonly file: string
  readonly mapping: NumberMapping
  /** The time at which the data was true, in epoch milliseconds. */
  readonly asOf: number
  /** The `asOf` of the data that an increment continues. Absent: the file is full. */
  readonly follows?: number
  readonly to: string
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((bytes: number, total: number) => void) | undefined
}

/** Writes the file in our format. Throws a NumberFileError at the line that cannot be read, or an error of the file system. */
export async function convertNumbers({
  file,
  mapping,
  asOf,
  follows,
  to,
  signal,
  onProgress,
}: ConvertOptions): Promise<void> {
  const time = (epochMs: number) => new Date(epochMs).toISOString().replace(/\.\d{3}Z/, 'Z')
  const { source, callingCode, complete = [], header = true, skipLines = 0, trailer } = mapping
  const isFull = follows === undefined
  const handle = await open(to, 'w', 0o600)
  try {
    let text = [
      '# ringfence: ported-numbers 1',
      `# source: ${source}`,
      `# calling-code: ${callingCode}`,
      `# as-of: ${time(asOf)}`,
      `# contents: ${isFull ? 'full' : 'increment'}`,
      ...(isFull
        ? complete.length > 0
          ? [`# complete: ${complete.join(' ')}`]
          : []
        : [`# follows: ${time(follows)}`]),
      'number,operator,ported-on,action\n',
    ].join('\n')
    let line = 0
    let rows = 0
    let ended: string | undefined
    let map: MapRow | undefined = header ? undefined : rowMapper(mapping, asOf, undefined, { file, line: 1 })
    for await (const read of linesOf(file, mapping.encoding ?? 'utf-8', onProgress)) {
      signal?.throwIfAborted()
      for (const each of read) {
        line++
        if (line <= skipLines) continue
        if (ended !== undefined) {
          if (each === '') continue
          throw new NumberFileError(file, line, 1, quoted(each), 'nothing after the last line')
        }
        if (!map) {
          map = rowMapper(mapping, asOf, each, { file, line })
        } else if (trailer !== undefined && each.startsWith(trailer)) {
          ended = each
          if (each !== `${trailer}${rows}`) {
            throw new NumberFileError(file, line, 1, quoted(each), `"${trailer}${rows}", the number of rows above`)
          }
        } else if (each !== '') {
          text += map(each, { file, line })
          rows++
        }
      }
      if (text.length < WRITE_BYTES) continue
      await handle.writeFile(text)
      text = ''
    }
    if (!map) throw new NumberFileError(file, line + 1, 1, 'the end of the file', 'the header row')
    if (trailer !== undefined && ended === undefined) {
      throw new NumberFileError(
        file,
        line + 1,
        1,
        'the end of the file',
        `a last line ${trailer}${rows}; without it the file may have been cut off`,
      )
    }
    await handle.writeFile(`${text}# rows: ${rows}\n`)
  } finally {
    await handle.close()
  }
}

/** Some lines at a time. A byte order mark wins over the encoding; gzip is recognised by its first bytes. */
async function* linesOf(
  file: string,
  encoding: NonNullable<NumberMapping['encoding']>,
  onProgress: ConvertOptions['onProgress'],
): AsyncGenerator<string[]> {
  let decoder: TextDecoder | undefined
  let rest = ''
  let line = 0
  const fail = (found: string, expected: string) => new NumberFileError(file, line + 1, 1, found, expected)
  try {
    const gzip = await isGzip(file, { utf8Only: false })
    for await (const chunk of unpacked(file, gzip, (bytes, total) => onProgress?.(bytes, total))) {
      decoder ??= decoderOf(chunk, encoding)
      rest += decoder.decode(chunk, { stream: true })
      const lines = rest.split('\n')
      rest = lines.pop()!
      if (rest.length > MAX_LINE) throw fail(`a line of more than ${MAX_LINE} characters`, 'shorter lines')
      line += lines.length
      yield lines.map(withoutReturn)
    }
    rest += decoder?.decode() ?? ''
  } catch (error) {
    if (error instanceof UnreadableBytes) throw fail(error.found, error.expected)
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw fail('bytes that are not in this encoding, here or in the lines after', 'the encoding of the mapping')
    }
    throw error
  }
  if (rest !== '') {
    throw fail(quoted(rest), 'a line break at its end; without it the file may have been cut off')
  }
}

function decoderOf(chunk: Buffer, encoding: string): TextDecoder {
  const [a, b, c] = chunk
  const marked =
    a === 0xef && b === 0xbb && c === 0xbf
      ? 'utf-8'
      : a === 0xff && b === 0xfe
        ? 'utf-16le'
        : a === 0xfe && b === 0xff
          ? 'utf-16be'
          : encoding
  return new TextDecoder(marked, { fatal: true })
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)
