// How does `ringfence data update` renew the IP files? Fetches, checks and replaces them.

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { PublishedFile, PublishedFiles } from '../../core/config/ip-data-settings.ts'
import { DataFileError } from '../../core/files/data-file-error.ts'
import { failureText, NotPublished, published } from '../../core/files/fetched-text.ts'
import { isInFuture } from '../../core/files/renewal.ts'
import { autonomousSystemOf, placeOf } from '../place.ts'
import { type MmdbHead, openMmdb, readMmdbHead, sampleAddresses } from './mmdb-file.ts'
import { fetchedFile } from './published-files.ts'

export interface FileUpdateResources {
  dataFolder: string
  files: PublishedFiles
  now: number
  fetch?: typeof globalThis.fetch
  /** Accept a file that is older, or less than half as large. */
  force?: boolean
}

export interface FileUpdate {
  readonly name: string
  /** kept: the previous file stays in use. missing: there is no file. */
  readonly outcome: 'updated' | 'kept' | 'missing'
  /** Size of the file in use. */
  readonly sizeBytes: number
  /** Why the file was not updated. */
  readonly reason?: string
}

/** The file cannot be used. The message says why. */
class FileRefused extends Error {}

const timeoutMs = 600_000
const largestBytes = 4 * 1024 ** 3
const leastShareOfBefore = 0.5

/**
 * Fetches and checks every file, then moves it into place. When that fails, the old file stays. Removes files of other names once
 * all named files exist. Throws when the data folder is not writable.
 */
export async function updateFiles({ dataFolder, files, now, ...options }: FileUpdateResources): Promise<FileUpdate[]> {
  const updates: FileUpdate[] = []
  const places = Object.entries(files).map(([name, { kind }]) => fetchedFile(dataFolder, kind, name))
  const folder = dirname(fetchedFile(dataFolder, 'city', ''))
  if (places.length > 0) await mkdir(folder, { recursive: true })
  for (const [index, [name, file]] of Object.entries(files).entries()) {
    const place = places[index]!
    const before = headOf(place)
    const draft = `${place}.${process.pid}`
    let reason: string | undefined
    try {
      await fetchTo(draft, file, now, options.fetch ?? globalThis.fetch)
      await check(draft, file.kind, options.force ? undefined : before, now)
      await rename(draft, place)
    } catch (error) {
      reason = reasonOf(error)
    } finally {
      await rm(draft, { force: true })
    }
    const outcome = reason === undefined ? 'updated' : before ? 'kept' : 'missing'
    updates.push({ name, outcome, sizeBytes: headOf(place)?.sizeBytes ?? 0, ...(reason !== undefined && { reason }) })
  }
  const isWhole = updates.length > 0 && updates.every(({ outcome }) => outcome !== 'missing')
  if (isWhole) await removeOthers(folder, places)
  return updates
}

const headOf = (path: string): MmdbHead | undefined => {
  try {
    return readMmdbHead(path, '')
  } catch {
    return undefined // missing or unusable
  }
}

async function removeOthers(folder: string, places: readonly string[]): Promise<void> {
  const names = await readdir(folder)
  const others = names
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.mmdb') && !places.includes(path))
  await Promise.all(others.map((path) => rm(path)))
}

async function fetchTo(
  draft: string,
  { url }: PublishedFile,
  now: number,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const packed = `${draft}.fetched`
  try {
    await write(await sourceOf(url, now, fetch), packed)
    if (await isGzip(packed)) await write(createReadStream(packed).pipe(createGunzip()), draft)
    else await rename(packed, draft)
  } finally {
    await rm(packed, { force: true })
  }
}

async function sourceOf(url: string, now: number, fetch: typeof globalThis.fetch): Promise<Readable> {
  const [first, second] = [0, 1].map((monthsAgo) => url.replaceAll('{YYYY-MM}', monthOf(now, monthsAgo))) as [
    string,
    string,
  ]
  const options = { fetch, timeoutMs }
  try {
    return Readable.from((await published(first, options)).body)
  } catch (error) {
    if (!(error instanceof NotPublished) || second === first) throw error
    return Readable.from((await published(second, options)).body)
  }
}

function monthOf(now: number, monthsAgo: number): string {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsAgo)).toISOString().slice(0, 7)
}

/** Flushes to disk. Refuses a file that is larger than any real one. */
async function write(source: Readable, path: string): Promise<void> {
  let bytes = 0
  const limit = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length
      if (bytes > largestBytes) done(new FileRefused(`it has more than ${largestBytes} bytes`))
      else done(null, chunk)
    },
  })
  await pipeline(source, limit, createWriteStream(path, { flush: true, mode: 0o644 }))
}

async function isGzip(path: string): Promise<boolean> {
  await using file = await open(path)
  const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
  return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b
}

/** Throws for a file that is damaged, has no data of its kind, is dated in the future, or cannot be newer than the previous one. */
async function check(
  path: string,
  kind: PublishedFile['kind'],
  before: MmdbHead | undefined,
  now: number,
): Promise<void> {
  const { head, find } = await openMmdb(path, '')
  const hasData = (record: unknown) =>
    (kind === 'city' ? placeOf(record).countryCode : autonomousSystemOf(record)) !== undefined
  if (!sampleAddresses(head.ipVersion).some((address) => hasData(find(address)?.record))) {
    throw new FileRefused(
      `it is ${head.databaseType}, which has no ${kind === 'city' ? 'locations' : 'network operators'}`,
    )
  }
  if (isInFuture({ datedMs: head.builtAtMs }, now)) throw new FileRefused(`it is dated ${dayOf(head)}, in the future`)
  if (!before) return
  if (head.builtAtMs < before.builtAtMs && !isInFuture({ datedMs: before.builtAtMs }, now)) {
    throw new FileRefused(`it is dated ${dayOf(head)}, and the one in use ${dayOf(before)}; --force accepts it`)
  }
  const { size } = await stat(path)
  if (size < leastShareOfBefore * before.sizeBytes) {
    throw new FileRefused(`it has ${size} bytes, and the one in use ${before.sizeBytes}; --force accepts it`)
  }
}

const dayOf = ({ builtAtMs }: MmdbHead) => new Date(builtAtMs).toISOString().slice(0, 10)

function reasonOf(error: unknown): string {
  return error instanceof DataFileError ? `it ${error.reason}` : failureText(error)
}
