// What are the results? One per visit, ours and the libraries', and their totals.

import type { Circumstance } from './circumstances.ts'
import type { Recognised } from './identity.ts'
import { verdictsOf } from './judge.ts'
import type { LibraryName, Opinion, Opinions } from './libraries.ts'
import type { Played } from './play.ts'
import type { Expectation, Kind } from './scenario.ts'
import { type Contestant, contestants } from './timing.ts'

/** A judged visit. */
export interface Judged {
  readonly name: string
  readonly kind: Kind
  readonly expected: Expectation
  readonly judgement: Played['judgement']
  readonly opinions: Opinions
  /** Differences from what is expected, as sentences. */
  readonly wrong: readonly string[]
}

export interface Known extends Recognised {
  readonly name: string
}

/** The conditions and other devices in one circumstance. */
export interface Again {
  readonly circumstance: Circumstance
  readonly conditions: readonly Known[]
  /** Judgements of the conditions' visits. */
  readonly visits: readonly Judged[]
  readonly strangers: readonly Known[]
}

/** A count out of a total; `undefined` for a library that does not judge this. */
export type Score = { readonly found: number; readonly of: number } | undefined
export type Scores = Readonly<Record<Contestant, Score>>

/** The three questions, and the kind that each must find. */
const questions = {
  bot: { kind: 'bot', field: 'isBot' },
  private: { kind: 'private', field: 'isPrivate' },
  spoofing: { kind: 'spoofing', field: 'isSpoofed' },
} as const satisfies Record<string, { kind: Kind; field: keyof Opinion }>
export type Question = keyof typeof questions

/** Which library judges what; the others are not asked. */
const judges: Record<Question | 'identity', readonly LibraryName[]> = {
  bot: ['botd', 'fpscanner'],
  private: ['detectIncognito'],
  spoofing: ['fpscanner'],
  identity: ['fingerprintjs', 'thumbmark'],
}

/** Does this contestant say yes? */
export function says(who: Contestant, question: Question, { judgement, opinions }: Judged): boolean {
  if (who !== 'ours') return opinions[who]?.[questions[question].field] === true
  const { bot, incognito, tampering, timezoneMismatch } = verdictsOf(judgement)
  if (question === 'bot') return bot === 'bad'
  return question === 'private' ? incognito === true : tampering === true || timezoneMismatch === true
}

/** Must it say yes? `undefined` where either answer is right. */
function mustSay(question: Question, { expected }: Judged): boolean | undefined {
  if (question === 'bot') return expected.bot && expected.bot === 'bad'
  if (question === 'private') return expected.incognito
  const { timezoneMismatch, tampering } = expected
  return timezoneMismatch === true || (tampering === 'notTrue' ? false : tampering)
}

const scoresOf = (question: Question | 'identity', score: (who: Contestant) => Score): Scores =>
  Object.fromEntries(
    contestants.map((who) => [who, who === 'ours' || judges[question].includes(who) ? score(who) : undefined]),
  ) as Scores

/** How many of a kind are found. */
export const found = (question: Question, all: readonly Judged[]): Scores => {
  const its = all.filter(({ kind }) => kind === questions[question].kind)
  return scoresOf(question, (who) => ({ found: its.filter((one) => says(who, question, one)).length, of: its.length }))
}

/** How many false alarms there are. */
export const falseAlarms = (question: Question, all: readonly Judged[]): Scores => {
  const its = all.filter((one) => mustSay(question, one) === false)
  return scoresOf(question, (who) => ({ found: its.filter((one) => says(who, question, one)).length, of: its.length }))
}

/** How often the id was that of the day before; libraries keep nothing in storage, so both counts are the same. */
export const kept = (all: readonly Known[], storage: 'with storage' | 'cleared'): Scores =>
  scoresOf('identity', (who) => ({
    found: all.filter((one) => keeps(who, one, storage)).length,
    of: all.length,
  }))

const keeps = (who: Contestant, { kept, keptCleared, keptByLibraries }: Known, storage: 'with storage' | 'cleared') =>
  who === 'ours' ? (storage === 'cleared' ? keptCleared : kept) : keptByLibraries[who] === true

/** How often another device got another id. */
export const toldApart = (strangers: readonly Known[]): Scores =>
  scoresOf('identity', (who) => ({
    found: strangers.filter(
      (one) => !keeps(who, one, 'with storage') && !keeps(who, one, 'cleared') && (who !== 'ours' || !one.isMixedUp),
    ).length,
    of: strangers.length,
  }))
