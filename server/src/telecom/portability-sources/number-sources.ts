// Which portability sources do the imported number data make? Takes up a newer import while the server runs.

import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../../clock.ts'
import { type AllocationRanges, allocationRangeSource, readAllocationRanges } from './allocation-ranges.ts'
import { BlockFile } from './block-file.ts'
import { manifestPath, type NumberDataSet, numbersFolder, readManifest } from './manifest.ts'
import { numberFileSource, type PortedNumbers } from './number-file.ts'
import { indexRanges } from './number-ranges.ts'
import type { PortabilitySource } from './source.ts'

/** How often a look-up may ask whether there is a newer import. */
const CHECK_INTERVAL_MS = 1_000
/** After this time a block that was read may have left the page cache; see `BlockFile`. */
const WARM_FOR_MS = 600_000

export interface NumberSources {
  /**
   * The imported data as sources, those of ported numbers before those of allocation ranges. Ask at each look-up: at most
   * once a second this sees to it, in the background, that a newer import is taken up.
   */
  current(): readonly PortabilitySource[]
  /** Takes up the newest import now. Rejects when it is damaged; the data taken up before then stay in use. */
  reload(): Promise<void>
  close(): Promise<void>
}

export interface NumberSourcesOptions {
  readonly dataFolder: string
  readonly clock: Clock
  /** Told why a newer import could not be taken up in the background. */
  readonly onProblem: (problem: unknown) => void
}

interface Opened {
  readonly dataSet: NumberDataSet
  readonly ported?: PortedNumbers
  readonly allocated?: AllocationRanges
}

/** Opens all that has been imported into the data folder, which may be nothing. Rejects when a file is damaged. */
export async function openNumberSources({
  dataFolder,
  clock,
  onProblem,
}: NumberSourcesOptions): Promise<NumberSources> {
  let opened = new Map<string, Opened>()
  let sources: PortabilitySource[] = []
  /** Of the manifest: taken up, tried last, and complained of. */
  let version = ''
  let triedVersion = ''
  let reportedVersion = ''
  let loading: Promise<void> | undefined
  let checkedAt = clock.now()
  let warmSince = clock.now()

  const reload = () => {
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  async function load(): Promise<void> {
    for (;;) {
      const found = await manifestVersion(dataFolder)
      if (found === version) return
      triedVersion = found
      try {
        await takeUp(readManifest(dataFolder).dataSets)
        version = found
        return
      } catch (error) {
        // A file that is gone may have been replaced, with the manifest that named it, by an import that just ended.
        const isReplaced = isMissing(error) && (await manifestVersion(dataFolder)) !== found
        if (!isReplaced) throw error
      }
    }
  }

  /** Tries again each time, but complains once. */
  async function reloadInBackground(): Promise<void> {
    try {
      await reload()
    } catch (problem) {
      if (reportedVersion === triedVersion) return
      reportedVersion = triedVersion
      onProblem(problem)
    }
  }

  async function takeUp(dataSets: readonly NumberDataSet[]): Promise<void> {
    const next = new Map<string, Opened>()
    try {
      for (const dataSet of dataSets) {
        next.set(dataSet.source, await openDataSet(dataFolder, dataSet, opened.get(dataSet.source)))
      }
    } catch (error) {
      await closeAllBut(opened, next)
      throw error
    }
    const previous = opened
    opened = next
    sources = [...next.values()].sort(byKindThenName).map(({ dataSet }) => sourceOf(dataSet))
    await closeAllBut(next, previous)
  }

  function sourceOf({ source, kind }: NumberDataSet): PortabilitySource {
    return kind === 'ported-numbers'
      ? numberFileSource(source, () => opened.get(source)?.ported)
      : allocationRangeSource(source, () => opened.get(source)?.allocated)
  }

  await reload()
  return {
    current() {
      const now = clock.now()
      // A clock that was set back counts as time gone by.
      if (Math.abs(now - checkedAt) >= CHECK_INTERVAL_MS) {
        checkedAt = now
        void reloadInBackground()
      }
      if (Math.abs(now - warmSince) >= WARM_FOR_MS) {
        warmSince = now
        for (const { ported } of opened.values()) ported?.base.forgetReads()
      }
      return sources
    },
    reload,
    async close() {
      await loading?.catch(() => {})
      await closeAllBut(new Map(), opened)
      opened = new Map()
      sources = []
    },
  }
}

/** Changes with every import. */
async function manifestVersion(dataFolder: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(manifestPath(dataFolder), { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch (error) {
    if (isMissing(error)) return 'none'
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Files that the data set shares with what is `open` already are taken from there. */
async function openDataSet(dataFolder: string, dataSet: NumberDataSet, open: Opened | undefined): Promise<Opened> {
  const { base, increments, callingCode, asOf } = dataSet
  const pathOf = (name: string) => path.join(numbersFolder(dataFolder), name)
  if (dataSet.kind === 'allocation-ranges') {
    if (open?.dataSet.base.name === base.name) return open
    return { dataSet, allocated: await readAllocationRanges(pathOf(base.name), { callingCode, asOf }) }
  }
  const shared = open?.dataSet.base.name === base.name ? open.ported : undefined
  const sameIncrements = open?.dataSet.increments?.name === increments?.name
  const baseFile = shared?.base ?? (await BlockFile.open(pathOf(base.name)))
  try {
    const incrementFile =
      shared && sameIncrements
        ? shared.increments
        : increments && (await BlockFile.open(pathOf(increments.name), { inMemory: true }))
    const complete = indexRanges(dataSet.complete)
    return { dataSet, ported: { callingCode, asOf, complete, base: baseFile, increments: incrementFile } }
  } catch (error) {
    if (!shared) await baseFile.close()
    throw error
  }
}

async function closeAllBut(kept: Map<string, Opened>, all: Map<string, Opened>): Promise<void> {
  const keptFiles = new Set(filesOf(kept))
  for (const file of filesOf(all)) if (!keptFiles.has(file)) await file.close()
}

function filesOf(opened: Map<string, Opened>): BlockFile[] {
  return [...opened.values()].flatMap(({ ported }) => (ported ? [ported.base, ported.increments ?? []].flat() : []))
}

function byKindThenName(a: Opened, b: Opened): number {
  if (a.dataSet.kind !== b.dataSet.kind) return a.dataSet.kind === 'ported-numbers' ? -1 : 1
  return a.dataSet.source < b.dataSet.source ? -1 : 1
}
