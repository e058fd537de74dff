// Does the person mean it? A question before what cannot be undone, which stays open while it runs and when it fails.

import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from '../overlay.tsx'
import { Feet } from './feet.tsx'
import './confirm.css'

export interface ConfirmProps {
  title: string
  /** What happens, and what cannot be undone. */
  children: ReactNode
  /** The word on the button. */
  action: string
  kind?: 'primary' | 'danger'
  isOpen: boolean
  onClose: () => void
  /** Resolves when it is done. */
  onConfirm: () => Promise<unknown>
}

export function Confirm({ title, children, action, kind = 'danger', isOpen, onClose, onConfirm }: ConfirmProps) {
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
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
