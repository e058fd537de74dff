// How are the events of a time range sent again? In parts, with a count, until all are.

import { useRef, useState } from 'react'
import { useChange } from '../../api/use-call.ts'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/field.tsx'
import { CallError } from '../../parts/forms/call-error.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { locale } from '../../parts/values/locale.ts'
import { texts } from '../../texts.ts'
import './setup.css'

const ranges = { '1': 'The last hour', '6': 'The last 6 hours', '24': 'The last day', '168': 'The last week' } as const
const hourMs = 3_600_000

interface ReplayProps {
  webhookId: string
  onClose: () => void
  reads: readonly string[]
}

export function Replay({ webhookId, onClose, reads }: ReplayProps) {
  const [range, setRange] = useState<keyof typeof ranges>('1')
  const [sent, setSent] = useState(0)
  const isClosed = useRef(false)
  const replaying = useChange(
    async (call) => {
      const now = Date.now()
      const times = { since: new Date(now - Number(range) * hourMs).toISOString(), until: new Date(now).toISOString() }
      let total = 0
      for (let cursor: string | undefined; !isClosed.current; ) {
        const part = await call('replayWebhook', { webhookId, ...times, cursor })
        total += part.events
        setSent(total)
        cursor = part.next
        if (cursor === undefined) break
      }
      return total
    },
    { reads },
  )
  const close = () => {
    isClosed.current = true
    onClose()
  }
  return (
    <Dialog title="Send events again" isOpen onClose={close}>
      <p className="dim">
        They are sent after those that wait, in their order. Your server may get an event twice: its id is the same.
      </p>
      <div className="dialog-field">
        <Select label="Events of" options={ranges} value={range} onChange={setRange} />
      </div>
      {(replaying.isPending || replaying.isSuccess) && (
        <p role="status">
          {sent.toLocaleString(locale)} {sent === 1 ? 'event is' : 'events are'} sent again
          {replaying.isPending ? ' so far.' : '.'}
        </p>
      )}
      {replaying.error && <CallError error={replaying.error} />}
      <footer>
        <Button onPress={close}>{replaying.isSuccess ? texts.common.close : texts.common.cancel}</Button>
        {!replaying.isSuccess && (
          <Button kind="primary" isDisabled={replaying.isPending} onPress={() => replaying.mutate()}>
            Send again
          </Button>
        )}
      </footer>
    </Dialog>
  )
}
