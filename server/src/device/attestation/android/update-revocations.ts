// How does `ringfence data update` renew the status lists of attestation certificates? Fetches and checks them into one file.

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import Type from 'typebox'
import type { RevocationSources } from '../../../core/config/attestation-settings.ts'
import { publishedText } from '../../../core/files/fetched-text.ts'
import { type Renewal, renewed } from '../../../core/files/renewal.ts'
import { replaceFile } from '../../../core/files/replace-file.ts'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'
import { entriesIn, readStoredRevocations, revocationFile, type StoredRevocations } from './revocation-list.ts'

export interface UpdateRevocationsResources {
  readonly dataFolder: string
  readonly lists: RevocationSources
  readonly now: number
  readonly fetch?: typeof globalThis.fetch
  /** Accept a list that lost more than half of its entries. */
  readonly force?: boolean
}

/** The list cannot be used. The message says why. */
class ListRefused extends Error {}

const request = { timeoutMs: 60_000, largestBytes: 16 * 1024 * 1024, mostRedirects: 0 } as const

/** Google's list says more of an entry, such as when it expires; only these parts are stored. */
const PublishedList = compileOnUse(
  Type.Object({
    entries: Type.Record(Type.String(), Type.Object({ status: Type.String(), reason: Type.Optional(Type.Unknown()) })),
  }),
)
const serialPattern = /^[0-9a-f]{1,64}$/i

/** Fetches every list, and continues with the old one when that fails. Throws, and changes nothing, when the data folder is not writable. */
export async function updateRevocations(resources: UpdateRevocationsResources): Promise<Renewal[]> {
  const { dataFolder, lists, now, fetch, force = false } = resources
  const path = revocationFile(dataFolder)
  const before = await readStoredRevocations(path)
  const stored: StoredRevocations[] = []
  const updates: Renewal[] = []
  for (const [name, { url }] of Object.entries(lists)) {
    const { renewal, used } = await renewed({
      name,
      fetch: async () => ({
        name,
        url,
        datedMs: now,
        entries: entriesOf(await publishedText(url, { ...request, fetch })),
      }),
      previous: before.find((each) => each.name === name && each.url === url),
      entriesOf: entriesIn,
      mayShrink: force,
    })
    if (used) stored.push(used)
    updates.push(renewal)
  }
  await mkdir(dirname(path), { recursive: true })
  await replaceFile(path, JSON.stringify({ version: 1, lists: stored }))
  return updates
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
  const published = Object.entries(document.entries)
  // It would say of every certificate that it is not withdrawn.
  if (published.length === 0) throw new ListRefused('it has no entries')
  return Object.fromEntries(
    published.map(([serialNumber, { status, reason }]) => {
      if (!serialPattern.test(serialNumber))
        throw new ListRefused(`"${serialNumber.slice(0, 64)}" is not a serial number in hex`)
      const name = serialNumber.toLowerCase().replace(/^0+(?=.)/, '')
      return [name, { status: status.slice(0, 32), ...(typeof reason === 'string' && { reason: reason.slice(0, 64) }) }]
    }),
  )
}
