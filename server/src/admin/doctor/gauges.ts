// What is read at each scrape? Requests in flight, the version, and the age of the data that answers rest on.

import { basename } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '../../core/clock.ts'
import type { Settings } from '../../core/config/settings.ts'
import { tableStatus } from '../../core/dated-data/tables.ts'
import { ageMs, type Dated, dayAheadMs } from '../../core/files/renewal.ts'
import type { Overload } from '../../core/heavy-work/overload.ts'
import type { Metrics } from '../../core/metrics/metrics.ts'
import { ringfenceVersion } from '../../core/version.ts'
import { readStoredRevocations, revocationFile } from '../../device/attestation/android/revocation-list.ts'
import { addressFileStatus } from '../../ip/files/address-files.ts'
import type { AddressListLookUp } from '../../ip/lists/address-list-look-up.ts'
import { readManifest } from '../../telecom/portability-sources/manifest.ts'

/** Dates of files are read again after this time: files change once a day, and a scrape may come every few seconds. */
const datesForMs = 600_000

/** It comes with the program: only a clock that is wrong is before it. */
const ofRelease = { aheadMs: Number.POSITIVE_INFINITY }

interface Sources {
  metrics: Metrics
  overload: Pick<Overload, 'inFlight' | 'waiting'>
  clockSkewMs(): number | undefined
  addressLists: AddressListLookUp
  settings: Settings
  clock: Clock
  log: Logger
}

/** @returns what says the date of each file and list */
export function readGauges(sources: Sources): () => Promise<readonly DatedData[]> {
  const { metrics, overload, clockSkewMs, addressLists, settings, clock, log } = sources
  metrics.set('buildInfo', 1, ringfenceVersion(), process.version)
  metrics.atEachScrape(() => {
    metrics.set('requestsInFlight', overload.inFlight())
    metrics.set('requestsWaiting', overload.waiting())
  })
  metrics.atEachScrape(() => metrics.set('clockSkew', (clockSkewMs() ?? 0) / 1000))

  let filesReadAt = Number.NEGATIVE_INFINITY
  let files: readonly DatedData[] = []
  metrics.atEachScrape(async () => {
    const now = clock.now()
    // What is dated in the future is as old as can be, so that an alert fires.
    for (const dated of await datesOfData()) metrics.set('dataAge', Math.min(ageMs(dated, now), now) / 1000, dated.name)
  })
  return datesOfData

  async function datesOfData(): Promise<readonly DatedData[]> {
    const now = clock.now()
    if (Math.abs(now - filesReadAt) > datesForMs) {
      filesReadAt = now
      files = [...datesOfFiles(), ...(await datesOfRevocations())]
    }
    const lists = (await addressLists.inUse()).map(({ name, datedMs }) => ({ name: `ip-list ${name}`, datedMs }))
    return [...files, ...lists]
  }

  async function datesOfRevocations(): Promise<readonly DatedData[]> {
    const lists = await readStoredRevocations(revocationFile(settings.dataFolder)).catch(() => [])
    return lists.map(({ name, datedMs }) => ({ name: `revocations ${name}`, datedMs }))
  }

  /** A file that cannot be read has no age; look-ups log why. */
  function datesOfFiles(): readonly DatedData[] {
    try {
      return [
        ...addressFileStatus(settings).map(({ kind, path, datedMs, starter }) => ({
          ...{ name: `ip-${kind} ${basename(path)}`, datedMs, ...(starter && ofRelease) },
        })),
        ...tableStatus(settings.dataFolder, clock.now()).map(({ name, datedMs, isStored }) => ({
          ...{ name: `table ${name}`, datedMs, ...(isStored ? { aheadMs: dayAheadMs } : ofRelease) },
        })),
        ...readManifest(settings.dataFolder).dataSets.map(({ source, asOf }) => ({
          ...{ name: source, datedMs: asOf, aheadMs: dayAheadMs },
        })),
      ]
    } catch (error) {
      log.debug({ err: error }, 'the age of the data is not known')
      return []
    }
  }
}

export type DatedData = Dated & { readonly name: string }
