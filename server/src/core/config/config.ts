// Which configuration does the process have? Options override the environment, which overrides the configuration file.

import { readFileSync } from 'node:fs'
import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { LineCounter, parseDocument } from 'yaml'
import { readPublishedUrl } from '../address/called-url.ts'
import { PublishedTables } from '../dated-data/update-tables.ts'
import { AttestationSettings } from './attestation-settings.ts'
import { identityOf, SignatureAgent, type SignatureAgents } from './bot-settings.ts'
import { ConsentSettings } from './consent-settings.ts'
import { CostSettings } from './cost-settings.ts'
import { PublishedFile, type PublishedFiles, PublishedList, type PublishedLists } from './ip-data-settings.ts'
import { OperatorEntry, ReuseSeconds } from './operator-entry.ts'
import { type PlaceOf, placesIn } from './positions.ts'
import { Routing } from './routing-settings.ts'
import { firstMistake } from './schema-errors.ts'
import { environmentOf, type SettingName, Settings } from './settings.ts'
import { SourceOrder } from './source-order-settings.ts'

/** The configuration file: YAML, or JSON, which is YAML too. Each kind of connector, source and channel checks its own keys. */
export const ConfigurationFile = Type.Object(
  {
    settings: Type.Optional(
      Type.Partial(Settings, { additionalProperties: false, description: 'Any setting by its name' }),
    ),
    connectors: Type.Optional(
      Type.Record(Type.String(), Type.Object({ type: Type.String({ description: 'Kind of the connector' }) }), {
        description: 'Connectors, by a name of your choice',
      }),
    ),
    portabilitySources: Type.Optional(
      Type.Record(Type.String(), Type.Object({ type: Type.String({ description: 'Kind of the source' }) }), {
        description:
          'Services that know which operator serves a number; queried in this order, after imported number data',
      }),
    ),
    channels: Type.Optional(
      Type.Record(Type.String(), Type.Object({ type: Type.String({ description: 'Kind of the channel' }) }), {
        description: 'Sign-in channels, by a name of your choice. Without a channel, sign-in is off',
      }),
    ),
    eventStreams: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
        Type.Object({ type: Type.String({ description: 'Kind of the stream' }) }),
        { description: 'Files and syslog servers that receive the events of all tenants, by a name of your choice' },
      ),
    ),
    operators: Type.Optional(Type.Array(OperatorEntry, { description: 'Mobile operators, and the connector of each' })),
    reuseSeconds: Type.Optional(ReuseSeconds),
    routing: Type.Optional(Routing),
    costs: Type.Optional(CostSettings),
    consent: Type.Optional(ConsentSettings),
    portability: Type.Optional(SourceOrder),
    ipFiles: Type.Optional(
      Type.Record(Type.String(), PublishedFile, {
        description: 'Files of IP data that `ringfence data update` downloads, instead of the default ones',
      }),
    ),
    ipLists: Type.Optional(
      Type.Record(Type.String(), PublishedList, {
        description:
          'Published lists of IP addresses that `ringfence data update` downloads, instead of the default ones',
      }),
    ),
    dataTables: Type.Optional(PublishedTables),
    signatureAgents: Type.Optional(
      Type.Record(Type.String(), SignatureAgent, {
        description:
          'Agents that sign their requests (Web Bot Auth), whose keys `ringfence data update` downloads, instead of the default ones',
      }),
    ),
    attestation: Type.Optional(AttestationSettings),
  },
  { additionalProperties: false },
)
export type ConfigurationFile = Static<typeof ConfigurationFile>

export interface Config {
  readonly settings: Settings
  readonly connectors: Readonly<Record<string, { type: string }>>
  readonly portabilitySources: Readonly<Record<string, { type: string }>>
  readonly channels: Readonly<Record<string, { type: string }>>
  /** Absent: none. */
  readonly eventStreams?: Readonly<Record<string, { type: string }>>
  readonly operators: readonly OperatorEntry[]
  /** Absent: only settings and operators say how long answers are reused. */
  readonly reuseSeconds?: Static<typeof ReuseSeconds>
  /** Absent: each operator has its connector, and other numbers have none. */
  readonly routing?: Routing
  /** Absent: nothing is known of prices. */
  readonly costs?: CostSettings
  /** Absent: calls may state a purpose, and need not. */
  readonly consent?: ConsentSettings
  /** Absent: all sources are asked, imported number data first. */
  readonly portability?: SourceOrder
  /** Absent: the default lists. */
  readonly ipLists?: PublishedLists
  /** Absent: the tables of the release. */
  readonly dataTables?: PublishedTables
  /** Absent: the default agents. */
  readonly signatureAgents?: SignatureAgents
  /** Absent: the status list of Google, and no tokens of Play Integrity. */
  readonly attestation?: AttestationSettings
  /** Absent: the starter data. */
  readonly ipFiles?: PublishedFiles
  /** Absent: no configuration file was read. */
  readonly file?: ReadFile
}

/** The configuration file that was read. */
export interface ReadFile {
  readonly path: string
  /** Settings whose value comes from the file: neither an option nor an environment variable overrides them. */
  readonly settings: readonly SettingName[]
  /** Where the key is with which the message of an error begins. */
  readonly placeOf: PlaceOf
}

