// What would these rules have done? Evaluates a rule set on stored reports, and compares the results with labels.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TelecomCheck } from '@ringfence/contract'
import { backgroundPause } from '../../core/heavy-work/slices.ts'
import type { Label } from '../../device/history/label.ts'
import { type Evaluation, evaluate } from '../evaluate.ts'
import { type CompiledRule, compileRules } from '../language/compile.ts'
import type { InList } from '../language/list.ts'
import { type Action, actions, type Rule, type RuleSet } from '../language/rule.ts'
import { type PendingChecks, pendingChecksOf } from '../pending-checks.ts'
import { intervalOf } from './confidence.ts'
import { DayCounts, type DayResult } from './day-counts.ts'
import { ReplayedInputs } from './replayed-input.ts'
import { RequiredCounts, type RequiredResult } from './required-counts.ts'
import { idOf, type StoredReport } from './stored-report.ts'
import { countReport, emptyTally, type Tally } from './tally.ts'

export type { RequiredResult, Tally }

/** The share of labelled hits that were bad. */
export interface Precision {
  /** 0–1 */
  share: number
  /** 95 % confidence interval (Wilson 1927): wide when there are few labels. */
  range: readonly [low: number, high: number]
}

export interface RuleResult {
  id: string
  name: string
  action: Action
  hits: Tally
  /** Hits in which this rule decided the action. */
  decisive: number
  /** Absent when no hit has a label. */
  precision: Precision | undefined
  /** Share of all bad reports that the rule hit; absent when no report was labelled bad. */
  recall: number | undefined
  /** Ids of the first hits: request ids, or decision ids. */
  examples: string[]
}

/** Reports whose action differs between the two rule sets. */
export interface Change {
  from: Action
  to: Action
  tally: Tally
  examples: string[]
}

/** Decisions for which operators would be called, by check. */
export type CallCounts = Partial<Record<TelecomCheck, number>>

export interface BacktestResult {
  all: Tally
  byAction: Record<Action, Tally>
  /** For all reports with an action other than ALLOW. */
  precision: Precision | undefined
  recall: number | undefined
  /** Decisions with a stronger action than that of the rules, because something required is not known. */
  required: RequiredResult
  /** In the order of the rules. */
  rules: RuleResult[]
  /** Empty without rules to compare with. */
  changes: Change[]
  /** Of reports whose time is known, in their order. */
  days: DayResult[]
  /** Only with `countCalls`. `before`: of the rules to compare with. */
  operatorCalls?: { now: CallCounts; before?: CallCounts }
}

export interface Hit {
  report: StoredReport
  evaluation: Evaluation
  label: Label | undefined
}

export interface BacktestOptions {
  rules: RuleSet
  /**
   * One at a time, or some, which costs less. In the order of their time when a rule set has velocities. Read once, and not faster than
   * they are evaluated.
   */
  reports: AsyncIterable<StoredReport | readonly StoredReport[]>
  /** Rules to compare with, usually the live ones. */
  against?: RuleSet
  /** What lists said about a report when it was made; without it, no value is in a list. */
  inListFor?(report: StoredReport): InList | Promise<InList>
  /** Looks up the labels of reports without one, in their order; called with a hundred reports, or as many as the source gives. */
  labelsOf?(reports: readonly StoredReport[]): Promise<readonly (Label | undefined)[]>
  /** Called for every report that a rule hits. The run waits for it, so that a slow reader does not fill the memory. */
  onHit?(hit: Hit): void | Promise<void>
  /** `at`: the time of the last report. */
  onProgress?(reports: number, at: number | undefined): void
  /** Ends the run at once with its reason, even while the source hangs. */
  signal?: AbortSignal
  /** Number of request ids to return for each rule and change. */
  examples?: number
  /** Counts for how many reports the rules have operators called. */
  countCalls?: boolean
}

/** Reports in memory at a time. The event loop gets a turn after each batch. */
const batchSize = 100

/** Memory does not grow with the number of reports. @throws the error of the source, or the reason of the signal */
export async function backtest({ examples = 10, ...options }: BacktestOptions): Promise<BacktestResult> {
  const { labelsOf, inListFor, onHit, onProgress, signal } = options
  const counts = new Counts(options.rules, options.against, examples, options.countCalls)
  const pause = backgroundPause()
  for await (const batch of batchesOf(options.reports, signal)) {
    const lookedUp = labelsOf && batch.some(({ outcome }) => outcome === undefined) ? await labelsOf(batch) : []
    const inLists = inListFor ? await listsOf(batch, inListFor) : []
    signal?.throwIfAborted()
    for (const [index, report] of batch.entries()) {
      const label = report.outcome ?? lookedUp[index]
      const evaluation = counts.add(report, label, inLists[index])
      const paused = pause()
      if (paused) await paused
      if (onHit && evaluation.fired.length > 0) await onHit({ report, evaluation, label })
    }
    onProgress?.(counts.all.reports, batch.at(-1)?.at)
    await nextTurn()
    signal?.throwIfAborted()
  }
  return counts.result()
}

/** A promise for each report would cost more than its answer, when that is in memory. */
function listsOf(
  batch: readonly StoredReport[],
  inListFor: NonNullable<BacktestOptions['inListFor']>,
): InList[] | Promise<InList[]> {
  const found = batch.map((report) => inListFor(report))
  return found.every((inList) => typeof inList === 'function') ? found : Promise.all(found)
}

