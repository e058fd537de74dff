// What is in a backup file? A header that names every entry with its checksum, then the entries; compressed, then encrypted.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { compileOnUse } from '@ringfence/server/core/json/compile-on-use.ts'
import type { Decrypter, Encrypter } from 'age-encryption'
import Type, { type Static } from 'typebox'
import { CommandFailed } from '../failure.ts'

const Entry = Type.Object({
  // No name leads out of the folder.
  name: Type.String({
    pattern: '^(ringfence\\.sqlite|ringfence\\.dump|master\\.key|numbers/[A-Za-z0-9][A-Za-z0-9._-]*)$',
  }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type Entry = Static<typeof Entry>

export const Header = Type.Object({
  format: Type.Literal('ringfence-backup'),
  formatVersion: Type.Literal(1),
  /** The version of Ringfence that made the backup. */
  version: Type.String(),
  engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  createdAt: Type.Integer(),
  /** Names, in order. */
  migrations: Type.Array(Type.String()),
  /** Rows of each table. */
  tables: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** For people: the server's configuration file is not in the backup. */
  configurationFile: Type.Optional(Type.String()),
  entries: Type.Array(Entry, { maxItems: 1_000 }),
})
export type Header = Static<typeof Header>

const headerCheck = compileOnUse(Header)
const longestHeader = 1 << 20
const firstLine = 'age-encryption.org/v1'

export type ShowProgress = (phase: string, done: number, total: number) => void

/** An entry for a file of `folder`. */
export async function entryOf(folder: string, name: string): Promise<Entry> {
  const hash = createHash('sha256')
  const path = join(folder, name)
  await pipeline(createReadStream(path), hash)
  return { name, bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

/** Writes a new file that only its owner can read. */
export async function writeArchive(
  file: string,
  header: Header,
  folder: string,
  encrypter: Encrypter,
  show: ShowProgress,
): Promise<void> {
  const total = sizeOf(header)
  async function* content(): AsyncGenerator<Uint8Array> {
    const text = Buffer.from(JSON.stringify(header))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    yield Buffer.concat([length, text])
    let done = 0
    for (const { name } of header.entries) {
      for await (const chunk of createReadStream(join(folder, name), { highWaterMark: 1 << 18 })) {
        done += (chunk as Buffer).length
        show('encrypt', done, total)
        yield chunk as Buffer
      }
    }
  }
  const compressed = Readable.from(content()).compose(createZstdCompress()) as unknown as Readable
  const encrypted = await encrypter.encrypt(webStream(compressed))
  await pipeline(nodeStream(encrypted), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
}

/**
 * Reads a backup file into `folder`, which is empty. `accept` throws when the backup does not fit; nothing is written before.
 * @throws CommandFailed when the key is wrong, or the file is damaged; then entries are incomplete
 */
export async function readArchive(
  file: string,
  decrypter: Decrypter,
  folder: string,
  accept: (header: Header) => void | Promise<void>,
  show: ShowProgress,
): Promise<Header> {
  await refuseOtherFiles(file)
  try {
    const decrypted = await decrypter.decrypt(webStream(createReadStream(file, { highWaterMark: 1 << 18 })))
    const plain = nodeStream(decrypted).compose(createZstdDecompress()) as unknown as Readable
    const reader = new ChunkReader(plain)
    const header = headerOf(await reader.take((await reader.take(4)).readUInt32BE(), longestHeader))
    await accept(header)
    const total = sizeOf(header)
    let done = 0
    for (const entry of header.entries) {
      await readEntry(reader, entry, folder, (bytes) => {
        done += bytes
        show('decrypt', done, total)
      })
    }
    await reader.end()
    return header
  } catch (error) {
    throw explained(error, file)
  }
}

async function readEntry(
  reader: ChunkReader,
  { name, bytes, sha256 }: Entry,
  folder: string,
  read: (bytes: number) => void,
): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const to = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const hash = createHash('sha256')
  try {
    for await (const chunk of reader.upTo(bytes)) {
      hash.update(chunk)
      read(chunk.length)
      await write(to, chunk)
    }
  } finally {
    to.end()
    await finished(to)
  }
  if (hash.digest('hex') !== sha256) throw new Damaged(`the checksum of ${name} is wrong`)
}

const write = (to: WriteStream, chunk: Uint8Array) =>
  new Promise<void>((resolve, reject) => to.write(chunk, (error) => (error ? reject(error) : resolve())))

class Damaged extends Error {}

/** Reads a stream in pieces of chosen lengths. */
class ChunkReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  async take(length: number, longest = length): Promise<Buffer> {
    if (length > longest) throw new Damaged('its header is too long')
    const parts: Buffer[] = []
    for await (const part of this.upTo(length)) parts.push(part)
    return Buffer.concat(parts)
  }

  async *upTo(length: number): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next()
        if (done) throw new Damaged('it ends too early')
        this.#rest = value
      }
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      yield part
    }
  }

  /** The end is checked too: age reports a file that was cut when it reads the last part. */
  async end(): Promise<void> {
    if (this.#rest.length > 0 || !(await this.#chunks.next()).done)
      throw new Damaged('it is longer than its header says')
  }
}

function headerOf(bytes: Buffer): Header {
  const content: unknown = JSON.parse(bytes.toString())
  if (headerCheck.Check(content)) return content
  const { formatVersion, version } = Object(content) as Partial<Record<string, unknown>>
  if (typeof formatVersion === 'number' && formatVersion > 1) {
    throw new CommandFailed(
      `the backup was made by Ringfence ${String(version)}, whose format is newer: restore it with that version`,
    )
  }
  throw new Damaged('its header is not one of Ringfence')
}

async function refuseOtherFiles(file: string): Promise<void> {
  const handle = await open(file).catch((cause) => {
    throw new CommandFailed(`${file} cannot be read: ${(cause as Error).message}`, { cause })
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(firstLine.length))
    if (buffer.toString('latin1', 0, bytesRead) !== firstLine) {
      throw new CommandFailed(`${file} is not a backup of Ringfence: it does not begin with ${firstLine}`)
    }
  } finally {
    await handle.close()
  }
}

function explained(error: unknown, file: string): unknown {
  if (error instanceof CommandFailed) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  if (/^(ENOSPC|EDQUOT|EACCES|EROFS|EIO)$/.test(code)) return error
  if (/no identity matched|passphrase|incorrect/i.test(message)) {
    return new CommandFailed(
      `the passphrase or identity does not open ${file}: use the one that the backup was made with`,
      { cause: error },
    )
  }
  return new CommandFailed(`${file} is damaged or incomplete (${message}): use another copy of it, or another backup`, {
    cause: error,
  })
}

/** Of all entries, in bytes. */
export const sizeOf = ({ entries }: Pick<Header, 'entries'>) => entries.reduce((sum, { bytes }) => sum + bytes, 0)

/** The library has the types of browsers. */
const webStream = (stream: Readable) => Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>
const nodeStream = (stream: globalThis.ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as unknown as ReadableStream)
