// How many decisions are like this one? Those of its device, else of its user, in the 24 hours before it.

import type { RequestOf } from '../../api/call.ts'
import { useMay } from '../../api/session.tsx'
import type { InvestigatedDecision } from '../../api/types.ts'
import { useRead } from '../../api/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Link } from '../../parts/link.tsx'
import { locale } from '../../parts/values/locale.ts'
import './decision.css'

/** One page of a search: beyond it the count says "more than". */
const most = 100
const dayMs = 86_400_000

type Asked = Pick<RequestOf<'searchEvents'>, 'deviceId' | 'userId'>

export function LikeThis({ decision }: { decision: InvestigatedDecision }) {
  const { deviceId } = decision.device ?? {}
  const { userId } = decision.subject
  const mayRead = useMay()('decisions.read')
  if (!mayRead) return null
  if (deviceId !== undefined) return <Count decision={decision} of={{ deviceId }} name="by this device" />
  return userId === undefined ? null : <Count decision={decision} of={{ userId }} name="of this user" />
}

function Count({ decision: { createdAt }, of, name }: { decision: InvestigatedDecision; of: Asked; name: string }) {
  const at = Date.parse(createdAt)
  const { data } = useRead(
    'searchEvents',
    {
      ...of,
      types: ['decision.created'],
      from: new Date(at - dayMs).toISOString(),
      to: createdAt,
      limit: most,
    },
    { staleTime: 60_000 },
  )
  const before = data?.events ?? []
  const stopped = before.filter(({ outcome }) => outcome === 'BLOCK').length
  const count = before.length
  const [[kind, value]] = Object.entries(of) as [[string, string]]
  return (
    <Card
      title="Like this one"
      aside={
        <Link to="/search" hash={`${kind}=${encodeURIComponent(value)}`} className="card-link">
          See all
        </Link>
      }
    >
      <p className="figures">
        {data?.nextCursor !== undefined && 'More than '}
        {count === 0 ? 'No' : count.toLocaleString(locale)} other {count === 1 ? 'decision' : 'decisions'} {name} in the
        24 hours before{count > 0 && `, ${stopped === 0 ? 'none' : stopped.toLocaleString(locale)} blocked`}.
      </p>
    </Card>
  )
}
