// Do the reference pages match the code? Writes docs/reference/*.md and other generated files; with --check it names the outdated pages and exits with 1.
// It also refuses two migrations with one number: branches that add one each merge without a conflict.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { AppSettings } from '@ringfence/server/apps/app-settings.ts'
import { SignatureAgent } from '@ringfence/server/core/config/bot-settings.ts'
import { ConsentSettings } from '@ringfence/server/core/config/consent-settings.ts'
import { CostSettings } from '@ringfence/server/core/config/cost-settings.ts'
import { PublishedFile, PublishedList } from '@ringfence/server/core/config/ip-data-settings.ts'
import { OperatorEntry, ReuseSeconds } from '@ringfence/server/core/config/operator-entry.ts'
import { RouteEntry, Routing } from '@ringfence/server/core/config/routing-settings.ts'
import { environmentOf, type SettingName, settingGroups } from '@ringfence/server/core/config/settings.ts'
import { SourceOrder } from '@ringfence/server/core/config/source-order-settings.ts'
import { tableNames } from '@ringfence/server/core/dated-data/tables.ts'
import { PublishedTable } from '@ringfence/server/core/dated-data/update-tables.ts'
import { readMigrations } from '@ringfence/server/core/storage/migrate.ts'
import { labels } from '@ringfence/server/device/history/label.ts'
import { weightsOf } from '@ringfence/server/device/scores/weights.ts'
import { signals } from '@ringfence/server/device/signals/index.ts'
import type { Signal } from '@ringfence/server/device/signals/signal.ts'
import { sinkKinds } from '@ringfence/server/events/streams/index.ts'
import { shownInReport } from '@ringfence/server/rules/evaluate.ts'
import { openParts, type PathMeaning, paths } from '@ringfence/server/rules/paths.ts'
import { decisionReasons } from '@ringfence/server/rules/reasons/catalogue.ts'
import { deviceReasonsOf } from '@ringfence/server/rules/reasons/device-reasons.ts'
import { inputReasons } from '@ringfence/server/rules/reasons/input-reasons.ts'
import type { Reason } from '@ringfence/server/rules/reasons/reason.ts'
import { refusalReasons } from '@ringfence/server/rules/reasons/refusal-reasons.ts'
import { type Action, actions, caps } from '@ringfence/server/rules/rule.ts'
import { channelKinds } from '@ringfence/server/sign-in/authentication/channels/index.ts'
import { connectorKinds } from '@ringfence/server/telecom/connectors/index.ts'
import { portabilitySourceKinds } from '@ringfence/server/telecom/portability-sources/index.ts'
import { dashboardJson } from './deploy/dashboard.ts'
import { distributeSql } from './distribution/tables.ts'
import { checksPage } from './reference/checks.ts'
import { eventsPage } from './reference/events.ts'
import { errorsPage, httpPage } from './reference/http.ts'
import { code, page, table } from './reference/markdown.ts'
import { metricsPage } from './reference/metrics.ts'
import { sandboxPage } from './reference/sandbox.ts'
import type { Schema } from './reference/schema.ts'
import { velocitiesSection } from './reference/velocities.ts'
import { scalePage } from './size/page.ts'

const folder = new URL('../docs/reference/', import.meta.url)

/** The text of each page, by file name. */
export function referencePages(): Record<string, string> {
  return {
    'checks.md': checksPage(),
    'configuration.md': configurationPage(),
    'errors.md': errorsPage(),
    'events.md': eventsPage(),
    'http.md': httpPage(),
    'metrics.md': metricsPage(),
    'signals.md': signalsPageOf(signals),
    'reasons.md': reasonsPageOf(signals),
    'rules.md': rulesPageOf(paths),
    '../scale.md': scalePage(),
    'sandbox.md': sandboxPage(),
    '../../deploy/citus/distribute.sql': distributeSql(),
    '../../deploy/monitoring/ringfence.json': dashboardJson(),
  }
}

