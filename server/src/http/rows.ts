// Which row of the surface answers a path?

import type { ErrorFormat } from '@ringfence/contract'
import type { Row } from './surface.ts'

export interface Rows {
  /** The rows of a path, one for each method. */
  at(path: string | undefined): readonly Row[]
  /** The error format of a path. One that is not an endpoint has that of its neighbours, or else of the telecom checks. */
  errorFormatAt(path: string | undefined): ErrorFormat
}

const none: readonly Row[] = []

export function rowsOf(surface: readonly Row[]): Rows {
  const byPath = Map.groupBy(surface, ({ path }) => path)
  const at = (path: string | undefined) => (path !== undefined && byPath.get(path)) || none
  return {
    at,
    errorFormatAt(path) {
      const [row] = at(path)
      if (row?.kind === 'endpoint') return row.errorFormat
      const head = `${path?.split('/', 3).join('/')}/`
      const beside = surface.find((other) => other.kind === 'endpoint' && other.path.startsWith(head))
      return beside?.kind === 'endpoint' ? beside.errorFormat : 'telecom'
    },
  }
}
