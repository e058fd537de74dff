// How are the results shown? As the tables of docs/scenarios.md: failures first, then totals, then each visit.

import { createRequire } from 'node:module'
import { markdownTable } from '../markdown-table.ts'
import { type LibraryName, libraries, libraryNames } from './libraries.ts'
import {
  type Again,
  falseAlarms,
  found,
  type Judged,
  type Known,
  kept,
  type Question,
  type Scores,
  says,
  toldApart,
} from './results.ts'
import { type Contestant, contestants } from './timing.ts'

export interface Results {
  readonly scenarios: readonly Judged[]
  /** The scenarios that were added after tuning. */
  readonly heldOut: readonly Judged[]
  readonly conditions: readonly Known[]
  /** Judgements of the conditions' visits. */
  readonly conditionVisits: readonly Judged[]
  readonly strangers: readonly Known[]
  readonly again: readonly Again[]
  /** Whether the three browsers of one computer are three devices. */
  readonly areBrowsersApart: boolean
  readonly times: Readonly<Record<string, Readonly<Record<Contestant, number>>>>
  readonly gzipBytes: Readonly<Record<Contestant, number>>
  /** What did not run, and why. */
  readonly skipped: readonly string[]
}

const ownTitle = 'Ringfence'
const titleOf = (who: Contestant) => (who === 'ours' ? ownTitle : `${libraries[who].title} ${versionOf(who)}`)
const versionOf = (name: LibraryName): string =>
  createRequire(import.meta.url)(`../../node_modules/${libraries[name].packageName}/package.json`).version

/** All results, as lines of Markdown. */
export function reportOf(results: Results): string[] {
  const failures = byCircumstance([...failuresOf(results), ...slowOf(results)])
  return [
    '### What failed',
    '',
    ...(failures.length > 0 ? failures.map((line) => `- ${line}`) : ['Nothing.']),
    '',
    '### Compared with the libraries',
    '',
    ...summary(results),
    '',
    '### The same device',
    '',
    ...identityTable(results.conditions, 'kept'),
    '',
    '### Other devices',
    '',
    ...identityTable(results.strangers, 'another'),
    '',
    '### The same and other devices, again',
    '',
    ...againTable(results.again),
    '',
    `The three browsers of one computer are ${results.areBrowsersApart ? 'three devices' : '**not** three devices'}.`,
    '',
    '### Scenarios',
    '',
    ...visitTable(results.scenarios),
    '',
    '### Added after tuning',
    '',
    ...visitTable(results.heldOut),
    '',
  ]
}

/** Those of one kind in one circumstance are one line: ``@slow`: another id: `chromium-zoomed`, …`. */
function byCircumstance(failures: readonly string[]): string[] {
  const kindOf = (line: string) => line.replace(/^`([^`@]*)(@[^`]*)`: /, '`$2`: ')
  return [...Map.groupBy(failures, kindOf)].map(([kind, lines]) => {
    const names = lines.flatMap((line) => (line === kind ? [] : `\`${line.slice(1, line.indexOf('@'))}\``))
    return names.length === 0 ? kind : `${kind}: ${names.join(', ')}`
  })
}

/** As sentences; the worst first. */
export function failuresOf({
  scenarios,
  heldOut,
  conditions,
  conditionVisits,
  strangers,
  again,
  areBrowsersApart,
  skipped,
}: Omit<Results, 'times' | 'gzipBytes'>): string[] {
  const named = (all: readonly { name: string }[], text: string) => all.map(({ name }) => `\`${name}\`: ${text}`)
  return [
    ...[...heldOut, ...scenarios, ...conditionVisits, ...again.flatMap(({ visits }) => visits)].flatMap(
      ({ name, wrong }) => wrong.map((text) => `\`${name}\`: ${text}`),
    ),
    ...[{ conditions, strangers }, ...again].flatMap(({ conditions, strangers }) => [
      ...named(
        conditions.filter(({ kept }) => !kept),
        'another id, with storage',
      ),
      ...named(
        conditions.filter(({ keptCleared }) => !keptCleared),
        'another id, with storage cleared',
      ),
      ...named(strangers.filter(isMerged), 'merged with another device'),
    ]),
    ...(areBrowsersApart ? [] : ['two browsers of one computer have one id']),
    ...skipped.map((text) => `not run: ${text}`),
  ]
}

/** On a machine that is ten times slower. */
const longestSlowMs = 3000

/** The longest time that a person waits. */
const longestMs = 100

