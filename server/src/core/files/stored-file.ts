// How do all data files that Ringfence builds prove that they are complete? One frame: data, index, head, footer.
//
//   data | index | head (JSON) | footer of 32 bytes:
//   magic 8 bytes · data bytes f64 · index bytes u32 · head bytes u32 · format version u32 · CRC-32 of index, head and footer
//
// In the byte order of the machine: another machine reads another version and refuses the file. The checksum does not cover
// the data, because large data is read block by block: each format verifies its own.

import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { DataFileError } from './data-file-error.ts'

const FOOTER_BYTES = 32

export interface StoredFormat<Head> {
  /** Eight ASCII characters. */
  readonly magic: string
  /** Raise it with every change of the layout, so that older files are rebuilt. */
  readonly version: number
  isHead(value: unknown): value is Head
  /** What a person can do about a file that cannot be used, as a sentence. */
  readonly remedy: string
}

/** The bytes of a file without data. */
export function encodeStoredFile<Head extends object>(
  format: StoredFormat<Head>,
  columns: readonly NodeJS.ArrayBufferView[],
  head: Head,
): Uint8Array {
  return Buffer.concat(trailer(format, 0, Buffer.concat(columns.map(bytesOf)), head))
}

/** Writes index, head and footer behind the data and flushes all of it to disk. Returns the size of the file in bytes. */
export function sealStoredFile<Head extends object>(
  fd: number,
  format: StoredFormat<Head>,
  dataBytes: number,
  index: Uint8Array,
  head: Head,
): number {
  let position = dataBytes
  for (const part of trailer(format, dataBytes, index, head)) {
    writeFully(fd, part, position)
    position += part.length
  }
  fs.fsyncSync(fd)
  return position
}

function trailer(
  { magic, version }: Pick<StoredFormat<object>, 'magic' | 'version'>,
  dataBytes: number,
  index: Uint8Array,
  head: object,
): Uint8Array[] {
  const headBytes = Buffer.from(JSON.stringify(head))
  const footer = new Uint8Array(FOOTER_BYTES)
  footer.set(Buffer.from(magic, 'latin1'))
  new Float64Array(footer.buffer)[1] = dataBytes
  const words = new Uint32Array(footer.buffer)
  words.set([index.length, headBytes.length, version], 4)
  words[7] = checksum(index, headBytes, footer)
  return [index, headBytes, footer]
}

export function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  let written = 0
  while (written < bytes.length) {
    written += fs.writeSync(fd, bytes, written, bytes.length - written, position + written)
  }
}

export interface StoredFile<Head> {
  readonly path: string
  /** Open for reading; its owner closes it. */
  readonly handle: FileHandle
  readonly dataBytes: number
  readonly index: ArrayBuffer
  readonly head: Head
}

/**
 * Opens the file and verifies everything except the data.
 *
 * @throws DataFileError when the file is missing, truncated, altered or of another version
 */
