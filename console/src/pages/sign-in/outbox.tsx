// What would the sandbox have sent? Its messages, with their codes.

import { useQuery } from '@tanstack/react-query'
import { reading, useSession } from '../../api/session.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Time } from '../../parts/time.tsx'

export function Outbox() {
  const { call } = useSession()
  const { data, error, refetch } = useQuery({ ...reading(call, 'readOutbox', {}), refetchInterval: 15_000 })
  return (
    <Card title="Development outbox" aside={<Badge tone="amber">Sandbox only</Badge>}>
      {error && !data ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading lines={3} />
      ) : data.messages.length === 0 ? (
        <p className="dim">No messages yet. They appear here in place of being sent.</p>
      ) : (
        <ul className="outbox">
          {data.messages.map(({ at, method, to, text }) => (
            <li key={`${at} ${to} ${text}`}>
              <p>
                <b>{method}</b> to <code>{to}</code>{' '}
                <span className="dim">
                  <Time at={at} />
                </span>
              </p>
              <pre>{text}</pre>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
