// Which master keys may open a store? Those that are configured, else the file at its default place. The first one wraps.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../../config/settings.ts'
import type { masterKeySettings } from '../../config/store-settings.ts'
import { keyFromCommand, wrapCommand } from './command.ts'
import { keyFromEnvironment } from './env.ts'
import { keyFile } from './file.ts'
import type { MasterKeyProvider } from './provider.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type MasterKeySettings = Pick<Settings, 'dataFolder' | keyof typeof masterKeySettings>

export const masterKeyFileName = 'master.key'

/** Every provider that is configured, and a file in the data folder, where the first servers put it. */
export function masterKeyProviders(settings: MasterKeySettings, environment: Environment): MasterKeyProvider[] {
  const { masterKeyWrapCommand, masterKeyCommand, masterKey, masterKeyFile, dataFolder } = settings
  const providers = [
    ...(masterKeyWrapCommand === undefined ? [] : [wrapCommand(masterKeyWrapCommand)]),
    ...(masterKeyCommand === undefined ? [] : [keyFromCommand(masterKeyCommand)]),
    ...(masterKey === undefined ? [] : [keyFromEnvironment(masterKey)]),
    ...(masterKeyFile === undefined ? [] : [keyFile(masterKeyFile)]),
  ]
  const inDataFolder = join(dataFolder, masterKeyFileName)
  if (existsSync(inDataFolder)) providers.push(keyFile(inDataFolder))
  return providers.length > 0 ? providers : [keyFile(defaultFile(environment))]
}

/** Where the file is when nothing names it: what systemd hands over, /etc, the configuration folder of the user. */
function defaultFile({ CREDENTIALS_DIRECTORY, XDG_CONFIG_HOME, HOME }: Environment): string {
  const ofUser = XDG_CONFIG_HOME || (HOME ? join(HOME, '.config') : undefined)
  const places = [CREDENTIALS_DIRECTORY, '/etc/ringfence', ofUser && join(ofUser, 'ringfence')].flatMap((folder) =>
    folder ? [join(folder, masterKeyFileName)] : [],
  )
  return places.find((path) => existsSync(path)) ?? places.at(-1)!
}

/** Whether the master key lies beside the data that it protects. */
export const isInDataFolder = (name: string, dataFolder: string): boolean =>
  name === join(dataFolder, masterKeyFileName)
