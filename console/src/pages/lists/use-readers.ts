// Does a page know which rules read a list? Only with a role that may read rules.

import { useMay } from '../../api/session.tsx'
import { useRead } from '../../api/use-call.ts'
import { readersOf } from './readers.ts'

/** Undefined while it is not known: the rules are being read, or the role may not read them. */
export function useListReaders(): ((list: string) => readonly string[]) | undefined {
  const mayRead = useMay()('rules.read')
  const { data } = useRead('readRules', { version: 'live' }, { enabled: mayRead })
  if (!data) return undefined
  const readers = readersOf(data)
  return (list) => readers.get(list) ?? []
}
