// Have data files changed since they were loaded? Loads newer ones while those in use stay in use.

import { stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

/** How long a caller waits for newer files. Loading continues afterwards. */
export const longestWaitMs = 250
/** Files that cannot be used are loaded again, and reported again, after this time. */
const retryAfterMs = 60_000

export interface NewerFilesOptions {
  /** A text that changes with the files; undefined: there is nothing to load, so keep what is in use. */
  version(): Promise<string | undefined>
  load(): void | Promise<void>
  everyMs: number
  clock: Clock
  /** Reports why a look could not load newer files. */
  onProblem(problem: unknown): void
}

export class NewerFiles {
  readonly #options: NewerFilesOptions
  #loaded: string | undefined
  #failed: { version: string; problem: unknown; at: number } | undefined
  #reported: { version: string; at: number } | undefined
  #loading: Promise<void> | undefined
  #isLooking = false
  #waiting: Promise<void> | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(options: NewerFilesOptions) {
    this.#options = options
  }

  /** Loads the files now if they have changed. Rejects when they cannot be used; those loaded before stay in use. */
  load(): Promise<void> {
    this.#lookedAt = this.#options.clock.now()
    this.#loading ??= this.#loadChanged().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  /**
   * Starts a look for newer files when the last one is `everyMs` old. Returns a promise while the caller should wait: it
   * resolves when the files are loaded or cannot be used, after 250 ms at the latest. Never rejects.
   */
  look(): Promise<void> | undefined {
    if (!this.#isLooking && !this.#isWithin(this.#options.everyMs, this.#lookedAt)) {
      this.#lookedAt = this.#options.clock.now()
      this.#isLooking = true
      const looking = this.#loadOrReport().finally(() => (this.#isLooking = false))
      this.#waiting = endOf(looking).finally(() => (this.#waiting = undefined))
    }
    return this.#waiting
  }

  /** Resolves when no load is in progress. */
  async settled(): Promise<void> {
    await this.#loading?.catch(() => {})
  }

  async #loadChanged(): Promise<void> {
    const { version, load, clock } = this.#options
    for (;;) {
      const found = await version()
      if (found === undefined || found === this.#loaded) return
      try {
        await load()
        this.#loaded = found
        return
      } catch (problem) {
        // The files may have been replaced while they were read.
        if ((await version()) !== found) continue
        this.#failed = { version: found, problem, at: clock.now() }
        throw problem
      }
    }
  }

  async #loadOrReport(): Promise<void> {
    try {
      const found = await this.#options.version()
      const failed = this.#failed
      if (failed && failed.version === found && this.#isWithin(retryAfterMs, failed.at))
        this.#report(failed.problem, found)
      else await this.load()
    } catch (problem) {
      this.#report(problem, this.#failed?.version ?? '')
    }
  }

  #report(problem: unknown, version: string): void {
    if (this.#reported?.version === version && this.#isWithin(retryAfterMs, this.#reported.at)) return
    this.#reported = { version, at: this.#options.clock.now() }
    this.#options.onProblem(problem)
  }

  /** The clock may jump back, so only the distance counts. */
  #isWithin(durationMs: number, since: number): boolean {
    return Math.abs(this.#options.clock.now() - since) < durationMs
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

/** How often look-ups check for a newer file of `ringfence data update`. */
const checkEveryMs = 5_000

/** Where the data are, and who says so when newer ones cannot be used. */
export interface DataPlace {
  readonly dataFolder: string
  readonly clock: Clock
  readonly log: Pick<Logger, 'error'>
}

/**
 * What a file of `ringfence data update` says now. Reads it whenever it has changed; logs one that cannot be used, and continues with
 * what it said before.
 * @param what in the plural, for the log
 * @param none what there is before the first update
 */
export function newestContent<Content>(
  path: string,
  { what, none, read }: { what: string; none: Content; read: (path: string) => Content | Promise<Content> },
  { clock, log }: Pick<DataPlace, 'clock' | 'log'>,
): () => Promise<Content> {
  let content = none
  const file = new NewerFiles({
    version: () => fileVersion(path),
    async load() {
      content = await read(path)
    },
    everyMs: checkEveryMs,
    clock,
    onProblem: (err) => log.error({ err }, `cannot use the newer ${what}; continuing with the previous ones`),
  })
  return async () => {
    await file.look()
    return content
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
