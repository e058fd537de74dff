// How does `ringfence data update` renew the dated tables? Fetches, checks and replaces those of the configuration file.

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import Type, { type Static } from 'typebox'
import { PublishedUrl } from '../address/called-url.ts'
import { failureText, published, textWithin } from '../files/fetched-text.ts'
import { replaceFile } from '../files/replace-file.ts'
import { type DatedTable, TableRefused } from './dated-table.ts'
import { isOfFuture, newestTable, type TableName, tableFile, tableNames, tableOf } from './tables.ts'

/** Where a newer table is. */
export const PublishedTable = Type.Object(
  {
    url: PublishedUrl(
      'Where it is published: JSON of the form of the table in the release. For `numberingPlans`, metadata.max.json of libphonenumber-js too; for `disposableDomains`, a JSON array of domains, or a text with one in each line',
    ),
  },
  { additionalProperties: false },
)
export const PublishedTables = Type.Partial(
  Type.Object(
    Object.fromEntries(tableNames.map((name) => [name, PublishedTable])) as Record<TableName, typeof PublishedTable>,
  ),
  { additionalProperties: false, description: 'Tables that `ringfence data update` downloads, by their names' },
)
export type PublishedTables = Static<typeof PublishedTables>

export interface TableUpdate {
  readonly name: string
  /** kept: the table that was in use stays in use. */
  readonly outcome: 'updated' | 'kept'
  /** The day of the table in use. */
  readonly asOf: string
  readonly reason?: string
}

const timeoutMs = 60_000
const largestBytes = 16 * 1024 * 1024

/** A table that is damaged, implausible or older than the one in use changes nothing. Throws when the data folder is not writable. */
export async function updateTables({
  dataFolder,
  tables,
  now,
  fetch = globalThis.fetch,
}: {
  dataFolder: string
  tables: PublishedTables
  now: number
  fetch?: typeof globalThis.fetch
}): Promise<TableUpdate[]> {
  const updates: TableUpdate[] = []
  for (const name of tableNames) {
    const url = tables[name]?.url
    if (url === undefined) continue
    const path = tableFile(dataFolder, name)
    const before = inUse(dataFolder, name, now)
    await mkdir(dirname(path), { recursive: true })
    try {
      const { text, datedMs } = await fetched(url, now, fetch)
      const content = tableOf(name).read(withDate(text, datedMs, tableOf(name)))
      if (isOfFuture(content, now)) throw new TableRefused(`it is dated ${content.asOf}, in the future`)
      if (content.asOf < before) throw new TableRefused(`it is dated ${content.asOf}, and the one in use ${before}`)
      await replaceFile(path, JSON.stringify(content))
      updates.push({ name, outcome: 'updated', asOf: content.asOf })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === 'open' && !url.startsWith('file:')) throw error
      updates.push({ name, outcome: 'kept', asOf: before, reason: failureText(error) })
    }
  }
  return updates
}

function inUse(dataFolder: string, name: TableName, now: number): string {
  try {
    return newestTable(dataFolder, name, now).content.asOf
  } catch {
    return tableOf(name).shipped.asOf // damaged: a new one replaces it
  }
}

async function fetched(url: string, now: number, fetch: typeof globalThis.fetch) {
  const { body, lastModifiedMs: datedMs = now } = await published(url, { fetch, timeoutMs })
  return { text: await textWithin({ body }, largestBytes), datedMs }
}

/** libphonenumber-js writes no date into its metadata, and a list of domains has none: that of the file counts. */
function withDate(text: string, datedMs: number, { published }: Pick<DatedTable, 'published'>): string {
  let found: unknown
  try {
    found = published?.(text) ?? JSON.parse(text)
  } catch {
    return text // the table says why it refuses it
  }
  const isUndated = typeof found === 'object' && found !== null && !Array.isArray(found) && !('asOf' in found)
  return isUndated ? JSON.stringify({ ...(found as object), asOf: new Date(datedMs).toISOString().slice(0, 10) }) : text
}
