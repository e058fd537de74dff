// How does somebody fill in a dialog? In a form, which makes one call.

import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Feet, type FeetProps } from './feet.tsx'
import { SubmitForm } from './submit-form.tsx'

export interface DialogFormProps extends Omit<FeetProps, 'error'> {
  /** The call. */
  change: { readonly error: Error | null; readonly isPending: boolean }
  onSubmit: () => void
  /** The words on the button. */
  action: ReactNode
  kind?: 'primary' | 'danger' | 'plain'
  /** Something is missing or wrong. */
  isDisabled?: boolean
  className?: string
}

export function DialogForm(props: DialogFormProps) {
  const { change, problem, onSubmit, onClose, action, kind = 'primary', isDisabled = false, children } = props
  return (
    <SubmitForm className={props.className ?? 'react-aria-Form'} onSubmit={onSubmit}>
      {children}
      <Feet {...{ error: change.error, problem, onClose }}>
        <Button kind={kind} type="submit" isDisabled={isDisabled || change.isPending}>
          {action}
        </Button>
      </Feet>
    </SubmitForm>
  )
}
