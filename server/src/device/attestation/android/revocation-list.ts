// Which certificates of Android's attestation were withdrawn? The status lists, as `ringfence data update` stored them.

import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import type { RevocationSources } from '../../../core/config/attestation-settings.ts'
import { type DataPlace, newestContent } from '../../../core/files/newer-files.ts'
import { isOlder } from '../../../core/files/renewal.ts'
import { readStoredJson } from '../../../core/files/stored-json.ts'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'

/**
 * Whether the lists are as new as they must be: a phone's key may have leaked since. `missing`: of a list that is configured, nothing is
 * known, so that a certificate which no other list names may be revoked.
 */
export type RevocationState = 'current' | 'stale' | 'missing'

export interface RevocationList {
  stateAt(now: number): RevocationState
  /** Why the certificate with this serial counts no more, in words that follow "is"; undefined: it counts. `serialNumber`: lower-case hex. */
  statusOf(serialNumber: string): string | undefined
}

const closed = { additionalProperties: false } as const

export const RevocationEntry = Type.Object(
  { status: Type.String({ maxLength: 32 }), reason: Type.Optional(Type.String({ maxLength: 64 })) },
  closed,
)
export type RevocationEntry = Static<typeof RevocationEntry>

export const StoredRevocations = Type.Object(
  {
    /** Its name in the configuration. */
    name: Type.String(),
    url: Type.String(),
    /** When it was fetched, in epoch milliseconds. */
    datedMs: Type.Number(),
    /** By serial: lower-case hex without leading zeros, or decimal as Google's older entries are. */
    entries: Type.Record(Type.String(), RevocationEntry),
  },
  closed,
)
export type StoredRevocations = Static<typeof StoredRevocations>

const StoredFile = compileOnUse(Type.Object({ version: Type.Literal(1), lists: Type.Array(StoredRevocations) }, closed))

/** All lists in one file. */
export const revocationFile = (dataFolder: string) => join(dataFolder, 'attestation', 'revocation-lists.json')

const dayMs = 86_400_000

/** Whether a list was fetched more than a day ago. It counts all the same: what was withdrawn stays so. */
export const isStale = ({ datedMs }: Pick<StoredRevocations, 'datedMs'>, now: number) => isOlder(datedMs, dayMs, now)

/** The names of the configured lists that were never fetched. */
export const missingLists = (
  lists: readonly Pick<StoredRevocations, 'name'>[],
  configured: RevocationSources,
): string[] => Object.keys(configured).filter((name) => !lists.some((list) => list.name === name))

/** What these lists say together. The oldest says how new they are. */
export function revocationList(
  lists: readonly StoredRevocations[],
  configured: RevocationSources = {},
): RevocationList {
  const bySerial = new Map(lists.flatMap(({ entries }) => Object.entries(entries)))
  const isMissing = lists.length === 0 || missingLists(lists, configured).length > 0
  return {
    stateAt: (now) => (isMissing ? 'missing' : lists.some((list) => isStale(list, now)) ? 'stale' : 'current'),
    statusOf(serialNumber) {
      const entry = bySerial.get(serialNumber) ?? bySerial.get(BigInt(`0x${serialNumber}`).toString())
      return entry && [entry.status.toLowerCase(), entry.reason].filter(Boolean).join(', ')
    },
  }
}

/** Without lists of no entries, which say nothing. Empty before the first update. Rejects with a DataFileError when the file is damaged. */
export async function readStoredRevocations(path: string): Promise<readonly StoredRevocations[]> {
  const { lists = [] } = (await readStoredJson(path, StoredFile)) ?? {}
  return lists.filter((list) => entriesIn(list) > 0)
}

export const entriesIn = ({ entries }: Pick<StoredRevocations, 'entries'>) => Object.keys(entries).length

export interface Revocations {
  current(): Promise<RevocationList>
}

/** Logs a file that cannot be used, and continues with the previous lists. */
export function openRevocations(place: DataPlace, configured: RevocationSources): Revocations {
  const read = async (path: string) => revocationList(await readStoredRevocations(path), configured)
  const none = revocationList([])
  return {
    current: newestContent(
      revocationFile(place.dataFolder),
      { what: 'status lists of attestation', none, read },
      place,
    ),
  }
}
