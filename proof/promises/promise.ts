// What is a promise as a program? It runs the service, measures, and reports in plain sentences what does not hold.

export interface PromiseProgram {
  /** As given to `npm run promises -- NAME`. */
  readonly name: string
  /** What Ringfence promises, and the figure that measures it. */
  readonly promise: string
  /** Why `npm test` does not run it. */
  readonly skippedInTests?: string
  run(options: RunOptions): Promise<Outcome>
}

/** Says what does not hold. */
export type Judge = Pick<Complaints, 'unless'>

export interface RunOptions extends Judge {
  /** All that does not hold so far. */
  readonly complaints: Complaints
  /** The full count, for minutes or hours; otherwise a run of a few seconds, as in `npm test`. */
  readonly full: boolean
  /** Reports progress. */
  say(line: string): void
  /** Registers what to close or remove when the run ends, whatever its result; last in, first out. */
  after(clean: () => unknown): void
}

export interface Outcome {
  /** What was counted and measured, by name, in print order. */
  readonly figures: Readonly<Record<string, number | string>>
  /** Measurements that are compared row by row; all rows have the same columns. */
  readonly table?: readonly Readonly<Record<string, number | string>>[]
  /** What does not hold, beside the complaints of the run. */
  readonly broken?: readonly string[]
  /** Why this machine cannot run it, as a whole or in part. */
  readonly skipped?: string
}

/** Runs a program, then cleans up. `broken` is empty when the promise is kept. */
export async function runPromise(
  program: PromiseProgram,
  { full = false, say = () => {} }: { full?: boolean; say?: (line: string) => void } = {},
): Promise<Outcome & Required<Pick<Outcome, 'broken'>>> {
  await using cleaning = new AsyncDisposableStack()
  const complaints = new Complaints()
  const unless: Judge['unless'] = (holds, complaint) => complaints.unless(holds, complaint)
  const outcome = await program.run({ full, say, complaints, unless, ...endingWith(cleaning) })
  return { ...outcome, broken: [...(outcome.broken ?? []), ...complaints.lines] }
}

/** Cleans up with `cleaning`, last in, first out. */
export const endingWith = (cleaning: AsyncDisposableStack): Pick<RunOptions, 'after'> => ({
  after: (clean) => cleaning.defer(async () => void (await clean())),
})

/** Figures with where they were measured behind their names. */
export const named = <Value>(figures: Readonly<Record<string, Value>>, where: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${name} (${where})`, value]))

const mostLines = 100

/** Collects what does not hold: the first few as sentences, the rest as a count. */
export class Complaints {
  readonly #first: string[] = []
  #count = 0

  /** Adds a complaint unless `holds`. */
  unless(holds: boolean, complaint: () => string): void {
    if (holds) return
    this.#count++
    if (this.#first.length < mostLines) this.#first.push(complaint())
  }

  get count(): number {
    return this.#count
  }

  get lines(): string[] {
    const more = this.#count - this.#first.length
    return more > 0 ? [...this.#first, `… and ${more} more`] : [...this.#first]
  }
}

/** Runs `work` for each item, at most `atOnce` at a time. */
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
