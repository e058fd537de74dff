// What would these rules have done? Asks a whole rule set of stored reports, one after the other, and holds it against labels.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CompiledRule, compileRules } from './compile.ts'
import { type Evaluation, evaluate } from './evaluate.ts'
import { isBad, type Outcome } from './label.ts'
import { actions, type Rule } from './rule.ts'
import type { StoredReport } from './stored-report.ts'

type Action = Rule['action']

/** How many reports, and how many of them turned out bad or good; the others nobody has labelled. */
export interface Tally {
  reports: number
  bad: number
  good: number
}

/** Of what was hit and labelled, the share that turned out bad. */
export interface Precision {
  /** 0–1 */
  share: number
  /** Within which it lies with 95 % confidence (Wilson 1927): wide, where labels are few. */
  range: readonly [low: number, high: number]
}

export interface RuleResult {
  id: string
  name: string
  action: Action
  hits: Tally
  /** Hits in which this rule decided the action. */
  decisive: number
  /** Absent where no hit is labelled. */
  precision: Precision | undefined
  /** Share of all bad reports that it hit; absent where none is labelled as bad. */
  recall: number | undefined
  /** Request ids of the first hits. */
  examples: string[]
}

/** Reports to which the other rules had answered something else. */
export interface Change {
  from: Action
  to: Action
  tally: Tally
  examples: string[]
}

export interface BacktestResult {
  all: Tally
  byAction: Record<Action, Tally>
  /** Of all that was warned of or blocked. */
  precision: Precision | undefined
  recall: number | undefined
  /** In the order of the rules. */
  rules: RuleResult[]
  /** Empty where there is nothing to compare with. */
  changes: Change[]
}

export interface Hit {
  report: StoredReport
  evaluation: Evaluation
  outcome: Outcome | undefined
}

export interface BacktestOptions {
  rules: readonly Rule[]
  /** Read once, and no faster than they are worked through. */
  reports: AsyncIterable<StoredReport>
  /** Rules to compare with: those that are live. */
  against?: readonly Rule[]
  /** How reports turned out, in their order, where they do not say so themselves; asked of a hundred at a time. */
  outcomesOf?(reports: readonly StoredReport[]): Promise<readonly (Outcome | undefined)[]>
  /** Told of every report that any rule hits; waited for, so that a slow reader slows the run and fills no memory. */
  onHit?(hit: Hit): void | Promise<void>
  onProgress?(reports: number): void
  /** Ends the run at once, with its reason, even while the source hangs. */
  signal?: AbortSignal
  /** Request ids kept for each rule and change. */
  examples?: number
}

/** So many reports are held at a time; the event loop has its turn after them. */
const atOnce = 100

/** Memory does not grow with the number of reports. @throws whatever the source throws, and the reason of the signal */
export async function backtest({ examples = 10, ...options }: BacktestOptions): Promise<BacktestResult> {
  const { outcomesOf, onHit, onProgress, signal } = options
  const counts = new Counts(compileRules(options.rules), options.against && compileRules(options.against), examples)
  for await (const batch of batchesOf(options.reports, signal)) {
    const looked = outcomesOf && batch.some(({ outcome }) => outcome === undefined) ? await outcomesOf(batch) : []
    signal?.throwIfAborted()
    for (const [index, report] of batch.entries()) {
      const outcome = report.outcome ?? looked[index]
      const evaluation = counts.add(report, outcome)
      if (onHit && evaluation.fired.length > 0) await onHit({ report, evaluation, outcome })
    }
    onProgress?.(counts.all.reports)
    await nextTurn()
    signal?.throwIfAborted()
  }
  return counts.result()
}

