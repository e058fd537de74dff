// How is everything measured and printed? In rounds, interleaved with a baseline; as median, smallest and largest value.

import { median } from '../../quantiles.ts'

export const rounds = 5

/** One benchmark: a name for the command line, and what it measures. */
export interface Bench {
  readonly name: string
  /** Runs only when it is named: it takes many minutes or much disk. */
  readonly onlyByName?: boolean
  run(): Promise<Table[]>
}

export interface Table {
  readonly title: string
  /** What a reader must know to judge the figures. */
  readonly notes?: readonly string[]
  readonly rows: readonly Row[]
}

export interface Row {
  readonly what: string
  readonly unit: string
  /** One value for each round. */
  readonly values: readonly number[]
  readonly goal?: Goal
  /** Without a goal, and on the page nevertheless. */
  readonly isAnswer?: true
}

/** The command prints each row. The page has those with a goal, and answers. */
export const row = (what: string, unit: string, values: readonly number[], goal?: Goal): Row => ({
  ...{ what, unit, values },
  ...(goal && { goal }),
})

/** A row without a goal that answers a reader's question, or is read by `npm run size`. */
export const answer = (what: string, unit: string, values: readonly number[]): Row => ({
  ...row(what, unit, values),
  isAnswer: true,
})

/** Rows with one goal, of which the page has the worst. */
export function worstOf(rows: readonly Row[], atMost: number): Row[] {
  const worst = rows.toSorted((a, b) => median(b.values) - median(a.values))[0]
  const what = `${worst?.what}, the worst of ${rows.length}`
  return rows.map((each) => (each === worst ? { ...each, what, goal: { atMost } } : each))
}

/** What the page has of a table; nothing of one without a goal or an answer. */
export function forPage(tables: readonly Table[]): Table[] {
  const isKept = ({ goal, isAnswer }: Row) => goal !== undefined || isAnswer === true
  return tables.map((table) => ({ ...table, rows: table.rows.filter(isKept) })).filter(({ rows }) => rows.length > 0)
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number }

/** The figures of one contestant in one round, by name. */
type Reading = Record<string, number>

type Contestants = Record<string, () => object>

/** The values of each figure of each contestant, by round. */
type ByRound<All extends Contestants> = {
  [Name in keyof All]: { [Figure in keyof Awaited<ReturnType<All[Name]>>]: number[] }
}

/**
 * Measures the contestants in turn, so that a disturbance of the machine affects a contestant and its baseline alike; every other
 * round runs in reverse order. A contestant returns its figures by name, or a promise of them.
 */
export async function inTurns<All extends Contestants>(contestants: All): Promise<ByRound<All>> {
  const names = Object.keys(contestants)
  const values: Record<string, Record<string, number[]>> = Object.fromEntries(names.map((name) => [name, {}]))
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const reading = (await contestants[name]!()) as Reading
      for (const [figure, value] of Object.entries(reading)) {
        values[name]![figure] ??= []
        values[name]![figure].push(value)
      }
    }
  }
  return values as ByRound<All>
}

/** Per cent of the baseline, round by round. */
export function perCentOf(values: readonly number[], baseline: readonly number[]): number[] {
  return values.map((value, round) => (100 * value) / baseline[round]!)
}

/** CPU-seconds of this process so far, of all threads. */
export function cpuSeconds({ user, system } = process.cpuUsage()): number {
  return (user + system) / 1e6
}

/** Works through the questions for half a CPU-second after a short warm-up; returns the rate per CPU-second. */
export function perCpuSecond<Question>(
  questions: readonly Question[],
  answer: (question: Question) => unknown,
): { perCpuSecond: number } {
  let unanswered = 0
  const ask = (seconds: number) => {
    const start = cpuSeconds()
    for (let asked = 0; ; ) {
      for (const end = asked + 100; asked < end; asked++) {
        if (!answer(questions[asked % questions.length]!)) unanswered++
      }
      const used = cpuSeconds() - start
      if (used >= seconds) return asked / used
    }
  }
  ask(0.1)
  const rate = ask(0.5)
  if (unanswered > 0) throw new Error(`${unanswered} questions were not answered`)
  return { perCpuSecond: rate }
}

/** A table as Markdown, without columns that are empty in each row. A unit of all rows is in the head. */
export function tableText({ title, notes = [], rows }: Table): string {
  const units = new Set(rows.map(({ unit }) => unit))
  const [common] = units.size === 1 ? units : []
  const all = [
    [common === undefined ? 'what' : `what, in ${common}`, 'unit', 'median', 'range', 'goal'],
    ...rows.map(({ what, unit, values, goal }) => [
      what,
      common === undefined ? unit : '',
      number(median(values)),
      values.length > 1 ? `${number(Math.min(...values))}–${number(Math.max(...values))}` : '',
      goal ? standing(median(values), goal) : '',
    ]),
  ]
  const isFilled = all[0]!.map((_, column) => all.slice(1).some((row) => row[column] !== ''))
  const cells = all.map((row) => row.filter((_, column) => isFilled[column]))
  const widths = cells[0]!.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)))
  const isNumeric = (column: number) => cells[0]![column] === 'median' || cells[0]![column] === 'range'
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => (isNumeric(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join(' | ')} |`
  const [head, ...body] = cells.map(line)
  const rule = `|${widths.map((width, i) => (isNumeric(i) ? `${'-'.repeat(width + 1)}:` : '-'.repeat(width + 2))).join('|')}|`
  return [`### ${title}`, '', head, rule, ...body, ...notes.flatMap((note) => ['', note]), ''].join('\n')
}

/** Three significant digits. */
function number(value: number): string {
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: digits })
}

function standing(value: number, goal: Goal): string {
  if ('atLeast' in goal) {
    const missing = Math.ceil(100 * (1 - value / goal.atLeast))
    return `≥ ${number(goal.atLeast)}: ${missing <= 0 ? 'met' : `${missing} % short`}`
  }
  if (goal.atMost === 0) return `0: ${value === 0 ? 'met' : 'not met'}`
  const over = Math.ceil(100 * (value / goal.atMost - 1))
  return `≤ ${number(goal.atMost)}: ${over <= 0 ? 'met' : `${over} % over`}`
}
