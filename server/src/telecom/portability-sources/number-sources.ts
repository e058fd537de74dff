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
/** How long look-ups wait for a newer import; one that takes longer to open is taken up when it is ready. */
const LONGEST_WAIT_MS = 250
/** After this time a block that was read may have left the page cache; see `BlockFile`. */
const WARM_FOR_MS = 600_000

export interface NumberSources {
  /**
   * What a look-up asks: `current`, after a newer import was taken up. Looks for one when the last look is a second old, and
   * only then is a promise: it waits 250 ms at most, and resolves with the data before when the import is not ready by then
   * or damaged. Never rejects.
   */
  newest(): readonly PortabilitySource[] | Promise<readonly PortabilitySource[]>
  /** The data taken up so far as sources, those of ported numbers before those of allocation ranges. */
  current(): readonly PortabilitySource[]
  /** Takes up the newest import now. Rejects when it is damaged; the data taken up before then stay in use. */
  reload(): Promise<void>
  close(): Promise<void>
}

export interface NumberSourcesOptions {
  readonly dataFolder: string
  readonly clock: Clock
  /** Told why a look-up could not take up a newer import. */
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
  /** What look-ups wait for. */
  let looking: Promise<void> | undefined
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
  async function reloadOrReport(): Promise<void> {
    try {
      await reload()
    } catch (problem) {
      if (reportedVersion === triedVersion) return
      reportedVersion = triedVersion
      onProblem(problem)
    }
  }

  /** Resolves when the newest import is taken up or has failed, after `LONGEST_WAIT_MS` at the latest. */
  async function look(): Promise<void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const timer = setTimeout(end, LONGEST_WAIT_MS)
    void reloadOrReport().finally(end)
    await ended
    clearTimeout(timer)
    looking = undefined
  }

  function current() {
    const now = clock.now()
    if (Math.abs(now - warmSince) >= WARM_FOR_MS) {
      warmSince = now
      for (const { ported } of opened.values()) ported?.base.forgetReads()
    }
    return sources
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
    newest() {
      const now = clock.now()
      // A clock that was set back counts as time gone by. An import that takes long to open is not waited for again.
      if (!looking && !loading && Math.abs(now - checkedAt) >= CHECK_INTERVAL_MS) {
        checkedAt = now
        looking = look()
      }
      return looking ? looking.then(current) : current()
    },
    current,
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
