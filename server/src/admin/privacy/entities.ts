// Which rows of the tables of users, devices and numbers are about a subject? They end with it, or with the last event that names them.

import type { Database } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import { openContent } from '../fold/entity-content.ts'
import { nextTurn } from '../store/activity.ts'
import { deleteEntity, type EntityKey, type EntityKind, findEntities } from '../store/entities.ts'
import type { Subject } from './person.ts'
import { type SeenHashes, type SubjectColumn, someEvents } from './store/records-of-subject.ts'
import { keysOfSubject } from './subject.ts'

const columnOf = { user: 'user_hash', device: 'device_hash', number: 'number_hash' } as const satisfies Record<
  EntityKind,
  SubjectColumn
>

export const entityKeysOf = ({ userHash, deviceHash, numberHash }: SeenHashes): EntityKey[] => [
  ...(userHash ? [{ kind: 'user' as const, hash: userHash }] : []),
  ...(deviceHash ? [{ kind: 'device' as const, hash: deviceHash }] : []),
  ...(numberHash ? [{ kind: 'number' as const, hash: numberHash }] : []),
]

const ownKeys = ({ subject, keys }: Subject): EntityKey[] =>
  keysOfSubject(subject, keys).flatMap(({ column, hash }) => {
    const kind = (Object.keys(columnOf) as EntityKind[]).find((each) => columnOf[each] === column)
    return kind ? [{ kind, hash }] : []
  })

/**
 * Deletes the rows of the subject, and those of others that no event names any more. It comes after the events: a page of them that was
 * read before is not counted. @param named the subjects of the erased events @returns how many rows
 */
export async function eraseEntities(
  database: Database,
  about: Subject,
  named: ReadonlyMap<string, EntityKey>,
): Promise<number> {
  const { tenantId, pause } = about
  const tenant = tenantHash(tenantId)
  const ended = [...ownKeys(about)]
  for (const key of named.values()) {
    const left = await someEvents(database, { tenantId, column: columnOf[key.kind], hash: key.hash })
    if (left.length === 0) ended.push(key)
    await pause()
  }
  return database.transaction(async (tx) => {
    await nextTurn(tx, tenant)
    let rows = 0
    for (const key of ended) rows += await deleteEntity(tx, tenant, key)
    return rows
  })
}

/** What the rows of the subject show. */
export async function shownEntities(database: Database, about: Subject): Promise<object[]> {
  const rows = await findEntities(database, about.tenantId, ownKeys(about))
  return rows.map(({ hash, sealed, risk: _, firstSeenAt, lastSeenAt, ...counts }) => ({
    ...counts,
    ...openContent({ kind: counts.kind, hash, sealed }, about.keys),
    firstSeenAt: new Date(firstSeenAt).toISOString(),
    lastSeenAt: new Date(lastSeenAt).toISOString(),
  }))
}