function configurationPage(): string {
  const settings = Object.entries(settingGroups).flatMap(([title, group]) => [
    `### ${title}\n`,
    table(
      ['setting', 'environment variable', 'default', 'allowed values', 'meaning'],
      Object.entries(group as Record<string, Schema>).map(([name, schema]) => [
        code(name),
        code(environmentOf[name as SettingName]),
        schema.default === undefined ? '' : code(String(schema.default)),
        checkOf(schema),
        schema.description ?? '',
      ]),
    ),
  ])
  return page(
    'Configuration',
    `Ringfence reads its configuration from four sources. The first one that has a value wins:

1. command-line options (\`ringfence serve --help\`)
2. environment variables
3. the configuration file
4. the default`,
    `The configuration file is YAML: \`--config FILE\`, or \`CONFIG_FILE\`, or \`ringfence.yaml\` in the working folder. [Connect an operator](../guides/connect-an-operator.md) has a complete one. Its keys:`,
    table(
      ['key', 'contains'],
      [
        ['`settings`', 'any [setting](#settings) by its name'],
        ['`operators`', 'the mobile operators, and which connector checks their numbers'],
        ['`connectors`', 'how to call the APIs of operators'],
        ['`portabilitySources`', 'services that know which operator serves a number'],
        ['`portability`', 'which of these are asked first, by country'],
        ['`reuseSeconds`', 'for how long answers of operators are reused'],
        ['`consent`', 'which purpose and legal basis a telecom check must state'],
        ['`channels`', 'how people sign in'],
        ['`eventStreams`', 'files and syslog servers that receive [events](../guides/events.md#a-siem)'],
        ['`ipFiles`, `ipLists`', 'where [IP data](../guides/ip-data.md) is downloaded from'],
        ['`dataTables`', 'where newer [numbering plans and tables](../guides/dated-data.md) are downloaded from'],
        ['`signatureAgents`', 'agents that [sign their requests](../guides/bots-and-agents.md)'],
      ],
    ),
    `The server checks all of it at start. An error names the source, the key and the allowed values, and the server does not start.`,
    `## Settings\n\nIn the configuration file:\n\n\`\`\`yaml\nsettings:\n  port: 8443\n  logLevel: warn\n\`\`\``,
    ...settings,
    `## Operators\n\nA list under \`operators:\`.\n`,
    table(keyHeads, keysOf(OperatorEntry as unknown as Schema)),
    `## Routing\n\nUnder \`routing:\`. An operator without an entry here keeps its \`connector\`.\n`,
    table(keyHeads, keysOf(Routing as unknown as Schema)),
    'Each route of a list has these keys:\n',
    table(keyHeads, keysOf(RouteEntry as unknown as Schema)),
    `## Reuse of answers\n\nUnder \`reuseSeconds:\`: ${(ReuseSeconds as unknown as Schema).description}.\n`,
    table(keyHeads, keysOf(ReuseSeconds as unknown as Schema)),
    `## Costs\n\nUnder \`costs:\`.\n`,
    table(keyHeads, keysOf(CostSettings as unknown as Schema)),
    `## Consent\n\nUnder \`consent:\`. [What it is for](../guides/telecom-checks.md#purpose-and-legal-basis).\n`,
    table(keyHeads, keysOf(ConsentSettings as unknown as Schema)),
    ...kindsOf(connectorKinds, 'Connectors', 'Under `connectors:`, by a name of your choice.'),
    ...kindsOf(
      portabilitySourceKinds,
      'Portability sources',
      'Under `portabilitySources:`, by a name of your choice. They are queried in the order of the file, after imported number data.',
    ),
    `## Order of the sources\n\nUnder \`portability:\`. [How the order works](../guides/number-data.md#the-order-of-the-sources).\n`,
    table(keyHeads, keysOf(SourceOrder as unknown as Schema)),
    ...kindsOf(channelKinds, 'Sign-in channels', 'Under `channels:`, by a name of your choice.'),
    ...kindsOf(sinkKinds, 'Event streams', 'Under `eventStreams:`, by a name of your choice.'),
    `## Apps\n\nSettings of an app, which \`ringfence apps\` and the console store. A missing setting has its default.\n`,
    table(keyHeads, keysOf(AppSettings as unknown as Schema)),
    `## IP files\n\nUnder \`ipFiles:\`, by a name of your choice: files that \`ringfence data update\` downloads. Without any, the starter data is used.\n`,
    table(keyHeads, keysOf(PublishedFile as unknown as Schema)),
    `## IP lists\n\nUnder \`ipLists:\`, by a name of your choice: lists of IP addresses that \`ringfence data update\` downloads instead of the default ones.\n`,
    table(keyHeads, keysOf(PublishedList as unknown as Schema)),
    `## Agents that sign\n\nUnder \`signatureAgents:\`, by a name of your choice: agents whose keys \`ringfence data update\` downloads, instead of the default ones. \`{}\` downloads none.\n`,
    table(keyHeads, keysOf(SignatureAgent as unknown as Schema)),
    `## Dated tables\n\nUnder \`dataTables:\`, by the name of the table (${tableNames.map((name) => `\`${name}\``).join(', ')}): a newer table that \`ringfence data update\` downloads. Without any, those of the release are used.\n`,
    table(keyHeads, keysOf(PublishedTable as unknown as Schema)),
  )
}

const kindsOf = (kinds: readonly { type: string; Config: unknown }[], title: string, where: string): string[] =>
  kinds.flatMap(({ type, Config }) => [
    `## ${title}: \`type: ${type}\`\n\n${where}\n`,
    table(keyHeads, keysOf(Config as Schema)),
  ])

const keyHeads = ['key', 'required', 'default', 'allowed values', 'meaning']

function keysOf({ properties = {}, required = [] }: Schema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([key, schema]) => [
    [
      `\`${prefix}${key}\``,
      required.includes(key) && schema.default === undefined ? 'yes' : '',
      schema.default === undefined ? '' : `\`${JSON.stringify(schema.default).replaceAll('"', '')}\``,
      checkOf(schema),
      schema.description ?? '',
    ],
    ...keysOf(schema, `${prefix}${key}.`),
  ])
}

