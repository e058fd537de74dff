// In which decisions did the open rule fire lately, and how did they turn out? Each is a link.

import { useQuery } from '@tanstack/react-query'
import { useMay, useSession } from '../../api/session.tsx'
import type { FoundDecisions } from '../../api/types.ts'
import { ActionBadge, Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/values/time.tsx'
import { texts } from '../../texts.ts'
import { describe } from '../events/describe.ts'
import './rules.css'

const shown = 5
/** A page may have few decisions although older ones follow. */
const mostPages = 5

export function ExamplesCard({ ruleId }: { ruleId: string }) {
  const may = useMay()
  const { call } = useSession()
  const { data } = useQuery({
    queryKey: ['searchDecisions', 'examples', ruleId],
    enabled: may('decisions.read'),
    staleTime: 60_000,
    async queryFn({ signal }) {
      const found: FoundDecisions['events'][number][] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages && found.length < shown; page++) {
        const read = await call('searchDecisions', { rule: ruleId, limit: shown, cursor }, { signal })
        found.push(...read.events)
        cursor = read.nextCursor
        if (cursor === undefined) break
      }
      return found.slice(0, shown)
    },
  })
  // None is no answer: a rule in shadow has none, and older ones may follow the pages that were read.
  if (!data || data.length === 0) return null
  return (
    <Card
      title="Newest decisions in which it fired"
      aside={
        <Link to="/search" search={{ kind: 'decision.created', rule: ruleId }}>
          All
        </Link>
      }
    >
      <ul className="rule-examples" aria-label="Newest decisions in which it fired">
        {data.map((event) => (
          <Example key={event.id} event={event} />
        ))}
      </ul>
    </Card>
  )
}

function Example({ event }: { event: FoundDecisions['events'][number] }) {
  const { title, subject, action, decisionId } = describe(event)
  const { label, timestamp } = event
  return (
    <li>
      <Link to="/decisions/$decisionId" params={{ decisionId: decisionId! }}>
        {action && <ActionBadge action={action} />}
        <span className="rule-example-who">
          {title}
          {subject !== undefined && ` · ${subject}`}
        </span>
        {label && <Badge tone={label === 'legitimate' ? 'green' : 'red'}>{texts.labels[label]}</Badge>}
        <span className="dim">
          <Time at={timestamp} />
        </span>
      </Link>
    </li>
  )
}
