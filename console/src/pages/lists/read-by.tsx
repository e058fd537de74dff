// What does a list do? The rules that read it; where none does, it says so and offers to make one.

import { useMay } from '../../api/session.tsx'
import type { List } from '../../api/types.ts'
import { Badge } from '../../parts/badge.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { isIdle } from './readers.ts'
import './lists.css'

interface ReadByProps {
  list: Pick<List, 'name' | 'purpose'>
  /** Undefined: not known. */
  readers: readonly string[] | undefined
}

/** In a row of lists. */
export function ReadBy({ list, readers }: ReadByProps) {
  if (readers === undefined) return null
  if (readers.length > 0) return readers.join(', ')
  return isIdle(list, readers) ? <Badge tone="amber">No rule</Badge> : <span className="dim">No rule</span>
}

const idleTexts = {
  block: 'No live rule reads this list, so it blocks nothing.',
  watch: 'No live rule reads this list, so nothing is watched.',
} as const

/** On the page of a list, and after a value was added. */
export function IdleList({ list, readers }: ReadByProps) {
  const may = useMay()
  if (!isIdle(list, readers) || list.purpose === 'allow') return null
  return (
    <p className="list-idle" role="note">
      <Icon name="warning" size={16} />
      <span>{idleTexts[list.purpose]}</span>
      {may('rules.write') && (
        <Link to="/rules/edit" search={{ list: list.name }} className="button">
          Make the rule
        </Link>
      )}
    </p>
  )
}
