// Which certificates of Android's attestation were withdrawn? The status lists, as `ringfence data update` stored them.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import Type, { type Static } from 'typebox'
import type { Clock } from '../../../core/clock.ts'
import { DataFileError } from '../../../core/files/data-file-error.ts'
import { fileVersion, NewerFiles } from '../../../core/files/newer-files.ts'
import { compileOnUse } from '../../../core/json/compile-on-use.ts'

/** Whether the lists are as new as they must be: a phone's key may have leaked since. */
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
export const isStale = ({ datedMs }: Pick<StoredRevocations, 'datedMs'>, now: number) => now - datedMs > dayMs

/** What these lists say together. The oldest says how new they are. */
export function revocationList(lists: readonly StoredRevocations[]): RevocationList {
  const bySerial = new Map(lists.flatMap(({ entries }) => Object.entries(entries)))
  return {
    stateAt: (now) => (lists.length === 0 ? 'missing' : lists.some((list) => isStale(list, now)) ? 'stale' : 'current'),
    statusOf(serialNumber) {
      const entry = bySerial.get(serialNumber) ?? bySerial.get(BigInt(`0x${serialNumber}`).toString())
      return entry && [entry.status.toLowerCase(), entry.reason].filter(Boolean).join(', ')
    },
  }
}

/** Empty before the first update. Throws a DataFileError when the file is damaged. */
export async function readStoredRevocations(path: string): Promise<readonly StoredRevocations[]> {
  let stored: unknown
  try {
    stored = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    if (!(error instanceof SyntaxError)) throw error
  }
  if (!StoredFile.Check(stored)) {
    throw new DataFileError(path, 'is damaged', 'Delete it and run "ringfence data update".')
  }
  return stored.lists
}

/** How often look-ups check for a newer file. */
const checkEveryMs = 5_000

export interface Revocations {
  current(): Promise<RevocationList>
}

/** Logs a file that cannot be used, and continues with the previous lists. */
export function openRevocations({
  dataFolder,
  clock,
  log,
}: {
  dataFolder: string
  clock: Clock
  log: Pick<Logger, 'error'>
}): Revocations {
  const path = revocationFile(dataFolder)
  let list = revocationList([])
  const file = new NewerFiles({
    version: () => fileVersion(path),
    async load() {
      list = revocationList(await readStoredRevocations(path))
    },
    everyMs: checkEveryMs,
    clock,
    onProblem: (err) =>
      log.error({ err }, 'cannot use the newer status lists of attestation; continuing with the previous ones'),
  })
  return {
    async current() {
      await file.look()
      return list
    },
  }
}
