// What exactly does an event contain? Every field, and links to what it names.

import type { FoundEvent } from '../../api/types.ts'
import { useRuleNames } from '../../api/use-rule-names.ts'
import { Facts } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import { fieldName } from '../../parts/values/format.ts'
import { exactTime } from '../../parts/values/time.tsx'
import { eventName, valueName } from '../../words/events.ts'
import { useReveal } from '../subject/reveal.tsx'

export function EventDialog({ event, onClose }: { event: FoundEvent | undefined; onClose: () => void }) {
  return (
    <Dialog title={event ? eventName(event.type) : ''} isOpen={event !== undefined} onClose={onClose}>
      {event && <Content key={event.id} read={event} />}
    </Dialog>
  )
}

function Content({ read }: { read: FoundEvent }) {
  const { record, control } = useReveal<FoundEvent>({ kind: 'event', id: read.id })
  const { timestamp, id, data } = record ?? read
  const fired = Array.isArray(data.rules) ? data.rules.map(String) : []
  const ruleName = useRuleNames(fired)
  const shown = (field: string, value: unknown) =>
    field === 'rules' && fired.length > 0 ? fired.map(ruleName).join(', ') : valueName(field, value)
  return (
    <>
      <Facts
        facts={[
          { name: 'When', value: exactTime(timestamp) },
          { name: 'Event', value: <Copy value={id} /> },
          ...Object.entries(data).map(([field, value]) => ({
            name: fieldName(field),
            value:
              shown(field, value) ?? (typeof value === 'object' ? <code>{JSON.stringify(value)}</code> : String(value)),
          })),
        ]}
      />
      {control && <footer>{control}</footer>}
    </>
  )
}
