// With which configuration does a command work? The server's own: options, environment, configuration file, in that precedence.

import { existsSync } from 'node:fs'
import { type Config, readConfig } from '@ringfence/server/config/config.ts'
import type { Settings } from '@ringfence/server/config/settings.ts'
import { type Command, InvalidArgumentError } from 'commander'

/** Read from the working folder when neither --config nor CONFIG_FILE names another one. */
const usualFile = 'ringfence.yaml'

export interface PlaceOptions {
  data?: string
  database?: string
  config?: string
}

/** Options of every command that works on the data of a server. */
export function addPlaceOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'embedded store, master key and number data (DATA_FOLDER; default ringfence-data)')
    .option('--database <url>', 'PostgreSQL instead of the embedded store (DATABASE_URL)', postgresUrl)
    .option('--config <file>', `configuration file (CONFIG_FILE; default ${usualFile}, if there is one)`)
}

/** Path of the configuration file; undefined when there is none. */
export function configurationFileOf({ config }: Pick<PlaceOptions, 'config'>): string | undefined {
  return config ?? (process.env.CONFIG_FILE || (existsSync(usualFile) ? usualFile : undefined))
}

/** Throws a ConfigurationError that names the key. */
export function configurationOf({ data, database, ...place }: PlaceOptions, others: Partial<Settings> = {}): Config {
  const { env } = process
  const file = configurationFileOf(place)
  const options = {
    ...(data !== undefined && { dataFolder: data }),
    ...(database !== undefined && { databaseUrl: database }),
    ...others,
  }
  return readConfig({ options, environment: env, ...(file !== undefined && { file }) })
}

function postgresUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new InvalidArgumentError('It must begin with postgres://.')
  return text
}
