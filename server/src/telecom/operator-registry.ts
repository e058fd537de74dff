// Which operators are configured, by id, name and alias, and which connector does each use?

import {
  type AnyCheck,
  type Checks,
  checks,
  type OperatorCheckName,
  type OperatorOf,
  operatorCheckNames,
} from '@ringfence/contract'
import Type, { type Static, type TOptional } from 'typebox'
import { OperatorReuseSeconds } from './freshness/reuse.ts'
import { operatorToken } from './operator-token.ts'
import type { OperatorId } from './portability-sources/source.ts'

/** What the configuration may say of each check, as the rows of the contract have it. */
const checkSettings = Object.fromEntries(
  operatorCheckNames.flatMap((name) => {
    const { Operator }: AnyCheck = checks[name]
    return Operator ? [[name, Type.Optional(Operator)]] : []
  }),
) as unknown as { [Name in ConfiguredCheck]: TOptional<OperatorOf<Checks[Name]>> }
type ConfiguredCheck = {
  [Name in OperatorCheckName]: keyof Static<OperatorOf<Checks[Name]>> extends never ? never : Name
}[OperatorCheckName]

/** One operator of the configuration file. */
export const OperatorEntry = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9:._-]{0,63}$',
      description: '"<MCC>-<MNC>" (404-45), or a national id as the number data write it',
    }),
    name: Type.String({
      pattern: '^[A-Z0-9][A-Z0-9_]{0,63}$',
      description: 'an upper-case token, as returned in phoneDetail: FREE_MOBILE',
    }),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        description: 'ISO 3166-1 alpha-2; names and aliases apply within this country',
      }),
    ),
    aliases: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'other ids and names that data sources use for this operator',
      }),
    ),
    connector: Type.Optional(
      Type.String({ description: 'a name under connectors; without it the operator supports no check' }),
    ),
    assumeHomeOperator: Type.Optional(
      Type.Boolean({
        description:
          'true: checks of a number whose home operator this is go to it when no source says who serves the number. Default: they fail with P7301',
      }),
    ),
    reuseSeconds: Type.Optional(OperatorReuseSeconds),
    ...checkSettings,
  },
  { additionalProperties: false },
)
export type OperatorEntry = Static<typeof OperatorEntry>

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
