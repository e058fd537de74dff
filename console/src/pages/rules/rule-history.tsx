// In which versions did the open rule change, who changed it, and how?

import type { ChangesOfRule } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/values/time.tsx'
import { versionName } from '../decision/rules-card.tsx'
import { ChangedFields, changeTones } from './comparison-card.tsx'
import './rules.css'

export function RuleHistoryCard({ ruleId }: { ruleId: string }) {
  const { data } = useRead('readChangesOfRule', { rule: ruleId }, { staleTime: 60_000 })
  if (!data) return null
  return (
    <Card title="History">
      {data.changes.length === 0 ? (
        <p className="dim">No published version has changed it.</p>
      ) : (
        <ol className="differences rule-history">
          {data.changes.map((change) => (
            <li key={`${change.version} ${change.liveAt}`}>
              <Change change={change} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function Change({ change: { version, change, fields, liveAt, liveBy, storedBy, note } }: ChangeProps) {
  const writer = storedBy === undefined || storedBy === liveBy ? '' : `, written by ${storedBy}`
  return (
    <details>
      <summary>
        <Badge tone={changeTones[change]}>{change}</Badge> {versionName(version)}{' '}
        <span className="dim">
          <Time at={liveAt} /> by {liveBy}
          {writer}
        </span>
        {note !== '' && <span className="rule-history-note">{note}</span>}
      </summary>
      <ChangedFields fields={fields} />
      <p>
        <Link to="/rules" search={{ version }}>
          Show {versionName(version).toLowerCase()}
        </Link>
      </p>
    </details>
  )
}

interface ChangeProps {
  change: ChangesOfRule['changes'][number]
}
