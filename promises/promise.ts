// What is a promise as a program? A run that measures, and says in plain lines what does not hold.

export interface PromiseProgram {
  /** As given to `npm run promises -- NAME`. */
  readonly name: string
  /** What is promised, and by which figure it is measured. */
  readonly promise: string
  run(options: RunOptions): Promise<Outcome>
}

export interface RunOptions {
  /** The full count, for minutes or hours; otherwise a short run of a few seconds, as in `npm test`. */
  readonly full: boolean
  /** Tells how far the run has come. */
  say(line: string): void
  /** Registers what has to be closed or removed when the run has ended, however it went; the last one goes first. */
  after(clean: () => unknown): void
}

export interface Outcome {
  /** What was counted and measured, by name, in the order in which it is printed. */
  readonly figures: Readonly<Record<string, number | string>>
  /** What does not hold; empty when the promise is kept. */
  readonly broken: readonly string[]
  /** Why it could not be run on this machine, as a whole or in part. */
  readonly skipped?: string
}

/** Runs a program, and cleans up after it. */
export async function runPromise(
  program: PromiseProgram,
  { full = false, say = () => {} }: { full?: boolean; say?: (line: string) => void } = {},
): Promise<Outcome> {
  await using cleaning = new AsyncDisposableStack()
  return await program.run({
    full,
    say,
    after(clean) {
      cleaning.defer(async () => void (await clean()))
    },
  })
}

/** Collects what does not hold: the first few in words, the rest as a number. */
export class Complaints {
  readonly #first: string[] = []
  #count = 0
  readonly #kept: number

  constructor(kept = 10) {
    this.#kept = kept
  }

  /** Complains unless `holds`. */
  unless(holds: boolean, complaint: () => string): void {
    if (holds) return
    this.#count++
    if (this.#first.length < this.#kept) this.#first.push(complaint())
  }

  get count(): number {
    return this.#count
  }

  get lines(): string[] {
    const more = this.#count - this.#first.length
    return more > 0 ? [...this.#first, `… and ${more} more`] : [...this.#first]
  }
}

/** Does something for each item, so many at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}
