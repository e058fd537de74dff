// Have data files changed since they were loaded? Loads newer ones while those in use stay in use.

import { stat } from 'node:fs/promises'
import type { Clock } from '../clock.ts'

/** How long a caller waits for newer files. Loading continues afterwards. */
const longestWaitMs = 250
/** Files that cannot be used are loaded again, and reported again, after this time. */
const retryAfterMs = 60_000

export interface NewerFiles {
  /** Loads the files now if they have changed. Rejects when they cannot be used; those loaded before stay in use. */
  load(): Promise<void>
  /**
   * Starts a look for newer files when the last one is `everyMs` old. Returns a promise while the caller should wait: it
   * resolves when the files are loaded or cannot be used, after 250 ms at the latest. Never rejects.
   */
  look(): Promise<void> | undefined
  /** Resolves when no load is in progress. */
  settled(): Promise<void>
}

export interface NewerFilesOptions {
  /** A text that changes with the files; undefined: there is nothing to load, so keep what is in use. */
  version(): Promise<string | undefined>
  load(): void | Promise<void>
  everyMs: number
  clock: Clock
  /** Reports why a look could not load newer files. */
  onProblem(problem: unknown): void
}

export function newerFiles({ version, load, everyMs, clock, onProblem }: NewerFilesOptions): NewerFiles {
  let loaded: string | undefined
  let failed: { version: string; problem: unknown; at: number } | undefined
  let reported: { version: string; at: number } | undefined
  let loading: Promise<void> | undefined
  let isLooking = false
  let waiting: Promise<void> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY

  async function loadChanged(): Promise<void> {
    for (;;) {
      const found = await version()
      if (found === undefined || found === loaded) return
      try {
        await load()
        loaded = found
        return
      } catch (problem) {
        // The files may have been replaced while they were read.
        if ((await version()) !== found) continue
        failed = { version: found, problem, at: clock.now() }
        throw problem
      }
    }
  }

  function loadOnce(): Promise<void> {
    lookedAt = clock.now()
    loading ??= loadChanged().finally(() => {
      loading = undefined
    })
    return loading
  }

  function report(problem: unknown, found: string): void {
    if (reported?.version === found && isWithin(retryAfterMs, reported.at)) return
    reported = { version: found, at: clock.now() }
    onProblem(problem)
  }

  async function loadOrReport(): Promise<void> {
    try {
      const found = await version()
      if (failed && failed.version === found && isWithin(retryAfterMs, failed.at)) report(failed.problem, found)
      else await loadOnce()
    } catch (problem) {
      report(problem, failed?.version ?? '')
    }
  }

  // The clock may jump back, so only the distance counts.
  const isWithin = (durationMs: number, since: number) => Math.abs(clock.now() - since) < durationMs

  return {
    load: loadOnce,
    look() {
      if (!isLooking && !isWithin(everyMs, lookedAt)) {
        lookedAt = clock.now()
        isLooking = true
        const looking = loadOrReport().finally(() => {
          isLooking = false
        })
        waiting = endOf(looking).finally(() => {
          waiting = undefined
        })
      }
      return waiting
    },
    async settled() {
      await loading?.catch(() => {})
    },
  }
}

async function endOf(work: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, longestWaitMs)
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Changes whenever a file is written or replaced; undefined when the file does not exist. */
export async function fileVersion(path: string): Promise<string | undefined> {
  try {
    const { ino, ctimeNs, size } = await stat(path, { bigint: true })
    return `${ino} ${ctimeNs} ${size}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
