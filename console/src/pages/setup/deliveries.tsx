// What was sent to a webhook, and what did it answer? Each event can be sent again.

import type { WebhookAttempts } from '../../api/types.ts'
import { useChange, useRead } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Failed, Loading } from '../../parts/empty.tsx'
import { Table } from '../../parts/table.tsx'
import { shortId } from '../../parts/values/format.ts'
import { locale } from '../../parts/values/locale.ts'
import { Time } from '../../parts/values/time.tsx'
import './setup.css'

const results = {
  accepted: 'Accepted',
  gone: 'Gone',
  refused: 'Refused',
  redirected: 'Redirected',
  timeout: 'Timed out',
  unreachable: 'Not reached',
  garbage: 'No HTTP answer',
  target: 'IP address not allowed',
  unreadable: 'Event damaged',
  'key unknown': 'Key not on this server',
  'given up': 'Given up',
} as const satisfies Readonly<Record<WebhookAttempts['attempts'][number]['result'], string>>

export function Deliveries({ webhookId, mayReplay }: { webhookId: string; mayReplay: boolean }) {
  const { data, error, refetch } = useRead(
    'listWebhookAttempts',
    { webhookId },
    {
      refetchInterval: 15_000,
    },
  )
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={3} />
  if (data.attempts.length === 0) return <p className="dim">Nothing was sent in the last week.</p>
  return (
    <div className="deliveries">
      <Table
        head={{
          When: '',
          Event: '',
          Result: '',
          Answer: 'wide',
          Took: 'number wide',
          ...(mayReplay && { 'Send again': 'hidden' }),
        }}
      >
        {data.attempts.map(({ eventId, type, attemptedAt, result, status, durationMs, answer }) => (
          <tr key={`${eventId} ${attemptedAt}`}>
            <td className="dim">
              <Time at={attemptedAt} />
            </td>
            <td>
              {type}
              <p className="dim">
                <Copy value={eventId}>{shortId(eventId)}</Copy>
              </p>
            </td>
            <td>
              <Badge tone={result === 'accepted' ? 'green' : 'red'}>{results[result]}</Badge>
              {status !== undefined && <span className="figures"> {status}</span>}
            </td>
            <td className="wide">
              <code className="answer">{answer}</code>
            </td>
            <td className="number figures wide dim">{durationMs.toLocaleString(locale)} ms</td>
            {mayReplay && (
              <td className="number">
                <SendAgain webhookId={webhookId} eventId={eventId} />
              </td>
            )}
          </tr>
        ))}
      </Table>
    </div>
  )
}

function SendAgain({ webhookId, eventId }: { webhookId: string; eventId: string }) {
  const sending = useChange((call) => call('replayWebhook', { webhookId, eventId }), { reads: ['listWebhooks'] })
  const word = sending.isError ? 'Not stored any more' : sending.isSuccess ? 'Sent again' : 'Send again'
  return (
    <Button
      kind="quiet"
      aria-label={`${word}: ${eventId}`}
      isDisabled={sending.isPending || sending.isSuccess}
      onPress={() => sending.mutate()}
    >
      {word}
    </Button>
  )
}
