// Why can this user not sign in or pay? The newest blocked or reviewed decision, its strongest reasons in words, and the way to it.

import { useQuery } from '@tanstack/react-query'
import type { AnswerOf, Call } from '../../api/call.ts'
import { useSession } from '../../api/session.tsx'
import type { FoundEvent } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { isAction } from '../../parts/actions.ts'
import { ActionBadge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { operationName } from '../../parts/values/format.ts'
import { Time } from '../../parts/values/time.tsx'
import './user.css'

/** A person on the telephone hears no more of them. */
const mostReasons = 3

export function LastRefused({ userId }: { userId: string }) {
  const { call } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['searchEvents', 'last refused', userId],
    queryFn: async ({ signal }) => (await lastRefused(userId, call, signal)) ?? null,
  })
  return (
    <Card title="Last refused: why">
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={3} />
      ) : data === null ? (
        <p className="dim">No stored decision about the user was blocked or sent to review.</p>
      ) : (
        <Refused event={data} />
      )}
    </Card>
  )
}

function Refused({ event: { timestamp, outcome, data } }: { event: FoundEvent }) {
  const { decisionId = '' } = data as { decisionId?: string }
  const { data: decision, error } = useRead('readDecision', { decisionId })
  const operation = typeof data.operation === 'string' ? data.operation : undefined
  return (
    <div className="last-refused">
      <p className="last-refused-head">
        <ActionBadge action={isAction(outcome) ? outcome : 'BLOCK'} />
        <b>{operationName(operation) ?? 'Decision'}</b>
        <span className="dim">
          <Time at={timestamp} />
        </span>
      </p>
      {decision ? <Reasons decision={decision} /> : error ? <Codes of={data} /> : <Loading lines={2} />}
      <Link to="/decisions/$decisionId" params={{ decisionId }}>
        See the decision
      </Link>
    </div>
  )
}

function Reasons({ decision }: { decision: AnswerOf<'readDecision'> }) {
  const { verdict, message, review } = decision
  // The rule is in the verdict.
  const reasons = decision.reasons.filter(({ code }) => code !== 'RULE')
  return (
    <>
      <p>{verdict}</p>
      {reasons.length > 0 && (
        <ol>
          {reasons.slice(0, mostReasons).map(({ code, text }) => (
            <li key={code}>{text}</li>
          ))}
        </ol>
      )}
      {reasons.length > mostReasons && <p className="dim">and {reasons.length - mostReasons} weaker reasons</p>}
      {message !== undefined && <p>Message for the user: “{message}”</p>}
      {review && <p className="dim">{reviewTexts[review.state]}</p>}
    </>
  )
}

const reviewTexts = {
  open: 'It waits for a reviewer.',
  approved: 'A reviewer has approved it since.',
  blocked: 'A reviewer has blocked it since.',
} as const

/** The event has codes for as long as it is stored; the decision may have expired. */
function Codes({ of: { reasons } }: { of: FoundEvent['data'] }) {
  const codes = Array.isArray(reasons) ? reasons.filter((each) => typeof each === 'string') : []
  return <p className="dim">{codes.length > 0 ? codes.slice(0, mostReasons).join(', ') : 'No reasons are stored.'}</p>
}

/** A page may have fewer events than there are, or none. So many are read. */
const mostPages = 5

async function lastRefused(userId: string, call: Call, signal: AbortSignal): Promise<FoundEvent | undefined> {
  const newest = async (outcome: 'BLOCK' | 'REVIEW'): Promise<FoundEvent | undefined> => {
    let cursor: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const filters = { userId, types: ['decision.created' as const], outcome, limit: 1 }
      const { events, nextCursor } = await call('searchEvents', { ...filters, cursor }, { signal })
      const found = events.find((event) => event.outcome === outcome)
      if (found || nextCursor === undefined) return found
      cursor = nextCursor
    }
    return undefined
  }
  const found = await Promise.all([newest('BLOCK'), newest('REVIEW')])
  return found
    .filter((event) => event !== undefined)
    .toSorted((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp))[0]
}
