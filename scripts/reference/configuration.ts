// What does the reference page Configuration say? It is made from the settings and the keys of the configuration file.

import { checkNames } from '@ringfence/contract'
import { AppSettings } from '@ringfence/server/apps/app-settings.ts'
import {
  AttestationSettings,
  PlayIntegrityKeys,
  RevocationSource,
} from '@ringfence/server/core/config/attestation-settings.ts'
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
        [
          '`attestation`',
          'withdrawn certificates of Android phones, and the keys of [Play Integrity](key-attestation.md)',
        ],
      ],
    ),
    'Tables of keys name nested keys with a point: `token.clientId` is `clientId` under `token`. `CHECK` is the name of a [telecom check](checks.md).',
    `The server checks all of it at start. An error names the source, the key and the allowed values, and the server does not start.`,
    '## Secrets\n\n`{ env: NAME }` reads a secret from an environment variable, `{ file: PATH }` from a file.',
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
    ...connectionKeys(),
    ...kindsOf('Connectors'),
    ...kindsOf('Portability sources'),
    `## Order of the sources\n\nUnder \`portability:\`. [How the order works](../guides/number-data.md#the-order-of-the-sources).\n`,
    keysTable(rowsOf(SourceOrder as unknown as Schema)),
    ...kindsOf('Sign-in channels'),
    ...kindsOf('Event streams'),
    `## Apps\n\nSettings of an app, which \`ringfence apps\` and the console store. A missing setting has its default.\n`,
    keysTable(rowsOf(AppSettings as unknown as Schema)),
    `## IP files\n\nUnder \`ipFiles:\`, by a name of your choice: files that \`ringfence data update\` downloads. Without any, the starter data is used.\n`,
    keysTable(rowsOf(PublishedFile as unknown as Schema)),
    `## IP lists\n\nUnder \`ipLists:\`, by a name of your choice: lists of IP addresses that \`ringfence data update\` downloads instead of the default ones.\n`,
    keysTable(rowsOf(PublishedList as unknown as Schema)),
    `## Agents that sign\n\nUnder \`signatureAgents:\`, by a name of your choice: agents whose keys \`ringfence data update\` downloads, instead of the default ones. \`{}\` downloads none.\n`,
    keysTable(rowsOf(SignatureAgent as unknown as Schema)),
    `## Attestation\n\nUnder \`attestation:\`. \`revocationLists: {}\` downloads none. The Play Console shows the keys where you manage the response encryption yourself; the decryption key is 32 bytes in base64.\n`,
    keysTable(rowsOf(AttestationSettings as unknown as Schema)),
    'Each of `revocationLists` has these keys:\n',
    keysTable(rowsOf(RevocationSource as unknown as Schema)),
    'Each of `playIntegrity`:\n',
    keysTable(rowsOf(PlayIntegrityKeys as unknown as Schema)),
    `## Dated tables\n\nUnder \`dataTables:\`, by the name of the table (${tableNames.map((name) => `\`${name}\``).join(', ')}): a newer table that \`ringfence data update\` downloads. Without any, those of the release are used.\n`,
    keysTable(rowsOf(PublishedTable as unknown as Schema)),
  )
}

const kindGroups = [
  {
    title: 'Connectors',
    kinds: connectorKinds,
    where: 'Under `connectors:`, by a name of your choice.',
  },
  {
    title: 'Portability sources',
    kinds: portabilitySourceKinds,
    where:
      'Under `portabilitySources:`, by a name of your choice. They are queried in the order of the file, after imported number data.',
  },
  { title: 'Sign-in channels', kinds: channelKinds, where: 'Under `channels:`, by a name of your choice.' },
  { title: 'Event streams', kinds: sinkKinds, where: 'Under `eventStreams:`, by a name of your choice.' },
] as const

type Kind = { readonly type: string; readonly Config: unknown }

const rowsOfKind = ({ Config }: Kind) => rowsOf(Config as Schema).filter(({ key }) => key !== 'type')

/** How many groups, and how many types, have a key in the same way. */
const usesOf = Map.groupBy(
  kindGroups.flatMap(({ title, kinds }) =>
    (kinds as readonly Kind[]).flatMap((kind) => rowsOfKind(kind).map((row) => ({ title, row }))),
  ),
  ({ row }) => textOf(row),
)
/** A key that two types share in one way and others in another has a row at each type. */
const waysOf = Map.groupBy(
  [...usesOf.values()].filter(({ length }) => length > 1),
  ([use]) => `${use!.title}.${use!.row.key}`,
)
const isInSeveralTypes = (row: Row) => {
  const uses = usesOf.get(textOf(row))!
  return uses.length > 1 && waysOf.get(`${uses[0]!.title}.${row.key}`)!.length === 1
}
const isInSeveralGroups = (row: Row) => new Set(usesOf.get(textOf(row))!.map(({ title }) => title)).size > 1