export function signalsPageOf(list: readonly Signal[]): string {
  const rows = list.map(({ name, question, platforms, report, secureInfo, version }) => [
    code(name),
    question,
    platforms.join(', '),
    code(report?.field),
    code(secureInfo && name),
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
\`secure_info\`. [Device signals](../guides/device-signals.md) shows what each one detects and misses.`,
    table(['name', 'question', 'platforms', 'report', 'secure info', 'version'], rows),
    '## Weights of `suspectScore`\n\nThe score is the sum of the weights of all signals that fired.\n',
    table(['signal', ...platforms], weights),
  )
}

/** `decisions`: what they find themselves. Signals and history count in device reports too. */
export function reasonsPageOf(list: readonly Signal[]): string {
  const conditions = new Map(inputReasons.map(({ code, when }) => [code, when]))
  const ofDevice = deviceReasonsOf(list)
  const isPrevious = ({ source }: Reason) => source === 'device.history' || source === 'device.ipDetails'
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
        conditions.has(name)
          ? code(conditions.get(name))
          : 'a live rule fires with `inList` of a list with this purpose',
        text,
      ]),
    ),
    `## The device\n\nIn decisions, and in device reports with [\`"include": ["reasons"]\`](../guides/device-report.md#ask-why). Each is about one [signal](signals.md).\n`,
    table(['code', 'weight', 'source', 'text'], ofDevice.filter((each) => !isPrevious(each)).map(row)),
    `## The history of the device, and its IP address\n\nIn decisions and device reports, like those of the device. The weight is the most that the reason can have: \`PREVIOUS_\` weights halve every 7 days, and
labels every 90 days. \`LINKED_\` reasons are about other installations of the device, and do not count.\n`,
    table(['code', 'weight up to', 'source', 'example of the text'], ofDevice.filter(isPrevious).map(row)),
    `## Refusals\n\nIn [audit lines](../guides/monitoring.md#logs) only, as \`reasons\`. They have no weight. The caller gets the text of the [error](errors.md), never one of
these codes. When the telecom gate held a sign-in back, the codes of what it found follow.\n`,
    table(
      ['code', 'about', 'text'],
      refusalReasons.map(({ code: name, source, text }) => [code(name), aboutWhat[source] ?? code(source), text]),
    ),
  )
}

const aboutWhat: Readonly<Record<string, string>> = { signIn: 'the sign-in', caller: 'the caller' }

export function rulesPageOf(paths: readonly PathMeaning[]): string {
  const parts = Map.groupBy(paths, ({ path }) => (path.includes('.') ? path.slice(0, path.indexOf('.')) : ''))
  const row = ({ path, kind, values, unit, description }: PathMeaning) => [
    `\`${path}\``,
    values ? values.map((value) => `\`"${value}"\``).join(', ') : typeWords[kind],
    unit ?? '',
    description,
  ]
  const heads = ['path', 'type', 'unit', 'meaning']
  return page(
    'Rules',
    `[The guide](../guides/rules.md) shows how to write a rule. An unknown path, or a comparison of the wrong type, is an error with line,
column and the nearest path. A value is absent when it is unknown, was not checked, or does not apply to the platform. Every comparison
with an absent value is false, and \`exists\` is false.`,
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
      table(heads, meanings.map(row)),
    ]),
    `## Your own keys\n\nWrite a key that is not a word in brackets: \`params["my key"]\`. A key with dots is one key; rules cannot read inside a value.\n`,
    table(
      heads,
      openParts.map(({ prefix, kind, description }) => [`\`${prefix}\`*key*`, typeWords[kind], '', description]),
    ),
    velocitiesSection(),
    `## Labels\n\nA label records how a session turned out. A backtest measures rules against labels.\n`,
    table(
      ['label', 'counts as', 'meaning'],
      Object.entries(labels).map(([name, { isBad, meaning }]) => [`\`${name}\``, isBad ? 'bad' : 'good', meaning]),
    ),
  )
}

const typeWords: Readonly<Record<PathMeaning['kind'], string>> = {
  flag: 'true or false',
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

function checkOf(schema: Schema): string {
  if (schema.form) return schema.form
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.type === 'integer') return `${schema.minimum ?? ''} to ${schema.maximum ?? ''}`
  if (schema.type === 'array') return `list of ${schema.items ? checkOf(schema.items) : 'values'}`
  if (schema.type === 'boolean') return '`true`, `false`'
  if (schema.pattern) return `\`${schema.pattern.replaceAll('|', '\\|')}\``
  if (schema.minLength && schema.minLength > 1) return `at least ${schema.minLength} characters`
  if (schema.type === 'string') return 'text'
  if (schema.anyOf?.every(({ properties }) => properties)) return '`{ env: NAME }`, `{ file: PATH }`'
  if (schema.anyOf) return [...new Set(schema.anyOf.map(checkOf))].join(' or ')
  return schema.type ?? ''
}

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
