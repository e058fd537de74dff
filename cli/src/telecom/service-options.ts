// Which service does a command call as a client, and with which credentials? Those of the options, or of the sandbox of this machine.

import { type Command, Option } from 'commander'
import { configurationOf } from '../configuration.ts'
import { localUrl } from '../export-command.ts'
import { CommandFailed } from '../failure.ts'
import { readSandboxCredentials } from '../serve/sandbox-credentials.ts'

export interface ServiceOptions {
  url?: string
  clientId?: string
  clientSecret?: string
  data?: string
}

/** @param because why the variable is better than the option */
export const addServiceOptions = (command: Command, because = ''): Command =>
  command
    .addOption(
      new Option('--url <url>', 'URL of the service (default: port and host of the settings)').env('RINGFENCE_URL'),
    )
    .addOption(new Option('--client-id <id>', 'client ID').env('RINGFENCE_CLIENT_ID'))
    .addOption(
      new Option('--client-secret <secret>', `client secret; prefer the variable${because}`).env(
        'RINGFENCE_CLIENT_SECRET',
      ),
    )
    .option('--data <folder>', 'without a client: data folder that has the sandbox credentials')

/** @param refuse ends the command with this message */
export function serviceUrlOf({ url = localUrl(configurationOf({}).settings) }: ServiceOptions, refuse: Refuse): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url
  return refuse('--url (or RINGFENCE_URL) must be a URL such as http://127.0.0.1:8080')
}

export type Refuse = (message: string) => never

/** The given credentials, or the sandbox tenant's. */
export function credentialsOf({ clientId, clientSecret, data }: ServiceOptions) {
  if (clientId && clientSecret) return { clientId, clientSecret }
  if (clientId || clientSecret) {
    const missing = clientId ? 'RINGFENCE_CLIENT_SECRET' : 'RINGFENCE_CLIENT_ID'
    throw new CommandFailed(`credentials are a client ID and a client secret: set ${missing} too`)
  }
  const { dataFolder } = configurationOf(data === undefined ? {} : { data }).settings
  const stored = readSandboxCredentials(dataFolder)
  if (stored) return stored
  throw new CommandFailed(
    `no credentials: set RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET (${dataFolder} has no sandbox credentials; --data DIR names another folder)`,
  )
}
