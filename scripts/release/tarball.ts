// How is a tarball written so that the same content is the same file? Sorted entries, one date, no owner, no time in gzip.

import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

export interface PackagedFile {
  readonly content: Uint8Array | string
  readonly executable?: boolean
}

/** A .tgz for `npm install`: everything is below `folder`. */
export async function tarball(
  folder: string,
  files: ReadonlyMap<string, PackagedFile>,
  modifiedAt: Date,
): Promise<Buffer> {
  const tar = pack()
  // Level 6 takes a third of the time of level 9, for 1 % more bytes.
  const compressed = buffer(tar.pipe(createGzip({ level: 6 })))
  for (const [path, { content, executable = false }] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const bytes = Buffer.from(content as Uint8Array)
    const head = { name: `${folder}/${path}`, mode: executable ? 0o755 : 0o644, mtime: modifiedAt, size: bytes.length }
    await new Promise<void>((resolve, reject) => {
      tar.entry(head, bytes, (error) => (error ? reject(error) : resolve()))
    })
  }
  tar.finalize()
  return compressed
}
