// How much was done today? How many reviews the team has resolved, and how long they had waited.

import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import { useRead } from '../../api/use-call.ts'
import { days } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import { texts } from '../../texts.ts'

const most = 100
const dayMs = 86_400_000

export function Today() {
  const enabled = useMay()('decisions.read')
  const [from] = useState(() => new Date(new Date().setHours(0, 0, 0, 0)).toISOString())
  const { data } = useRead(
    'searchEvents',
    { types: ['decision.review.resolved'], from, limit: most },
    { enabled, staleTime: 30_000 },
  )
  if (!data || data.events.length === 0) return null
  const waits = data.events.flatMap(({ timestamp, data: { decisionId } }) => {
    const decidedAt = timeOf(decisionId)
    return decidedAt === undefined ? [] : [Date.parse(timestamp) - decidedAt]
  })
  const mean = waits.reduce((sum, each) => sum + each, 0) / Math.max(1, waits.length)
  const count = `${data.nextCursor === undefined ? '' : 'more than '}${data.events.length.toLocaleString(locale)}`
  return <span className="figures">{texts.reviews.today(count, days(mean / dayMs) ?? '')}</span>
}

/** The id of a decision begins with its time in milliseconds (RFC 9562, version 7). */
function timeOf(decisionId: unknown): number | undefined {
  if (typeof decisionId !== 'string') return undefined
  const time = Number.parseInt(decisionId.replaceAll('-', '').slice(0, 12), 16)
  return Number.isFinite(time) ? time : undefined
}
