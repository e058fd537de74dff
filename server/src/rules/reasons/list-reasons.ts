// Does a rule fire with a value in a list of the tenant? A reason for lists that block, and one for lists that watch.

import type { ListPurpose } from '@ringfence/contract'
import type { Reason } from './reason.ts'

/** A look-up that found the value, in a live rule that fires with it. */
export interface Listed {
  readonly list: string
  readonly path: string
  readonly purpose: ListPurpose
}

const byPurpose: Readonly<Record<ListPurpose, Pick<Reason, 'code' | 'weight'> | undefined>> = {
  block: { code: 'ON_BLOCK_LIST', weight: 80 },
  watch: { code: 'ON_WATCH_LIST', weight: 30 },
  // A rule may let it pass; that makes nothing less risky.
  allow: undefined,
}

export function listReasons(listed: readonly Listed[]): Reason[] {
  // Several rules may look up the same.
  const lists = [...Map.groupBy(listed, ({ list }) => list).values()].map(([first]) => first!)
  return lists.flatMap(({ list, path, purpose }) => {
    const reason = byPurpose[purpose]
    return reason ? [{ ...reason, text: `The list ${list} has the value of ${path}`, source: `lists.${list}` }] : []
  })
}

/** One for each purpose. */
export const listExamples: readonly Listed[] = [
  { list: 'stolen-cards', path: 'params.card', purpose: 'block' },
  { list: 'watched-domains', path: 'email.domain', purpose: 'watch' },
]
