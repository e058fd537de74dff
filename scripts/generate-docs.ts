// Do the reference pages match the code? Writes docs/reference/*.md and other generated files; with --check it names the outdated pages and exits with 1.
// It also refuses two migrations with one number: branches that add one each merge without a conflict.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readMigrations } from '@ringfence/server/core/storage/migrate.ts'
import { labels } from '@ringfence/server/device/history/label.ts'
import { weightsOf } from '@ringfence/server/device/scores/weights.ts'
import { signals } from '@ringfence/server/device/signals/index.ts'
import type { Signal } from '@ringfence/server/device/signals/signal.ts'
import { shownInReport } from '@ringfence/server/rules/evaluate.ts'
import { openParts, type PathMeaning, paths } from '@ringfence/server/rules/language/paths.ts'
import { type Action, actions, caps } from '@ringfence/server/rules/language/rule.ts'
import { decisionReasons } from '@ringfence/server/rules/reasons/catalogue.ts'
import { deviceReasonsOf } from '@ringfence/server/rules/reasons/device-reasons.ts'
import { inputReasons } from '@ringfence/server/rules/reasons/input-reasons.ts'
import type { Reason } from '@ringfence/server/rules/reasons/reason.ts'
import { refusalReasons } from '@ringfence/server/rules/reasons/refusal-reasons.ts'
import { dashboardJson } from './deploy/dashboard.ts'
import { distributeSql } from './distribution/tables.ts'
import { camaraPage } from './reference/camara.ts'
import { causesPage } from './reference/causes.ts'
import { checksPage } from './reference/checks.ts'
import { completeReportSection } from './reference/complete-report.ts'
import { configurationPage } from './reference/configuration.ts'
import { errorsPage } from './reference/errors.ts'
import { eventsPage } from './reference/events.ts'
import { httpPage } from './reference/http.ts'
import { code, page, table } from './reference/markdown.ts'
import { metricsPage } from './reference/metrics.ts'
import { sandboxPage } from './reference/sandbox.ts'
import { velocitiesSection } from './reference/velocities.ts'
import { scalePage } from './size/page.ts'

const folder = new URL('../docs/reference/', import.meta.url)

/** The text of each page, by file name. */
function referencePages(): Record<string, string> {
  return {
    'camara-api.md': camaraPage(),
    'checks.md': checksPage(),
    'configuration.md': configurationPage(),
    'errors.md': errorsPage(),
    'events.md': eventsPage(),
    'http.md': httpPage(),
    'metrics.md': metricsPage(),
    'signals.md': signalsPageOf(signals),
    'reasons.md': reasonsPageOf(signals),
    'rules.md': rulesPageOf(paths),
    '../causes.md': causesPage(),
    '../scale.md': scalePage(),
    'sandbox.md': sandboxPage(),
    '../../deploy/citus/distribute.sql': distributeSql(),
    '../../deploy/monitoring/ringfence.json': dashboardJson(),
  }
}

export function signalsPageOf(list: readonly Signal[]): string {
  const rows = list.map(({ name, question, platforms, report, secureInfo, version }) => [
    code(name),
    question,
    platforms.join(', '),
    code(report?.field),
    code(secureInfo && secureInfo.returnedBy !== 'rules' ? name : undefined),
    String(version),
  ])
  const platforms = ['WEB', 'IOS', 'ANDROID'] as const
  const weights = Object.entries(weightsOf(list)).flatMap(([name, { suspect, publishedAs = name }]) =>
    suspect ? [[code(publishedAs), ...platforms.map((platform) => String(suspect[platform] ?? ''))]] : [],
  )
  return page(
    'Signals',
    `A signal is one question about a device. Ringfence answers it from the facts that the SDK reports, the request headers and the IP
address. A signal without an answer is stored as unknown, and negative in secure info. \`report\` is its field in the device report, \`secure info\` its detector in
\`secure_info\`. [Device signals](../guides/device-signals.md) shows what each one detects and misses, [what shows each field](../causes.md) from which real values we know.`,
    table(['name', 'question', 'platforms', 'report', 'secure info', 'version'], rows),
    '## Weights of `suspectScore`\n\nThe score is the sum of the weights of all signals that fired.\n',
    table(['signal', ...platforms], weights),
    ...completeReportSection(),
  )
}

