// Which operators are configured, by id, name and alias, and which connector does each use?

import type { OperatorEntry } from '../core/config/operator-entry.ts'
import { operatorToken } from './operator-token.ts'
import type { OperatorId } from './portability-sources/source.ts'

export interface OperatorRegistry {
  /** The operator with this id or alias. */
  byId(id: OperatorId): OperatorEntry | undefined
  /** The operator with this name or alias in a country. Prefix data know home operators by name only. */
  byName(country: string | undefined, name: string): OperatorEntry | undefined
}

/** Throws an error that names both entries when two operators have the same id, name or alias. */
export function operatorRegistry(entries: readonly OperatorEntry[]): OperatorRegistry {
  const ids = new Map<string, OperatorEntry>()
  const names = new Map<string, OperatorEntry>()
  const claim = (index: Map<string, OperatorEntry>, key: string, entry: OperatorEntry) => {
    const owner = index.get(key)
    if (owner && owner !== entry) throw new Error(`operators: ${entry.id} and ${owner.id} both claim ${key.trim()}`)
    index.set(key, entry)
  }
  for (const entry of entries) {
    for (const id of [entry.id, ...(entry.aliases ?? [])]) claim(ids, id, entry)
    for (const name of [entry.name, ...(entry.aliases ?? [])]) claim(names, nameKey(entry.country, name), entry)
  }
  return {
    byId: (id) => ids.get(id),
    byName: (country, name) => names.get(nameKey(country, name)) ?? names.get(nameKey(undefined, name)),
  }
}

const nameKey = (country: string | undefined, name: string) => `${country ?? ''} ${operatorToken(name)}`