export async function openStoredFile<Head>(path: string, format: StoredFormat<Head>): Promise<StoredFile<Head>> {
  const handle = await open(path, 'r').catch((cause) => {
    throw unreadable(path, format, cause)
  })
  try {
    const { size } = await handle.stat()
    const tail = Math.min(size, FOOTER_BYTES)
    const frame = frameOf(
      path,
      format,
      new Uint8Array(await readExactly(handle, path, format, size - tail, tail)),
      size,
    )
    const { dataBytes, indexBytes, headBytes } = frame
    const trailer = await readExactly(handle, path, format, dataBytes, indexBytes + headBytes)
    const index = trailer.slice(0, indexBytes)
    const headJson = new Uint8Array(trailer, indexBytes)
    return { path, handle, dataBytes, index, head: headOf(path, format, new Uint8Array(index), headJson, frame) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** As `openStoredFile`, but with the data in memory, and the file closed again: one read, off the event loop. */
export async function loadStoredFile<Head>(path: string, format: StoredFormat<Head>): Promise<LoadedFile<Head>> {
  const handle = await open(path, 'r').catch((cause) => {
    throw unreadable(path, format, cause)
  })
  try {
    const { size } = await handle.stat()
    const bytes = await readExactly(handle, path, format, 0, size)
    const frame = frameOf(path, format, new Uint8Array(bytes.slice(Math.max(0, size - FOOTER_BYTES))), size)
    const { dataBytes, indexBytes, headBytes } = frame
    const index = bytes.slice(dataBytes, dataBytes + indexBytes)
    const headJson = new Uint8Array(bytes, dataBytes + indexBytes, headBytes)
    return { path, bytes, dataBytes, index, head: headOf(path, format, new Uint8Array(index), headJson, frame) }
  } finally {
    await handle.close()
  }
}

export interface LoadedFile<Head> extends Omit<StoredFile<Head>, 'handle'> {
  /** The whole file, which begins with the data. */
  readonly bytes: ArrayBuffer
}

export interface WholeFile<Head> {
  readonly sizeBytes: number
  /** The whole file, which begins with the index. */
  readonly index: ArrayBuffer
  readonly indexBytes: number
  readonly head: Head
}

/** Reads a file without data into memory, and verifies all of it. Throws as `openStoredFile`. */
export function readStoredFile<Head>(path: string, format: StoredFormat<Head>): WholeFile<Head> {
  let file: Uint8Array<ArrayBuffer>
  try {
    // A separate buffer, so that the columns are aligned whatever buffer Node reads into.
    file = new Uint8Array(fs.readFileSync(path))
  } catch (cause) {
    throw unreadable(path, format, cause)
  }
  const frame = frameOf(path, format, file.slice(-FOOTER_BYTES), file.length)
  const { indexBytes, headBytes } = frame
  const head = headOf(
    path,
    format,
    file.subarray(0, indexBytes),
    file.subarray(indexBytes, indexBytes + headBytes),
    frame,
  )
  return { sizeBytes: file.length, index: file.buffer, indexBytes, head }
}

/** Verifies the footer only, whatever the size of the file. Throws as `openStoredFile`. */
export function checkStoredFile(path: string, format: StoredFormat<unknown>): void {
  let fd: number
  try {
    fd = fs.openSync(path, 'r')
  } catch (cause) {
    throw unreadable(path, format, cause)
  }
  try {
    const { size } = fs.fstatSync(fd)
    const footer = new Uint8Array(Math.min(size, FOOTER_BYTES))
    fs.readSync(fd, footer, 0, footer.length, size - footer.length)
    frameOf(path, format, footer, size)
  } finally {
    fs.closeSync(fd)
  }
}

interface Frame {
  readonly footer: Uint8Array
  readonly dataBytes: number
  readonly indexBytes: number
  readonly headBytes: number
  readonly checksum: number
}

function frameOf(path: string, format: StoredFormat<unknown>, footer: Uint8Array<ArrayBuffer>, size: number): Frame {
  const refuse = (reason: string) => new DataFileError(path, reason, format.remedy)
  if (footer.length < FOOTER_BYTES) throw refuse(`is truncated: ${size} bytes are less than its footer`)
  if (Buffer.from(footer.subarray(0, 8)).toString('latin1') !== format.magic) {
    throw refuse(`is truncated or altered: it does not end in a ${format.magic} footer`)
  }
  const dataBytes = new Float64Array(footer.buffer)[1]!
  const [indexBytes = 0, headBytes = 0, version, stored = 0] = new Uint32Array(footer.buffer, 16)
  if (version !== format.version) {
    throw refuse(`has format version ${version}, and this release reads version ${format.version}`)
  }
  const expectedSize = dataBytes + indexBytes + headBytes + FOOTER_BYTES
  if (size !== expectedSize) throw refuse(`is truncated or altered: ${size} bytes instead of ${expectedSize}`)
  return { footer, dataBytes, indexBytes, headBytes, checksum: stored }
}

function headOf<Head>(
  path: string,
  format: StoredFormat<Head>,
  index: Uint8Array,
  headJson: Uint8Array,
  frame: Frame,
): Head {
  if (checksum(index, headJson, frame.footer) !== frame.checksum) {
    throw new DataFileError(path, 'is altered: its checksum does not match', format.remedy)
  }
  const head: unknown = JSON.parse(Buffer.from(headJson).toString())
  if (!format.isHead(head)) throw new DataFileError(path, 'is altered: its head is not of this format', format.remedy)
  return head
}

function unreadable(path: string, { remedy }: StoredFormat<unknown>, cause: unknown): DataFileError {
  return new DataFileError(path, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, remedy, { cause })
}

/** Reads `length` bytes off the event loop. */
export async function readExactly(
  handle: FileHandle,
  path: string,
  { remedy }: Pick<StoredFormat<never>, 'remedy'>,
  position: number,
  length: number,
) {
  // Not zeroed: that would touch every page on the event loop, 1 ms for 4 MB. Each byte is read, or this throws.
  const bytes = Buffer.allocUnsafeSlow(length).buffer
  let done = 0
  while (done < length) {
    const { bytesRead } = await handle.read(new Uint8Array(bytes, done), { position: position + done })
    if (bytesRead === 0) throw new DataFileError(path, `is truncated at byte ${position + done}`, remedy)
    done += bytesRead
  }
  return bytes
}

function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function checksum(index: Uint8Array, head: Uint8Array, footer: Uint8Array): number {
  return crc32(footer.subarray(0, FOOTER_BYTES - 4), crc32(head, crc32(index)))
}
