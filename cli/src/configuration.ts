// Which configuration does a command use? The server's: options, then environment variables, then the configuration file.

import { existsSync } from 'node:fs'
import { type Config, ConfigurationError, readConfig } from '@ringfence/server/core/config/config.ts'
import { environmentOf, type SettingName, type Settings } from '@ringfence/server/core/config/settings.ts'
import { type Command, InvalidArgumentError } from 'commander'

/** Read from the working folder when neither --config nor CONFIG_FILE names a file. */
export const defaultConfigurationFile = 'ringfence.yaml'

const optionNames = {
  dataFolder: '--data',
  databaseUrl: '--database',
  host: '--host',
  port: '--port',
  logLevel: '--log-level',
  workers: '--workers',
} as const

export interface PlaceOptions {
  data?: string
  database?: string
  config?: string
}

/** Adds the options of every command that reads or changes a server's data. */
export function addPlaceOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'data folder: embedded store, number data (DATA_FOLDER; default ringfence-data)')
    .option('--database <url>', 'PostgreSQL URL, to use instead of the embedded store (DATABASE_URL)', postgresUrl)
    .option('--config <file>', `configuration file (CONFIG_FILE; default ${defaultConfigurationFile}, if it exists)`)
}

/** Path of the configuration file; undefined when there is none. */
function configurationFileOf({ config }: Pick<PlaceOptions, 'config'>): string | undefined {
  return (
    config ?? (process.env.CONFIG_FILE || (existsSync(defaultConfigurationFile) ? defaultConfigurationFile : undefined))
  )
}

/** Reads the configuration. Throws a ConfigurationError that names the wrong key. */
export function configurationOf({ data, database, ...place }: PlaceOptions, others: Partial<Settings> = {}): Config {
  const { env } = process
  const file = configurationFileOf(place)
  const options = {
    ...(data !== undefined && { dataFolder: data }),
    ...(database !== undefined && { databaseUrl: database }),
    ...others,
  }
  return readConfig({ options, optionNames, environment: env, ...(file !== undefined && { file }) })
}

/**
 * Adds where a mistake was made: some settings and parts are only checked when they start. A setting that does not come
 * from the file comes from its environment variable.
 */
export function withSource(error: unknown, { file }: Pick<Config, 'file'>): unknown {
  if (!(error instanceof ConfigurationError)) return error
  const { message } = error
  const [key = ''] = /^\w+/.exec(message) ?? []
  const setting = settingNames.find((name) => key === name || key === environmentOf[name])
  if (setting === undefined) {
    return file ? new ConfigurationError(`${file.placeOf(message)}: ${message}`, { cause: error }) : error
  }
  const source = file?.settings.includes(setting)
    ? `${file.placeOf(`settings.${setting}`)}: settings.${setting}`
    : environmentOf[setting]
  return new ConfigurationError(`${source}${message.slice(key.length)}`, { cause: error })
}

const settingNames = Object.keys(environmentOf) as SettingName[]

function postgresUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new InvalidArgumentError('It must begin with postgres:// or postgresql://.')
  return text
}
