// What would the sandbox have sent? Its messages, with their codes.

import { useRead } from '../../api/use-call.ts'
import { Answer } from '../../parts/answer.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Time } from '../../parts/values/time.tsx'
import { methodName } from '../../words/methods.ts'
import '../setup/setup.css'
import './sign-in-channels.css'

export function Outbox() {
  const answer = useRead('readOutbox', {}, { refetchInterval: 15_000 })
  return (
    <Card title="Development outbox" aside={<Badge tone="amber">Sandbox only</Badge>}>
      <Answer of={answer} lines={3}>
        {(data) =>
          data.messages.length === 0 ? (
            <p className="dim">No messages yet. They appear here in place of being sent.</p>
          ) : (
            <ul className="outbox">
              {data.messages.map(({ at, method, to, text }) => (
                <li key={`${at} ${to} ${text}`}>
                  <p>
                    <b>{methodName(method)}</b> to <code>{to}</code>{' '}
                    <span className="dim">
                      <Time at={at} />
                    </span>
                  </p>
                  <pre>{text}</pre>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  )
}
