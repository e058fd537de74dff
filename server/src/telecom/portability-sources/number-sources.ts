// Which portability sources do imported number data provide? Loads newer imports while the server runs.

import path from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { fileVersion, NewerFiles } from '../../core/files/newer-files.ts'
import { type AllocationRanges, allocationRangeSource, readAllocationRanges } from './allocation-ranges.ts'
import { BlockFile } from './blocks/block-file.ts'
import { manifestPath, type NumberDataSet, numbersFolder, readManifest } from './manifest.ts'
import { numberFileSource, type PortedNumbers } from './number-file.ts'
import { indexRanges } from './number-ranges.ts'
import type { PortabilitySource } from './source.ts'

/** How often look-ups check for a newer import. */
const CHECK_INTERVAL_MS = 1_000
/** After this time a block may have left the page cache; see `BlockFile`. */
const WARM_FOR_MS = 600_000

export interface NumberSources {
  /**
   * The sources after a check for a newer import, at most once a second. It is a promise only during such a check, waits
   * 250 ms at most, and then resolves with the previous data. Never rejects.
   */
  newest(): readonly PortabilitySource[] | Promise<readonly PortabilitySource[]>
  /** The sources loaded so far, those of ported numbers before those of allocation ranges. */
  current(): readonly PortabilitySource[]
  /** Loads the newest import now. Rejects when it is damaged; the previous data stay in use. */
  reload(): Promise<void>
  close(): Promise<void>
}

export interface NumberSourcesOptions {
  readonly dataFolder: string
  readonly clock: Clock
  /** Reports why a newer import could not be loaded. */
  readonly onProblem: (problem: unknown) => void
}

interface Opened {
  readonly dataSet: NumberDataSet
  readonly ported?: PortedNumbers
  readonly allocated?: AllocationRanges
}

/** Opens everything that was imported into the data folder, which may be nothing. Rejects when a file is damaged. */
export async function openNumberSources({
  dataFolder,
  clock,
  onProblem,
}: NumberSourcesOptions): Promise<NumberSources> {
  let opened = new Map<string, Opened>()
  let sources: PortabilitySource[] = []
  let warmSince = clock.now()
  const files = new NewerFiles({
    version: async () => (await fileVersion(manifestPath(dataFolder))) ?? 'no manifest',
    load: () => open(readManifest(dataFolder).dataSets),
    everyMs: CHECK_INTERVAL_MS,
    clock,
    onProblem,
  })

  function current() {
    const now = clock.now()
    if (Math.abs(now - warmSince) >= WARM_FOR_MS) {
      warmSince = now
      for (const { ported } of opened.values()) ported?.base.forgetReads()
    }
    return sources
  }

  async function open(dataSets: readonly NumberDataSet[]): Promise<void> {
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

  await files.load()
  return {
    newest() {
      const looking = files.look()
      return looking ? looking.then(current) : current()
    },
    current,
    reload: () => files.load(),
    async close() {
      // Files of a load in progress must be closed too.
      await files.settled()
      await closeAllBut(new Map(), opened)
      opened = new Map()
      sources = []
    },
  }
}

/** Reuses the files that the data set shares with `open`. */
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

async function closeAllBut(used: Map<string, Opened>, all: Map<string, Opened>): Promise<void> {
  const usedFiles = new Set(filesOf(used))
  for (const file of filesOf(all)) if (!usedFiles.has(file)) await file.close()
}

function filesOf(opened: Map<string, Opened>): BlockFile[] {
  return [...opened.values()].flatMap(({ ported }) => (ported ? [ported.base, ported.increments ?? []].flat() : []))
}

function byKindThenName(a: Opened, b: Opened): number {
  if (a.dataSet.kind !== b.dataSet.kind) return a.dataSet.kind === 'ported-numbers' ? -1 : 1
  return a.dataSet.source < b.dataSet.source ? -1 : 1
}