const slowOf = ({ times, again }: Results) => [
  ...Object.entries(times)
    .filter(([, { ours }]) => ours > longestMs)
    .map(([browser, { ours }]) => `${browser} takes ${ours} ms, more than ${longestMs}`),
  ...again.flatMap(({ circumstance, conditions }) => {
    const took = conditions.map(({ told }) => told.tookMs).filter((ms) => circumstance.isSlow && ms > longestSlowMs)
    const text = `${took.length} of ${conditions.length} take more than ${longestSlowMs} ms, ${Math.max(...took)} at most`
    return took.length > 0 ? [`\`@${circumstance.name}\`: ${text}`] : []
  }),
]

/** Our results and those of the libraries. */
export function summary({
  scenarios,
  heldOut,
  conditions,
  conditionVisits,
  strangers,
  times,
  gzipBytes,
}: Results): string[] {
  const ordinary = [...scenarios, ...conditionVisits]
  const line = (what: string, scores: Scores, goal = '') => [
    `${what}, of ${scores.ours?.of}`,
    ...contestants.map((who) => (scores[who] ? String(scores[who].found) : '–')),
    goal,
  ]
  const of = (question: Question, what: string) => [
    line(`${what} found`, found(question, scenarios), 'all'),
    line('… false alarms', falseAlarms(question, ordinary), '0'),
  ]
  const asExpected = heldOut.filter(({ wrong }) => wrong.length === 0).length
  const rows = [
    line('same device: same id', kept(conditions, 'with storage'), 'all'),
    line('… with storage cleared', kept(conditions, 'cleared'), '≥ 30 of 33'),
    line('another device: another id', toldApart(strangers), 'all'),
    ...of('bot', 'bots'),
    ...of('private', 'private windows'),
    ...of('spoofing', 'disguises'),
    [`added after tuning: as expected, of ${heldOut.length}`, String(asExpected), ...libraryNames.map(() => ''), ''],
    ['gzip, KB', ...contestants.map((who) => (gzipBytes[who] / 1024).toFixed(1)), '≤ 15'],
    ...Object.entries(times).map(([browser, its]) => [
      `median ms, ${browser}`,
      ...contestants.map((who) => String(its[who])),
      `≤ ${longestMs}`,
    ]),
  ]
  return markdownTable(['', ...contestants.map(titleOf), 'our goal'], rows)
}

/** A visit of a device that is not the one of the day before. */
const isMerged = (one: Known) => one.kept || one.keptCleared || one.isMixedUp

function againTable(all: readonly Again[]): string[] {
  const count = (list: readonly Known[], isIt: (one: Known) => boolean) =>
    `${list.filter(isIt).length} of ${list.length}`
  return markdownTable(
    ['circumstance', 'same id', '… with storage cleared', 'another device: another id', 'longest collection, ms'],
    all.map(({ circumstance, conditions, strangers }) => [
      circumstance.title,
      count(conditions, ({ kept }) => kept),
      count(conditions, ({ keptCleared }) => keptCleared),
      count(strangers, (one) => !isMerged(one)),
      String(Math.max(0, ...conditions.map(({ told }) => told.tookMs))),
    ]),
  )
}

function identityTable(all: readonly Known[], wanted: 'kept' | 'another'): string[] {
  const word = (isKept: boolean) => (isKept === (wanted === 'kept') ? wanted : `**${isKept ? 'kept' : 'another'}**`)
  const identifying = libraryNames.filter((name) => all.some(({ keptByLibraries }) => name in keptByLibraries))
  return markdownTable(
    ['', 'facts that changed', 'with storage', 'cleared', ...identifying.map(titleOf)],
    all.map(({ name, changes, kept, keptCleared, isByToken, keptByLibraries }) => [
      `\`${name}\``,
      changes.join(', '),
      `${word(kept)}${isByToken ? ', by its token' : ''}`,
      word(keptCleared),
      ...identifying.map((library) => word(keptByLibraries[library] === true)),
    ]),
  )
}

const words: Readonly<Record<Question, string>> = { bot: 'bot', private: 'private', spoofing: 'disguise' }

function visitTable(all: readonly Judged[]): string[] {
  const judging = ['ours', 'botd', 'fpscanner', 'detectIncognito'] as const satisfies Contestant[]
  const said = (who: Contestant, one: Judged) =>
    (Object.keys(words) as Question[])
      .filter((question) => says(who, question, one))
      .map((question) => words[question])
      .join(', ') || '–'
  return markdownTable(
    ['', 'is', ...judging.map(titleOf), 'not as expected'],
    all.map((one) => [`\`${one.name}\``, one.kind, ...judging.map((who) => said(who, one)), one.wrong.join('; ')]),
  )
}
