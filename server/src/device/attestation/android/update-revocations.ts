// How does `ringfence data update` renew the status lists of attestation certificates? Fetches and checks them into one file.

import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import Type from 'typebox'
import type { RevocationSources } from '../../../core/config/attestation-settings.ts'
import { failureText, textWithin } from '../../../core/files/fetched-text.ts'
import { replaceFile } from '../../../core/files/replace-file.ts'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import { readStoredRevocations, revocationFile, type StoredRevocations } from './revocation-list.ts'

export interface UpdateRevocationsResources {
  readonly dataFolder: string
  readonly lists: RevocationSources
  readonly now: number
  readonly fetch?: typeof globalThis.fetch
  /** Accept a list that lost more than half of its entries. */
  readonly force?: boolean
}

export interface RevocationUpdate {
  readonly name: string
  /** kept: the previous list stays in use. missing: there is none. */
  readonly outcome: 'updated' | 'kept' | 'missing'
  readonly entries: number
  /** Why the list was not updated. */
  readonly reason?: string
}

/** The list cannot be used. The message says why. */
class ListRefused extends Error {}

const timeoutMs = 60_000
const largestBytes = 16 * 1024 * 1024
const leastShareOfBefore = 0.5

/** Google's list says more of an entry, such as when it expires; only these parts are stored. */
const PublishedList = compileOnUse(
  Type.Object({
    entries: Type.Record(Type.String(), Type.Object({ status: Type.String(), reason: Type.Optional(Type.Unknown()) })),
  }),
)
const serialPattern = /^[0-9a-f]{1,64}$/i

/** Fetches every list, and continues with the old one when that fails. Throws, and changes nothing, when the data folder is not writable. */
export async function updateRevocations(resources: UpdateRevocationsResources): Promise<RevocationUpdate[]> {
  const { dataFolder, lists, now } = resources
  const path = revocationFile(dataFolder)
  const before = await readStoredRevocations(path)
  const stored: StoredRevocations[] = []
  const updates: RevocationUpdate[] = []
  for (const [name, { url }] of Object.entries(lists)) {
    const previous = before.find((each) => each.name === name && each.url === url)
    const fetched = await fetchEntries(url, previous, resources)
    const used = 'entries' in fetched ? { name, url, datedMs: now, entries: fetched.entries } : previous
    if (used) stored.push(used)
    updates.push({
      name,
      outcome: 'entries' in fetched ? 'updated' : used ? 'kept' : 'missing',
      entries: sizeOf(used),
      ...('reason' in fetched && { reason: fetched.reason }),
    })
  }
  await mkdir(dirname(path), { recursive: true })
  await replaceFile(path, JSON.stringify({ version: 1, lists: stored }))
  return updates
}

const sizeOf = (list: Pick<StoredRevocations, 'entries'> | undefined) => Object.keys(list?.entries ?? {}).length

async function fetchEntries(
  url: string,
  before: StoredRevocations | undefined,
  { fetch = globalThis.fetch, force = false }: Pick<UpdateRevocationsResources, 'fetch' | 'force'>,
): Promise<Pick<StoredRevocations, 'entries'> | { reason: string }> {
  try {
    const text = url.startsWith('file:') ? await readFile(new URL(url), 'utf8') : await download(url, fetch)
    const entries = entriesOf(text)
    const [found, known] = [sizeOf({ entries }), sizeOf(before)]
    if (!force && found < leastShareOfBefore * known) {
      return { reason: `it has ${found} entries, and the one in use ${known}; --force accepts it` }
    }
    return { entries }
  } catch (error) {
    return { reason: failureText(error) }
  }
}

async function download(url: string, fetch: typeof globalThis.fetch): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new ListRefused(`HTTP ${response.status}`)
  return textWithin(response, largestBytes)
}

/** Any status counts, as an entry says that its certificate is not valid. A list with a wrong entry is refused as a whole. */
function entriesOf(text: string): StoredRevocations['entries'] {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (cause) {
    throw new ListRefused('it is not valid JSON', { cause })
  }
  if (!PublishedList.Check(document)) throw new ListRefused('it is no status list: "entries" is missing or wrong')
  return Object.fromEntries(
    Object.entries(document.entries).map(([serialNumber, { status, reason }]) => {
      if (!serialPattern.test(serialNumber))
        throw new ListRefused(`"${serialNumber.slice(0, 64)}" is not a serialNumber in hex`)
      const name = serialNumber.toLowerCase().replace(/^0+(?=.)/, '')
      return [name, { status: status.slice(0, 32), ...(typeof reason === 'string' && { reason: reason.slice(0, 64) }) }]
    }),
  )
}
