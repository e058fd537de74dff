// How do events get into a file? One JSON line each (NDJSON); the file is opened for each batch, so it may be rotated at any time.

import { access, constants, type FileHandle, open, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import Type from 'typebox'
import { type Sink, sinkKind, streamProperties } from './stream.ts'

const lineFeed = 0x0a

export const fileSink = sinkKind({
  type: 'file',
  Config: Type.Object(
    {
      type: Type.Literal('file', { description: 'the kind of stream' }),
      path: Type.String({
        minLength: 1,
        maxLength: 4096,
        description:
          'the file; it is made when it is missing, its folder is not. Readable by the user of the service only',
      }),
      ...streamProperties,
    },
    { additionalProperties: false },
  ),
  create(_, { path }): Sink {
    const place = resolve(path)
    return {
      async write(records) {
        await isThere(place)
        await using file = await open(place, 'a+', 0o600)
        const { size } = await file.stat()
        const lines = records.map(({ json }) => `${json}\n`).join('')
        await file.appendFile((await endsInALine(file, size)) ? lines : `\n${lines}`)
        await file.datasync()
        if (size === 0) await syncFolder(dirname(place))
      },
      async check() {
        if (await isThere(place)) return access(place, constants.W_OK)
        const folder = dirname(place)
        if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`)
        await access(folder, constants.W_OK)
      },
    }
  },
})

/** Throws when it is not a regular file: opening a pipe would wait for its reader. */
async function isThere(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined)
  if (found && !found.isFile()) throw new Error(`${place} is not a regular file`)
  return found !== undefined
}

/** False when a write was cut off by a kill or a full disk: its rest must not spoil the next line. */
async function endsInALine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true
  const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 })
  return buffer[0] === lineFeed
}

/** A new file exists after a power failure only if its folder was written too. */
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}
