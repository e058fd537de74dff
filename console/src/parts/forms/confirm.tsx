// Does the person mean it? A question before what cannot be undone, which stays open while it runs and when it fails.

import type { ReactNode } from 'react'
import type { Call } from '../../api/call.ts'
import { type ChangeOptions, useChange } from '../../api/use-call.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../overlay.tsx'
import { Feet } from './feet.tsx'

interface ConfirmProps extends Pick<ChangeOptions<unknown, void>, 'reads' | 'readsAlways'> {
  title: string
  /** What happens, and what cannot be undone. */
  children: ReactNode
  /** The word on the button. */
  action: string
  kind?: 'primary' | 'danger'
  isOpen: boolean
  onClose: () => void
  onConfirm: (call: Call) => Promise<unknown>
}

export function Confirm({
  title,
  children,
  action,
  kind = 'danger',
  isOpen,
  onClose,
  onConfirm,
  ...read
}: ConfirmProps) {
  const doing = useChange(onConfirm, { ...read, onDone: onClose })
  const close = () => {
    doing.reset()
    onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <div className="confirm-text">{children}</div>
      <Feet error={doing.error} onClose={close}>
        <Button kind={kind} isDisabled={doing.isPending} onPress={() => doing.mutate()}>
          {action}
        </Button>
      </Feet>
    </Dialog>
  )
}
