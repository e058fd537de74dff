// Which server does a command call, and with which key? The key comes from the environment or a file: other users see options.

import { readFileSync, statSync } from 'node:fs'
import { isLoopbackHost } from '@ringfence/server/core/address/called-url.ts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { CommandFailed, unreadable } from '../failure.ts'

/** How the file of --key comes about; keyOf refuses one that others may read. */
export const keyHelp = `The key is a client with a role:
  (umask 077; ringfence clients create --tenant NAME --name reader --scope admin --role analyst --json > key.json)`

export interface ServerOptions {
  server?: string
  key?: string
}

/** Adds `--server` and `--key` to a command that the admin API covers. */
export function addServerOptions(command: Command): Command {
  return command
    .option('--server <url>', 'call this server instead of opening its data; https, or http on this machine', serverUrl)
    .option(
      '--key <file>',
      'file with clientId and clientSecret, of a client with a role (or RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET)',
    )
}

/** Adds `--server` and `--key` to a command that always calls a server. */
export function addRunningServerOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--server <url>', 'URL of the server; https, or http on this machine (default: port of the settings)')
        .env('RINGFENCE_URL')
        .argParser(serverUrl),
    )
    .option('--key <file>', 'file with clientId and clientSecret (or RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET)')
}

/** The URL without a slash at its end. A key must not travel in clear. */
function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be a URL such as https://fraud.example.com.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError(
      'It must not contain a user or password, which other users of the machine would see.',
    )
  }
  if (url.search !== '' || url.hash !== '') throw new InvalidArgumentError('It must have no query and no fragment.')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new InvalidArgumentError(
      'It must begin with https://, since the key would travel in clear. http is for this machine only.',
    )
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

export interface Key {
  readonly clientId: string
  readonly clientSecret: string
}

/** @throws CommandFailed that says how to give a key */
export function keyOf({ key }: ServerOptions): Key {
  if (key !== undefined) return keyIn(key)
  const { RINGFENCE_CLIENT_ID: clientId, RINGFENCE_CLIENT_SECRET: clientSecret } = process.env
  if (clientId && clientSecret) return { clientId, clientSecret }
  throw new CommandFailed(
    'no key: set RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET, or name a file with --key FILE. On the server, make one with ringfence clients create --scope admin --role ROLE --json',
  )
}

/** As `ringfence clients create --json` prints it. */
function keyIn(file: string): Key {
  let text: string
  try {
    // As ssh does: whoever reads the file may call.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new CommandFailed(`${file} is open to other users of this machine: chmod 600 ${file}`)
    }
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw error instanceof CommandFailed ? error : unreadable(file, error)
  }
  const { clientId, clientSecret } = parsed(text)
  if (typeof clientId === 'string' && typeof clientSecret === 'string') return { clientId, clientSecret }
  throw new CommandFailed(`${file} has no key: it must be JSON with clientId and clientSecret`)
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
