// Where does the configuration come from? One line for people: the file, and what the file configures.

import type { Config } from '@ringfence/server/core/config/config.ts'
import { defaultConfigurationFile } from '../configuration.ts'

const longestList = 4

/** "ringfence.yaml (settings port; operators AIRTEL, JIO)" */
export function configurationSummary({ file, ...config }: Config): string {
  if (!file) return `no file (there is no ${defaultConfigurationFile} in this folder)`
  const parts: Record<string, readonly string[]> = {
    settings: file.settings,
    connectors: Object.keys(config.connectors),
    'portability sources': Object.keys(config.portabilitySources),
    channels: Object.keys(config.channels),
    operators: config.operators.map(({ name }) => name),
    'IP lists': Object.keys(config.ipLists ?? {}),
    'IP files': Object.keys(config.ipFiles ?? {}),
  }
  const named = Object.entries(parts).filter(([, names]) => names.length > 0)
  if (named.length === 0) return `${file.path} (empty)`
  return `${file.path} (${named.map(([part, names]) => `${part} ${list(names)}`).join('; ')})`
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, longestList).join(', ')
  return names.length > longestList ? `${shown} and ${names.length - longestList} more` : shown
}
