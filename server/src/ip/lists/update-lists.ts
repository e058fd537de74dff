// How does `ringfence data update` renew the IP address lists? Fetches, checks and merges them into one file.

import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PublishedList, PublishedLists } from '../../core/config/ip-data-settings.ts'
import { failureText, textWithin } from '../../core/files/fetched-text.ts'
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

export interface ListUpdate {
  readonly name: string
  /** kept: the previous list stays in use. missing: there is no list. */
  readonly outcome: 'updated' | 'kept' | 'missing'
  readonly entries: number
  /** Why the list was not updated. */
  readonly reason?: string
}

const timeoutMs = 60_000
const largestBytes = 64 * 1024 * 1024
const leastShareOfBefore = 0.5

/**
 * Fetches every list, and continues with the old one when that fails or the new one is implausible. Replaces the file in one step; a
 * running server loads it automatically. Throws, and changes nothing, when the data folder is not writable.
 */
export async function updateLists({ dataFolder, lists, now, ...options }: UpdateResources): Promise<ListUpdate[]> {
  const path = addressListFile(dataFolder)
  const folder = join(path, '..')
  await mkdir(folder, { recursive: true })
  const updates: ListUpdate[] = []
  const contents: ListContent[] = []
  for (const [name, list] of Object.entries(lists)) {
    const listPath = join(folder, `${encodeURIComponent(name)}.list`)
    const before = await readStored(listPath)
    const fetched = await fetchList(list, before, options)
    const used = 'text' in fetched ? { ...fetched, datedMs: now } : before
    if ('text' in fetched) await replaceFile(listPath, fetched.text, now)
    updates.push({
      name,
      outcome: 'text' in fetched ? 'updated' : used ? 'kept' : 'missing',
      entries: used?.ranges.length ?? 0,
      ...('reason' in fetched && { reason: fetched.reason }),
    })
    if (used) {
      const { kind, crawler } = list
      const { datedMs, ranges } = used
      contents.push({ name, kind, ...(crawler && { crawler }), datedMs, entries: ranges.length, ranges })
    }
  }
  // An empty file would say of every address that no list has it.
  if (contents.length > 0) await replaceFile(path, encodeAddressLists(contents), now)
  return updates
}

type Ranges = ReturnType<typeof rangesOfList>

async function fetchList(
  { url }: PublishedList,
  before: { ranges: Ranges } | undefined,
  { fetch = globalThis.fetch, force = false }: Pick<UpdateResources, 'fetch' | 'force'>,
): Promise<{ text: string; ranges: Ranges } | { reason: string }> {
  try {
    const text = url.startsWith('file:') ? await readFile(new URL(url), 'utf8') : await download(url, fetch)
    const ranges = rangesOfList(text)
    if (before && !force && ranges.length < leastShareOfBefore * before.ranges.length) {
      return {
        reason: `it has ${ranges.length} entries, and the one in use ${before.ranges.length}; --force accepts it`,
      }
    }
    return { text, ranges }
  } catch (error) {
    return { reason: failureText(error) }
  }
}

async function download(url: string, fetch: typeof globalThis.fetch): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new ListRefused(`HTTP ${response.status}`)
  return textWithin(response, largestBytes)
}

/** The list as last fetched; undefined when it was never fetched, or can no longer be read. */
async function readStored(path: string): Promise<{ ranges: Ranges; datedMs: number } | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    return { ranges: rangesOfList(text), datedMs: Math.round(mtimeMs) }
  } catch (error) {
    if (error instanceof ListRefused || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
