// How is the knowledge of an account stored? As sealed JSON: countries and operators are few, so hashes of them could be guessed.

import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { KnowledgeRow } from '../device/store/account-knowledge.ts'
import { type Count, type Kind, type Knowledge, kinds, noValues, type Source } from './knowledge.ts'

type Value = [kind: number, value: string, sessions: number, day: number]
type StoredSource = Omit<Source, 'values'> & { readonly values: readonly Value[] }

/** The place of a row, so that a moved row cannot be opened. */
export const contextOf = (tenantId: string, accountHash: Uint8Array): string =>
  `account knowledge ${tenantId} ${Buffer.from(accountHash).toString('hex')}`

/** Whose knowledge it is. */
export interface Account {
  readonly tenantId: string
  readonly accountHash: Uint8Array
}

export function sealKnowledge(knowledge: Knowledge, account: Account, keys: TenantKeys): Uint8Array {
  const sources = knowledge.map(
    ({ values, ...source }): StoredSource => ({
      ...source,
      values: kinds.flatMap((kind, place) =>
        [...values[kind]].map(([value, { sessions, day }]): Value => [place, value, sessions, day]),
      ),
    }),
  )
  return keys.seal(JSON.stringify(sources), contextOf(account.tenantId, account.accountHash))
}

/** A kind that is newer than this version of the server is left out. */
export function openKnowledge({ sealed }: Pick<KnowledgeRow, 'sealed'>, account: Account, keys: TenantKeys): Knowledge {
  const sources: StoredSource[] = JSON.parse(keys.open(sealed, contextOf(account.tenantId, account.accountHash)))
  return sources.map(({ values, ...source }): Source => {
    const counts: Record<Kind, Map<string, Count>> = {
      country: new Map(),
      network: new Map(),
      operator: new Map(),
      number: new Map(),
      hour: new Map(),
    }
    for (const [place, value, sessions, day] of values) {
      const kind = kinds[place]
      if (kind) counts[kind].set(value, { sessions, day })
    }
    return { ...source, values: values.length === 0 ? noValues : counts }
  })
}