async function* batchesOf(reports: AsyncIterable<StoredReport>, signal?: AbortSignal): AsyncGenerator<StoredReport[]> {
  signal?.throwIfAborted()
  const iterator = reports[Symbol.asyncIterator]()
  // One promise for each report: racing them against one that lasts would keep them all.
  let giveUp = (_reason: unknown): void => undefined
  const next = () =>
    new Promise<IteratorResult<StoredReport>>((resolve, reject) => {
      giveUp = reject
      iterator.next().then(resolve, reject)
    })
  const abort = () => giveUp(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  let ended = false
  try {
    while (!ended) {
      const batch: StoredReport[] = []
      while (batch.length < atOnce) {
        signal?.throwIfAborted()
        const { done, value } = await next()
        if (done) {
          ended = true
          break
        }
        batch.push(value)
      }
      if (batch.length > 0) yield batch
    }
  } catch (error) {
    ended ||= signal?.aborted !== true
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
    // Not waited for: a source that hangs would never come to it.
    if (!ended) iterator.return?.().catch(() => undefined)
  }
}

const emptyTally = (): Tally => ({ reports: 0, bad: 0, good: 0 })

function count(tally: Tally, outcome: Outcome | undefined): void {
  tally.reports++
  if (outcome !== undefined) tally[isBad(outcome) ? 'bad' : 'good']++
}

class Counts {
  readonly all = emptyTally()
  readonly #rules: readonly CompiledRule[]
  readonly #against: readonly CompiledRule[] | undefined
  readonly #examples: number
  readonly #byAction: Record<Action, Tally> = { ALLOW: emptyTally(), WARN: emptyTally(), BLOCK: emptyTally() }
  readonly #byRule: ReadonlyMap<Rule, { hits: Tally; decisive: number; examples: string[] }>
  readonly #changes = new Map<string, Change>()

  constructor(rules: readonly CompiledRule[], against: readonly CompiledRule[] | undefined, examples: number) {
    this.#rules = rules
    this.#against = against
    this.#examples = examples
    this.#byRule = new Map(rules.map(({ rule }) => [rule, { hits: emptyTally(), decisive: 0, examples: [] }]))
  }

  add(report: StoredReport, outcome: Outcome | undefined): Evaluation {
    const evaluation = evaluate(this.#rules, report.input)
    const { action } = evaluation.ruleAction
    count(this.all, outcome)
    count(this.#byAction[action], outcome)
    for (const rule of evaluation.fired) {
      const found = this.#byRule.get(rule)!
      count(found.hits, outcome)
      if (rule === evaluation.decisive) found.decisive++
      this.#keep(found.examples, report)
    }
    if (this.#against) this.#compare(evaluate(this.#against, report.input).ruleAction.action, action, report, outcome)
    return evaluation
  }

  #compare(from: Action, to: Action, report: StoredReport, outcome: Outcome | undefined): void {
    if (from === to) return
    const key = `${from} ${to}`
    const change = this.#changes.get(key) ?? { from, to, tally: emptyTally(), examples: [] }
    this.#changes.set(key, change)
    count(change.tally, outcome)
    this.#keep(change.examples, report)
  }

  #keep(examples: string[], { requestId }: StoredReport): void {
    if (examples.length < this.#examples) examples.push(requestId)
  }

  result(): BacktestResult {
    const { WARN, BLOCK } = this.#byAction
    const stopped = { reports: WARN.reports + BLOCK.reports, bad: WARN.bad + BLOCK.bad, good: WARN.good + BLOCK.good }
    return {
      all: this.all,
      byAction: this.#byAction,
      precision: precisionOf(stopped),
      recall: this.#recallOf(stopped),
      rules: this.#rules.map(({ rule }) => {
        const { hits, decisive, examples } = this.#byRule.get(rule)!
        const { id, name, action } = rule
        return {
          id,
          name,
          action,
          hits,
          decisive,
          precision: precisionOf(hits),
          recall: this.#recallOf(hits),
          examples,
        }
      }),
      changes: [...this.#changes.values()].sort((a, b) => rank(b) - rank(a)),
    }
  }

  #recallOf({ bad }: Tally): number | undefined {
    return this.all.bad === 0 ? undefined : bad / this.all.bad
  }
}

/** What becomes strictest first. */
const rank = ({ from, to }: Change) => 3 * actions.indexOf(to) - actions.indexOf(from)

/** z of 95 % confidence */
const z = 1.96

function precisionOf({ bad, good }: Tally): Precision | undefined {
  const labelled = bad + good
  if (labelled === 0) return undefined
  const share = bad / labelled
  const spread = z * Math.sqrt((share * (1 - share)) / labelled + (z * z) / (4 * labelled * labelled))
  const middle = share + (z * z) / (2 * labelled)
  const scale = 1 + (z * z) / labelled
  return { share, range: [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)] }
}