/** `decisions`: what they find themselves. Signals and history count in device reports too. */
export function reasonsPageOf(list: readonly Signal[]): string {
  const conditions = new Map(inputReasons.map(({ code, when }) => [code, when]))
  const ofDevice = deviceReasonsOf(list)
  const row = ({ code: name, weight, source, text }: Reason) => [code(name), String(weight), code(source), text]
  return page(
    'Reasons',
    `A reason explains a decision or a score of a device report. Its \`code\` is stable, so you can compare it; its text is for people and may change. \`weight\` is
in points, 0 to 100: the probability of fraud if this were the only reason. A score is 100 × (1 − the product of all (1 − weight / 100)), so many weak reasons never exceed
100. Device reports show weights as 0 to 1. Do not send reasons to the page: they show a fraudster what to change.`,
    `## The number, the sign-in and the account\n\nIn decisions. \`applies when\` is a condition over the [paths of rules](rules.md). Those of \`telecom\` are also in the audit lines of
the [telecom gate](../guides/telecom-gate.md).\n`,
    table(
      ['code', 'weight', 'source', 'applies when', 'example of the text'],
      decisionReasons.map(({ code: name, weight, source, text }) => [
        code(name),
        String(weight),
        code(source),
        conditions.has(name) ? code(conditions.get(name)) : (otherConditions[name] ?? ''),
        text,
      ]),
    ),
    `## The device\n\nIn decisions, and in device reports with [\`"include": ["reasons"]\`](../guides/device-report.md#ask-why). Each is about one [signal](signals.md).\n`,
    table(['code', 'weight', 'source', 'text'], ofDevice.filter(({ source }) => !isPrevious(source)).map(row)),
    `## The history of the device, and its IP address\n\nIn decisions and device reports, like those of the device. The weight is the most that the reason can have: \`PREVIOUS_\` weights halve every 7 days, and
labels every 90 days. \`LINKED_\` reasons are about other installations of the device, and do not count.\n`,
    table(['code', 'weight up to', 'source', 'example of the text'], historyRows(ofDevice)),
    `## Refusals\n\nIn [audit lines](../guides/monitoring.md#logs) only, as \`reasons\`. They have no weight, and the caller never gets these codes: only the text of the
[error](errors.md) of the same name. \`SESSION_FOREIGN\` is \`sessionForeign\`. When the telecom gate held a sign-in back, the codes of what it found follow.\n`,
    table(
      ['about', 'codes'],
      [
        ...Map.groupBy(
          refusalReasons,
          ({ source }) => aboutWhat[source] ?? 'a check of the telecom gate without a result',
        ),
      ].map(([about, same]) => [about, same.map(({ code: name }) => code(name)).join(', ')]),
    ),
  )
}

/** What the history of a device gives. A code made of another one with a prefix has no row. */
function historyRows(ofDevice: readonly Reason[]): string[][] {
  const ofSignals = new Map(ofDevice.filter(({ source }) => !isPrevious(source)).map((each) => [each.code, each]))
  const rows = ofDevice.filter(({ source }) => isPrevious(source))
  const previous = rows.filter(({ code: name }) => ofSignals.has(name.replace(/^PREVIOUS_/, '')))
  for (const { code: name, weight } of previous) {
    const present = ofSignals.get(name.replace(/^PREVIOUS_/, ''))!.weight
    if (Math.abs(weight - present * shareOfPrevious) > 0.051)
      throw new Error(`${name} has another share: docs/reference/reasons.md`)
  }
  const linked = rows.filter(({ code: name }) => name.startsWith('LINKED_'))
  const own = rows.filter((each) => !previous.includes(each) && !linked.includes(each))
  return [
    ...own.map(({ code: name, weight, source, text }) => [code(name), String(weight), code(source), text]),
    [
      '`PREVIOUS_` before the code of any reason of the device',
      `${shareOfPrevious * 100} % of its weight`,
      code(previous[0]?.source),
      previous[0]?.text ?? '',
    ],
    [linked.map(({ code: name }) => code(name)).join(', '), '0', code(linked[0]?.source), linked[0]?.text ?? ''],
  ]
}

const isPrevious = (source: string) => source === 'device.history' || source === 'device.ipDetails'

/** What an earlier visit weighs beside the present one. */
const shareOfPrevious = 0.6

const otherConditions: Readonly<Record<string, string>> = {
  ON_BLOCK_LIST: 'a live rule fires with `inList` of a list that blocks',
  ON_WATCH_LIST: 'a live rule fires with `inList` of a list that watches',
  NOT_KNOWN: 'something that is required is missing',
  RULE: 'a rule decided; it weighs what lifts the score into the range of the action',
}

const aboutWhat: Readonly<Record<string, string>> = { signIn: 'the sign-in', caller: 'the caller' }

