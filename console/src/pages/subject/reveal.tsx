// How does somebody who sees personal data masked see one record in clear? After a reason, which the audit log keeps.

import { type ReactNode, useState } from 'react'
import type { RequestOf } from '../../api/call.ts'
import { useMay } from '../../api/session.tsx'
import { useChange } from '../../api/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { DialogForm } from '../../parts/forms/dialog-form.tsx'
import { Dialog } from '../../parts/overlay.tsx'
import './subject.css'

export type Revealed = Pick<RequestOf<'reveal'>, 'kind' | 'id'>

const whole: Readonly<Record<Revealed['kind'], string>> = {
  decision: 'this decision',
  deviceReport: 'this device report',
  event: 'this event',
  device: 'this device',
  user: 'this user',
  phoneNumber: 'this phone number',
}

/**
 * `record` is what the page shows instead of what it has read, until it is left. `control` is a button for roles that see the record
 * masked and may reveal it, and nothing for others.
 */
export function useReveal<Record extends object>({
  kind,
  id,
}: Revealed): {
  readonly record: Record | undefined
  readonly control: ReactNode
} {
  const may = useMay()
  const [shown, setShown] = useState<Revealed & { record: Record }>()
  const [isOpen, setOpen] = useState(false)
  const record = shown?.kind === kind && shown.id === id ? shown.record : undefined
  if (may('personalData.read') || !may('personalData.reveal')) return { record: undefined, control: null }
  if (record) return { record, control: <Badge tone="amber">Shown in clear</Badge> }
  const control = (
    <>
      <Button onPress={() => setOpen(true)}>Reveal</Button>
      {isOpen && (
        <RevealDialog
          of={{ kind, id }}
          onClose={() => setOpen(false)}
          onShown={(found) => {
            setShown({ kind, id, record: found as Record })
            setOpen(false)
          }}
        />
      )}
    </>
  )
  return { record, control }
}

interface RevealDialogProps {
  of: Revealed
  onClose: () => void
  onShown: (record: object) => void
}

function RevealDialog({ of, onClose, onShown }: RevealDialogProps) {
  const [reason, setReason] = useState('')
  const revealing = useChange((call) => call('reveal', { ...of, reason }), {
    reads: ['listReveals'],
    onDone: ({ record }) => onShown(record),
  })
  return (
    <Dialog title={`Show ${whole[of.kind]} in clear?`} isOpen onClose={onClose}>
      <DialogForm
        change={revealing}
        onSubmit={() => revealing.mutate()}
        onClose={onClose}
        action="Reveal"
        isDisabled={reason.trim().length < 3}
      >
        <p className="dim reveal-note">
          You see phone numbers, email addresses, IP addresses and notes until you leave the page. The audit log has
          your name and the reason.
        </p>
        <TextField
          label="Reason"
          name="reason"
          description="Such as the number of a ticket. Do not name the person"
          value={reason}
          onChange={setReason}
          maxLength={500}
          autoComplete="off"
          autoFocus
        />
      </DialogForm>
    </Dialog>
  )
}