async function* batchesOf(
  reports: BacktestOptions['reports'],
  signal?: AbortSignal,
): AsyncGenerator<readonly StoredReport[]> {
  signal?.throwIfAborted()
  const iterator = reports[Symbol.asyncIterator]()
  // One promise per report: a race against one long-lived promise would keep them all in memory.
  let giveUp = (_reason: unknown): void => undefined
  const next = () =>
    new Promise<IteratorResult<StoredReport | readonly StoredReport[]>>((resolve, reject) => {
      giveUp = reject
      iterator.next().then(resolve, reject)
    })
  const abort = () => giveUp(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  let ended = false
  try {
    while (!ended) {
      const batch: StoredReport[] = []
      while (batch.length < batchSize) {
        signal?.throwIfAborted()
        const { done, value } = await next()
        if (done) {
          ended = true
          break
        }
        if (isOne(value)) batch.push(value)
        else batch.push(...value)
      }
      if (batch.length > 0) yield batch
    }
  } catch (error) {
    ended ||= signal?.aborted !== true
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
    // Not awaited, because a source may hang.
    if (!ended) iterator.return?.().catch(() => undefined)
  }
}

/** Whether a source has given one report, not some. */
export const isOne = (reports: StoredReport | readonly StoredReport[]): reports is StoredReport =>
  !Array.isArray(reports)

class Counts {
  readonly all = emptyTally()
  readonly #rules: readonly CompiledRule[]
  readonly #against: readonly CompiledRule[] | undefined
  readonly #examples: number
  readonly #byAction: Record<Action, Tally> = {
    ALLOW: emptyTally(),
    WARN: emptyTally(),
    REVIEW: emptyTally(),
    CHALLENGE: emptyTally(),
    BLOCK: emptyTally(),
  }
  readonly #byRule: ReadonlyMap<Rule, { hits: Tally; decisive: number; examples: string[] }>
  readonly #changes = new Map<string, Change>()
  readonly #required: RequiredCounts
  readonly #requiredBefore: RequiredCounts | undefined

  readonly #inputs: ReplayedInputs

  readonly #days: DayCounts
  readonly #calls: readonly { readonly pending: PendingChecks; readonly counts: CallCounts }[]

  constructor(set: RuleSet, against: RuleSet | undefined, examples: number, countCalls = false) {
    this.#days = new DayCounts(against !== undefined)
    const counted = countCalls ? [set, ...(against ? [against] : [])] : []
    this.#calls = counted.map((each) => ({ pending: pendingChecksOf(each), counts: {} }))
    this.#rules = compileRules(set.rules)
    this.#against = against && compileRules(against.rules)
    this.#required = new RequiredCounts(set)
    this.#requiredBefore = against && new RequiredCounts(against)
    this.#inputs = new ReplayedInputs(against ? [set, against] : [set])
    this.#examples = examples
    this.#byRule = new Map(this.#rules.map(({ rule }) => [rule, { hits: emptyTally(), decisive: 0, examples: [] }]))
  }

  add(report: StoredReport, label: Label | undefined, inList: InList | undefined): Evaluation {
    const [input, before] = this.#inputs.of(report, inList)
    const evaluation = evaluate(this.#rules, input!, inList)
    const action = this.#required.add(report, evaluation.ruleAction.action, input!, label)
    countReport(this.all, label)
    countReport(this.#byAction[action], label)
    for (const rule of evaluation.fired) {
      const found = this.#byRule.get(rule)!
      countReport(found.hits, label)
      if (rule === evaluation.decisive) found.decisive++
      this.#addExample(found.examples, report)
    }
    const ofRulesBefore = this.#against && evaluate(this.#against, before!, inList).ruleAction.action
    const actionBefore = ofRulesBefore && this.#requiredBefore?.add(report, ofRulesBefore, before!, label)
    if (actionBefore !== undefined) this.#compare(actionBefore, action, report, label)
    this.#days.add(report.at, action, actionBefore)
    for (const [set, { pending, counts }] of this.#calls.entries()) {
      for (const check of pending((set === 0 ? input : before)!, inList)) counts[check] = (counts[check] ?? 0) + 1
    }
    return evaluation
  }

  #compare(from: Action, to: Action, report: StoredReport, label: Label | undefined): void {
    if (from === to) return
    const key = `${from} ${to}`
    const change = this.#changes.get(key) ?? { from, to, tally: emptyTally(), examples: [] }
    this.#changes.set(key, change)
    countReport(change.tally, label)
    this.#addExample(change.examples, report)
  }

  #addExample(examples: string[], report: StoredReport): void {
    if (examples.length < this.#examples) examples.push(idOf(report))
  }

  result(): BacktestResult {
    const { ALLOW } = this.#byAction
    const { reports, bad, good } = this.all
    const stopped = { reports: reports - ALLOW.reports, bad: bad - ALLOW.bad, good: good - ALLOW.good }
    return {
      all: this.all,
      byAction: this.#byAction,
      precision: precisionOf(stopped),
      recall: this.#recallOf(stopped),
      required: this.#required.result,
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
      days: this.#days.result(),
      ...(this.#calls[0] && {
        operatorCalls: {
          now: this.#calls[0].counts,
          ...(this.#calls[1] && { before: this.#calls[1].counts }),
        },
      }),
    }
  }

  #recallOf({ bad }: Tally): number | undefined {
    return this.all.bad === 0 ? undefined : bad / this.all.bad
  }
}

/** Sorts the strictest new action first. */
const rank = ({ from, to }: Change) => actions.length * actions.indexOf(to) - actions.indexOf(from)

function precisionOf({ bad, good }: Tally): Precision | undefined {
  const labelled = bad + good
  if (labelled === 0) return undefined
  const share = bad / labelled
  return { share, range: intervalOf(share, labelled) }
}
