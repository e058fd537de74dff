// Is this stored file whole, and what are its index and its head? The frame that block files and range files share.
//
//   data | index | head (JSON) | footer of 32 bytes:
//   magic 8 bytes · data bytes f64 · index bytes u32 · head bytes u32 · format version u32 · CRC-32 of index, head and footer
//
// Little-endian. The data are guarded by whoever lays them out.

import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const FOOTER_BYTES = 32

export interface StoredFormat {
  /** Eight ASCII characters. */
  readonly magic: string
  readonly version: number
}

/** A stored file is truncated, altered, or of a format that this release does not read. */
export class DamagedNumberFile extends Error {
  override name = 'DamagedNumberFile'
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}. Import the full number file again.`)
  }
}

/** Writes index, head and footer behind the data and makes all of it durable. Answers the size of the file in bytes. */
export function sealStoredFile(
  fd: number,
  format: StoredFormat,
  dataBytes: number,
  index: Uint8Array,
  head: object,
): number {
  const headBytes = Buffer.from(JSON.stringify(head))
  const footer = Buffer.alloc(FOOTER_BYTES)
  footer.write(format.magic, 0, 8, 'latin1')
  footer.writeDoubleLE(dataBytes, 8)
  footer.writeUInt32LE(index.length, 16)
  footer.writeUInt32LE(headBytes.length, 20)
  footer.writeUInt32LE(format.version, 24)
  footer.writeUInt32LE(checksum(index, headBytes, footer), 28)
  let position = dataBytes
  for (const part of [index, headBytes, footer]) {
    writeFully(fd, part, position)
    position += part.length
  }
  fs.fsyncSync(fd)
  return position
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

/** Opens the file and checks everything but the data. Throws `DamagedNumberFile`, or the error of the file system. */
export async function openStoredFile<Head>(
  path: string,
  format: StoredFormat,
  isHead: (value: unknown) => value is Head,
): Promise<StoredFile<Head>> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    if (size < FOOTER_BYTES) throw new DamagedNumberFile(path, `truncated: ${size} bytes are less than its footer`)
    const footer = Buffer.from(await readExactly(handle, path, size - FOOTER_BYTES, FOOTER_BYTES))
    if (footer.toString('latin1', 0, 8) !== format.magic) {
      throw new DamagedNumberFile(path, `truncated or altered: it does not end in a ${format.magic} footer`)
    }
    const version = footer.readUInt32LE(24)
    if (version !== format.version) {
      throw new DamagedNumberFile(path, `format version ${version}, this release reads version ${format.version}`)
    }
    const dataBytes = footer.readDoubleLE(8)
    const indexBytes = footer.readUInt32LE(16)
    const headBytes = footer.readUInt32LE(20)
    const expectedSize = dataBytes + indexBytes + headBytes + FOOTER_BYTES
    if (size !== expectedSize) {
      throw new DamagedNumberFile(path, `truncated or altered: ${size} bytes instead of ${expectedSize}`)
    }
    const index = await readExactly(handle, path, dataBytes, indexBytes)
    const headJson = Buffer.from(await readExactly(handle, path, dataBytes + indexBytes, headBytes))
    if (checksum(new Uint8Array(index), headJson, footer) !== footer.readUInt32LE(28)) {
      throw new DamagedNumberFile(path, 'altered: the checksum of its index does not match')
    }
    const head: unknown = JSON.parse(headJson.toString())
    if (!isHead(head)) throw new DamagedNumberFile(path, 'altered: its head is not of this format')
    return { path, handle, dataBytes, index, head }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Reads `length` bytes off the event loop. */
export async function readExactly(handle: FileHandle, path: string, position: number, length: number) {
  const bytes = new ArrayBuffer(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await handle.read(new Uint8Array(bytes, done), { position: position + done })
    if (bytesRead === 0) throw new DamagedNumberFile(path, `truncated at byte ${position + done}`)
    done += bytesRead
  }
  return bytes
}

function checksum(index: Uint8Array, head: Uint8Array, footer: Uint8Array): number {
  return crc32(footer.subarray(0, FOOTER_BYTES - 4), crc32(head, crc32(index)))
}