/** Keys of connections: what several groups have in the same way. */
const connectionKeys = (): string[] => [
  '## Keys of connections\n\nConnectors, portability sources, sign-in channels and event streams name those that they have.\n',
  keysTable([...usesOf.values()].map(([use]) => use!.row).filter(isInSeveralGroups)),
]

/** The types of a group. What several of them have in the same way is listed once, before the types. */
function kindsOf(wanted: (typeof kindGroups)[number]['title']): string[] {
  const { title, where, kinds } = kindGroups.find((group) => group.title === wanted)!
  const rows = (kinds as readonly Kind[]).map(rowsOfKind)
  const shared = new Map(
    rows
      .flat()
      .filter(isInSeveralTypes)
      .map((row) => [textOf(row), row]),
  )
  const own = [...shared.values()].filter((row) => !isInSeveralGroups(row))
  return [
    `## ${title}\n\n${where}`,
    ...(own.length === 0 ? [] : ['Several types have these keys:\n', keysTable(own)]),
    ...(kinds as readonly Kind[]).flatMap(({ type }, index) => {
      const mine = rows[index]!.filter((row) => !isInSeveralTypes(row))
      const also = [
        links(
          rows[index]!.filter((row) => isInSeveralTypes(row) && !isInSeveralGroups(row)),
          title,
        ),
        links(rows[index]!.filter(isInSeveralGroups), 'Keys of connections'),
      ].filter(Boolean)
      return [
        `## ${title}: \`type: ${type}\`\n`,
        ...(mine.length === 0 ? [] : [keysTable(mine)]),
        ...(also.length === 0 ? [] : [`Also of ${also.join('; of ')}.`]),
      ]
    }),
  ]
}

/** Nested keys come with the key above them. */
function links(rows: readonly Row[], title: string): string {
  const keys = new Set(rows.map(({ key }) => key))
  const above = rows.filter(({ key }) => !key.includes('.') || !keys.has(key.slice(0, key.lastIndexOf('.'))))
  return above.length === 0
    ? ''
    : `[${title.toLowerCase()}](#${anchorOf(title)}): ${above.map(({ key }) => code(key)).join(', ')}`
}

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')

interface Row {
  readonly key: string
  readonly default: string
  readonly allowed: string
  readonly meaning: string
}

function textOf(row: Row): string {
  return JSON.stringify(row)
}

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
  const named = withChecks(rows)
  const alike = [...Map.groupBy(named, (row) => textOf({ ...row, key: '' })).values()]
  const first = new Map<string, string>()
  for (const [{ key, meaning }] of alike as [Row][]) if (!first.has(meaning)) first.set(meaning, key)
  const checks = checkNames.filter((name) => rows.some(({ key }) => key.split('.').includes(name)))
  const rest = named.some(({ key }) => key.split('.').includes('CHECK'))
    ? `\n\`CHECK\`: ${checks.map(code).join(', ')}.\n`
    : ''
  return `${table(
    ['key', 'default', 'allowed values', 'meaning'],
    alike.map((same) => {
      const [{ key, default: byDefault, allowed, meaning }] = same as [Row]
      const isRepeated = first.get(meaning) !== key && meaning.length > 20
      const keys = same.map((row) => code(row.key)).join(', ')
      return [keys, byDefault, allowed, isRepeated ? `as ${code(first.get(meaning))}` : meaning]
    }),
  )}${rest}`
}

/** What each check has in the same way has one row: `CHECK.path`. Defaults that differ are named in it. */
function withChecks(rows: readonly Row[]): Row[] {
  const generalOf = ({ key }: Row) =>
    key
      .split('.')
      .map((part) => (isCheck(part) ? 'CHECK' : part))
      .join('.')
  const alike = Map.groupBy(rows, (row) => textOf({ ...row, key: generalOf(row), default: '' }))
  return [...alike.values()].flatMap((same) => {
    const key = generalOf(same[0]!)
    if (same.length < 3 || !key.includes('CHECK')) return same
    const defaults = new Set(same.map((row) => row.default))
    const each = same.map((row) => `${row.key.split('.').find(isCheck)} ${row.default}`)
    return [{ ...same[0]!, key, default: defaults.size === 1 ? [...defaults][0]! : each.join(', ') }]
  })
}

const isCheck = (part: string) => (checkNames as readonly string[]).includes(part)

function checkOf(schema: Schema): string {
  if (schema.form) return schema.form
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.type === 'integer') return `${schema.minimum ?? ''} to ${schema.maximum ?? ''}`
  if (schema.type === 'array') return `list of ${schema.items ? checkOf(schema.items) : 'values'}`
  if (schema.type === 'boolean') return 'boolean'
  if (schema.pattern) return `\`${schema.pattern.replaceAll('|', '\\|')}\``
  if (schema.minLength && schema.minLength > 1) return `at least ${schema.minLength} characters`
  if (schema.type === 'string') return 'text'
  if (schema.anyOf?.every(({ properties }) => properties)) return '[secret](#secrets)'
  if (schema.anyOf) return [...new Set(schema.anyOf.map(checkOf))].join(' or ')
  return schema.type ?? ''
}
