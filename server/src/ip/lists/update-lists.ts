// How does `ringfence data update` renew the IP address lists? Fetches, checks and merges them into one file.

import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublishedLists } from '../../core/config/ip-data-settings.ts'
import { publishedText } from '../../core/files/fetched-text.ts'
import { type Renewal, renewed } from '../../core/files/renewal.ts'
import { replaceFile } from '../../core/files/replace-file.ts'
import { encodeAddressLists, type ListContent } from './address-lists.ts'
import { ListRefused, rangesOfList } from './published-list.ts'

/** All lists in one file. The fetched lists are beside it, so that a failed download uses the previous list. */
export const addressListFile = (dataFolder: string) => join(dataFolder, 'ip-lists', 'anonymity.bin')

export interface UpdateResources {
  dataFolder: string
  lists: PublishedLists
  now: number
  fetch?: typeof globalThis.fetch
  /** Accept a list that lost more than half of its entries. */
  force?: boolean
}

const limits = { timeoutMs: 60_000, largestBytes: 64 * 1024 * 1024 }

/**
 * Fetches every list, and continues with the old one when that fails or the new one is implausible. Replaces the file in one step; a
 * running server loads it automatically. Throws, and changes nothing, when the data folder is not writable.
 */
export async function updateLists({
  dataFolder,
  lists,
  now,
  fetch,
  force = false,
}: UpdateResources): Promise<Renewal[]> {
  const path = addressListFile(dataFolder)
  const folder = join(path, '..')
  await mkdir(folder, { recursive: true })
  const updates: Renewal[] = []
  const contents: ListContent[] = []
  for (const [name, { url, kind, crawler }] of Object.entries(lists)) {
    const listPath = join(folder, `${encodeURIComponent(name)}.list`)
    const { renewal, used } = await renewed({
      name,
      fetch: async () => listIn(await publishedText(url, { ...limits, fetch }), now),
      previous: await readStored(listPath),
      entriesOf: ({ ranges }) => ranges.length,
      mayShrink: force,
    })
    if (used && renewal.outcome === 'updated') await replaceFile(listPath, used.text, now)
    updates.push(renewal)
    if (used) {
      const { datedMs, ranges } = used
      contents.push({ name, kind, ...(crawler && { crawler }), datedMs, entries: ranges.length, ranges })
    }
  }
  // An empty file would say of every address that no list has it.
  if (contents.length > 0) await replaceFile(path, encodeAddressLists(contents), now)
  return updates
}

const listIn = (text: string, datedMs: number) => ({ text, ranges: rangesOfList(text), datedMs })

/** The list as last fetched; undefined when it was never fetched, or can no longer be read. */
async function readStored(path: string): Promise<ReturnType<typeof listIn> | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    return listIn(text, Math.round(mtimeMs))
  } catch (error) {
    if (error instanceof ListRefused || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
