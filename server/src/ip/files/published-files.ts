// Which IP files does `ringfence data update` fetch? Those of the configuration file. Without any, the starter data are used.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'

/** A file, under a name of your choice in the configuration file. Files of one kind are searched in the order of their names. */
export const PublishedFile = Type.Object(
  {
    kind: Type.Enum(['city', 'asn'], {
      description: 'What the file contains: the location of an IP address, or its network operator',
    }),
    url: Type.String({
      pattern: '^(https?|file)://',
      description:
        'Where it is published: an MMDB file, plain or gzip. {YYYY-MM} is this month, or the previous month if this month’s file does not exist yet',
    }),
  },
  { additionalProperties: false },
)
export type PublishedFile = Static<typeof PublishedFile>

export type PublishedFiles = Readonly<Record<string, PublishedFile>>

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