/** The configuration is wrong; the message names the key and what is expected. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}

export interface ConfigSources {
  /** Settings given as command-line options. */
  options?: Partial<Settings>
  /** How an option is written; for error messages. */
  optionNames?: Partial<Record<SettingName, string>>
  environment?: Readonly<Record<string, string | undefined>>
  /** Path of the configuration file. */
  file?: string
}

/** Reads and checks the configuration. Throws a ConfigurationError for the first mistake. */
export function readConfig({ options = {}, optionNames = {}, environment = {}, file }: ConfigSources): Config {
  const read = file ? readConfigurationFile(file) : undefined
  const {
    settings: fromFile = {},
    connectors = {},
    portabilitySources = {},
    channels = {},
    operators = [],
    reuseSeconds,
    routing,
    costs,
    consent,
    portability,
    eventStreams,
    ipLists,
    ipFiles,
    dataTables,
    signatureAgents,
    attestation,
  } = read?.content ?? {}
  for (const [name, { kind, crawler }] of Object.entries(ipLists ?? {})) {
    if ((kind === 'crawler') !== (crawler !== undefined)) {
      throw new ConfigurationError(
        `${read?.placeOf(`ipLists.${name}`)}: ipLists.${name}: a list of the kind crawler must have the key crawler, and no other kind may have it`,
      )
    }
  }
  for (const [name, agent] of Object.entries(signatureAgents ?? {})) {
    if (identityOf(agent) === undefined) {
      throw new ConfigurationError(
        `${read?.placeOf(`signatureAgents.${name}`)}: signatureAgents.${name}: the key agent is needed, as the URL of the directory is not one of https; set it to what the agent sends, such as https://agent.example`,
      )
    }
  }
  if (read) checkPublishedUrls(read.content, read.placeOf)
  for (const name of settingNames(options)) check(Settings.properties[name], options[name], optionNames[name] ?? name)
  const overrides = { ...settingsOf(environment), ...options }
  const given = { ...fromFile, ...overrides }
  const settings = Value.Default(Settings, given)
  check(Settings, settings, 'settings')
  return {
    settings: settings as Settings,
    connectors,
    portabilitySources,
    channels,
    operators,
    ...(reuseSeconds && { reuseSeconds }),
    ...(routing && { routing }),
    ...(costs && { costs }),
    ...(consent && { consent }),
    ...(portability && { portability }),
    ...(eventStreams && { eventStreams }),
    ...(ipLists && { ipLists }),
    ...(ipFiles && { ipFiles }),
    ...(dataTables && { dataTables }),
    ...(signatureAgents && { signatureAgents }),
    ...(attestation && { attestation }),
    ...(file &&
      read && {
        file: {
          path: file,
          settings: settingNames(fromFile).filter((name) => !(name in overrides)),
          placeOf: read.placeOf,
        },
      }),
  }
}

/** Of all data that is downloaded: their schemas cannot say which hosts are this machine. */
function checkPublishedUrls(content: ConfigurationFile, placeOf: PlaceOf): void {
  const { ipFiles, ipLists, dataTables, signatureAgents, attestation } = content
  const all = {
    ...{ ipFiles, ipLists, dataTables, signatureAgents },
    'attestation.revocationLists': attestation?.revocationLists,
  }
  for (const [setting, sources] of Object.entries(all)) {
    for (const [name, { url }] of Object.entries(sources ?? {})) {
      try {
        readPublishedUrl(`${setting}.${name}.url`, url)
      } catch (cause) {
        const { message } = cause as Error
        throw new ConfigurationError(`${placeOf(message)}: ${message}`, { cause })
      }
    }
  }
}

const settingNames = (settings: Partial<Settings>) => Object.keys(settings) as SettingName[]

function readConfigurationFile(path: string): { content: ConfigurationFile; placeOf: PlaceOf } {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigurationError(`${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
  const lines = new LineCounter()
  const document = parseDocument(text, { prettyErrors: true, lineCounter: lines })
  const [error] = document.errors
  // Only the first line: the lines after it quote the file, which may contain a secret.
  if (error) throw new ConfigurationError(`${path} is not valid YAML: ${error.message.split(/:?\n/, 1)[0]}`)
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: 100 }) ?? {}
  } catch (cause) {
    throw new ConfigurationError(`${path} cannot be used: ${(cause as Error).message}`, { cause })
  }
  const placeOf = placesIn(path, document, lines)
  check(ConfigurationFile, content, '', placeOf)
  return { content: content as ConfigurationFile, placeOf }
}

/** The settings of the environment. An empty variable counts as absent. */
function settingsOf(environment: Readonly<Record<string, string | undefined>>): Partial<Settings> {
  const found: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries(environmentOf)) {
    const text = environment[variable]
    if (text === undefined || text === '') continue
    const schema = Settings.properties[name as SettingName] as TSchema & { type?: string }
    const value = schema.type === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
    check(schema, value, variable)
    found[name] = value
  }
  return found
}

function check(schema: TSchema, value: unknown, at: string, placeOf?: PlaceOf): void {
  const mistake = firstMistake(schema, value, { at })
  if (mistake) throw new ConfigurationError(placeOf ? `${placeOf(mistake)}: ${mistake}` : mistake)
}