export function rulesPageOf(paths: readonly PathMeaning[]): string {
  const parts = Map.groupBy(paths, ({ path }) => (path.includes('.') ? path.slice(0, path.indexOf('.')) : ''))
  const row = ({ path, kind, values, unit, description }: PathMeaning) => [
    `\`${path}\``,
    values ? values.map((value) => `\`"${value}"\``).join(', ') : [typeWords[kind], unit].filter(Boolean).join(', '),
    path.startsWith('telecom.') ? description.replace(/^The [^.]+ check\. /, '') : description,
  ]
  const heads = ['path', 'type', 'meaning']
  return page(
    'Rules',
    `[The guide](../guides/rules.md) shows how to write a rule. An unknown path, or a comparison of the wrong type, is an error with line,
column and the nearest path. A value is absent when it is unknown, was not checked, or does not apply to the platform. Every comparison
with an absent value is false, and \`exists\` is false. A flag is true or false.`,
    `## Conditions\n`,
    table(['condition', 'true when'], conditionRows),
    `\`not\` binds closest, then \`and\`, then \`or\`; use parentheses to group. Write texts in double quotes and numbers as in JSON. Texts
are compared exactly, including case. A condition has at most ${count(caps.textLength)} characters, ${count(caps.conditions)} comparisons and combinations,
${caps.depth} levels of nesting, and ${count(caps.listLength)} values in a list. A set has at most ${caps.rules} rules.`,
    `## Actions\n\nThe strongest action of the rules that fire decides. A device report has \`ALLOW\`, \`WARN\` and \`BLOCK\` only.\n`,
    table(
      ['action', 'in a device report', 'meaning'],
      actions
        .toReversed()
        .map((action) => [
          code(action),
          code(shownInReport({ action, name: '', description: '', message: '' }).action),
          actionMeanings[action],
        ]),
    ),
    ...[...parts].flatMap(([part, meanings]) => [
      `## ${part === '' ? 'The report' : `\`${part}\``}\n`,
      table(heads, withSharedRows(meanings.map(row))),
    ]),
    `## Your own keys\n\nWrite a key that is not a word in brackets: \`params["my key"]\`. A key with dots is one key; rules cannot read inside a value.\n`,
    table(
      heads,
      openParts.map(({ prefix, kind, description }) => [`\`${prefix}\`*key*`, typeWords[kind], description]),
    ),
    velocitiesSection(),
    `## Labels\n\nA label records how a session turned out. A backtest measures rules against labels.\n`,
    table(
      ['label', 'counts as', 'meaning'],
      Object.entries(labels).map(([name, { isBad, meaning }]) => [`\`${name}\``, isBad ? 'bad' : 'good', meaning]),
    ),
  )
}

/** Paths of the same type and meaning share a row. So do those of one velocity, whose names and meanings end with their window. */
function withSharedRows(rows: readonly string[][]): string[][] {
  const windows = /,? in the last (hour|24 hours|7 days|30 days)$/
  const checks = /Why the .+ check has/
  const alike = Map.groupBy(rows, ([, ...rest]) => rest.join('|').replace(windows, '').replace(checks, ''))
  return [...alike.values()].map((same) => {
    const [first, type, meaning] = same[0] as [string, string, string]
    if (same.length === 1) return [first, type, meaning]
    const paths = same.map(([path]) => path).join(', ')
    return [paths, type, meaning.replace(windows, ', in this window').replace(checks, 'Why the check has')]
  })
}

const typeWords: Readonly<Record<PathMeaning['kind'], string>> = {
  flag: 'flag',
  number: 'number',
  text: 'text',
  any: 'text, number, true or false',
}

const actionMeanings: Readonly<Record<Action, string>> = {
  ALLOW: 'continue; the result when no rule fires',
  WARN: 'continue with care: your backend decides what that means',
  REVIEW: 'do not continue until a person has [resolved the review](../guides/search-and-review.md#review)',
  CHALLENGE: 'continue only after another proof of who the user is',
  BLOCK: 'refuse',
}

const conditionRows = [
  ['`vpn`', 'the flag is true'],
  ['`vpn == false`, `signals.bot != "bad"`', 'the value equals this one, or differs from it'],
  ['`sessionRiskScore > 70`; `<`, `<=`, `>=`', 'the number compares like this'],
  ['`ipDetails.country != telecom.country`', 'two paths of the same type compare like this'],
  ['`ipDetails.country in ("KP", "IR")`', 'the value is one of these'],
  ['`sessionRiskScore between 30 and 70`', 'the number is between these, both included'],
  ['`ip prefix "10."`', 'the text starts with this'],
  ['`exists telecom.country`', 'the value is known'],
  ['`inList("stolen-cards", params.card)`', 'the value is in [a list of yours](../guides/lists.md)'],
  ['`A and B`, `A or B`, `not A`', 'as written; `not A` is also true when A compares an absent value'],
]

const count = (number: number) => number.toLocaleString('en')

/** File names of the pages that do not match the code. */
export function stalePages(): string[] {
  return Object.entries(referencePages())
    .filter(([name, text]) => readIfThere(name) !== text)
    .map(([name]) => name)
}

function readIfThere(name: string): string | undefined {
  try {
    return readFileSync(new URL(name, folder), 'utf8')
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  await readMigrations()
  if (process.argv.includes('--check')) {
    const stale = stalePages()
    for (const name of stale) console.error(`docs/reference/${name} is stale; run npm run docs`)
    process.exitCode = stale.length > 0 ? 1 : 0
  } else {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(referencePages())) writeFileSync(new URL(name, folder), text)
  }
}
