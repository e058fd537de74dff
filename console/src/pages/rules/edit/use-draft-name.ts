// What is the draft called? As before where it is continued, else by what it is about or by who writes it.

import { useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import type { RuleVersions } from '../../../api/types.ts'

export interface Naming {
  readonly name: string
  rename(name: string): void
  /** The draft that is continued, where one was chosen and still has its name. */
  readonly continued: RuleVersions['versions'][number]['draft']
  /** A name like this one that no draft has. */
  freeName(): string
}

export function useDraftName(
  version: number,
  versions: RuleVersions['versions'],
  startedName: string | undefined,
): Naming {
  const { me } = useSession()
  const [typed, setTyped] = useState<string>()
  const [chosen] = useState(versions.find((each) => each.version === version)?.draft)
  const [taken] = useState(new Set(versions.flatMap(({ draft }) => (draft ? [draft.name] : []))))
  const [fallback] = useState(
    () => chosen?.name ?? freeOf(startedName ?? `Draft of ${me?.person?.name ?? 'somebody'}`, taken),
  )
  const name = typed ?? fallback
  return {
    name,
    rename: setTyped,
    continued: chosen?.name === name ? chosen : undefined,
    freeName: () => freeOf(name, new Set([...taken, name])),
  }
}

function freeOf(name: string, taken: ReadonlySet<string>): string {
  const short = name.slice(0, 50)
  if (!taken.has(short)) return short
  for (let number = 2; ; number++) if (!taken.has(`${short} ${number}`)) return `${short} ${number}`
}
