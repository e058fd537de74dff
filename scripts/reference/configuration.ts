// What does the reference page Configuration say? It is made from the settings and the keys of the configuration file.

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
import { sinkKinds } from '@ringfence/server/events/streams/index.ts'
import { channelKinds } from '@ringfence/server/sign-in/authentication/channels/index.ts'
import { connectorKinds } from '@ringfence/server/telecom/connectors/index.ts'
import { portabilitySourceKinds } from '@ringfence/server/telecom/portability-sources/index.ts'
import { code, page, table } from './markdown.ts'
import type { Schema } from './schema.ts'

export function configurationPage(): string {
  const settings = Object.entries(settingGroups).flatMap(([title, group]) => [
    `### ${title}\n`,
    table(
      ['setting', 'default', 'allowed values', 'meaning'],
      Object.entries(group as Record<string, Schema>).map(([name, schema]) => [
        `${code(name)} ${code(environmentOf[name as SettingName])}`,
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
        ['`eventStreams`', 'files and syslog servers that receive [events](event-streams.md)'],
        ['`ipFiles`, `ipLists`', 'where [IP data](../guides/ip-data.md) is downloaded from'],
        ['`dataTables`', 'where newer [numbering plans and tables](dated-data.md) are downloaded from'],
        ['`signatureAgents`', 'agents that [sign their requests](../guides/bots-and-agents.md)'],
      ],
    ),
    'Tables of keys name nested keys with a point: `token.clientId` is `clientId` under `token`.',
    `The server checks all of it at start. An error names the source, the key and the allowed values, and the server does not start.`,
    `## Settings\n\nIn the configuration file:\n\n\`\`\`yaml\nsettings:\n  port: 8443\n  logLevel: warn\n\`\`\``,
    ...settings,
    `## Operators\n\nA list under \`operators:\`.\n`,
    keysTable(rowsOf(OperatorEntry as unknown as Schema)),
    `## Routing\n\nUnder \`routing:\`. An operator without an entry here keeps its \`connector\`.\n`,
    keysTable(rowsOf(Routing as unknown as Schema)),
    'Each route of a list has these keys:\n',
    keysTable(rowsOf(RouteEntry as unknown as Schema)),
    `## Reuse of answers\n\nUnder \`reuseSeconds:\`: ${(ReuseSeconds as unknown as Schema).description}.\n`,
    keysTable(rowsOf(ReuseSeconds as unknown as Schema)),
    `## Costs\n\nUnder \`costs:\`.\n`,
    keysTable(rowsOf(CostSettings as unknown as Schema)),
    `## Consent\n\nUnder \`consent:\`. [What it is for](../guides/telecom-checks.md#purpose-and-legal-basis).\n`,
    keysTable(rowsOf(ConsentSettings as unknown as Schema)),
    ...kindsOf(connectorKinds, 'Connectors', 'Under `connectors:`, by a name of your choice.'),
    ...kindsOf(
      portabilitySourceKinds,
      'Portability sources',
      'Under `portabilitySources:`, by a name of your choice. They are queried in the order of the file, after imported number data.',
    ),
    `## Order of the sources\n\nUnder \`portability:\`. [How the order works](../guides/number-data.md#the-order-of-the-sources).\n`,
    keysTable(rowsOf(SourceOrder as unknown as Schema)),
    ...kindsOf(channelKinds, 'Sign-in channels', 'Under `channels:`, by a name of your choice.'),
    ...kindsOf(sinkKinds, 'Event streams', 'Under `eventStreams:`, by a name of your choice.'),
    `## Apps\n\nSettings of an app, which \`ringfence apps\` and the console store. A missing setting has its default.\n`,
    keysTable(rowsOf(AppSettings as unknown as Schema)),
    `## IP files\n\nUnder \`ipFiles:\`, by a name of your choice: files that \`ringfence data update\` downloads. Without any, the starter data is used.\n`,
    keysTable(rowsOf(PublishedFile as unknown as Schema)),
    `## IP lists\n\nUnder \`ipLists:\`, by a name of your choice: lists of IP addresses that \`ringfence data update\` downloads instead of the default ones.\n`,
    keysTable(rowsOf(PublishedList as unknown as Schema)),
    `## Agents that sign\n\nUnder \`signatureAgents:\`, by a name of your choice: agents whose keys \`ringfence data update\` downloads, instead of the default ones. \`{}\` downloads none.\n`,
    keysTable(rowsOf(SignatureAgent as unknown as Schema)),
    `## Dated tables\n\nUnder \`dataTables:\`, by the name of the table (${tableNames.map((name) => `\`${name}\``).join(', ')}): a newer table that \`ringfence data update\` downloads. Without any, those of the release are used.\n`,
    keysTable(rowsOf(PublishedTable as unknown as Schema)),
  )
}

/** Keys of an entry. Those that several types have in the same way are listed once, before the types. */
function kindsOf(kinds: readonly { type: string; Config: unknown }[], title: string, where: string): string[] {
  const rows = kinds.map(({ Config }) => rowsOf(Config as Schema).filter(({ key }) => key !== 'type'))
  const types = Map.groupBy(rows.flat(), textOf)
  const isShared = (row: Row) => types.get(textOf(row))!.length > 1
  const shared = [...types.values()].map(([row]) => row!).filter(isShared)
  const common = shared.length === 0 ? [] : ['Several types have these keys:\n', keysTable(shared)]
  return [
    `## ${title}\n\n${where}`,
    ...common,
    ...kinds.flatMap(({ type }, index) => {
      const own = rows[index]!.filter((row) => !isShared(row))
      const others = rows[index]!.filter(isShared).map(({ key }) => code(key))
      return [
        `## ${title}: \`type: ${type}\`\n`,
        ...(own.length === 0 ? [] : [keysTable(own)]),
        ...(others.length === 0
          ? []
          : [`As other [${title.toLowerCase()}](#${anchorOf(title)}): ${others.join(', ')}.`]),
      ]
    }),
  ]
}

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')

interface Row {
  readonly key: string
  readonly default: string
  readonly allowed: string
  readonly meaning: string
}

const textOf = (row: Row): string => JSON.stringify(row)

function rowsOf({ properties = {}, required = [] }: Schema, prefix = ''): Row[] {
  return Object.entries(properties).flatMap(([key, schema]) => [
    {
      key: `${prefix}${key}`,
      default: defaultOf(schema, required.includes(key)),
      allowed: checkOf(schema),
      meaning: schema.description ?? '',
    },
    ...rowsOf(schema, `${prefix}${key}.`),
  ])
}

function defaultOf(schema: Schema, isRequired: boolean): string {
  if (schema.default !== undefined) return code(JSON.stringify(schema.default).replaceAll('"', ''))
  return isRequired ? 'required' : ''
}

/** Keys that differ only in their name share a row, and a meaning is written once. */
function keysTable(rows: readonly Row[]): string {
  const alike = [...Map.groupBy(rows, (row) => textOf({ ...row, key: '' })).values()]
  const first = new Map<string, string>()
  for (const [{ key, meaning }] of alike as [Row][]) if (!first.has(meaning)) first.set(meaning, key)
  return table(
    ['key', 'default', 'allowed values', 'meaning'],
    alike.map((same) => {
      const [{ key, default: byDefault, allowed, meaning }] = same as [Row]
      const isRepeated = first.get(meaning) !== key && meaning.length > 20
      const names = same.map((row) => code(row.key)).join(', ')
      return [names, byDefault, allowed, isRepeated ? `as ${code(first.get(meaning))}` : meaning]
    }),
  )
}

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
