// Which IP files does `ringfence data update` fetch? Those of the configuration file. Without any, the starter data are used.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PublishedFile } from '../../core/config/ip-data-settings.ts'

const folderOf = (dataFolder: string) => join(dataFolder, 'ip-files')

/** Where a fetched file is stored. */
export const fetchedFile = (dataFolder: string, kind: PublishedFile['kind'], name: string) =>
  join(folderOf(dataFolder), `${kind}-${encodeURIComponent(name)}.mmdb`)

/** The fetched files of a kind, in the order in which they are searched. */
export function fetchedFiles(dataFolder: string, kind: PublishedFile['kind']): string[] {
  let names: string[]
  try {
    names = readdirSync(folderOf(dataFolder))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const own = names.filter((name) => name.startsWith(`${kind}-`) && name.endsWith('.mmdb'))
  return own.toSorted().map((name) => join(folderOf(dataFolder), name))
}
