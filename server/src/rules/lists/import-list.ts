// How do a million lines become entries? In slices, each in a transaction, so that a stop loses nothing and a second run repeats nothing.

import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../core/clock.ts'
import type { AddedEntries } from './entries.ts'
import { linesOf } from './list-file.ts'
import type { Lists, NewEntry } from './lists.ts'

export interface LineMistake {
  readonly line: number
  readonly reason: string
}

export interface ImportProgress extends AddedEntries {
  /** The last line whose entry is stored, and all before it. */
  readonly line: number
  /** Of the file. */
  readonly bytes: number
  readonly broken: number
}

export interface ImportSummary extends ImportProgress {
  /** The first mistakes. */
  readonly mistakes: readonly LineMistake[]
  readonly durationMs: number
}

export interface ImportOptions {
  readonly lists: Lists
  readonly clock: Clock
  readonly tenantId: string
  readonly name: string
  readonly source: AsyncIterable<Uint8Array>
  readonly by: string
  /** For entries without their own. */
  readonly note?: string | undefined
  /** Epoch milliseconds, for entries without their own. */
  readonly expiresAt?: number | undefined
  /** Begins here, for a file that was imported up to the line before. */
  readonly fromLine?: number
  readonly onProgress?: (progress: ImportProgress) => void
  readonly signal?: AbortSignal
}

/** Entries of a transaction. */
const sliceEntries = 500
const mostMistakes = 100
/** Other writers of the list, and of an embedded store, come between two slices. */
const leastPauseMs = 2

/** The import was stopped, or an entry did not fit. What came before is stored. */
export class ImportStopped extends Error {
  override name = 'ImportStopped'
  readonly progress: ImportProgress
  constructor(progress: ImportProgress, cause: unknown) {
    super(cause instanceof Error ? cause.message : 'stopped', { cause })
    this.progress = progress
  }
}

/** Imports the entries of a file. @throws ListRefused for an unknown list; ImportStopped */
export async function importList(options: ImportOptions): Promise<ImportSummary> {
  const { lists, clock, tenantId, name, source, by, note, expiresAt, fromLine = 1, onProgress, signal } = options
  const { kind } = await lists.describeOne(tenantId, name)
  const began = performance.now()
  const mistakes: LineMistake[] = []
  let progress: ImportProgress = { line: 0, bytes: 0, broken: 0, added: 0, changed: 0, unchanged: 0 }
  let broken = 0
  let slice: NewEntry[] = []

  async function store(line: number, bytes: number): Promise<void> {
    const sliceBegan = performance.now()
    const { added, changed, unchanged } =
      slice.length === 0
        ? { added: 0, changed: 0, unchanged: 0 }
        : await lists.add(tenantId, name, slice, by, 'imported')
    slice = []
    progress = {
      ...{ line, bytes, broken },
      added: progress.added + added,
      changed: progress.changed + changed,
      unchanged: progress.unchanged + unchanged,
    }
    onProgress?.(progress)
    if (added + changed > 0) await pause(Math.max(leastPauseMs, (performance.now() - sliceBegan) / 8))
  }

  try {
    let last = { line: 0, bytes: 0 }
    for await (const each of linesOf(source, kind, clock.now)) {
      signal?.throwIfAborted()
      last = each
      if (each.line < fromLine) continue
      if ('mistake' in each) {
        broken++
        if (mistakes.length < mostMistakes) mistakes.push({ line: each.line, reason: each.mistake })
        continue
      }
      slice.push({ ...(note !== undefined && { note }), ...(expiresAt !== undefined && { expiresAt }), ...each.entry })
      if (slice.length === sliceEntries) await store(each.line, each.bytes)
    }
    signal?.throwIfAborted()
    await store(last.line, last.bytes)
  } catch (error) {
    throw new ImportStopped(progress, error)
  }
  return { ...progress, mistakes, durationMs: performance.now() - began }
}
