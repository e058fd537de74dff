// How does a person get credentials into a shell? With an `export` command to paste; guides and examples use its variables.

import type { Settings } from '@ringfence/server/core/config/settings.ts'
import { shellWord } from './shell-word.ts'

export interface ShellVariables {
  /** Base URL of the service. */
  url?: string
  clientId?: string
  clientSecret?: string
  appId?: string
  /** Which data the commands work on; undefined: those of the working folder. */
  dataFolder?: string | undefined
}

const names: Readonly<Record<keyof ShellVariables, string>> = {
  url: 'RINGFENCE_URL',
  clientId: 'RINGFENCE_CLIENT_ID',
  clientSecret: 'RINGFENCE_CLIENT_SECRET',
  appId: 'RINGFENCE_APP_ID',
  dataFolder: 'DATA_FOLDER',
}

/** One `export` command with the given variables, a line for each, indented. */
export function exportCommand(variables: ShellVariables): string {
  const assignments = Object.entries(names)
    .map(([key, name]) => [name, variables[key as keyof ShellVariables]] as const)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${shellWord(value)}`]))
  return `  export ${assignments.join(' \\\n    ')}`
}

export const storeTheSecret = 'Store the secret now. Ringfence keeps only its hash and cannot show it again.'

/** Where clients call the service with these settings: its public URL, or else the port on this machine. */
export const serviceUrl = (settings: Settings): string => settings.baseUrl ?? localUrl(settings)

/** Where this machine calls a service with these settings. */
export const localUrl = ({ host, port }: Settings): string =>
  reachableUrl(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)

/** Where this machine can call a service: 127.0.0.1 when it listens on all IP addresses. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
