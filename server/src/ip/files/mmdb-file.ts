// How is an MMDB file opened, and refused when it is truncated or another format? (MaxMind DB file format 2.0)

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { Reader, type Response } from 'mmdb-lib'
import { parseMetadata } from 'mmdb-lib/lib/metadata.js'
import Type, { type Static } from 'typebox'
import { type Address, parseAddress } from '../../core/address/address.ts'
import { DataFileError } from '../../core/files/data-file-error.ts'
import { compileOnUse } from '../../core/json/compile-on-use.ts'

/** The metadata of a file. */
export interface MmdbHead {
  readonly path: string
  /** As the publisher names it: `GeoLite2-City`, `DBIP-City-Lite`. */
  readonly databaseType: string
  /** When it was built. */
  readonly builtAtMs: number
  readonly ipVersion: 4 | 6
  readonly sizeBytes: number
  /** With zstd, as the release has the starter data. The metadata follow in plain, in a frame that decompressors skip. */
  readonly isCompressed: boolean
}

export interface MmdbFile {
  readonly head: MmdbHead
  /**
   * Returns the record of the IP address and the length of the prefix that shares it, or undefined when there is none.
   * Throws when the file is damaged there.
   */
  find(address: Address): { record: unknown; prefixLength: number } | undefined
}

const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')
/** The metadata are within the last 128 KiB. */
const tailBytes = 131_072
/** Zeros between the tree and the data. */
const separatorBytes = 16
const zstdMagic = Buffer.from('28b52ffd', 'hex')

const metadataSchema = Type.Object({
  binaryFormatMajorVersion: Type.Literal(2),
  databaseType: Type.String(),
  ipVersion: Type.Enum([4, 6]),
  nodeCount: Type.Integer({ minimum: 1 }),
  searchTreeSize: Type.Integer({ minimum: 1 }),
})
const metadataCheck = compileOnUse(metadataSchema)
type Metadata = Static<typeof metadataSchema> & { buildEpoch: Date }

/**
 * Reads and checks the metadata in about a millisecond, whatever the size of the file. A truncated file has no metadata at its end,
 * and a file that lacks a part of its tree has no zeros behind it. Throws a DataFileError with the reason and the remedy.
 */
export function readMmdbHead(path: string, remedy: string): MmdbHead {
  const refuse = (reason: string, cause?: unknown) => new DataFileError(path, reason, remedy, { cause })
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (cause) {
    throw refuse(`cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause)
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw refuse('is not a file')
    const { size } = stats
    const tail = Buffer.alloc(Math.min(size, tailBytes))
    readSync(file, tail, 0, tail.length, size - tail.length)
    const markerAt = tail.lastIndexOf(marker)
    if (markerAt < 0)
      throw refuse('has no MMDB metadata at its end: it is truncated, still compressed, or not an MMDB file')
    const metadata = metadataOf(tail.subarray(markerAt))
    if (!metadata) throw refuse('has MMDB metadata that cannot be read: it is damaged, or its format is newer')
    const { searchTreeSize, databaseType, ipVersion, buildEpoch } = metadata
    const begin = Buffer.alloc(zstdMagic.length)
    readSync(file, begin, 0, begin.length, 0)
    const isCompressed = begin.equals(zstdMagic)
    // Stays unchanged when the file ends before.
    const separator = Buffer.alloc(separatorBytes, 0xff)
    if (!isCompressed) {
      readSync(file, separator, 0, separatorBytes, searchTreeSize)
      if (separator.some((byte) => byte !== 0)) throw refuse('is damaged: its tree does not end where it should')
    }
    return { path, databaseType, builtAtMs: buildEpoch.getTime(), ipVersion, sizeBytes: size, isCompressed }
  } finally {
    closeSync(file)
  }
}

/** Reads the whole file into memory, off the event loop. Throws as `readMmdbHead`. */
export async function openMmdb(path: string, remedy: string): Promise<MmdbFile> {
  const head = readMmdbHead(path, remedy)
  const reader = new Reader<Response>(await contentOf(head, remedy), { cache: firstDecoded() })
  const file: MmdbFile = {
    head,
    find({ text, words }) {
      if (words.length > 1 && head.ipVersion === 4) return undefined
      const [record, prefixLength] = reader.getWithPrefixLength(text)
      return record === null ? undefined : { record, prefixLength }
    },
  }
  checkSamples(file, remedy)
  return file
}

/** The number of sample addresses of each family, spread evenly over the assigned ones. */
const samples = 512

/** IP addresses that a file may know. Some of them hit a part that is missing or overwritten. */
export function sampleAddresses(ipVersion: 4 | 6): Address[] {
  return Array.from({ length: samples }, (_, i) => {
    const word = ((i + 0.5) * 2 ** 32) / samples
    const v4 = [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join('.')
    // Of IPv6, 2000::/3.
    const v6 = `${(0x2000 + ((word >>> 19) & 0x1fff)).toString(16)}:${((word >>> 3) & 0xffff).toString(16)}::1`
    return (ipVersion === 4 ? [v4] : [v4, v6]).map((text) => parseAddress(text)!)
  }).flat()
}

function checkSamples({ head: { path, ipVersion }, find }: MmdbFile, remedy: string): void {
  for (const address of sampleAddresses(ipVersion)) {
    try {
      find(address)
    } catch (cause) {
      throw new DataFileError(path, `is damaged: ${address.text} cannot be looked up`, remedy, { cause })
    }
  }
}

async function contentOf(head: MmdbHead, remedy: string): Promise<Buffer> {
  const bytes = await readWhole(head, remedy)
  if (!head.isCompressed) return bytes
  return promisify(zstdDecompress)(bytes).catch((cause) => {
    throw new DataFileError(head.path, 'is damaged: it cannot be decompressed', remedy, { cause })
  })
}

/** One allocation and one read. readFile would read and wait piece by piece. */
async function readWhole({ path, sizeBytes }: MmdbHead, remedy: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes)
  await using file = await open(path)
  const { bytesRead } = await file.read(bytes, 0, sizeBytes, 0)
  if (bytesRead < sizeBytes) throw new DataFileError(path, 'became shorter while it was read', remedy)
  return bytes
}

/**
 * Caches the first decoded values by offset. Records share keys and names, and the common ones come first, so look-ups need not decode
 * them again. Bounded, because the reader has no limit.
 */
function firstDecoded(limit = 4096): { get(offset: number): unknown; set(offset: number, value: unknown): void } {
  const cached = new Map<number, unknown>()
  return {
    get: (offset) => cached.get(offset),
    set(offset, value) {
      if (cached.size < limit) cached.set(offset, value)
    },
  }
}

function metadataOf(bytes: Buffer): Metadata | undefined {
  try {
    const metadata = parseMetadata(bytes) as unknown as Metadata
    return metadataCheck.Check(metadata) && !Number.isNaN(metadata.buildEpoch.getTime()) ? metadata : undefined
  } catch {
    return undefined
  }
}
