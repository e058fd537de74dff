// Which IP files does `ringfence data update` fetch? Those of the configuration file. Without any, the starter data are used.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'

/** A file, by a name of one's own in the configuration file; those of a kind are asked in the order of their names. */
export const PublishedFile = Type.Object(
  {
    kind: Type.Enum(['city', 'asn'], {
      description: 'What the file has: the place of an IP address, or its network operator',
    }),
    url: Type.String({
      pattern: '^(https?|file)://',
      description:
        'Where it is published, MMDB as it is or in gzip. {YYYY-MM} stands for this month, or the one before where this one’s is not there yet',
    }),
  },
  { additionalProperties: false },
)
export type PublishedFile = Static<typeof PublishedFile>

export type PublishedFiles = Readonly<Record<string, PublishedFile>>

const folderOf = (dataFolder: string) => join(dataFolder, 'ip-files')

/** Where a fetched file is kept. */
export const fetchedFile = (dataFolder: string, kind: PublishedFile['kind'], name: string) =>
  join(folderOf(dataFolder), `${kind}-${encodeURIComponent(name)}.mmdb`)

/** The files of a kind that were fetched, in the order in which they are asked. */
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
