// Where is the service that a test starts? Named, in a clone of the repository, installed beside the test, or on the path.

import { existsSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'

export interface Program {
  readonly file: string
  readonly args: readonly string[]
}

/** There is no service to start. The message says where it was searched and what to do. */
export class ServiceNotFound extends Error {
  override name = 'ServiceNotFound'
}

export interface Places {
  /** Option `program` of start. */
  readonly named?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folder of the test. */
  readonly from: string
  /** Folder of this package's code. */
  readonly own: string
}

/** @throws ServiceNotFound */
export function findProgram({ named, environment, from, own }: Places): Program {
  const chosen = named ?? (environment.RINGFENCE_PROGRAM || undefined)
  if (chosen !== undefined) {
    const file = resolve(from, chosen)
    if (existsSync(file)) return programOf(file)
    const by = named === undefined ? 'RINGFENCE_PROGRAM' : 'the option program'
    throw new ServiceNotFound(`${file}, which ${by} names, does not exist: name bin/ringfence of an unpacked release`)
  }
  const clone = [join(own, '..', '..', 'cli', 'bin', 'ringfence.js')]
  const installed = [from, own]
    .flatMap(foldersUpFrom)
    .map((folder) => join(folder, 'node_modules', '.bin', 'ringfence'))
  const onPath = (environment.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, 'ringfence'))
  const found = [...clone, ...installed, ...onPath].find((file) => existsSync(file))
  if (found !== undefined) return programOf(found)
  throw new ServiceNotFound(
    `no Ringfence to start: neither in node_modules of ${from} or a folder above it, nor on the path. Install the server's package beside @ringfence/testing (npm install --save-dev ./ringfence-VERSION.tgz), or name its program with start({ program: '…/bin/ringfence' }) or RINGFENCE_PROGRAM`,
  )
}

/** A script needs the Node of the test; its first lines find a newer one. */
const programOf = (file: string): Program =>
  /\.[cm]?js$/.test(file) ? { file: process.execPath, args: [file] } : { file, args: [] }

function foldersUpFrom(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)]
}
