// Which bytes does a number file have? Plain text, or gzip, which is unpacked; everything else is refused by name.

import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { NumberFileError } from './number-file-error.ts'

const LINE_FEED = 10
/** Numbers compress to a tenth or so, and gzip could do a thousandth: such a file fills the disk on purpose. */
const MAX_RATIO = 200
const ALWAYS_ALLOWED_BYTES = 64 * 1024 * 1024

const otherForms: readonly [magic: readonly number[], name: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or a spreadsheet'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'a spreadsheet'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a Zstandard file'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'an xz file'],
  [[0x42, 0x5a, 0x68], 'a bzip2 file'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7z archive'],
]
const utf16Forms: readonly (readonly number[])[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
  [0x23, 0x00],
  [0x00, 0x23],
]

/** What is wrong with the bytes of a file, at the line that its reader has reached. */
export class UnreadableBytes extends Error {
  readonly found: string
  readonly expected: string
  constructor(found: string, expected: string) {
    super(`found ${found}, expected ${expected}`)
    this.found = found
    this.expected = expected
  }
}

/** Throws a NumberFileError for an archive or a spreadsheet, and for UTF-16 where only UTF-8 can be read. */
export async function isGzip(file: string, { utf8Only }: { utf8Only: boolean }): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0)
    const begins = (magic: readonly number[]) =>
      bytesRead >= magic.length && magic.every((byte, at) => buffer[at] === byte)
    const other = otherForms.find(([magic]) => begins(magic))
    if (other) throw new NumberFileError(file, 1, 1, other[1], 'a CSV file, plain or compressed with gzip')
    if (utf8Only && utf16Forms.some(begins)) {
      throw new NumberFileError(file, 1, 1, 'text in UTF-16', 'UTF-8: convert it, or read it with a mapping')
    }
    return begins([0x1f, 0x8b])
  } finally {
    await handle.close()
  }
}

/** The text of a file, some bytes at a time. Throws UnreadableBytes for gzip that is cut off, damaged or a decompression bomb. */
export async function* unpacked(
  file: string,
  gzip: boolean,
  onRead: (bytesRead: number, total: number) => void,
): AsyncGenerator<Buffer> {
  const total = fs.statSync(file).size
  const raw = fs.createReadStream(file, { highWaterMark: 1 << 18 })
  const gunzip = createGunzip({ chunkSize: 1 << 18 })
  if (gzip) raw.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  let bytes = 0
  try {
    for await (const chunk of (gzip ? gunzip : raw) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (gzip && bytes > ALWAYS_ALLOWED_BYTES && bytes > MAX_RATIO * total) {
        throw new UnreadableBytes(
          `gzip data of more than ${MAX_RATIO} times their size`,
          'a number file, which compresses less: unpack it and see what it is',
        )
      }
      onRead(raw.bytesRead, total)
      yield chunk
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') {
      throw new UnreadableBytes('the end of the gzip file', 'the rest of it: it was cut off')
    }
    if (code.startsWith('Z_')) throw new UnreadableBytes(`damaged gzip data (${code})`, 'a whole gzip file')
    throw error
  } finally {
    raw.destroy()
    gunzip.destroy()
  }
}

/** Unpacks a gzip file into another file. Throws a NumberFileError at its line, or an error of the file system. */
export async function unpackInto(
  to: string,
  file: string,
  onRead: (bytesRead: number, total: number) => void,
): Promise<void> {
  const handle = await open(to, 'w', 0o600)
  try {
    for await (const chunk of unpacked(file, true, onRead)) await handle.writeFile(chunk)
  } catch (error) {
    if (!(error instanceof UnreadableBytes)) throw error
    throw new NumberFileError(file, 1 + (await lineFeedsIn(to)), 1, error.found, error.expected)
  } finally {
    await handle.close()
  }
}

async function lineFeedsIn(file: string): Promise<number> {
  let count = 0
  for await (const chunk of fs.createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) count++
  }
  return count
}
